#!/usr/bin/python3
"""Kills `metafleet run` with SIGKILL while messages are under way to the broker over a line that misbehaves, and holds the broker against a ledger
kept outside: whatever the gateway's database was ever seen to hold must have reached the broker, or lie there still (fault F65); and every hole
in what subscribers got must be told.

Prints its seed; a run with the same seed draws the same moods and moments."""
import argparse
import hashlib
import os
import random
import signal
import sqlite3
import sys
import threading
import time

from bench import Bench, Report, end_cleanly_on_signals, until
from checks_kills import untold
from fault_proxy import Proxy

MOODS = ["calm", "deaf", "gone", "cut", "slow"]


class Ledger:
    """What was seen to be on the gateway's disk on its way to the broker, by somebody who only reads there."""

    def __init__(self, path):
        self.path, self.rows, self.highest = path, {}, 0
        self.over = threading.Event()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        while not self.over.wait(0.01):
            try:
                self.look()
            except sqlite3.Error:
                # The daemon is starting, or was killed; the next look sees what there is.
                continue

    def look(self):
        database = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True, timeout=1)
        try:
            found = database.execute("SELECT id, topic, payload FROM outbox JOIN outbox_payload USING (id) "
                                     "WHERE is_retained = 0 AND id > ? ORDER BY id", (self.highest,)).fetchall()
        finally:
            database.close()
        for number, topic, payload in found:
            self.rows[number] = (topic, hashlib.sha256(payload).digest())
            self.highest = number

    def lying(self, condition):
        """Numbers of the rows that are there now; `condition` is about `outbox`."""
        database = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True, timeout=1)
        try:
            return {row[0] for row in database.execute(f"SELECT id FROM outbox WHERE {condition}")}
        finally:
            database.close()

    def close(self):
        self.over.set()
        self.reader.join()


class Arrivals:
    """What reached a subscriber, as far as it was looked through."""

    def __init__(self, client):
        self.client, self.mark, self.known = client, 0, set()

    def take(self):
        for _, topic, payload, *_ in self.client.since(self.mark):
            self.known.add((topic, hashlib.sha256(payload).digest()))
            self.mark += 1
        return self.known


def take_mood(proxy, mood, luck):
    proxy.drop_acknowledgements, proxy.silent = mood == "deaf", mood == "gone"
    proxy.cut_after = luck.randrange(1, 40_000) if mood == "cut" else None
    proxy.bytes_per_second = 20_000 if mood == "slow" else None
    if mood in ("gone", "cut"): proxy.reset()


def missing(ledger, arrivals):
    """Rows that were on the disk, and are neither there nor anywhere else."""
    known = arrivals.take()
    left = {number: row for number, row in list(ledger.rows.items()) if row not in known}
    if not left: return {}
    lying = ledger.lying("state IN (0, 2)")
    return {number: row[0] for number, row in left.items() if number not in lying}


def kill(b, ledger, luck, proxy, turns):
    """Returns how often which mood was met, and how many rows waited for the broker at the kills."""
    met, waiting = {}, 0
    for _ in range(turns):
        mood = luck.choice(MOODS)
        take_mood(proxy, mood, luck)
        time.sleep(luck.choice([luck.uniform(0, 1), luck.uniform(1, 4)]))
        b.daemon.end(signal.SIGKILL)
        met[mood] = met.get(mood, 0) + 1
        waiting += len(ledger.lying("state = 0 AND is_retained = 0"))
        # Half of them begin on a line that has not become better.
        if luck.random() < 0.5: take_mood(proxy, "calm", luck)
        b.start_daemon()
    take_mood(proxy, "calm", luck)
    proxy.reset()
    return met, waiting


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--boards", type=int, default=6)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--keep", action="store_true", help="keep the working directory")
    options = parser.parse_args()
    end_cleanly_on_signals()
    seed = options.seed if options.seed is not None else int(time.time())
    print(f"# seed {seed}, {options.times} kills", flush=True)
    luck, r = random.Random(seed), Report()
    b = Bench(os.path.abspath(options.binary), boards=options.boards, keep=options.keep)
    proxy = Proxy(b.port)
    ledger = None
    try:
        b.start(daemon=False)
        with open(b.path("metafleet.yaml")) as f: rest = f.read().split("\n", 1)[1]
        with open(b.path("metafleet.yaml"), "w") as f:
            f.write(f"mqtt: {{ host: 127.0.0.1, port: {proxy.port}, keepalive: 5s, connect_timeout: 3s }}\n{rest}")
        b.start_daemon()
        r.equal("all boards stream", b.wait_streaming(40), [])
        ledger, arrivals = Ledger(b.path("state/metafleet.sqlite")), Arrivals(b.client)
        r.check("the ledger is kept", until(10, lambda: len(ledger.rows) > 10), "rows", len(ledger.rows))
        met, waiting = kill(b, ledger, luck, proxy, options.times)
        print("# killed while " + ", ".join(f"{mood} {count}" for mood, count in sorted(met.items())), flush=True)
        r.check("rows waited for the broker at the kills", waiting > 0, "some", waiting)
        r.check("the ledger is kept to the end", until(10, lambda: ledger.highest >= max(ledger.lying("is_retained = 0"))), "every row", ledger.highest)
        mark = b.client.mark()
        r.equal("samples come again", b.wait_samples(60, range(1, b.count + 1), mark), [])
        r.equal("F65 whatever was on the disk is at the broker, or still there", until(60, lambda: None if missing(ledger, arrivals) else True, 1) or
                missing(ledger, arrivals), True)
        wrong = until(30, lambda: True if not untold(b)[0] else None, 1) or untold(b)[0]
        r.equal("F65 what lies between two sessions is told", wrong, True)
        r.equal("F65 no number of a session is missing", {k: v for k, v in b.judge.problems.items() if "hole" in k}, {})
        print(f"# {len(ledger.rows)} rows in the ledger, {waiting} waited at the kills", flush=True)
    finally:
        if ledger: ledger.close()
        proxy.close()
        b.close()
    return r.finish()


if __name__ == "__main__":
    sys.exit(main())
