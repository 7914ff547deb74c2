"""Schedules of a gateway that runs, `try` beside it, and batches that are delivered three times over two restarts."""
import datetime
import json
import os
import signal
import subprocess
import time
import zoneinfo

from bench import Bench, until
from checks_commands import FINAL, wrote

ZONE = "Asia/Kolkata"  # whose minutes are not the host's: half an hour beside them
MISSPELT = [("battery: daily 2:30", "did you mean daily 02:30?"), ("battery: '0 3 * * *'", "did you mean daily 03:00?"),
            ("clock: every 15m from 8 to 18", "did you mean 15m 08:00-18:00?"), ("firmware_check: '@weekly'", "did you mean weekly sun 00:00?")]


def clock(at):
    return datetime.datetime.fromtimestamp(at, zoneinfo.ZoneInfo(ZONE)).strftime("%H:%M")


def schedules(binary, r, keep):
    """A time of day some seconds ahead, hours that begin then, and misspelt rules; meanwhile `try` (contract 7.1, 7.3)."""
    b = Bench(binary, boards=4, keep=keep)
    try:
        os.mkdir(b.path("state"))
        b.start_bus(), b.start_fake(), b.start_broker(), b.start_client()
        begun = time.time()
        due = (begun + 8) // 60 * 60 + 60
        text = f"""gateway: {{ id: {b.gateway}, timezone: {ZONE} }}
schedules: {{ battery: daily {clock(due)}, firmware_check: never }}
profiles:
  timed:
    link: hold
    stream: {{ temperature-die: {{ every: daily {clock(due)} }} }}
  daytime:
    link: hold
    stream: {{ temperature-die: {{ every: 1s {clock(due)}-{clock(due + 300)} }} }}
"""
        del b.ids[2:]  # the other two are nobody's
        b.configure(text, lambda n: f"profile: {('timed', 'daytime')[n - 1]}")
        misspelt(b, r)
        b.start_daemon()
        read = lambda n: (b.client.last(b.topic(n, "state")) or {}).get("battery_ms")
        r.check("schedules: a battery that was never read is read at once", until(20, lambda: read(1) and read(2)), "battery_ms", read(1))
        trials(b, r)
        r.check("schedules: nothing is read before it is due", max(read(1), read(2)) < due * 1000 - 500 or time.time() >= due, f"before {due}", (read(1), read(2)))
        until(due - time.time() + 10, lambda: min(read(1), read(2)) >= due * 1000)
        for n in (1, 2):
            r.check(f"schedules: board {n}: the battery is read at the site's time of day", 0 <= read(n) - due * 1000 < 4000, f"{due}000 and 4 s", read(n))
        times = lambda n: [s["ts_ms"] for m in b.client.since(0, b.topic(n, "live", "temperature-die")) for s in [json.loads(m[2])]]
        until(10, lambda: len(times(1)) >= 2 and len(times(2)) >= 4)
        first, last = (times(1) + [0, 0])[:2]
        r.check("schedules: a stream is read at once, and at its time of day", len(times(1)) == 2 and first < due * 1000 and 0 <= last - due * 1000 < 4000,
                f"two, the second at {due}000", times(1))
        paces = [y - x for x, y in zip(times(2), times(2)[1:])]
        r.check("schedules: outside its hours a stream is not read, in them at its pace", len(times(2)) >= 4 and min(times(2)) >= due * 1000
                and all(700 < p < 2500 for p in paces), f"from {due}000 on, each second", times(2))
        b.do("pull-out", adapter=0)
        code, lines, _ = trial(b)
        r.check("try: without an adapter: 69, and what to do", code == 69 and lines and lines[0].get("step") == "adapter" and lines[0].get("error"), "69", (code, lines))
    finally:
        b.close()


def misspelt(b, r):
    for line, hint in MISSPELT:
        with open(b.path("wrong.yaml"), "w") as f:
            f.write("schedules:\n  " + line + "\n")
        found = subprocess.run([b.binary, "config", "check", "--config", b.path("wrong.yaml")], capture_output=True, text=True, timeout=20)
        told = [x for x in (found.stdout + found.stderr).splitlines() if hint in x]
        r.check(f"schedules: {line} is refused with its place and the right form", found.returncode == 78 and told and ":2:" in told[0], hint,
                (found.returncode, found.stdout, found.stderr))


