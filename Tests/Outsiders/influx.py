#!/usr/bin/python3
"""A real InfluxDB gets, through deploy/examples/influx.py, as many points as there are samples, and every lane has the same ones:

- a virtual hour of four boards, two of which log and are visited (Tests/VirtualDays/run), published to a real broker byte by byte
  as fast as it goes: it shows that what an hour holds survives, not that it is carried at the pace at which it comes;
- two minutes of the demo with four boards;
- two minutes of boards with bad links and some that log, in which the consumer is killed and InfluxDB is away for a while.

InfluxDB keeps one point for each series and time, so that samples with equal stamps would be lost there without a word."""
import argparse
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.parse
import urllib.request

import paho.mqtt.client as mqtt

from bench import Bench, Client, HERE, Process, Report, end_cleanly_on_signals, free_port, until
from cbor_reader import item
from checks_encodings import points
from checks_time import AIR, AirBench
from example_programs import RunsExamples

SECONDS = 120
LOGGERS = 3
LANES = ("record", "log", "lp", "cbor")


class BrokerBench(RunsExamples, Bench):
    """A broker, an InfluxDB and what carries from the one to the other."""


class InfluxBench(RunsExamples, AirBench):
    """The boards of AirBench, and some that log and are visited."""
    boards = len(AIR) + LOGGERS

    def profiles(self):
        return super().profiles() + """  recorder:
    log: { acceleration: { rate_hz: 100, range_g: 4 } }
    visit: { every: 10s, jitter: 0% }
"""

    def profile(self, n):
        return "recorder" if n > len(AIR) else super().profile(n)

    def write_config(self, extra=""):
        return super().write_config(f"lanes: {{ encodings: [json, lp, cbor] }}\n{extra}")


class Influx:
    """Debian's InfluxDB 1.6 with a database of its own, on two free ports."""

    def __init__(self, directory):
        self.port, backup = free_port(), free_port()
        self.path = os.path.join(directory, "influx")
        os.mkdir(self.path)
        with open(os.path.join(self.path, "influxdb.conf"), "w") as f:
            f.write(f"""reporting-disabled = true
bind-address = "127.0.0.1:{backup}"
[meta]
  dir = "{self.path}/meta"
[data]
  dir = "{self.path}/data"
  wal-dir = "{self.path}/wal"
[http]
  bind-address = "127.0.0.1:{self.port}"
  log-enabled = false
""")
        self.start()
        self.ask("query", q="CREATE DATABASE fleet", method="POST")

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/write?db=fleet&precision=u"

    def start(self):
        self.process = Process("influxd", ["influxd", "-config", os.path.join(self.path, "influxdb.conf")], os.path.join(self.path, "log"))
        if not until(20, self.answers, 0.2):
            raise RuntimeError("influxd does not answer: is the package influxdb installed?")

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
        """Points as lines, their stamps in microseconds."""
        for start in range(0, len(lines), 5000):
            self.ask("write", "\n".join(lines[start:start + 5000]).encode(), db="fleet", precision="u")

    def count(self, board, stream, origin, since):
        """Points of a series, from a stamp in microseconds on."""
        question = f"SELECT COUNT(seq) FROM \"{stream}\" WHERE board='{board}' AND origin='{origin}' AND time >= {since * 1000}"
        series = json.loads(self.ask("query", db="fleet", q=question))["results"][0].get("series")
        return series[0]["values"][0][1] if series else 0


def waiting(b):
    """How many messages the consumer has not carried yet; nil before it has begun."""
    try:
        return sqlite3.connect(f"file:{b.path('spool.db')}?mode=ro", uri=True, timeout=30).execute("SELECT COUNT(*) FROM waiting").fetchone()[0]
    except sqlite3.Error:
        return None


def carry(b, influx):
    """Begins the consumer, and waits until the broker has its session."""
    process, _ = b.example("influx.py", influx.url, "spool.db")
    until(10, lambda: waiting(b) is not None, 0.05)
    time.sleep(1)
    return process


def drained(b):
    """The consumer has carried all, and nothing more comes."""
    return until(120, lambda: waiting(b) == 0, 0.5) and (time.sleep(2) or until(120, lambda: waiting(b) == 0, 0.5))


def series(messages):
    """The samples on each of the ways to write them: by (board, stream, origin), from their number to their stamp."""
    lanes = {"json": {}, "lp": {}, "cbor": {}}
    for topic, payload in messages:
        _, board, lane, stream = topic.rsplit("/", 3)
        if lane == "lp":
            for _, tags, fields, stamp in points(payload):
                lanes["lp"].setdefault((tags["board"], stream, tags["origin"]), set()).add(stamp)
        else:
            batch = item(payload)[0] if lane == "cbor" else json.loads(payload)
            kept = lanes["cbor" if lane == "cbor" else "json"].setdefault((batch["board"], stream, batch["origin"]), {})
            for n, sample in enumerate(batch["samples"], batch["seq"]):
                kept[(batch["session"], n)] = sample["ts_us"]
    return lanes


def arrive(count, wanted):
    """An empty spool does not say that the broker has nothing left for the consumer, which writes each message to a disk that may
    be busy: waits until all are there, or a minute brings nothing more."""
    last, since = -1, time.monotonic()
    while (now := count()) < wanted and (now != last or time.monotonic() - since < 60):
        if now != last:
            last, since = now, time.monotonic()
        time.sleep(1)


