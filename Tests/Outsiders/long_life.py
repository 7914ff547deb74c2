#!/usr/bin/python3
"""One life of `metafleet run`, an hour long, with a fault every few seconds: links, boards, adapters, bluetoothd, the broker.

Meanwhile what is said of links is held against the boards' own view, twice a second: it may be wrong for five seconds.
When the faults end everything has to be as it was: all boards stream, no limit is remembered, no refusal, no adapter in
trouble, as many files open as in the beginning. Prints its seed; a run with the same seed does the same faults."""
import argparse
import collections
import json
import os
import random
import sys
import time

import checks_contract
from bench import Client, Report, end_cleanly_on_signals, until
from checks_radio import MACS, TwoAdapters

FAILED = "org.bluez.Error.Failed"
UP, AWAY = {"interviewing", "idle", "streaming"}, {"unseen", "advertising", "unreachable"}
ALLOWED_S = 5  # as long as a link may be told wrongly
HEALED_S = 300  # a refused board is tried again after minutes
FLAPPING_S = 600  # a link that was lost many times is tried again so much later at most, and its board says when


class LongLife(TwoAdapters):
    """Two adapters that hear every board, two streams a board at rates that an observer keeps up with for an hour."""

    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        self.newest = {}  # topic -> message
        self.fake_is_away = False

    def configure(self, sections, board):
        return super().configure(sections.replace("rate_hz: 25", "rate_hz: 12.5"), board)

    def start_client(self):
        super().start_client()
        self.client.messages = collections.deque(maxlen=1)  # the judge keeps what it needs
        self.eyes = Client(self.port, None, "outsider-eyes", [
            "metafleet/board/+/state", self.gateway_topic("adapter", "+"), self.gateway_topic("health")]).start()
        self.eyes.subscribed.wait(10)

    def documents(self):
        """The newest of each topic, of what came since the last call and before."""
        with self.eyes.lock:
            new, self.eyes.messages = self.eyes.messages, []
        for message in new:
            self.newest[message[1]] = message
        return self.newest

    def document(self, topic):
        message = self.documents().get(topic)
        return json.loads(message[2]) if message and message[2] else {}

    def state(self, n):
        return self.document(self.topic(n, "state"))

    def links(self):
        return {n: self.state(n).get("link") for n in range(1, self.count + 1)}

    def unwell(self):
        """Boards that do not stream."""
        return sorted(n for n, link in self.links().items() if link != "streaming")

    def held(self):
        """Open files and threads of the daemon, and its own memory in MB, by the kernel's count."""
        process = f"/proc/{self.daemon.popen.pid}"
        with open(f"{process}/status") as f:
            fields = dict(line.split(":", 1) for line in f)
        return len(os.listdir(f"{process}/fd")), int(fields["Threads"]), int(fields["RssAnon"].split()[0]) / 1024


class Truth:
    """For how long what is published of links was wrong."""

    def __init__(self, b):
        self.b, self.since, self.worst, self.violations, self.looks = b, {}, {}, {}, 0
        self.blind = False  # while there is no broker nothing is published

    def look(self):
        # First what is told, then what is: a change in between makes the telling look early, never late.
        told = self.b.links()
        connected = {s["board"] for s in self.b.do("status") if s["connected"]}
        now, self.looks = time.monotonic(), self.looks + 1
        for n, link in told.items():
            for wrong, is_so in (("told as connected, without a link", link in UP and n not in connected),
                                 ("told as away, with a link", link in AWAY and n in connected)):
                if not is_so or self.blind:
                    self.since.pop((n, wrong), None)
                    continue
                length = now - self.since.setdefault((n, wrong), now)
                self.worst[wrong] = max(length, self.worst.get(wrong, 0))
                if length > ALLOWED_S:
                    self.violations[f"board {n} {link}: {wrong}, since {self.since[n, wrong]:.0f}"] = f"{length:.1f} s"