def trial(b, *arguments):
    """Exit status, steps and standard error of `metafleet try`."""
    found = subprocess.run([b.binary, "try", *arguments, "--json"], capture_output=True, text=True, timeout=60,
                           env={**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": b.bus_address})
    return found.returncode, [json.loads(x) for x in found.stdout.splitlines()], found.stderr


def trials(b, r):
    """A board that another program holds, one that is away, and one that is free: beside a gateway, which notices nothing."""
    address = lambda n: f"C1:0D:0E:0F:00:{n:02X}"
    links = [m for *_, m in b.do("calls")].count("Disconnect")
    code, lines, error = trial(b, address(1))
    failed = [x for x in lines if x.get("result") == "failed"]
    r.check("try: a board that another program holds: 75, and it stays connected", code == 75 and len(failed) == 1
            and [m for *_, m in b.do("calls")].count("Disconnect") == links, "75", (code, lines, error))
    b.do("absent", board=4, on=True)
    code, lines, error = trial(b, address(4), "--scan-for", "2s")
    r.check("try: a board that is away: 1, at the scan", code == 1 and [x["step"] for x in lines if x["result"] == "failed"] == ["scan"], "1", (code, lines, error))
    code, lines, error = trial(b, address(3))
    steps = {x["step"]: x for x in lines}
    r.check("try: a board that is free: 0, all steps", code == 0 and all(x["result"] != "failed" for x in lines) and list(steps)
            == ["adapter", "scan", "connect", "information", "programs", "battery", "led", "haptic", "acceleration", "disconnect"], "0", (code, lines, error))
    wrong = {k: steps.get(k) for k, good in (
        ("battery", lambda x: 0 <= x["battery_pct"] <= 100), ("led", lambda x: x["evidence"] == "readback"),
        ("acceleration", lambda x: 40 < x["measured_hz"] < 60 and x["samples"] > 150)) if k not in steps or not good(steps[k])}
    r.equal("try: what it measured can be", wrong, {})
    r.check("try: it leaves the board", until(3, lambda: [m for *_, m in b.do("calls")].count("Disconnect") > links), "Disconnect", "none")
    r.check("try: the gateway's boards are there all the while", all((b.client.last(b.topic(n, "availability")) or {}).get("state") == "online" for n in (1, 2)), "online", "not")


def idle(b, boards, seconds):
    """Nothing was written to these boards for so long: what their set-up and their earlier commands asked is asked."""
    since = b.do("now")
    time.sleep(seconds)
    return not any(wrote(b, n, since) for n in boards)


def batches_thrice(binary, r, keep):
    """Contract 3.11: at most once as a whole, told alike each time: with a failure at each place, and killed at each place."""
    b = Bench(binary, boards=4, keep=keep)
    pulse = lambda n, place: 100 * n + place
    bump = lambda n, place: {"verb": "haptic", "args": {"pulse_ms": pulse(n, place)}}
    bytes_of = lambda n, place: "0801f8" + pulse(n, place).to_bytes(2, "little").hex() + "00"
    asked = {}
    for place in range(3):
        for how in ("stop", "continue"):
            n, commands = 4, [bump(4 + (how == "stop"), 3 * place + k) for k in range(3)]
            commands[place] = {"verb": "profile", "args": {"name": "nosuch"}}
            asked[f"fails-{place}-{how}"] = (n, {"commands": commands, "on_failure": how})
        # A board that is mute leaves the reading without an answer: there the gateway is killed.
        commands = [bump(place + 1, k) for k in range(3)]
        commands[place] = {"verb": "read", "args": {"what": "battery"}}
        asked[f"killed-{place}"] = (place + 1, {"commands": commands})
    results = lambda reply: [x.get("stage") for x in reply.get("data", {}).get("results", [])]

    def deliver(names):
        mark = b.client.mark()
        for name in names:
            n, arguments = asked[name]
            b.client.client.publish(b.topic(n, "cmd", "batch"), json.dumps({"id": name, "args": arguments}), qos=1)
        return mark

    def finals(mark):
        found = {}
        for _, topic, payload, *_ in b.client.since(mark):
            reply = json.loads(payload) if topic.endswith("/reply/batch") and payload else {}
            if reply.get("stage") in FINAL:
                found.setdefault(reply["id"], []).append(reply)
        return found
    try:
        b.start(daemon=False)
        # Nothing else is asked of a board that gets mute: it would be before the batch.
        b.configure(f"""gateway: {{ id: {b.gateway} }}
schedules: {{ battery: never, clock: never, firmware_check: never }}
profiles: {{ moving: {{ stream: {{ acceleration: {{ rate_hz: 25 }} }} }} }}
""", lambda n: "profile: moving")
        b.start_daemon()
        if not r.equal("batches: all stream", b.wait_streaming(60), []):
            return
        synced = lambda: all((b.client.last(b.topic(n, "config")) or {}).get("in_sync") for n in range(1, 5))
        r.check("batches: all are set up", until(20, synced), "in_sync", "not")
        begun = b.do("now")
        fails = [x for x in asked if x.startswith("fails")]
        mark = deliver(fails)
        until(30, lambda: len(finals(mark)) == len(fails), 0.1)
        first = {name: replies[0] for name, replies in finals(mark).items()}
        for name in fails:
            place, how = int(name.split("-")[1]), name.split("-")[2]
            behind = "done" if how == "continue" else "skipped"
            r.equal(f"batches: {name}", (first.get(name, {}).get("stage"), results(first.get(name, {}))),
                    ("failed", ["done"] * place + ["failed"] + [behind] * (2 - place)))
        # Behind in_sync come the headers of macros and the clock: on a slow machine they are still asked for here.
        r.check("batches: nothing more is asked of the boards", until(60, lambda: idle(b, (1, 2, 3), 3), 0.5), "3 s without a write", "never")
        for n in (1, 2, 3):
            b.do("mute", board=n, on=True)
        mute = b.do("now")
        killed = [x for x in asked if x.startswith("killed")]
        deliver(killed)
        r.check("batches: the readings are under way", until(8, lambda: all("118c" in wrote(b, n, mute) for n in (1, 2, 3))), "118c", [wrote(b, n, mute) for n in (1, 2, 3)])
        for what, end in (("after a kill", signal.SIGKILL), ("after a clean end", signal.SIGTERM)):
            b.daemon.end(end, wait=30)
            for n in (1, 2, 3):
                b.do("mute", board=n, on=False)
            mark = b.client.mark()
            b.start_daemon()
            # What is asked before it has subscribed reaches nobody; its birth comes behind that.
            b.client.wait(30, b.gateway_topic("availability"), lambda v: v["state"] == "online", mark)
            b.wait_streaming(60)
            # What a kill left open is answered at the start: asked again before that, it would have that answer alone.
            open_ones = set(killed) if end == signal.SIGKILL else set()
            r.check(f"batches {what}: what was left open is answered", until(30, lambda: open_ones <= set(finals(mark)), 0.1), open_ones, finals(mark))
            mark = deliver(asked)
            # One of these answers may come behind the mark as well.
            until(30, lambda: all(any(x.get("duplicate") for x in finals(mark).get(name, [])) for name in asked), 0.1)
            time.sleep(1)
            found = finals(mark)
            for name in killed:
                place, reply = int(name.split("-")[1]), found.get(name, [{}])[0]
                r.equal(f"batches {what}: {name} tells what is known", (reply.get("stage"), results(reply)),
                        ("unknown", ["done"] * place + ["unknown"] + ["skipped"] * (2 - place)))
                first.setdefault(name, {k: v for k, v in reply.items() if k != "duplicate"})
            plain = lambda x: {k: v for k, v in x.items() if k != "duplicate"}
            wrong = {name: found.get(name) for name in asked if not found.get(name) or any(plain(x) != first.get(name) for x in found[name])
                     or sum(x.get("duplicate", False) for x in found[name]) != 1}
            r.equal(f"batches {what}: always the same answer, marked duplicate", wrong, {})
        wanted = {bytes_of(place + 1, k): int(k < place) for place in range(3) for k in range(3) if k != place}
        for name in fails:
            place, how = int(name.split("-")[1]), name.split("-")[2]
            wanted.update({bytes_of(4 + (how == "stop"), 3 * place + k): int(how == "continue" or k < place) for k in range(3) if k != place})
        did = [w for n in range(1, 5) for w in wrote(b, n, begun)]
        r.equal("batches: every command was carried out once or not at all", {w: did.count(w) for w in wanted}, wanted)
    finally:
        b.close()


ALONE = [schedules, batches_thrice]
