#!/usr/bin/python3
"""Kills `metafleet run` with SIGKILL at random and at every named point of the download, and holds what subscribers
get against the ledgers that the boards keep: every entry once, none silently missing (fault matrix F31 to F33).

Prints its seed; a run with the same seed kills at the same points."""
import argparse
import os
import random
import sys
import time

from bench import Report, end_cleanly_on_signals, until
from fake_logging import Log
from log_bench import LogBench, complete


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--boards", type=int, default=6)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--keep", action="store_true", help="keep the working directory")
    options = parser.parse_args()
    end_cleanly_on_signals()
    seed = options.seed if options.seed is not None else int(time.time())
    print(f"# seed {seed}, {options.times} kills", flush=True)
    luck, r = random.Random(seed), Report()
    b = LogBench(os.path.abspath(options.binary), boards=options.boards, keep=options.keep, scale=0.05)
    died = {}
    try:
        b.start()
        r.equal("all boards log", until(60, lambda: len(b.logging()) == b.count) and b.count, b.count)
        points = Log.POINTS + ["random"]
        for turn in range(options.times):
            point = points[turn % len(points)]
            n = luck.randrange(1, b.count + 1)
            delay = luck.choice([0, 0, 0.001, 0.005, 0.02])
            limit = luck.uniform(0.3, 3) if point == "random" else 20
            if point != "random":
                # The first of several boards that gets there.
                for k in range(1, b.count + 1): b.do("log-kill", board=k, pid=b.daemon.popen.pid, point=point, delay=delay)
            end = time.monotonic() + limit
            while time.monotonic() < end and b.daemon.popen.poll() is None: time.sleep(0.01)
            for k in range(1, b.count + 1): b.do("log-disarm", board=k)
            met = b.daemon.popen.poll() is not None
            if not met: b.daemon.popen.kill()
            code = b.daemon.popen.wait(10)
            if code != -9: r.check(f"kill {turn} at {point}: the daemon lived until it was killed", False, -9, code)
            died[point] = died.get(point, 0) + (met or point == "random")
            if luck.random() < 0.3: b.do("drop", board=n)
            b.start_daemon()
        print("# killed at " + ", ".join(f"{p} {c}" for p, c in sorted(died.items())), flush=True)
        if options.times >= 2 * len(points):
            r.equal("every named point was met", sorted(set(points) - {p for p, c in died.items() if c}), [])
        complete(b, r, 120)
    finally:
        b.close()
    return r.finish()


if __name__ == "__main__":
    sys.exit(main())