class Faults:
    """One after the other; each is undone at its time."""

    def __init__(self, b, luck, truth):
        self.b, self.luck, self.truth, self.counts = b, luck, truth, collections.Counter()
        self.deck, self.undo = [], []  # (when, what)
        self.kinds = [(9, self.lost_link), (3, self.reboot), (4, self.walk), (2, self.vanish), (3, self.refusal), (2, self.limit),
                      (2, self.other_client), (2, self.services), (2, self.swallowed), (1, self.mute), (1, self.adapters_off),
                      (1, self.switched_off_by_hand), (1, self.dongle), (1, self.bluetoothd), (1, self.listing), (1, self.broker)]

    def board(self):
        """Dealt like cards: one that had all the bad luck would be taken for one whose link flaps, and wait for minutes."""
        if not self.deck:
            self.deck = list(range(1, self.b.count + 1))
            self.luck.shuffle(self.deck)
        return self.deck.pop()

    def one(self):
        kind = self.luck.choices([k for _, k in self.kinds], [w for w, _ in self.kinds])[0]
        if self.b.fake_is_away and kind in (self.bluetoothd, self.listing, self.dongle, self.adapters_off, self.switched_off_by_hand):
            kind = self.lost_link
        self.counts[kind.__name__] += 1
        print(f"# {time.monotonic():.0f} {kind.__name__}", flush=True)
        kind()

    def later(self, seconds, action):
        self.undo.append((time.monotonic() + seconds, action))

    def due(self, everything=False):
        for entry in sorted(self.undo, key=lambda e: e[0]):
            if everything or entry[0] <= time.monotonic():
                self.undo.remove(entry)
                entry[1]()

    def lost_link(self): self.b.do("drop", board=self.board())

    def reboot(self):
        n = self.board()
        self.b.do("reboot", board=n)
        self.b.do("drop", board=n)

    def walk(self):
        n = self.board()
        self.b.do("absent", board=n, on=True)
        self.b.do("drop", board=n)
        self.later(self.luck.uniform(3, 60), lambda: self.b.do("absent", board=n, on=False))

    def vanish(self): self.b.do("vanish", board=self.board())

    def refuse(self, name, text, times):
        n = self.board()
        self.b.do("connect-error", board=n, error=[name, text], times=times)
        self.b.do("drop", board=n)

    def refusal(self):
        name, text = self.luck.choice([("org.bluez.Error.AuthenticationFailed", "Authentication Failed"),
                                       ("org.freedesktop.DBus.Error.AccessDenied", "Rejected send message"),
                                       (FAILED, "le-connection-abort-by-local"), ("org.bluez.Error.InProgress", "In Progress")])
        self.refuse(name, text, self.luck.choice((1, 1, 3)))

    def limit(self): self.refuse(FAILED, "Connection limit exceeded", 1)

    def other_client(self):
        n = self.board()
        self.b.do("acquire-error", board=n, error=["org.bluez.Error.NotPermitted", "Notify acquired"], times=self.luck.choice((1, 3)))
        self.b.do("drop", board=n)

    def services(self):
        n = self.board()
        self.b.do("services", board=n, delay=self.luck.choice((4, "never")))
        self.b.do("drop", board=n)
        self.later(self.luck.uniform(5, 30), lambda: self.b.do("services", board=n, delay=None))

    def swallowed(self):
        n = self.board()
        self.b.do("swallow", board=n, kind=self.luck.choice(("flips", "dead")))
        self.b.do("drop", board=n)

    def mute(self):
        n = self.board()
        self.b.do("mute", board=n, on=True)
        self.later(self.luck.uniform(5, 40), lambda: self.b.do("mute", board=n, on=False))

    def adapters_off(self):
        self.b.do("refuse-power", on=True)
        self.b.do("power", on=False)
        self.later(self.luck.uniform(3, 40), lambda: self.b.do("refuse-power", on=False))

    def switched_off_by_hand(self): self.b.do("power", on=False)

    def dongle(self):
        place = self.luck.choice((0, 1))
        name = f"hci{2 * self.luck.randrange(1, 5) + place}"
        self.away(lambda: self.b.do("pull-out", adapter=place), lambda: self.b.do("plug-in", adapter=place, name=name), 30)

    def bluetoothd(self):
        how = self.luck.choice(("kill", "stop"))
        self.away(lambda: self.b.do(how), lambda: self.b.do("start"), 15)

    def listing(self):
        self.b.do("hang-listing", on=True)
        self.away(lambda: self.b.do("kill"), lambda: self.b.do("start"), 5)
        self.later(self.luck.uniform(5, 15), lambda: self.b.do("hang-listing", on=False))

    def away(self, leave, come_back, most):
        """One such at a time: what is away cannot go."""
        self.b.fake_is_away = True
        leave()

        def back():
            come_back()
            self.b.fake_is_away = False
        self.later(self.luck.uniform(1, most), back)

    def broker(self):
        if self.truth.blind:
            return
        self.truth.blind = True
        self.b.broker.end()

        def sees():
            self.truth.blind = False

        def back():
            self.b.start_broker()
            self.later(10, sees)
        self.later(self.luck.uniform(1, 15), back)


