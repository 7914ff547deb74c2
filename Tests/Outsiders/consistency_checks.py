#!/usr/bin/python3
"""Sixty boards in six groups on two gateways, while a board, an adapter, bluetoothd, the broker and a gateway fail in turn.

Reads every retained document, the pages /metrics, /readyz and /status of both gateways each second, and what `top --json` prints, and holds them against
each other: none may say for more than five seconds what the others have not said within that time. Health, adapters, availability, state, metrics and
pages are pairs of the same fact; one that is late by less is the other's past, not its contradiction. Takes about 90 s. `--seen` prints how far they were
apart at most.
"""
import argparse
import html.parser
import json
import os
import re
import subprocess
import sys
import threading
import time

from bench import Bench, Client, Process, Report, end_cleanly_on_signals, free_port
from http_checks import Web, exposed, exposition

LIMIT = 5.0
GROUPS = ["pumps", "fans", "belts", "mixers", "lifts", "doors"]
GATEWAYS = {"east": ("00:AA:01:00:00:00", range(1, 31)), "west": ("00:AA:01:00:00:01", range(31, 61))}
LINKED = {"interviewing", "idle", "streaming", "downloading"}
ANSWERED = LINKED - {"interviewing"}
UNKNOWN = None
# Numbers of health that say how things are; the others count what was.
NUMBERS = ["boards_admitted", "boards_connected", "boards_troubled", "boards_in_maintenance", "slots_used", "slots_total", "bluetooth_ok", "storage_ok"]


class Cells(html.parser.HTMLParser):
    """The rows of all tables of a page, each as its cells."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.inside = [], False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th") and self.rows:
            self.rows[-1].append("")
            self.inside = True

    def handle_endtag(self, tag):
        self.inside = self.inside and tag not in ("td", "th")

    def handle_data(self, text):
        if self.inside:
            self.rows[-1][-1] += text


class Pages:
    """What a gateway says over HTTP, read once a second; nothing while it does not answer."""

    def __init__(self, port):
        self.web, self.said, self.count = Web(port), None, 0
        threading.Thread(target=self.follow, daemon=True).start()

    def follow(self):
        while True:
            try:
                self.said = self.read()
                self.count += 1
            except (OSError, ValueError, KeyError, IndexError):
                self.said = None
            time.sleep(1)

    def read(self):
        families, wrong = exposition(self.web.ask("/metrics")[2].decode())
        if wrong:
            raise ValueError(wrong)

        def number(name):
            return families[name][1][(name, ())]

        def boards(name):
            return {dict(labels)["board"]: value == 1 for (_, labels), value in families.get(name, (None, {}))[1].items()}
        status, _, causes = self.web.ask("/readyz")
        rows = Cells(self.web.ask("/status")[2].decode()).rows
        facts = {row[0]: row[1] for row in rows if len(row) == 2}
        return {
            "numbers": {field: number(exposed(field)) for field in NUMBERS},
            "ready": number("metafleet_ready"), "readyz": int(status == 200),
            "causes": {line.partition(":")[0] for line in causes.decode().splitlines()} if status != 200 else set(),
            "connected": boards("metafleet_board_connected"), "online": boards("metafleet_board_online"),
            "boards": {row[7].replace(":", "").lower(): row for row in rows if len(row) == 8 and ":" in row[7]},
            "sums": [float(n) for key in ("boards connected", "places for connections") for n in re.findall(r"[0-9]+", facts[key])],
        }


class Pictures:
    """What `top --json` prints, one run after the other; none while the broker is gone."""

    def __init__(self, command):
        self.command, self.taken, self.lock = command, [], threading.Lock()
        threading.Thread(target=self.follow, daemon=True).start()

    def follow(self):
        while True:
            done = subprocess.run(self.command, capture_output=True, text=True)
            if done.returncode == 0:
                with self.lock:
                    self.taken.append([json.loads(line) for line in done.stdout.splitlines()])
            time.sleep(2)

    def take(self):
        with self.lock:
            taken, self.taken = self.taken, []
        return taken


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
    """Two tellings of one fact; where one is `sampled`, it has not said all that the other has, and must be apart from it all the time."""

    def __init__(self, now, sampled=False):
        self.sampled = sampled
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
        if self.sampled and (self.apart_since is None or now - self.apart_since <= LIMIT):
            return False
        return not held(self.one.value, other) and not held(self.other.value, one)


class Documents:
    """What is retained, and whether it is of one mind."""

    def __init__(self, base, now):
        self.base, self.pairs, self.found = base, {}, {}
        self.boards, self.gateways, self.pages = {}, {}, {}
        # What was told that `top` tells as well, and how often it did.
        self.told, self.pictured = {}, 0
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
        for facts in list(self.pairs.values()) + list(self.told.values()):
            facts.forget(now)

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
            yield from self.shown(gateway, health, mine)
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

    def shown(self, gateway, health, mine):
        """Pages against documents, and against each other."""
        page = self.pages[gateway].said if gateway in self.pages else None
        if not page:
            return
        # Without the broker documents are of the past, and pages are not.
        published = health if "broker" not in page["causes"] else None
        numbers, boards = page["numbers"], mine if published else {}
        for field in NUMBERS:
            yield f"{gateway} {field}: health, /metrics", published[field] if published else UNKNOWN, numbers[field]
        yield f"{gateway} Bluetooth: health, /readyz", published["bluetooth_ok"] if published else UNKNOWN, int("bluetooth" not in page["causes"])
        yield f"{gateway} ready: /metrics, /readyz", page["ready"], page["readyz"]
        for field, shown in zip(("boards_connected", "boards_admitted", "slots_used", "slots_total"), page["sums"]):
            yield f"{gateway} {field}: /metrics, status page", numbers[field], shown
        yield f"{gateway} boards_connected: /metrics, its boards", numbers["boards_connected"], sum(page["connected"].values())
        for name, d in boards.items():
            row = page["boards"].get(name)
            yield f"{name} connected: state, /metrics", d["state"]["link"] in LINKED, page["connected"].get(name)
            yield f"{name} online: availability, /metrics", d["availability"]["state"] == "online", page["online"].get(name)
            yield f"{name} link: state, status page", d["state"]["link"], row and row[2]
            yield f"{name} online: availability, status page", d["availability"]["state"], row and row[1].split(" ")[0]

    def lasting(self):
        """What documents say that `top` shows, too."""
        for gateway, documents in self.gateways.items():
            for field in NUMBERS:
                yield (gateway, field), (documents.get("health") or {}).get(field)
        for board, documents in self.boards.items():
            yield (board, "link"), (documents.get("state") or {}).get("link")
            yield (board, "online"), (documents.get("availability") or {}).get("state")

    def picture(self, lines, now):
        """`top` may show what was said within the last five seconds."""
        self.pictured += 1
        for line in lines:
            if "gateway" in line:
                shown = {(line["gateway"], field): (line.get("health") or {}).get(field) for field in NUMBERS}
            else:
                board = line["board"]
                shown = {(board, "link"): (line.get("state") or {}).get("link"), (board, "online"): (line.get("availability") or {}).get("state")}
            for key, value in shown.items():
                lately = self.told[key].lately(now) if key in self.told else {UNKNOWN}
                if UNKNOWN not in lately and not held(value, lately):
                    self.found.setdefault(f"{key[0]} {key[1]}: documents, top", f"{lately} against {value!r} after {now - self.start:.1f} s")

    def look(self, now):
        for key, value in self.lasting():
            self.told.setdefault(key, Facts(self.start)).note(value, now)
        silent = set(self.pairs)
        for fact, one, other in self.facts():
            silent.discard(fact)
            pair = self.pairs.setdefault(fact, Pair(self.start, sampled="/metrics" in fact or "page" in fact or "/readyz" in fact))
            pair.note(one, other, now)
            if pair.contradicts(now):
                self.found.setdefault(fact, f"{pair.one.value!r} against {pair.other.value!r} after {now - self.start:.1f} s")
        # A gateway that is gone, or a page, says nothing: what it last said is not what it says when it is back.
        for fact in silent:
            self.pairs[fact].note(UNKNOWN, UNKNOWN, now)


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
        self.ports = {name: free_port() for name in GATEWAYS}
        self.documents.pages = {name: Pages(port) for name, port in self.ports.items()}
        self.pictures = Pictures([self.binary, "top", "--json", "--host", "127.0.0.1", "--port", str(self.port), "--base", self.base])
        self.daemons = {name: self.gateway_process(name) for name in GATEWAYS}

    def gateway_process(self, name):
        adapter, boards = GATEWAYS[name]
        file = self.path(f"{name}.yaml")
        with open(file, "w") as f:
            f.write(f"""gateway: {{ id: {name} }}
