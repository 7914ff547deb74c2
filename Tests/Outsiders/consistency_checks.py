#!/usr/bin/python3
"""Sixty boards in six groups on two gateways, while a board, an adapter, bluetoothd, the broker and a gateway fail in turn.

Reads every retained document and holds them against each other: no document may say for more than five seconds what the others have not said
within that time. Health, adapters, availability and state are pairs of the same fact; a document that is late by less is the other's past, not its
contradiction. Takes about 90 s. `--seen` prints how far the documents were apart at most.
"""
import argparse
import json
import os
import subprocess
import sys
import time

from bench import Bench, Client, Process, Report, end_cleanly_on_signals

LIMIT = 5.0
GROUPS = ["pumps", "fans", "belts", "mixers", "lifts", "doors"]
GATEWAYS = {"east": ("00:AA:01:00:00:00", range(1, 31)), "west": ("00:AA:01:00:00:01", range(31, 61))}
LINKED = {"interviewing", "idle", "streaming", "downloading"}
ANSWERED = LINKED - {"interviewing"}
UNKNOWN = None


class Facts:
    """What each document said of a quantity, and since when; `UNKNOWN` agrees with everything."""

    def __init__(self, now):
        self.steps = [(now, UNKNOWN)]

    def note(self, value, now):
        if value != self.steps[-1][1]:
            self.steps.append((now, value))

    def forget(self, now):
        self.steps.append((now, UNKNOWN))

    @property
    def value(self):
        return self.steps[-1][1]

    def lately(self, now):
        """All values within the last five seconds."""
        while len(self.steps) > 1 and self.steps[1][0] <= now - LIMIT:
            self.steps.pop(0)
        return {value for _, value in self.steps}


def held(value, lately):
    """Whether the other telling said so within five seconds, or, of a number that goes up or down, passed it: it is told once a second."""
    if isinstance(value, (int, float)) and all(isinstance(v, (int, float)) for v in lately):
        return min(lately) <= value <= max(lately)
    return value in lately


class Pair:
    """Two tellings of one fact."""

    def __init__(self, now):
        self.one, self.other, self.apart_since, self.longest = Facts(now), Facts(now), None, 0.0

    def note(self, one, other, now):
        self.one.note(one, now)
        self.other.note(other, now)
        known = UNKNOWN not in (self.one.value, self.other.value)
        if known and self.one.value != self.other.value:
            self.apart_since = self.apart_since or now
            self.longest = max(self.longest, now - self.apart_since)
        else:
            self.apart_since = None

    def forget(self, now):
        self.one.forget(now)
        self.other.forget(now)
        self.apart_since = None

    def contradicts(self, now):
        one, other = self.one.lately(now), self.other.lately(now)
        if UNKNOWN in one or UNKNOWN in other:
            return False
        return not held(self.one.value, other) and not held(self.other.value, one)