def compare(r, influx, title, messages, least, since=None):
    """Each series has as many points as samples, on every lane; `since` says from which stamp on."""
    lanes = series(messages)
    r.check(f"{title}: every way to write has the same series", set(lanes["json"]) == set(lanes["lp"]) == set(lanes["cbor"]) and lanes["json"], "equal",
            {k: len(v) for k, v in lanes.items()})
    begin = {key: (since or {}).get(key, 0) for key in lanes["json"]}
    wanted = {key: [stamp for stamp in samples.values() if stamp >= begin[key]] for key, samples in lanes["json"].items()}
    total = sum(map(len, wanted.values()))
    arrive(lambda: sum(influx.count(*key, begin[key]) for key in wanted), total)
    for key in sorted(wanted):
        cbor = [stamp for stamp in lanes["cbor"].get(key, {}).values() if stamp >= begin[key]]
        lp = [stamp for stamp in lanes["lp"].get(key, ()) if stamp >= begin[key]]
        r.equal(f"{title}, {' '.join(key)}: as many points as samples, on every lane",
                (influx.count(*key, begin[key]), len(lp), len(cbor), len(set(wanted[key]))), (len(wanted[key]),) * 4)
    r.check(f"{title}: samples came", total > least, f"more than {least}", total)
    print(f"# {title}: {total} samples in {len(lanes['json'])} series", flush=True)


def on_lanes(b, mark=0):
    return [(m[1], m[2]) for m in b.client.since(mark) if m[1].split("/")[3:4] and m[1].split("/")[3] in LANES and m[2]]


def air(binary, r, keep):
    b = InfluxBench(binary, keep=keep)
    try:
        b.start(daemon=False)
        b.worsen()
        influx = Influx(b.directory)
        consumer = carry(b, influx)
        b.start_daemon()
        time.sleep(SECONDS / 3)
        consumer.end(signal.SIGKILL)
        influx.process.end()
        time.sleep(SECONDS / 12)
        carry(b, influx)
        time.sleep(SECONDS / 12)
        r.check("bad links: the consumer keeps what InfluxDB does not take", waiting(b), "some", waiting(b))
        influx.start()
        time.sleep(SECONDS / 2)
        b.daemon.end()
        r.check("bad links: all is carried", drained(b), "none left", waiting(b))
        compare(r, influx, "bad links", on_lanes(b), 20_000)
    finally:
        b.close()


def demo(binary, r, keep):
    b = BrokerBench(binary, keep=keep)
    try:
        influx = Influx(b.directory)
        shown = Process("demo", [binary, "demo", "--boards", "4", "--for", f"{SECONDS}s", "--port", str(b.port), "--encoding", "lp", "--encoding", "cbor", "--json"],
                        b.path("demo.log"), stdout=subprocess.PIPE)
        r.check("demo: it begins", b"broker" in shown.popen.stdout.readline(), "its broker", None)
        b.client = Client(b.port, None, persistent=False).start()
        b.client.subscribed.wait(10)
        carry(b, influx)
        # What came before the consumer was there is nobody's.
        mark = b.client.mark()
        for line in shown.popen.stdout:
            last = line
        r.check("demo: nothing was dropped", json.loads(last).get("dropped") == 0, 0, last)
        r.check("demo: all is carried", drained(b), "none left", waiting(b))
        messages = on_lanes(b, mark)
        since = {}
        for topic, payload in messages:
            if topic.split("/")[3] == "record":
                batch = json.loads(payload)
                since.setdefault((batch["board"], batch["stream"], batch["origin"]), batch["samples"][0]["ts_us"])
        # The same batch may have been before the mark on one lane and behind it on another.
        since = {k: v + 1_000_000 for k, v in since.items()}
        compare(r, influx, "demo", messages, 10_000, since)
    finally:
        b.close()


def archived(path):
    """The messages of a file of Tests/VirtualDays."""
    with open(path, "rb") as f:
        while True:
            head = f.readline()
            if not head:
                return
            topic, size = head.decode().split()
            payload = f.read(int(size))
            if len(payload) != int(size) or f.read(1) != b"\n":
                raise ValueError(f"{path} is cut off behind {topic}")
            yield topic, payload


def publish(port, messages):
    """At QoS 1, so many at once as the broker takes; ends when all are acknowledged."""
    client = mqtt.Client(client_id="hour")
    client.max_inflight_messages_set(100)
    client.connect("127.0.0.1", port)
    client.loop_start()
    for number, (topic, payload) in enumerate(messages):
        last = client.publish(topic, payload, qos=1)
        if number % 1000 == 999:
            last.wait_for_publish(60)
    last.wait_for_publish(60)
    client.disconnect()
    client.loop_stop()


def hour(binary, r, keep, archive):
    b = BrokerBench(binary, keep=keep)
    try:
        if not archive:
            archive = b.path("archive")
            tool = os.path.join(HERE, "..", "VirtualDays", "run")
            played = subprocess.run([tool, "--hours", "1", "--slow", "1", "--fast", "1", "--streams", "2", "--archive", archive], stdin=subprocess.DEVNULL)
            r.equal("hour: it is played, and nothing is wrong with it", played.returncode, 0)
        b.start_broker()
        influx = Influx(b.directory)
        carry(b, influx)
        publish(b.port, archived(archive))
        r.check("hour: all is carried", drained(b), "none left", waiting(b))
        compare(r, influx, "hour", archived(archive), 100_000)
    finally:
        b.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    parser.add_argument("--only", choices=("hour", "demo", "air"), help="one of the three")
    parser.add_argument("--archive", help="what an hour of Tests/VirtualDays has written, instead of playing one")
    parser.add_argument("--keep", action="store_true", help="leave logs and state behind")
    options = parser.parse_args()
    end_cleanly_on_signals()
    r = Report()
    binary = os.path.abspath(options.binary)
    if options.only in (None, "hour"):
        hour(binary, r, options.keep, options.archive)
    if options.only in (None, "demo"):
        demo(binary, r, options.keep)
    if options.only in (None, "air"):
        air(binary, r, options.keep)
    return r.finish()


if __name__ == "__main__":
    sys.exit(main())
