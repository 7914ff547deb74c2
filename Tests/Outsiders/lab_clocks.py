#!/usr/bin/python3
"""Sets the clock of the laboratory's guest, which is its own, under a running gateway above a real bluetoothd: 1970 at boot, to now, years ahead,
hours back, and judges stamps, commands, schedules and what is kept (fault F265). Run by Tests/BlueZLab/clocks."""
import datetime
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time

from bench import HERE, Process, judge, until
from checks_commands import FINAL
from checks_registers import documents
from checks_time import samples_of
from lab_checks import LabBench
from log_bench import LogBench
from power_cuts import Orders

STREAMING, VISITED, DAILY = (1, 2), 3, 4
HOUR, YEAR = 3600, 365 * 86400
BOOT = 60           # a computer without a battery for its clock begins in 1970
CLEANING_S = 33     # longer than the pause between two rounds of cleaning
PACE_S = 10
WAIT_S = 30         # on a busy computer
AROUND = 4          # seconds around a step in which packets are under way that were stamped by the clock as it was
POLL_S = 5
# What somebody does to the clock, how far it is ahead of the right time then, and how the gateway ends before that. Cleaning is waited for
# where the clock makes things older; a start begins with it.
STEPS = [
    ("set for the first time", 0, None),
    ("3 years ahead", 3 * YEAR, None),
    ("3 years ahead, behind a kill", 3 * YEAR, signal.SIGKILL),
    ("right again, by 3 years back", 0, None),
    ("right, behind a clean end", 0, signal.SIGTERM),
    ("5 hours back", -5 * HOUR, None),
    ("right again, by 5 hours ahead", 0, None),
]
TABLES = {"command": "topic || id", "event": "id", "log_page": "rowid", "kept_samples": "rowid", "log_session": "rowid"}