mqtt: {{ host: 127.0.0.1, port: {self.port}, base: {self.base} }}
storage: {{ directory: {self.path(name)}, min_free: 1MB }}
bluetooth: {{ adapters: ["{adapter}"] }}
http: {{ listen: "127.0.0.1:{self.ports[name]}" }}
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
            pictures = self.pictures.take()
            if connected:
                self.documents.look(time.time())
                for picture in pictures:
                    self.documents.picture(picture, time.time())
            if done():
                return True
            time.sleep(0.1)
        return done()

    def streaming(self, count):
        return lambda: sum((d.get("state") or {}).get("link") == "streaming" for d in self.documents.boards.values()) >= count


def seen_by_itself(r):
    """The eye finds what is there to be found, and nothing else."""
    for sampled in (False, True):
        pair = Pair(0, sampled)
        for now in range(20):
            pair.note(now // 10, now // 10 if now < 10 else 0, now)
        r.check(f"a {'sampled ' if sampled else ''}telling that is over five seconds behind is found", pair.contradicts(19.0))
    pair = Pair(0)
    found = False
    for now in range(60):
        pair.note(now, max(0, now - 4), now)
        found = found or pair.contradicts(now)
    r.check("one that is four seconds behind all the time is not", not found)
    documents, fact = Documents("m", 0), "board online: availability, /metrics"
    for now in range(20):
        documents.facts = lambda: [] if 1 < now < 12 else [(fact, False, True)]
        documents.look(now)
        if now == 13:
            r.check("what was apart before a silence is not apart throughout it", not documents.found)
    r.check("what is apart for long behind a silence is found", documents.found)


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
    r.check("every kind of fact was told twice", len(facts) == 11 + len(NUMBERS) + 11, f"{22 + len(NUMBERS)} kinds", facts)
    for name, pages in b.documents.pages.items():
        r.check(f"the pages of {name} were read all the time", pages.count > 30, "more than 30 times", pages.count)
    r.check("top printed all the time", b.documents.pictured > 8, "more than 8 times", b.documents.pictured)
    shown = {fact: text for fact, text in b.documents.found.items() if fact.endswith(": documents, top")}
    r.check("top shows what was said within the last 5 s", not shown, "nothing else", shown)
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
