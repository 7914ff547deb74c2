"""Each request delivered three times over two restarts, one of them a kill: done once, and always the same answer."""
import json
import signal
import time

from bench import Bench, until
from checks_commands import FINAL, wrote

# Board, verb, arguments, the bytes that are its effect (protocol reference 6, 11, 12, 13, 18); None: it only answers.
REQUESTS = [
    (1, "led", {"color": "blue"}, "020101"),
    (1, "haptic", {"kind": "motor", "duty_pct": 100, "pulse_ms": 700}, "0801f8bc0200"),
    (2, "gpio", {"pin": 1, "output": "high"}, "050101"),
    (2, "i2c-write", {"device": 28, "register": 42, "hex": "01"}, "0d011c2aff0101"),
    (3, "settings", {"tx_dbm": 4}, "110304"),
    (3, "macro-record", {"name": "hello", "action": {"verb": "led", "args": {"state": "PLAY"}}}, "0f04"),
    (4, "timer-create", {"name": "minute", "period_ms": 60000, "action": {"verb": "haptic", "args": {"pulse_ms": 5}}}, "0c0260ea0000ffff00"),
    (4, "read", {"what": "temperature"}, None),
    (1, "reset", {}, "fe01"),
]


def repeats(binary, r, keep):
    b = Bench(binary, boards=4, keep=keep)
    try:
        b.start()
        if not r.equal("repeats: all stream", b.wait_streaming(60), []):
            return
        begun = b.do("now")
        first = deliver(b, r, "first", plain=True)
        for what, end in (("after a kill", signal.SIGKILL), ("after a clean end", signal.SIGTERM)):
            b.daemon.end(end, wait=30)
            b.start_daemon()
            r.equal(f"repeats {what}: all stream", b.wait_streaming(60), [])
            again = deliver(b, r, what, plain=False)
            for name in sorted(first):
                r.equal(f"repeats {what}: {name} has the same answer, marked duplicate", again.get(name), {**first[name], "duplicate": True})
        for n, verb, _, effect in REQUESTS:
            # A reset, which comes last here, takes settings away, so that they are written again.
            if effect and verb != "settings":
                r.equal(f"repeats: {verb} had its effect once", [w for w in wrote(b, n, begun) if w == effect], [effect])
        group = [wrote(b, n, begun).count("0801f8090000") for n in range(1, 5)]
        r.equal("repeats: the group's members had theirs once", group, [1] * 4)
    finally:
        b.close()


def deliver(b, r, what, plain):
    """Sends everything, and returns the one final answer that each request gets."""
    mark = b.client.mark()
    wanted = {}
    for number, (n, verb, args, _) in enumerate(REQUESTS):
        wanted[f"again-{number}"] = (b.topic(n), verb, args)
    wanted["again-group"] = ("metafleet/group/lab", "haptic", {"pulse_ms": 9})
    wanted["again-gateway"] = (b.gateway_topic(), "scan", {"for_s": 2})
    for name, (base, verb, args) in wanted.items():
        b.client.client.publish(f"{base}/cmd/{verb}", json.dumps({"id": name, "args": args}), qos=1)

    def finals():
        found = {}
        for _, topic, payload, *_ in b.client.since(mark):
            if "/reply/" in topic and payload:
                reply = json.loads(payload)
                if reply.get("id") in wanted and reply["stage"] in FINAL:
                    found.setdefault(reply["id"], []).append(reply)
        return found
    until(60, lambda: set(finals()) == set(wanted), 0.1)
    time.sleep(1)
    found = finals()
    r.check(f"repeats {what}: one final answer each", all(len(found.get(name, ())) == 1 for name in wanted), "one each",
            {name: len(found.get(name, ())) for name in wanted})
    r.check(f"repeats {what}: {'none' if plain else 'all'} marked duplicate", all(x[0].get("duplicate", False) != plain for x in found.values()), not plain, found)
    return {name: x[0] for name, x in found.items()}


ALONE = [repeats]
