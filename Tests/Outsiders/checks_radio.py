"""A radio that looks after itself: two adapters of which one hears each board well, dongles that go and come, refusals of every kind, strangers."""
import time

import checks_contract
from bench import Bench, until

MACS = ["001a7dda7113", "001a7dda7114"]
E = "org.bluez.Error."
# What BlueZ answers to Connect, and what the gateway calls it.
REFUSALS = [
    ((E + "AuthenticationFailed", "Authentication Failed"), "bond-required"),
    ((E + "NotAuthorized", "Not Authorized"), "not-permitted"),
    (("org.freedesktop.DBus.Error.AccessDenied", "Rejected send message"), "not-permitted"),
    ((E + "Failed", "le-connection-abort-by-local"), None),
]


class TwoAdapters(Bench):
    """Board n is heard well at adapter n % 2, and badly at the other."""

    def start_fake(self, *extra):
        super().start_fake("--adapters", "2", "--hear-all", *extra)

    def write_config(self, extra=""):
        return self.configure(f"""gateway: {{ id: {self.gateway} }}
profiles:
  moving:
    stream: {{ acceleration: {{ rate_hz: 25, range_g: 4 }} }}
{extra}""", lambda n: "profile: moving")

    def state(self, n):
        return self.client.last(self.topic(n, "state")) or {}

    def placed(self, boards):
        """Which boards stream over which adapter."""
        return {n: self.state(n).get("adapter") for n in boards if self.state(n).get("link") == "streaming"}

    def near(self, n):
        return MACS[n % 2]


def best_adapter(b, r):
    everyone = range(1, b.count + 1)
    r.equal("all boards stream", b.wait_streaming(60), [])
    r.equal("each over the adapter that hears it well", b.placed(everyone), {n: b.near(n) for n in everyone})
    wrong = [(n, b.state(n).get("rssi_dbm")) for n in everyone if abs(b.state(n).get("rssi_dbm", 0) + 52) > 3]
    r.equal("rssi_dbm is that adapter's", wrong, [])


def dongle(b, r):
    """One is pulled out, its boards move; it returns under another name, and they return when their links are made anew."""
    everyone, moved = range(1, b.count + 1), [n for n in range(1, b.count + 1) if n % 2 == 1]
    kept = [n for n in everyone if n % 2 == 0]
    mark = b.client.mark()
    b.do("pull-out", adapter=1)
    r.check("the adapter is told missing", b.client.wait(10, b.gateway_topic("adapter", MACS[1]), lambda v: v["state"] == "missing", mark), "missing")
    told = {n: b.client.wait(5, b.topic(n, "event", "link-lost"), mark=mark) for n in moved}
    r.equal("each of its boards tells the lost link", [n for n in moved if not told[n]], [])
    until(60, lambda: set(b.placed(everyone).values()) == {MACS[0]} and len(b.placed(everyone)) == b.count, 0.2)
    r.equal("within a minute all stream over the other one", b.placed(everyone), {n: MACS[0] for n in everyone})
    lost = [n for n in kept if b.client.since(mark, b.topic(n, "event", "link-lost"))]
    r.equal("boards of the other adapter are not disturbed", lost, [])
    mark = b.client.mark()
    b.do("plug-in", adapter=1, name="hci7")
    r.check("it is back under its address", b.client.wait(15, b.gateway_topic("adapter", MACS[1]), lambda v: v["state"] == "up" and v["name"] == "hci7", mark), "hci7, up")
    r.check("an event says so", b.client.wait(5, b.gateway_topic("event", "adapter"), lambda v: v["event_type"] == "returned" and v["adapter"] == MACS[1], mark), "returned")
    for n in moved:
        b.do("drop", board=n)
    until(60, lambda: b.placed(moved) == {n: MACS[1] for n in moved}, 0.2)
    r.equal("boards whose links are made anew go back to it", b.placed(moved), {n: MACS[1] for n in moved})


def refusals(b, r):
    """Each refusal is told as what it is, and none is for ever."""
    for n, (error, code) in enumerate(REFUSALS, 1):
        b.do("connect-error", board=n, error=error, times=3 if code else 1)
        b.do("drop", board=n)
    for n, (error, code) in enumerate(REFUSALS, 1):
        if code:
            state = until(20, lambda: (lambda s: s if s.get("reason_code") == code else None)(b.state(n))) or b.state(n)
            r.equal(f"{error[0]}: {code}", state.get("reason_code"), code)
    others = [n for n in range(1, b.count + 1) if n > len(REFUSALS)]
    r.equal("others stream meanwhile", b.wait_streaming(5, others), [])
    # Asked again minutes later, each time after longer; at once when they were away for a minute and are back.
    for n in range(1, len(REFUSALS) + 1):
        b.do("connect-error", board=n, error=["", ""], times=0)
        b.do("absent", board=n, on=True)
    time.sleep(65)
    for n in range(1, len(REFUSALS) + 1):
        b.do("absent", board=n, on=False)
    r.equal("boards that were away and are back are connected at once", b.wait_streaming(20), [])


def strangers(b, r):
    """Two thousand devices that are none of ours, and a thousand that look like ours: no topic, few events, no slot, little memory."""
    health = b.gateway_topic("health")
    before = b.client.wait(35, health, mark=b.client.mark())
    mark = b.client.mark()
    for n in range(10):
        b.do("crowd", count=200, ours=False, first=1 + 200 * n)
        b.do("crowd", count=100, ours=True, first=1 + 100 * n)
        time.sleep(0.5)
    r.equal("all boards stream", b.wait_streaming(10), [])
    after = b.client.wait(65, health, lambda v: v["ts_ms"] > before["ts_ms"] + 30_000, mark) or {}
    told = b.client.since(mark, b.gateway_topic("event", "board-discovered"))
    r.check("at most 60 events in an hour", 0 < len(told) <= 60, "1 to 60", len(told))
    r.check("the others are counted", after.get("discoveries_suppressed", 0) >= 900, "900 and more", after.get("discoveries_suppressed"))
    topics = {m[1].split("/")[2] for m in b.client.since(0) if m[1].startswith(f"{b.base}/board/") and m[2]}
    r.equal("none of them has a topic", topics - set(b.ids), set())
    r.check("memory stays", after.get("rss_bytes", 1e12) - before["rss_bytes"] < 16e6, "less than 16 MB more", after.get("rss_bytes", 0) - before["rss_bytes"])
    batches = b.wait_samples(10, range(1, b.count + 1), b.client.mark())
    r.equal("samples go on", batches, [])


def own_radio(binary, r, keep):
    b = TwoAdapters(binary, boards=6, keep=keep)
    try:
        b.start()
        for step in (best_adapter, dongle, refusals, strangers):
            step(b, r)
        checks_contract.verdict(b, r, "an own radio")
    finally:
        b.close()


ALONE = [own_radio]
