#!/usr/bin/python3
"""A real InfluxDB gets two minutes of the record and log lanes of boards with bad links: as many points as samples.

It keeps one point for each series and time, so that samples with equal stamps would be lost there without a word."""
import argparse
import json
import os
import sys
import time
import urllib.parse
import urllib.request

from bench import Process, Report, end_cleanly_on_signals, free_port, until
from checks_time import AIR, AirBench

SECONDS = 120
LOGGERS = 3


class InfluxBench(AirBench):
    """The boards of AirBench, and some that log and are visited."""
    boards = len(AIR) + LOGGERS

    def profiles(self):
        return super().profiles() + """  recorder:
    log: { acceleration: { rate_hz: 100, range_g: 4 } }
    visit: { every: 10s, jitter: 0% }
"""

    def profile(self, n):
        return "recorder" if n > len(AIR) else super().profile(n)


class Influx:
    """Debian's InfluxDB 1.6 with a database of its own, on two free ports."""

    def __init__(self, directory):
        self.port, backup = free_port(), free_port()
        path = os.path.join(directory, "influx")
        os.mkdir(path)
        with open(os.path.join(path, "influxdb.conf"), "w") as f:
            f.write(f"""reporting-disabled = true
bind-address = "127.0.0.1:{backup}"
[meta]
  dir = "{path}/meta"
[data]
  dir = "{path}/data"
  wal-dir = "{path}/wal"
[http]
  bind-address = "127.0.0.1:{self.port}"
  log-enabled = false
""")
        self.process = Process("influxd", ["influxd", "-config", os.path.join(path, "influxdb.conf")], os.path.join(path, "log"))
        if not until(20, self.answers, 0.2):
            raise RuntimeError("influxd does not answer: is the package influxdb installed?")
        self.ask("query", q="CREATE DATABASE fleet", method="POST")

    def answers(self):
        try:
            return self.ask("ping") is not None
        except OSError:
            return False

    def ask(self, what, body=None, method=None, **arguments):
        url = f"http://127.0.0.1:{self.port}/{what}?{urllib.parse.urlencode(arguments)}"
        with urllib.request.urlopen(urllib.request.Request(url, data=body, method=method), timeout=30) as answer:
            return answer.read()

    def write(self, lines):
        for start in range(0, len(lines), 5000):
            self.ask("write", "\n".join(lines[start:start + 5000]).encode(), db="fleet", precision="u")

    def count(self, lane, board):
        answer = json.loads(self.ask("query", db="fleet", q=f"SELECT COUNT(ax_g) FROM acceleration WHERE lane='{lane}' AND board='{board}'"))
        series = answer["results"][0].get("series")
        return series[0]["values"][0][1] if series else 0


def lines(b, n, lane):
    """A line for each sample of a lane, each batch once."""
    batches = {x["batch_id"]: x for x in (json.loads(m[2]) for m in b.client.since(0, b.topic(n, lane, "acceleration")))}
    return [f"acceleration,board={x['board']},lane={lane} ax_g={s['ax_g']},ay_g={s['ay_g']},az_g={s['az_g']} {s['ts_us']}"
            for x in batches.values() for s in x["samples"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    parser.add_argument("--keep", action="store_true", help="leave logs and state behind")
    options = parser.parse_args()
    end_cleanly_on_signals()
    r = Report()
    b = InfluxBench(os.path.abspath(options.binary), keep=options.keep)
    try:
        b.start(daemon=False)
        b.worsen()
        influx = Influx(b.directory)
        b.start_daemon()
        time.sleep(SECONDS)
        b.daemon.end()
        time.sleep(1)
        for n in range(1, b.count + 1):
            lane = "log" if n > len(AIR) else "record"
            points = lines(b, n, lane)
            r.check(f"board {n}, {lane}: samples came", len(points) > 1000, "thousands", len(points))
            influx.write(points)
            r.equal(f"board {n}, {lane}: as many points as samples", influx.count(lane, b.ids[n - 1]), len(points))
    finally:
        b.close()
    return r.finish()


if __name__ == "__main__":
    sys.exit(main())