class Documents:
    """What is retained, and whether it is of one mind."""

    def __init__(self, base, now):
        self.base, self.pairs, self.found = base, {}, {}
        self.boards, self.gateways = {}, {}
        self.start = now

    def take(self, topic, payload):
        levels = topic.split("/")
        if levels[0] != self.base or len(levels) < 4:
            return
        kind, name, lane = levels[1], levels[2], "/".join(levels[3:])
        store = {"board": self.boards, "gateway": self.gateways}.get(kind)
        if store is not None:
            store.setdefault(name, {})[lane] = json.loads(payload) if payload else None

    def forget(self, now):
        """Nothing was heard for a while."""
        for pair in self.pairs.values():
            pair.forget(now)

    def facts(self):
        """Name of each fact, and its two tellings."""
        boards = {n: d for n, d in self.boards.items() if d.get("state") and d.get("availability")}
        for gateway, documents in self.gateways.items():
            online = (documents.get("availability") or {}).get("state") == "online"
            health = documents.get("health") if online else None
            adapters = [d for lane, d in documents.items() if lane.startswith("adapter/") and d] if online else []
            mine = {n: d for n, d in boards.items() if d["state"]["gw"] == gateway}
            linked = sum(d["state"]["link"] in LINKED for d in mine.values())

            def told(value):
                return value if health else UNKNOWN

            # A gateway that is gone says nothing: whoever reads its boards has to look at its availability.
            def alive(value):
                return value if health and adapters else UNKNOWN
            pairs = {
                "admitted: health, board documents": (told(health and health["boards_admitted"]), len([d for d in self.boards.values() if (d.get("info") or {}).get("gw") == gateway])),
                "connected: health, board states": (told(health and health["boards_connected"]), linked),
                "slots used: health, adapters": (told(health and health["slots_used"]), sum(a["slots_used"] for a in adapters)),
                "slots: health, adapters that are up": (told(health and health["slots_total"]), sum(a["slots_total"] for a in adapters if a["state"] == "up")),
                "Bluetooth: health, adapters": (told(health and health["bluetooth_ok"]), int(any(a["state"] == "up" for a in adapters))),
            }
            for fact, (one, other) in pairs.items():
                yield f"{gateway} {fact}", one, other if adapters or "adapters" not in fact else UNKNOWN
            for name, d in mine.items():
                state, reason = d["state"], d["availability"].get("reason")
                owners = [a["adapter"] for a in adapters if name in a["connected"]]
                place = state.get("adapter") if state["link"] in LINKED else "nowhere"
                yield f"{name} its adapter: state, adapters", alive(place), alive((owners + ["nowhere"])[0])
                yield f"{name} on one adapter", alive(min(len(owners), 1)), alive(len(owners))
                yield f"{name} connected: availability, state", alive(reason == "connected"), alive(state["link"] in ANSWERED)
                yield f"{name} radio: availability, health", alive(reason in ("bus-lost", "no-adapter")), alive(health and health["bluetooth_ok"] == 0)
                yield f"{name} its gateway: availability, state", d["availability"].get("gw"), gateway
                stopped = (documents.get("availability") or {}).get("reason") == "stopped" and not online
                yield f"{name} stopped: availability, its gateway's", reason == "gateway-stopped", stopped if online or stopped else UNKNOWN

    def look(self, now):
        for fact, one, other in self.facts():
            pair = self.pairs.setdefault(fact, Pair(self.start))
            pair.note(one, other, now)
            if pair.contradicts(now):
                self.found.setdefault(fact, f"{pair.one.value!r} against {pair.other.value!r} after {now - self.start:.1f} s")


