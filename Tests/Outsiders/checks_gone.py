"""What is gone for good leaves nothing, what is worked on alarms nobody, and the audit trail says who it was."""
import json
import os
import re
import signal
import socket
import time
import types

from bench import Bench, Client, Process, free_port, until

# How our own commands say whose they are.
WHO = re.compile(r"^[^@ ]+@[^@ ]+ metafleet$")
BROKER_OF_READERS = """listener {port} 127.0.0.1
allow_anonymous true
acl_file {acl}
{user}"""


class FewBoards(Bench):
    """Two boards, whose gateway changes its name now and then."""

    def write_config(self, extra=""):
        return self.configure(f"""gateway: {{ id: {self.gateway} }}
profiles:
  moving:
    stream: {{ acceleration: {{ rate_hz: 25, range_g: 4 }} }}
{extra}""", lambda n: "profile: moving")

    def retained(self, port=None, filter="#"):
        """What the broker keeps, by topic."""
        client = Client(port or self.port, None, name=f"looks-{time.monotonic_ns()}", topics=(filter,), persistent=False).start()
        client.subscribed.wait(10)
        time.sleep(0.7)
        client.stop()
        return {m[1]: m[2] for m in client.since(0) if m[4] and m[2]}

    def restart(self, number=signal.SIGTERM, **name):
        """The daemon again, under another name perhaps."""
        self.daemon.end(number, wait=25)
        for key, value in name.items():
            setattr(self, key, value)
        path = self.write_config()
        if self.base != "metafleet":
            with open(path) as f:
                text = f.read()
            with open(path, "w") as f:
                f.write(text.replace("mqtt: {", f"mqtt: {{ base: {self.base},", 1))
        self.start_daemon()

    def state(self, n):
        return self.client.last(self.topic(n, "state")) or {}


def gone_for_good(binary, r, keep):
    """A dead gateway is removed without it, a renamed one removes itself, a dongle is forgotten."""
    b = FewBoards(binary, boards=2, keep=keep)
    # The judge knows one gateway under one name.
    b.judge = types.SimpleNamespace(restarted=0, message=lambda *_: None)
    try:
        b.start()
        r.equal("gone: both boards stream", b.wait_streaming(60), [])
        a_dongle(b, r)
        another_name(b, r)
        a_dead_gateway(b, r)
    finally:
        b.close()


def a_dongle(b, r):
    topic, left = b.gateway_topic("adapter", "001a7dda71ff"), int(time.time() * 1000) - 3600000
    b.client.publish(topic, {"ts_ms": left, "gw": b.gateway, "adapter": "001a7dda71ff", "name": "hci9", "state": "up",
                             "slots_used": 2, "slots_total": 32}, retain=True)
    mark = b.client.mark()
    b.restart()
    missing = b.client.wait(20, topic, lambda v: v["state"] == "missing", mark) or {}
    r.check("dongle: one that went while no gateway ran is missing, without figures", missing.get("slots_used") == 0 and missing.get("connected") == []
            and missing.get("slots_total") == 0 and missing.get("last_seen_ms") == left, "missing since then", missing)
    there = [t.rsplit("/", 1)[1] for t, v in b.retained().items() if "/adapter/" in t and json.loads(v)["state"] == "up"]
    status, _, errors = b.tool("forget", f"adapter:{there[0]}")
    r.check("dongle: one that is there is not forgotten", status == 1, "1", (status, errors))
    status, output, errors = b.tool("forget", "adapter:00:1A:7D:DA:71:FF")
    r.check("dongle: forgotten on command", status == 0, "0", (status, output, errors))
    r.check("dongle: its document is gone", until(5, lambda: topic not in b.retained()), "nothing", topic)
    r.check("dongle: an event tells it", b.client.wait(5, b.gateway_topic("event", "adapter"), lambda v: v["event_type"] == "forgotten" and v["by"] == "command", mark), "forgotten")


