#!/usr/bin/python3
"""Cuts the power of the gateway's computer, which is the laboratory's guest with a disk of its own (Tests/BlueZLab), while boards stream, log and get
commands, and holds what the next start finds against ledgers outside the guest: whatever was acknowledged is there (fault F92).

Broker, boards and observer are processes of this computer and stay; the guest with the gateway is killed at a moment by the seed, which is printed,
and its disk becomes what a disk with a cache may be by then (Tests/BlueZLab/power-cut). The next guest gets that disk and no help."""
import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import time

from bench import HERE, Process, Report, end_cleanly_on_signals, until
from checks_commands import FINAL
from checks_kills import untold
from log_bench import LogBench, complete

LAB = os.path.join(HERE, "..", "BlueZLab")
STATE = "/var/lib/metafleet"
START_S = 60  # a guest boots, and the gateway opens its database, within
STREAMING, LOGGING = (1, 2), (3, 4)


class PowerBench(LogBench):
    rate = 25

    def __init__(self, binary, keep):
        super().__init__(binary, boards=4, keep=keep)
        self.ids = [f"c0ffee{n:06x}" for n in range(1, self.count + 1)]
        self.judge.boards = set(self.ids)
        self.turn, self.image, self.outside, self.cuts = 0, self.path("disk.img"), self.path("outside"), []

    def start_bus(self):
        os.mkdir(self.outside)

    def start_fake(self):
        self.fake = Process("boards", ["/usr/bin/python3", "-B", os.path.join(HERE, "lab_board.py"), "--script"], self.path("boards.log"),
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "BLUEZ_LAB_BOARD_SOCKET": self.path("boards.sock")})

    def write_config(self, extra=""):
        path = self.configure(f"""gateway: {{ id: {self.gateway} }}
profiles:
  moving:
    stream: {{ acceleration: {{ rate_hz: 25, range_g: 4 }} }}
  recorder:
    log: {{ acceleration: {{ rate_hz: {self.rate}, range_g: 4 }} }}
    visit: {{ {self.visit}, clear: {self.clear} }}
{extra}""", lambda n: f"profile: {'recorder' if n in LOGGING else 'moving'}")
        with open(path) as f:
            text = f.read().replace(self.path("state"), STATE)
        with open(os.path.join(self.outside, "metafleet.yaml"), "w") as f:
            f.write(text)

    def start_daemon(self):
        """A guest on the disk as it is, which starts the gateway and nothing else."""
        self.judge.restarted = time.time()
        self.turn += 1
        socket = self.path("boards.sock")
        self.daemon = Process("guest", [
            os.path.join(LAB, "bluez-lab"), "run", "--boards", str(self.count), "--timeout", "900", "--state-disk", self.image, "--out", self.outside,
            "--to-host", str(self.port), "--to-host", socket, "--board-socket", socket, "--logs", self.path(f"logs.{self.turn}"), "--",
            "/usr/bin/python3", "-B", os.path.join(HERE, "lab_ledger.py"), self.outside, str(self.turn), STATE,
            self.binary, "run", "--config", os.path.join(self.outside, "metafleet.yaml")], self.path("guest.log"), stdin=subprocess.DEVNULL)

    def lines(self, turn):
        """What the guest of that turn wrote outside; of the last line it may have written a part."""
        try:
            with open(os.path.join(self.outside, f"ledger.{turn}"), "rb") as f:
                return [json.loads(x) for x in f.read().split(b"\n")[:-1]]
        except FileNotFoundError:
            return []

    def found(self):
        """What the guest of this turn found on its disk, once it has looked."""
        return next((x for x in self.lines(self.turn) if x["kind"] == "found"), None)

    def committed(self, before=None):
        """Of every row that a guest, of those before that turn, was seen to have on its disk on its way to the broker: number, topic, digest."""
        return [row for turn in range(1, before or self.turn + 1) for x in self.lines(turn) if x["kind"] == "committed" for row in x["rows"]]

    def arrived(self):
        return {(topic, hashlib.sha256(payload).hexdigest()) for _, topic, payload, *_ in self.client.since(0)}

    def replies(self):
        """All replies to our commands, by their ids, each as often as it was published, but for repeats of the same message."""
        replies = {}
        for _, topic, payload, *_ in self.client.since(0):
            if "/reply/" in topic and payload:
                value = json.loads(payload)
                if value not in replies.setdefault(value["id"], []):
                    replies[value["id"]].append(value)
        return replies

    def done_before_cuts(self):
        """Commands that were done in the second before a cut, by the stamps of their replies, with nothing but the link for evidence: the guest's kernel
        may have had their packet still, and lost it. A reply itself may come later, also from the next guest, whose clock is half a second off."""
        return {x["id"] for replies in self.replies().values() for x in replies
                if x.get("evidence") == "link-write" and not x.get("duplicate") and any(-0.5 <= cut - x["ts_ms"] / 1000 <= 1.5 for cut in self.cuts)}

    def accepted(self):
        """The replies to commands that were accepted: those that were refused on arrival need not be known."""
        return {name: replies for name, replies in self.replies().items() if any(x["stage"] == "accepted" for x in replies)}

    def cut(self, seed):
        """SIGKILL to every process of the guest, and a disk that lost some of what it had not flushed."""
        self.cuts.append(time.time())
        self.daemon.end(wait=20)
        return subprocess.run([os.path.join(LAB, "power-cut"), self.image, str(seed)], capture_output=True, text=True, check=True).stdout.strip()