class ClockBench(LabBench, LogBench):
    """Two boards stream, one is visited every few seconds, one once a day, a few minutes from the right time of the start on."""
    rate = 12.5
    visit = "every: 8s, jitter: 0%"

    def __init__(self, binary, keep):
        super().__init__(binary, keep)
        self.right = time.time() - time.monotonic()  # what the right time is ahead of the uptime
        self.ahead = 0
        self.daily = datetime.datetime.fromtimestamp(time.time() + 2 * HOUR, datetime.timezone.utc).strftime("%H:%M")

    def start_fake(self):
        self.fake = Process("boards", ["/usr/bin/python3", "-B", os.path.join(HERE, "lab_board.py"), "--script"], self.path("boards.log"),
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def write_config(self, extra=""):
        log = f"log: {{ acceleration: {{ rate_hz: {self.rate}, range_g: 4 }} }}"
        profile = {VISITED: "visited", DAILY: "daily"}
        path = self.configure(f"""gateway: {{ id: {self.gateway}, timezone: UTC }}
schedules: {{ battery: {POLL_S}s }}
profiles:
  moving:
    stream: {{ acceleration: {{ rate_hz: {self.rate}, range_g: 4 }} }}
  visited:
    {log}
    visit: {{ {self.visit} }}
  daily:
    {log}
    visit: {{ every: "daily {self.daily}", jitter: 0% }}
{extra}""", lambda n: f"profile: {profile.get(n, 'moving')}")
        with open(path) as f:
            text = f.read().replace("min_free: 1MB", "min_free: 1MB, streams: { keep: 1h }")
        with open(path, "w") as f:
            f.write(text)

    def set_clock(self, ahead):
        """By `date -s`, as somebody does; None is 1970."""
        moment = BOOT if ahead is None else time.monotonic() + self.right + ahead
        subprocess.run(["date", "-u", "-s", f"@{moment:.3f}"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
        self.ahead = ahead

    def kept(self):
        """What is in the database of what nothing may delete in a few minutes."""
        database = sqlite3.connect(f"file:{self.path('state/metafleet.sqlite')}?mode=ro", uri=True, timeout=5)
        try:
            tables = {x[0] for x in database.execute("SELECT name FROM sqlite_master")}
            return {name: {x[0] for x in database.execute(f"SELECT {key} FROM {name}")} for name, key in TABLES.items() if name in tables}
        finally:
            database.close()

    def undated(self):
        """Rows whose time is before 2020."""
        database = sqlite3.connect(f"file:{self.path('state/metafleet.sqlite')}?mode=ro", uri=True, timeout=5)
        try:
            columns = [("outbox", "created_ns"), ("command", "first_seen_ns"), ("event", "time_ns"), ("log_page", "stored_ns")]
            found = {table: database.execute(f"SELECT count(*) FROM {table} WHERE {column} < 1577836800000000000").fetchone()[0] for table, column in columns}
            return {table: count for table, count in found.items() if count}
        finally:
            database.close()


def ask_all(b, r, what, orders, answers):
    """Every command so far once more, and one that is new: none has its effect twice."""
    mark = b.client.mark()
    for name in list(orders.orders):
        orders.send(name)
    orders.give()

    def finals():
        found = {}
        for _, topic, payload, *_ in b.client.since(mark):
            if "/reply/" in topic and payload:
                value = json.loads(payload)
                if value["stage"] in FINAL: found.setdefault(value["id"], []).append(value)
        return found
    until(45, lambda: set(finals()) == set(orders.orders), 0.2)
    found = finals()
    for name in orders.orders:
        new = name not in answers
        got = found.get(name, [])
        if new:
            answers[name] = got[0] if got else {}
            r.check(f"F265 {what}: a command is carried out", [x["stage"] for x in got] == ["done"], "done", got)
        elif got != [{**answers[name], "duplicate": True}]:
            r.check(f"F265 {what}: a repeat of {name} gets the answer that was given", False, answers[name], got)
    r.equal(f"F265 {what}: no command was carried out twice", {name: n for name, n in orders.effects().items() if n != 1}, {})


def paces(b, r, what):
    """Intervals go on as if nobody had touched the clock: no pause of hours, and not all at once what was skipped."""
    mark, began = b.client.mark(), time.monotonic()
    battery = lambda n: len(b.client.since(mark, b.topic(n, "record", "battery")))
    visits = lambda: len(b.client.since(mark, b.topic(VISITED, "event", "log-downloaded")))
    time.sleep(PACE_S)
    until(WAIT_S, lambda: visits() and all(map(battery, STREAMING)), 0.2)
    spent = time.monotonic() - began
    for n in STREAMING:
        r.check(f"F265 {what}: board {n} is asked for its battery every {POLL_S} s", 1 <= battery(n) <= spent / POLL_S + 2, spent / POLL_S, battery(n))
        r.check(f"F265 {what}: board {n} streams", b.client.since(mark, b.topic(n, "record", "acceleration")), "batches", None)
    r.check(f"F265 {what}: visits go on", 1 <= visits() <= spent / 8 + 2, spent / 8, visits())


def stamps(b, r, n, steps):
    """Times of all samples of a board against when its sensor took them, by the clock as it was then."""
    samples, _ = samples_of(b, n)
    truth = b.do("taken", board=n)
    taken = dict(map(tuple, truth))
    r.check(f"F265 board {n}: samples came all the time", len(samples) > 150 * len(STEPS), "thousands", len(samples))
    back = [(x, y) for x, y in zip(samples, samples[1:]) if not y[1] > x[1]]
    r.equal(f"F265 board {n}: stamps strictly increase over every step and restart", back[:3], [])
    near = set()
    for (number, at), (_, then) in zip(truth, truth[1:]):
        if abs(then - at) > 60: near |= set(range(number - int(AROUND * b.rate), number + int(AROUND * b.rate)))
    r.equal(f"F265 board {n}: the clock was set", sum(abs(y[1] - x[1]) > 60 for x, y in zip(truth, truth[1:])), steps)
    calm = [s for s in samples if s[0] in taken and s[0] not in near]
    wrong = [(s[0], round(s[1] - taken[s[0]], 3), round(s[2], 3)) for s in calm if abs(s[1] - taken[s[0]]) > s[2] + 0.02]
    r.check(f"F265 board {n}: times are the clock's, inside the stated error", len(wrong) * 1000 <= len(calm), "all but one in a thousand",
            (len(wrong), len(calm), wrong[:3], wrong[-3:]))
    honest = [s for s in calm if abs(s[1] - taken[s[0]]) < 1]
    r.check(f"F265 board {n}: right times are said to be right", sum(s[2] > 1 for s in honest) * 100 <= len(honest), "err_ms below 1 s",
            [(s[0], s[2]) for s in honest if s[2] > 1][:3])


def gaps(b, r, ends):
    """Nothing is missing but where the gateway was ended."""
    for n in STREAMING:
        told = [x for x in documents(b, n, "event", "data-gap") if x.get("stream") == "acceleration"]
        others = [x for x in told if x["reason"] != "gateway-restart"]
        r.equal(f"F265 board {n}: no step is taken for a gap", others, [])
        r.check(f"F265 board {n}: a gap for each end of the gateway", len({x["event_id"] for x in told}) - len(others) <= ends, ends, told)


def step(b, r, what, ahead, end, orders, answers, kept):
    """One change of the clock, and all that is the same behind it. Returns what is kept by then."""
    print(f"# {what}", flush=True)
    mark = b.client.mark()
    was_unset = b.ahead is None
    is_older = was_unset or ahead > b.ahead
    if end:
        b.daemon.end(end, wait=25)
        b.linked()
        b.start_daemon()
    if ahead != b.ahead:
        b.set_clock(ahead)
    began = time.monotonic()
    if was_unset:
        topic = b.gateway_topic("event", "clock")
        r.check(f"F265 {what}: event clock synced", b.client.wait(CLEANING_S, topic, lambda v: v["event_type"] == "synced", mark), "synced", b.client.last(topic))
    missing = b.wait_samples(40, STREAMING, b.client.mark())
    r.equal(f"F265 {what}: boards stream", missing, [])
    ask_all(b, r, what, orders, answers)
    paces(b, r, what)
    if is_older: time.sleep(max(0, CLEANING_S - (time.monotonic() - began)))
    now = b.kept()
    r.equal(f"F265 {what}: nothing was deleted", {name: len(kept[name] - now[name]) for name in kept if kept[name] - now[name]}, {})
    r.equal(f"F265 {what}: everything has a time", until(35, lambda: b.undated() == {}, 1) or b.undated(), True)
    return now


def play(b, r):
    began = time.monotonic()
    b.set_clock(None)
    b.start()
    r.check("F265 1970 at the start: event clock unset", b.client.wait(20, b.gateway_topic("event", "clock"), lambda v: v["event_type"] == "unset"), "unset")
    r.equal("F265 1970 at the start: boards stream", b.wait_samples(40, STREAMING, 0), [])
    r.check("F265 1970 at the start: boards log", until(40, lambda: {VISITED, DAILY} <= set(b.logging())), "both", b.logging())
    orders, answers = Orders(b, random.Random(7), STREAMING), {}
    ask_all(b, r, "1970 at the start", orders, answers)
    kept, daily = b.kept(), {}
    for what, ahead, end in STEPS:
        kept = step(b, r, what, ahead, end, orders, answers, kept)
        daily[what] = len({x["event_id"] for x in documents(b, DAILY, "event", "log-downloaded")})
    print(f"# visits of the board that is visited daily at {b.daily}: {daily}", flush=True)
    r.check("F265 a clock that is set does nothing twice on one day", daily[STEPS[-1][0]] <= 6, "at most once for each day that was shown", daily)
    b.freeze()
    b.daemon.end(signal.SIGTERM, wait=25)
    time.sleep(1)
    for n in STREAMING: stamps(b, r, n, sum(x[1] != y[1] for x, y in zip([("", None)] + STEPS, STEPS)))
    gaps(b, r, sum(x[2] is not None for x in STEPS))
    print(f"# {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    sys.exit(judge(__doc__, ClockBench, play, tail=60))