def live(b, r, options, luck):
    b.start()
    r.equal("all boards stream", until(90, lambda: not b.unwell(), 0.5) and b.unwell(), [])
    time.sleep(20)
    before, truth = b.held(), Truth(b)
    faults = Faults(b, luck, truth)
    end, judged = time.monotonic() + options.seconds, time.monotonic() + 600
    following = time.monotonic()
    while time.monotonic() < end:
        if time.monotonic() >= following:
            faults.one()
            following = time.monotonic() + luck.uniform(1, 9)
        faults.due()
        truth.look()
        if time.monotonic() >= judged:
            judge(b, r, f"after {options.seconds - (end - time.monotonic()):.0f} s")
            judged = time.monotonic() + 600
        time.sleep(0.5)
    faults.due(everything=True)
    faults.due(everything=True)  # what the first undid left to undo
    b.do("connect-error", error=["", ""], times=0)
    b.do("acquire-error", error=["", ""], times=0)
    start = time.monotonic()
    until(HEALED_S, lambda: truth.look() or not b.unwell(), 0.5)
    print(f"# {sum(faults.counts.values())} faults: {dict(faults.counts)}; {truth.looks} looks; told wrongly at most: "
          f"{ {k: round(v, 1) for k, v in truth.worst.items()} }; all boards streamed {time.monotonic() - start:.0f} s after the last", flush=True)
    resting = {n: b.state(n) for n in b.unwell()}
    silent = {n: s for n, s in resting.items() if not time.time() < s.get("until_ms", 0) / 1000 < time.time() + FLAPPING_S}
    r.equal("whoever does not stream by then says when it is tried again", silent, {})
    until(FLAPPING_S, lambda: truth.look() or not b.unwell(), 0.5)
    r.equal("all boards stream in the end", {n: b.state(n) for n in b.unwell()}, {})
    r.equal(f"no link was told wrongly for more than {ALLOWED_S} s", truth.violations, {})
    r.equal("the same daemon lives", b.daemon.popen.poll(), None)
    until(120, lambda: not left_over(b), 1)
    r.equal("nothing learnt stays", left_over(b), {})
    judge(b, r, "in the end")
    after = b.held()
    print(f"# files, threads, MB: {before} before, {after} after", flush=True)
    r.check("as many files are open as before", abs(after[0] - before[0]) <= 4, before[0], after[0])
    r.check("as many threads as before", abs(after[1] - before[1]) <= 4, before[1], after[1])


def left_over(b):
    """What a fault left behind in the documents, by topic."""
    wrong = {}
    for mac in MACS:
        document = b.document(b.gateway_topic("adapter", mac))
        odd = {k: document.get(k) for k, good in (("state", "up"), ("slots_learned", None), ("waiting", 0))
               if document.get(k) != good}
        if odd:
            wrong[mac] = odd
    health = b.document(b.gateway_topic("health"))
    if health.get("bluetooth_ok") != 1 or health.get("outbox_msgs", 0) > 1000:
        wrong["health"] = {k: health.get(k) for k in ("bluetooth_ok", "outbox_msgs")}
    for n in range(1, b.count + 1):
        if b.state(n).get("reason_code"):
            wrong[n] = b.state(n)["reason_code"]
    return wrong


def judge(b, r, when):
    checks_contract.verdict(b, r, when)
    with b.client.lock:  # an hour of samples would fill the memory
        b.judge.live_seen.clear()
        b.judge.samples.clear()
        b.judge.counts["no config"] = 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    parser.add_argument("--for", dest="seconds", type=int, default=3600, help="seconds of faults, an hour without it")
    parser.add_argument("--boards", type=int, default=20)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--keep", action="store_true", help="leave logs and state behind")
    options = parser.parse_args()
    end_cleanly_on_signals()
    seed = options.seed if options.seed is not None else int(time.time())
    print(f"# seed {seed}, {options.seconds} s of faults", flush=True)
    r, b = Report(), LongLife(os.path.abspath(options.binary), boards=options.boards, keep=options.keep)
    try:
        live(b, r, options, random.Random(seed))
    finally:
        b.close()
    return r.finish()


if __name__ == "__main__":
    sys.exit(main())