def another_name(b, r):
    for key, value in (("gateway", "renamed"), ("base", "site/fleet")):
        old = {"gateway": f"metafleet/gateway/{b.gateway}/", "base": "metafleet/"}[key]
        b.restart(**{key: value})
        r.check(f"another {key}: the boards speak under it", until(60, lambda: all(b.state(n).get("gw") == "renamed" and b.state(n).get("link") == "streaming" for n in (1, 2)), 0.2),
                "streaming", [b.state(n) for n in (1, 2)])
        left = until(15, lambda: not [t for t in b.retained() if t.startswith(old)], 0.5) or [t for t in b.retained() if t.startswith(old)]
        r.equal(f"another {key}: nothing stays under the old one", left, True)


def a_dead_gateway(b, r):
    base = ["--base", b.base]
    other = f"{b.base}/board/c10d0e0fffff/info"
    b.client.publish(other, {"gw": "elsewhere", "name": "Not mine"}, retain=True)
    status, _, errors = b.tool("forget", f"gateway:{b.gateway}", "--gone", "--yes", *base)
    r.check("dead gateway: refused while it is online", status == 1 and "online" in errors, "1, online", (status, errors))
    b.daemon.end(signal.SIGKILL)
    topic = b.gateway_topic("availability")
    r.check("dead gateway: the broker says that it is offline", until(10, lambda: (b.client.last(topic) or {}).get("state") == "offline"), "offline", b.client.last(topic))
    before = b.retained()
    status, output, errors = b.tool("forget", f"gateway:{b.gateway}", "--gone", *base)
    r.check("dead gateway: without --yes it is listed, with its boards", status == 1 and "Board 1" in output and b.ids[1] in output and "--yes" in errors, "a list, 1",
            (status, output, errors))
    r.equal("dead gateway: and nothing is removed", b.retained(), before)
    refused_by_acl(b, r, before)
    status, output, errors = b.tool("forget", f"gateway:{b.gateway}", "--gone", "--yes", *base)
    r.check("dead gateway: removed", status == 0, "0", (status, output, errors))
    r.equal("dead gateway: nothing retained is left but what is others'", sorted(b.retained()), [other])
    status, _, _ = b.tool("forget", f"gateway:{b.gateway}", "--gone", *base)
    r.equal("dead gateway: there is none any more", status, 64)


def refused_by_acl(b, r, documents):
    """The same documents at a broker where only somebody else may write."""
    port = free_port()
    with open(b.path("readers.acl"), "w") as f:
        f.write("topic read #\nuser writer\ntopic readwrite #\n")
    with open(b.path("readers.conf"), "w") as f:
        f.write(BROKER_OF_READERS.format(port=port, acl=b.path("readers.acl"), user="user root\n" if os.geteuid() == 0 else ""))
    Process("readers", ["mosquitto", "-c", b.path("readers.conf")], b.path("readers.log"))
    writer = Client(port, None, name="writer", topics=("nothing",), persistent=False)
    writer.client.username_pw_set("writer")

    def up():
        try:
            socket.create_connection(("127.0.0.1", port), 0.2).close()
            return True
        except OSError:
            return False
    until(5, up)
    writer.start()
    writer.subscribed.wait(10)
    for topic, payload in documents.items():
        writer.publish(topic, payload, retain=True)
    for protocol in ("5", "3.1.1"):
        path = b.path("client.yaml")
        with open(path, "w") as f:
            f.write(f"mqtt: {{ host: 127.0.0.1, port: {port}, base: {b.base}, protocol: \"{protocol}\" }}\n")
        status, output, errors = b.tool("forget", f"gateway:{b.gateway}", "--gone", "--yes", "--config", path, port=port)
        r.check(f"dead gateway: MQTT {protocol} says that the access list refuses", status == 77 and "access list" in errors, "77, access list", (status, output, errors))
    r.equal("dead gateway: all of it is still there", set(b.retained(port)), set(documents))
    writer.stop()


