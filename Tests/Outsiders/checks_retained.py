"""What stands on the broker is what the gateway says: cleared, altered, refused or left over, judged from outside."""
import json
import time
import types

from bench import until
from checks_gone import FewBoards

# Smaller than what a gateway says of a board's abilities, larger than all else that it says of two boards, but for notes that somebody wrote.
SMALL = 3000
NOTES = "groups: [" + ", ".join(f"{n:x}" * 30 for n in range(16)) + "], labels: {" + ", ".join(f"n{n}: {'x' * 128}" for n in range(16)) + "}"


class NotedBoards(FewBoards):
    """Two boards; of the second there is more to say than a small packet takes, whatever is left out."""

    def write_config(self, extra=""):
        return self.configure(f"""gateway: {{ id: {self.gateway} }}
profiles:
  moving:
    stream: {{ acceleration: {{ rate_hz: 25, range_g: 4 }} }}
{extra}""", lambda n: "profile: moving" + f", {NOTES}" * (n == 2))


def truth(binary, r, keep):
    """Others clear and alter documents, the broker takes no large ones or restarts, and leftovers lie about."""
    b = NotedBoards(binary, boards=2, keep=keep)
    # The judge would take what we do to documents for the gateway's doing.
    b.judge = types.SimpleNamespace(restarted=0, message=lambda *_: None)
    b.broker_options = f"max_packet_size {SMALL}\n"
    try:
        b.start()
        r.equal("retained: both boards stream", b.wait_streaming(60), [])
        too_large(b, r)
        altered(b, r)
        of_another(b, r)
        reconnected(b, r)
        left_over(b, r)
    finally:
        b.close()


def too_large(b, r):
    shortened, refused = b.topic(1, "info"), b.topic(2, "info")
    r.check("retained: a document that can be made small enough is there, and says that parts are missing",
            until(20, lambda: json.loads(b.retained().get(shortened, b"{}")).get("truncated") is True and len(b.retained()[shortened]) < SMALL, 1), shortened, sorted(b.retained()))
    info = b.client.wait(20, b.gateway_topic("info"), lambda v: refused in v.get("refused_topics", [])) or {}
    r.check("retained: one that cannot is named, and why", info.get("refused_topics") == [refused] and info.get("refused_reason"), refused, info)
    aged = lambda v: v.get("outbox_refused_msgs") == 1 and v["outbox_refused_oldest_s"] > 0
    r.check("retained: health says how many, and how old", b.client.wait(40, b.gateway_topic("health"), aged), "one, more than 0", b.client.last(b.gateway_topic("health")))
    lines = [line for line in open(b.path("daemon.log"), errors="replace") if "refuses messages" in line]
    r.check("retained: the log says it in one line a minute", 1 <= len(lines) <= 3, "1 to 3 lines", lines)
    b.broker.end()
    b.broker_options = ""
    b.start_broker()
    r.check("retained: both are there in whole once the broker takes them",
            until(60, lambda: all("truncated" not in json.loads(b.retained().get(t, b'{"truncated":true}')) for t in (shortened, refused)), 1), "whole", sorted(b.retained()))
    mark = b.client.mark()
    health = b.client.wait(75, b.gateway_topic("health"), lambda v: v.get("outbox_refused_msgs") == 0, mark)
    r.check("retained: nothing is refused any more", health is not None, 0, (b.client.last(b.gateway_topic("health")) or {}).get("outbox_refused_msgs"))


def altered(b, r):
    time.sleep(5)
    before, mark = b.retained(), b.client.mark()
    cleared, spoilt, other = b.topic(1, "info"), b.topic(2, "availability"), b.gateway_topic("info")
    b.client.publish(cleared, b"", retain=True)
    b.client.publish(spoilt, b"\x00 nonsense", retain=True)
    b.client.publish(other, {**json.loads(before[other]), "host": "elsewhere"}, retain=True)
    topics = (cleared, spoilt, other)
    r.check("retained: what others did to documents is mended within 15 s", until(15, lambda: all(b.retained().get(t) == before[t] for t in topics), 1),
            "as before", {t: b.retained().get(t) for t in topics})
    for type in ("cleared", "altered"):
        event = b.client.wait(10, b.gateway_topic("event", "retained-changed"), lambda v: v["event_type"] == type, mark)
        r.check(f"retained: an event tells it ({type})", event is not None and event["topic"] in topics, type, event)
    health = b.client.wait(40, b.gateway_topic("health"), lambda v: v.get("retained_repaired", 0) >= 3, mark)
    r.check("retained: and it is counted", health is not None, "3 or more", (b.client.last(b.gateway_topic("health")) or {}).get("retained_repaired"))


def of_another(b, r):
    topic = b.topic(1, "availability")
    claim = {**json.loads(b.retained()[topic]), "gw": "elsewhere"}
    b.client.publish(topic, claim, retain=True)
    time.sleep(12)
    r.equal("retained: what another gateway says of a board is left to it", json.loads(b.retained().get(topic, b"{}")), claim)
    b.client.publish(topic, b"", retain=True)
    r.check("retained: and once that is gone the board is ours again", until(60, lambda: json.loads(b.retained().get(topic, b"{}")).get("gw") == b.gateway, 1),
            b.gateway, b.retained().get(topic))


def reconnected(b, r):
    before, mark = b.retained(), b.client.mark()
    b.broker.end()
    b.start_broker()
    b.client.wait(60, b.gateway_topic("event", "broker-restored"), mark=mark)
    time.sleep(8)
    # The broker says each document once to us, as we come back; a second time it comes from the gateway.
    again = {t: sum(m[2] == payload for m in b.client.since(mark, t)) for t, payload in before.items() if not t.endswith("/availability")}
    r.equal("retained: nothing that stands there is said again after a restart of the broker", {t: n for t, n in again.items() if n > 1}, {})


def left_over(b, r):
    orphan, sample = f"{b.base}/board/c10d0e0fffff/info", b.topic(1, "live", "acceleration")
    b.client.publish(orphan, {"gw": b.gateway, "name": "Nobody's"}, retain=True)
    b.client.publish(sample, {"ts_ms": 1}, retain=True)
    status, output, errors = b.tool("retained", "audit")
    r.check("retained: what is left over is listed", status == 1 and orphan in output and sample in output and "--clean" in errors, "both, 1", (status, output, errors))
    r.check("retained: and nothing is removed by that", orphan in b.retained(), orphan)
    documents = {t for t in b.retained() if t not in (orphan, sample)}
    status, output, errors = b.tool("retained", "audit", "--clean")
    r.check("retained: --clean removes it", status == 0, "0", (status, output, errors))
    r.equal("retained: and nothing else", set(b.retained()), documents)
    status, output, errors = b.tool("retained", "audit", "--json")
    r.equal("retained: then all is as it should be", (status, output), (0, ""))


ALONE = [truth]