class Fleet(Bench):
    """Two gateways, an adapter each, below them the simulator with faults on request."""

    def start(self):
        self.start_broker()
        self.simulator = Process("simulator", [self.binary, "simulate", "--boards", "60", "--adapters", "2"], self.path("simulator.log"),
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.bus_address = self.simulator.popen.stdout.readline().strip().partition("=")[2]
        self.observer = Client(self.port, None, persistent=False, topics=[
            f"{self.base}/board/+/{d}" for d in ("info", "availability", "state")] + [
            f"{self.base}/gateway/+/{d}" for d in ("availability", "info", "health", "adapter/+")]).start()
        self.client = self.observer
        self.observer.subscribed.wait(10)
        self.documents, self.read, self.was_connected = Documents(self.base, time.time()), 0, True
        self.daemons = {name: self.gateway_process(name) for name in GATEWAYS}

    def gateway_process(self, name):
        adapter, boards = GATEWAYS[name]
        file = self.path(f"{name}.yaml")
        with open(file, "w") as f:
            f.write(f"""gateway: {{ id: {name} }}
mqtt: {{ host: 127.0.0.1, port: {self.port}, base: {self.base} }}
storage: {{ directory: {self.path(name)}, min_free: 1MB }}
bluetooth: {{ adapters: ["{adapter}"] }}
profiles:
  moving:
    stream: {{ acceleration: {{ rate_hz: 12.5, range_g: 4 }} }}
boards:
""")
            for n in boards:
                group = GROUPS[n % len(GROUPS)]
                f.write(f'  - {{ address: "C0:FF:EE:00:00:{n:02X}", name: "{group} {n}", groups: [{group}], profile: moving }}\n')
        os.makedirs(self.path(name), mode=0o700, exist_ok=True)
        return Process(name, [self.binary, "run", "--config", file], self.path(f"{name}.log"),
                       env={**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": self.bus_address})

    def fault(self, line):
        self.simulator.popen.stdin.write(line + "\n")
        self.simulator.popen.stdin.flush()

    def follow(self, seconds, done=lambda: False):
        """Holds documents against each other for so long, or until `done`."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            connected = self.observer.connected.is_set()
            if connected != self.was_connected:
                self.documents.forget(time.time())
            self.was_connected = connected
            with self.observer.lock:
                messages = self.observer.messages[self.read:]
                self.read += len(messages)
            for _, topic, payload, *_ in messages:
                self.documents.take(topic, payload)
            # Several at a time: what one replaces within a tenth of a second nobody has to explain.
            if connected:
                self.documents.look(time.time())
            if done():
                return True
            time.sleep(0.1)
        return done()

    def streaming(self, count):
        return lambda: sum((d.get("state") or {}).get("link") == "streaming" for d in self.documents.boards.values()) >= count


def seen_by_itself(r):
    """The eye finds what is there to be found, and nothing else."""
    pair = Pair(0)
    for now in range(20):
        pair.note(now // 10, now // 10 if now < 10 else 0, now)
    r.check("a telling that is over five seconds behind is found", pair.contradicts(19.0))
    pair = Pair(0)
    found = False
    for now in range(60):
        pair.note(now, max(0, now - 4), now)
        found = found or pair.contradicts(now)
    r.check("one that is four seconds behind all the time is not", not found)


def fleet(b, r, options):
    b.start()

    def step(what, seconds, done):
        r.check(what, b.follow(seconds, done), f"within {seconds} s")
    step("60 boards stream on two gateways", 60, b.streaming(60))
    b.follow(6)
    print("# boards are lost", flush=True)
    b.fault("drop 1-5")
    b.fault("vanish 6-8,31-33 for 8s")
    b.follow(8)
    step("boards that left are back", 30, b.streaming(60))
    print("# an adapter is pulled out", flush=True)
    b.fault("adapter removed 0 for 7s")
    b.follow(7)
    step("the boards of the adapter are back", 40, b.streaming(60))
    print("# bluetoothd dies", flush=True)
    b.fault("service gone for 8s")
    b.follow(9)
    step("all boards are back after bluetoothd", 40, b.streaming(60))
    print("# the broker restarts", flush=True)
    b.broker.end()
    b.follow(3)
    b.start_broker()
    b.follow(8)
    step("all boards stream after the broker's restart", 20, b.streaming(60))
    print("# a gateway is stopped, and starts again", flush=True)
    b.daemons["west"].end(wait=20)
    b.follow(7)
    b.daemons["west"] = b.gateway_process("west")
    b.follow(7)
    step("all boards are back on the second gateway", 40, b.streaming(60))
    b.follow(6)
    facts = sorted({fact.split(" ", 1)[1] for fact in b.documents.pairs})
    r.check("every kind of fact was told twice", len(facts) == 11, "11 kinds", facts)
    for kind in facts:
        wrong = {fact: text for fact, text in b.documents.found.items() if fact.split(" ", 1)[1] == kind}
        r.check(f"no contradiction of more than 5 s: {kind}", not wrong, "none", wrong)
        if options.seen:
            print(f"#   at most {max(p.longest for f, p in b.documents.pairs.items() if f.split(' ', 1)[1] == kind):.1f} s apart", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    parser.add_argument("--keep", action="store_true", help="leave logs and state behind")
    parser.add_argument("--seen", action="store_true", help="how long the tellings of each kind of fact were apart at most")
    options = parser.parse_args()
    end_cleanly_on_signals()
    report = Report()
    seen_by_itself(report)
    bench = Fleet(os.path.abspath(options.binary), boards=0, keep=options.keep)
    try:
        fleet(bench, report, options)
    finally:
        bench.close()
    sys.exit(report.finish())