def worked_on(binary, r, keep):
    """Maintenance is seen, survives a crash, ends by time and by command; the audit trail says who ordered it."""
    b = FewBoards(binary, boards=2, keep=keep)
    try:
        b.start()
        r.equal("maintenance: both boards stream", b.wait_streaming(60), [])
        mark, began = b.client.mark(), time.time()
        status, output, errors = b.tool("send", "Board 1", "maintenance", "for=20s", "reason=new bearing")
        r.check("maintenance: ordered by our own command", status == 0 and "until_ms" in output, "0, until_ms", (status, output, errors))
        state = b.client.wait(5, b.topic(1, "state"), lambda v: "maintenance_until_ms" in v, mark) or {}
        r.check("maintenance: the state has its end, its reason and who", abs(state.get("maintenance_until_ms", 0) / 1000 - began - 20) < 3
                and state.get("maintenance_reason") == "new bearing" and WHO.match(state.get("maintenance_who", "")), "20 s, new bearing, who", state)
        started = b.client.wait(5, b.topic(1, "event", "maintenance"), lambda v: v["event_type"] == "started", mark) or {}
        r.check("maintenance: an event says so", started.get("maintenance") is True and started.get("reason") == "new bearing", "started", started)
        b.do("drop", board=1)
        lost = b.client.wait(10, b.topic(1, "event", "link-lost"), mark=mark) or {}
        r.check("maintenance: what happens to the board meanwhile carries the mark", lost.get("maintenance") is True, "true", lost)
        b.restart(signal.SIGKILL)
        mark = b.client.mark()
        state = b.client.wait(20, b.topic(1, "state"), lambda v: "maintenance_until_ms" in v, mark) or {}
        r.check("maintenance: a killed gateway still knows of it", state.get("maintenance_reason") == "new bearing", "new bearing", state)
        over = b.client.wait(30, b.topic(1, "event", "maintenance"), lambda v: v["event_type"] == "expired", mark) or {}
        r.check("maintenance: it ends by itself, when it should", abs(over.get("ts_ms", 0) / 1000 - began - 20) < 4 and "maintenance" not in over, "20 s", (over, began))
        r.check("maintenance: the state is without it", until(5, lambda: "maintenance_until_ms" not in b.state(1)), "nothing", b.state(1))
        status, output, errors = b.tool("send", "group:all", "maintenance", "for=1h")
        r.check("maintenance: of a group", status == 0 and until(5, lambda: all("maintenance_until_ms" in b.state(n) for n in (1, 2))), "both", (status, output, errors))
        status, output, errors = b.tool("send", "Board 2", "maintenance", "end=true")
        r.check("maintenance: ended by command", status == 0 and until(5, lambda: "maintenance_until_ms" not in b.state(2)), "ended", (status, output, errors))
        b.client.publish(b.topic(1, "cmd", "maintenance"), {"id": "wrong", "args": {"for": "2h", "end": True}})
        refused = b.client.wait(5, b.topic(1, "reply", "maintenance"), lambda v: v.get("id") == "wrong") or {}
        r.equal("maintenance: both at once are invalid", (refused.get("stage"), refused.get("code")), ("failed", "invalid"))
        status, output, errors = b.tool("audit", "--json", "--config", b.path("metafleet.yaml"))
        rows = [json.loads(line) for line in output.splitlines()]
        ours = [row for row in rows if row["verb"] == "maintenance" and row["id"] != "wrong"]
        named = [p["value"] for row in ours for p in row["sender"] if p["name"] == "who"]
        r.check("audit: every command of our own says who it was", status == 0 and len(ours) >= 3 and len(named) == len(ours)
                and all(WHO.match(v) for v in named), "who", (status, ours, errors))
        status, output, _ = b.tool("audit", "--board", "Board 1", "--config", b.path("metafleet.yaml"))
        r.check("audit: in words, too", any("maintenance" in line and named[0] in line and "new bearing" in line for line in output.splitlines()) if named else False,
                "who", output)
        problems = {k: v for k, v in b.judge.problems.items() if "maintenance" in f"{k}{v}"}
        r.equal("maintenance: every message is as the contract says", problems, {})
    finally:
        b.close()


ALONE = [gone_for_good, worked_on]