class Orders:
    """Commands whose effect can be counted on the board: each buzzes for a time of its own."""

    def __init__(self, b, luck, boards=None):
        self.b, self.luck, self.orders = b, luck, {}
        self.boards = boards or range(1, b.count + 1)

    def give(self):
        number = len(self.orders) + 1
        name, n = f"order-{number}", self.luck.choice(self.boards)
        self.orders[name] = (n, 100 + number)
        self.send(name)

    def send(self, name):
        n, pulse = self.orders[name]
        self.b.client.client.publish(self.b.topic(n, "cmd", "haptic"), json.dumps({"id": name, "args": {"pulse_ms": pulse}}), qos=1)

    def effects(self):
        """How often each was carried out, by what was written to the boards."""
        writes = {n: [w[1] for w in self.b.do("writes", board=n)] for n in self.b.do("present")}
        return {name: writes.get(n, []).count(f"0801f8{pulse.to_bytes(2, 'little').hex()}00") for name, (n, pulse) in self.orders.items()}


def file_system(b, r, what):
    """A disk that its kernel can use after its journal was replayed: of a copy, and no question asked."""
    copy = b.image + ".copy"
    subprocess.run(["cp", "--sparse=always", b.image, copy], check=True)
    environment = {**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}
    first = subprocess.run(["e2fsck", "-p", "-E", "journal_only", copy], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    then = subprocess.run(["e2fsck", "-f", "-p", copy], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    os.unlink(copy)
    r.check(f"{what}: the file system needs its journal and nothing else", first.returncode in (0, 1) and then.returncode in (0, 1), "at most 1",
            (first.returncode, then.returncode, first.stdout + then.stdout))


def missing(b, found):
    """Rows that were committed before the cut, and are neither at the broker nor on the disk. What this guest adds may still be on its way."""
    numbers, known = {row[0] for row in found["outbox"]}, b.arrived()
    return [row for row in b.committed(before=b.turn) if row[0] not in numbers and (row[1], row[2]) not in known]


def recovered(b, r, what, before):
    """Holds what this turn's guest found against what was acknowledged before the cut."""
    found = until(START_S, b.found, 0.1)
    if not r.check(f"{what}: the next guest starts, and mounts its disk, by itself", found, f"within {START_S} s", console(b)):
        return False
    r.equal(f"{what}: the database is whole", found["integrity"], "ok")
    lost = until(5, lambda: None if missing(b, found) else True, 0.5) or missing(b, found)[:5]
    r.equal(f"{what}: what was committed is at the broker or on the disk", lost, True)
    known = {name: is_final for _, name, is_final in found["commands"]}
    r.equal(f"{what}: every command that was accepted is known", [name for name in before if name not in known], [])
    done = [name for name, replies in before.items() if any(x["stage"] in FINAL for x in replies)]
    r.equal(f"{what}: every command that was answered is known as answered", [name for name in done if not known.get(name)], [])
    return True


def console(b):
    with open(b.path("guest.log"), errors="replace") as f:
        return "".join(f.readlines()[-30:])


def work(b, luck, orders, is_enough, seconds):
    """Gives commands for so long, or until it is enough."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not is_enough():
        orders.give()
        time.sleep(luck.uniform(0.02, 0.5))


def rounds(b, r, luck, orders, count):
    """Starts and cuts; returns how many rows there were on disks, and whether it could go on to the end."""
    before, what, early = {}, None, 0
    for turn in range(1, count + 1):
        mark = b.client.mark()
        b.start_daemon()
        if luck.random() < 0.2:
            # While it boots, mounts, opens or makes its database.
            early += 1
            time.sleep(luck.uniform(0.5, 4))
        else:
            if what is None:
                until(START_S, b.found, 0.1)
            elif not recovered(b, r, what, before):
                return False
            what = None
            # While it connects, while some boards work, or a while after all do.
            mood = luck.choice([luck.uniform(0, 4), luck.uniform(4, 10), None])
            work(b, luck, orders, (lambda: False) if mood else lambda: not b.wait_samples(0, STREAMING, mark), mood or 20)
            if mood is None: work(b, luck, orders, lambda: False, luck.uniform(0, 5))
        told = b.cut(luck.randrange(1 << 32))
        time.sleep(0.3)  # what was on its way to the observer has come
        before = b.accepted()
        what = f"F92 cut {turn}"
        print(f"# {what}: {told}; {len(before)} commands were accepted, {len(b.committed())} rows committed", flush=True)
        file_system(b, r, what)
    b.start_daemon()
    print(f"# {early} of {count} cuts while it started", flush=True)
    return recovered(b, r, what, before)


def history(b, name):
    """All that was heard of a command, and on which guests' disks it was found, with an answer or without."""
    disks = [(turn, final) for turn in range(1, b.turn + 1) for x in b.lines(turn) if x["kind"] == "found" for _, known, final in x["commands"] if known == name]
    return {"replies": b.replies()[name], "found": disks[:3] + disks[3:][-3:], "cuts": b.cuts[-3:], "now": time.time()}


def afterwards(b, r, orders):
    """Nothing is missing, nothing was done twice, and repeats of what was asked get the answers that were given."""
    mark = b.client.mark()
    r.equal("F92 samples come again", b.wait_samples(60, STREAMING, mark), [])
    accepted = list(b.accepted())
    finals = lambda: {name: [x for x in replies if x["stage"] in FINAL and not x.get("duplicate")] for name, replies in b.replies().items()}
    answers = until(60, lambda: (lambda found: found if all(found[name] for name in accepted) else None)(finals()), 0.5) or finals()
    r.equal("F92 every accepted command has one end", {name: history(b, name) for name in accepted if len(answers[name]) != 1}, {})
    effects = orders.effects()
    r.equal("F92 no command was carried out twice", {name: n for name, n in effects.items() if n > 1}, {})
    undone = {name: ends for name, ends in answers.items() if [x["stage"] for x in ends] == ["done"] and effects[name] != 1}
    late = b.done_before_cuts()
    r.equal("F92 what is said to be done was done", {name: ends for name, ends in undone.items() if name not in late}, {})
    if undone: print(f"# {len(undone)} of {len(late)} commands that were handed to the link in the second before a cut had not left the guest")
    for name in accepted: orders.send(name)
    repeated = lambda: {name: x for name, replies in b.replies().items() for x in replies if x["stage"] in FINAL and x.get("duplicate")}
    again = {}
    # Behind many cuts they are thousands: as long as answers come, nobody is late.
    while not set(accepted) <= set(again) and until(30, lambda: len(repeated()) > len(again), 0.5): again = repeated()
    wrong = {name: (answers[name], again.get(name)) for name in accepted if answers[name] and {**answers[name][0], "duplicate": True} != again.get(name)}
    r.equal("F92 a repeat gets the answer that was given", wrong, {})
    r.equal("F92 no repeat was carried out", {name: n for name, n in orders.effects().items() if n != effects[name]}, {})
    wrong = until(30, lambda: True if not untold(b)[0] else None, 1) or untold(b)[0]
    r.equal("F92 what lies between two sessions is told", wrong, True)
    r.equal("F92 no number of a session is missing", {k: v for k, v in b.judge.problems.items() if "hole" in k}, {})
    births = [x for x in b.judge.births]
    r.check("F92 births only grow", all(x <= y for x, y in zip(births, births[1:])), "each more", births)
    # The guest's clock is its own, and begins with what the host's was a moment before.
    complete(b, r, 90, "F92 ", slack_ms=500)
    stages = [ends[0]["stage"] for ends in answers.values() if ends]
    print("# commands: " + ", ".join(f"{s} {stages.count(s)}" for s in sorted(set(stages))), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    parser.add_argument("--rounds", type=int, default=5, help="power cuts (5)")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--keep", action="store_true", help="keep the working directory")
    options = parser.parse_args()
    end_cleanly_on_signals()
    seed = options.seed if options.seed is not None else int(time.time())
    print(f"# seed {seed}, {options.rounds} power cuts", flush=True)
    began, r = time.monotonic(), Report()
    luck = random.Random(seed)
    b = PowerBench(os.path.abspath(options.binary), options.keep)
    try:
        b.start(daemon=False)
        orders = Orders(b, luck)
        if rounds(b, r, luck, orders, options.rounds):
            afterwards(b, r, orders)
            r.check("F92 rows and commands there were", b.committed() and b.replies(), "some", (len(b.committed()), len(b.replies())))
        print(f"# {len(orders.orders)} commands, {len(b.committed())} rows, {time.monotonic() - began:.0f} s", flush=True)
        if r.failed:
            with open(os.path.join(b.outside, "daemon.log"), errors="replace") as log:
                print("".join(log.readlines()[-60:]), file=sys.stderr)
    finally:
        b.close()
    return r.finish()


if __name__ == "__main__":
    sys.exit(main())
