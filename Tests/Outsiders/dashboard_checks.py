#!/usr/bin/python3
"""Judges what lies in dashboards/ by a short run of a gateway whose boards stream, log and are visited: what Telegraf's rules and those of Grafana's MQTT
data source make of its messages, and what the function nodes of the Node-RED flows do with them, in Node.js, with their commands sent for real.

The rules are our own, written from documentation (telegraf_rules.py, grafana_rules.py, node_red.js): none of the three programs could be run here."""
import argparse
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time

import grafana_rules
import telegraf_rules
from bench import Bench, Process, Report, end_cleanly_on_signals, until
from influx_queries import influx_history

DASHBOARDS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "dashboards")
FLOWS = os.path.join(DASHBOARDS, "node-red", "flows.json")
RAW, FUSED, LOGGER, STILL = 1, 2, 3, 4


class DashboardBench(Bench):
    """Board 1 streams what the sensors measure, board 2 what it computes of them, board 3 logs and is visited, board 4 is polled."""

    def write_config(self, extra=""):
        profiles = {RAW: "raw", FUSED: "fused", LOGGER: "logger", STILL: "still"}
        return self.configure(f"""gateway: {{ id: {self.gateway} }}
lanes: {{ encodings: [json, lp] }}
schedules: {{ battery: 3s }}
profiles:
  raw:
    stream: {{ acceleration: {{ rate_hz: 50, range_g: 4 }}, angular-velocity: {{ rate_hz: 50 }}, magnetic-field: {{}}, temperature-die: {{ every: 1s }}, switch: {{}} }}
  fused:
    stream: {{ quaternion: {{}}, euler: {{}}, gravity: {{}}, linear-acceleration: {{}}, corrected-acceleration: {{}} }}
  logger:
    log: {{ acceleration: {{ rate_hz: 12.5, range_g: 4 }} }}
    visit: {{ every: 8s, jitter: 0% }}
  still:
    stream: {{ temperature-die: {{ every: 1s }}, pressure: {{}}, illuminance: {{}}, battery: {{ every: 2s }} }}
{extra}""", lambda n: f"profile: {profiles[n]}")

    def of_topics(self, consumer_or_filter):
        filters = getattr(consumer_or_filter, "topics", [consumer_or_filter])
        return [m for m in self.client.since(0) if m[2] and any(telegraf_rules.matches(f, m[1]) for f in filters)]


class Flows:
    """The flows in Node.js. What they publish is published; all that comes out is kept."""

    def __init__(self, b, folder):
        with open(FLOWS) as f: text = f.read()
        # As a user would put in the boards of the site.
        for n, board in enumerate(b.ids, 1): text = text.replace(f"c0ffee{n:06x}", board)
        path = b.path("flows.json")
        with open(path, "w") as f: f.write(text)
        self.b, self.said, self.fed = b, [], 0
        self.process = Process("node", ["node", os.path.join(os.path.dirname(FLOWS), "..", "..", "Tests", "Outsiders", "node_red.js"), path], b.path("node.log"),
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "METAFLEET_CSV": folder, "METAFLEET_WEBHOOK": "http://192.0.2.1/hook"})
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.popen.stdout:
            entry = json.loads(line)
            self.said.append(entry)
            if entry["kind"] == "publish": self.b.client.publish(entry["topic"], entry["payload"], qos=entry["qos"], retain=entry["retain"])

    def order(self, **order):
        self.process.popen.stdin.write(json.dumps(order).encode() + b"\n")
        self.process.popen.stdin.flush()

    def feed(self):
        """Everything that came from the broker since the last time."""
        messages = self.b.client.since(self.fed)
        self.fed += len(messages)
        for _, topic, payload, *_ in messages:
            if topic.split("/")[-2] != "lp" and payload: self.order(topic=topic, payload=payload.decode())

    def debug(self, name):
        return [x["value"] for x in self.said if x["kind"] == "debug" and x["node"] == name]

    def shows(self, seconds, name, count=1):
        """What a debug node has shown, once that is so many values."""
        until(seconds, lambda: self.feed() or len(self.debug(name)) >= count, 0.05)
        return self.debug(name)

    def of_kind(self, kind):
        return [x for x in self.said if x["kind"] == kind]


def point(topic, payload, strings=(), tags=()):
    """What a flat document has to become: numbers as floats, some texts, some tags, its time."""
    document = json.loads(payload)
    fields = {k: float(v) for k, v in document.items() if isinstance(v, (int, float)) and not isinstance(v, bool) and k not in (*tags, "ts_ms")}
    return fields | {k: document[k] for k in strings if k in document}, {k: str(document[k]) for k in tags if k in document}, document["ts_ms"] * 1000


def telegraf(b, r):
    folder, points = os.path.join(DASHBOARDS, "telegraf"), {}
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".conf"): continue
        for consumer in telegraf_rules.consumers(os.path.join(folder, name)):
            what, messages = f"telegraf {name} {' '.join(consumer.topics)}", b.of_topics(consumer)
            r.check(f"{what}: there are messages", messages)
            found, wrong = [], []
            for _, topic, payload, *_ in messages:
                try:
                    made = consumer.points(topic, payload)
                except (ValueError, KeyError, TypeError) as error:
                    wrong.append(f"{topic}: {type(error).__name__} {error}")
                    continue
                found += made
                if consumer.options["data_format"] == "json":
                    fields, tags, stamp = point(topic, payload, consumer.options["json_string_fields"], consumer.options["tag_keys"])
                    expected = [(consumer.options["name_override"], tags, fields, stamp)]
                    # Lists have fields of their own there, which nobody counts on.
                    if [(n, t, {k: v for k, v in f.items() if k in fields}, s) for n, t, f, s in made] != expected: wrong.append((made, expected))
                elif consumer.options["data_format"] == "json_v2":
                    batch = json.loads(payload)
                    if [(n, t, s) for n, t, _, s in made] != [(batch["stream"], {k: batch[k] for k in ("board", "gw", "origin")}, x["ts_us"]) for x in batch["samples"]] \
                            or [{k: f[k] for k in x if k != "ts_us"} for (_, _, f, _), x in zip(made, batch["samples"])] != [{k: v for k, v in x.items() if k != "ts_us"} for x in batch["samples"]]:
                        wrong.append(f"{topic}: {made[:1]} of {batch['samples'][:1]}")
            r.check(f"{what}: each message becomes the points it should", not wrong, "nothing wrong", wrong[:3])
            points[name] = points.get(name, []) + found
    keyed = {}
    for name in ("samples-lp.conf", "samples-json.conf"):
        keyed[name] = {(n, *sorted(t.items()), s): f for n, t, f, s in points[name]}
        r.equal(f"telegraf {name}: no two samples are one point", len(keyed[name]), len(points[name]))
    lines, batches = keyed["samples-lp.conf"], keyed["samples-json.conf"]
    # Both lanes carry every sample; one may be a batch ahead of the other.
    common = lines.keys() & batches.keys()
    r.check("telegraf: both ways into the database bring the same samples", len(common) > 500 and len(lines.keys() ^ batches.keys()) < 0.1 * len(common), "the same", (len(lines), len(batches), len(common)))
    streams = {k[0] for k in common}
    r.check("telegraf: of all streams", streams >= {"acceleration", "angular-velocity", "quaternion", "temperature-die", "pressure", "battery"}, "all", sorted(streams))
    r.check("telegraf: streamed and logged", {dict(k[1:-1])["origin"] for k in common} == {"stream", "flash"}, "stream and flash", len(common))

    def same(a, b):
        a = {k: v.split(",")[0] if k == "quality_reasons" else v for k, v in a.items() if k not in ("seq", "gap_before")}
        return a == b and {k: type(v) for k, v in a.items()} == {k: type(v) for k, v in b.items()}
    different = [(k, lines[k], batches[k]) for k in common if not same(lines[k], batches[k])]
    r.check("telegraf: with the same fields of the same types", not different, "no difference", different[:2])
    return points


def grafana(b, r):
    folder = os.path.join(DASHBOARDS, "grafana", "dashboards")
    for file, panel in ((f, grafana_rules.Panel(f, p)) for f, p in grafana_rules.panels(folder, grafana_rules.MQTT)):
        shown = 0
        for board in b.ids:
            messages = [(m[0], m[2]) for m in b.of_topics(panel.filled(base=b.base, board=board, gateway=b.gateway))]
            if not messages: continue
            shown += 1
            problems = panel.problems(messages)
            r.check(f"grafana {file}, {panel.title}, board {board}", not problems, "no problem", problems[:3])
        r.check(f"grafana {file}, {panel.title}: something to show", shown, "messages", panel.topic)


def scripts(r):
    """Every function body is JavaScript by itself."""
    with open(FLOWS) as f: nodes = json.load(f)
    with tempfile.TemporaryDirectory() as folder:
        for node in nodes:
            for part in ("func", "initialize", "finalize"):
                if not node.get(part): continue
                path = os.path.join(folder, "body.js")
                with open(path, "w") as f: f.write(f"(async function (msg) {{\n{node[part]}\n}});\n")
                done = subprocess.run(["node", "--check", path], capture_output=True, text=True)
                r.check(f"node --check {node['name']}, {part}", done.returncode == 0, "no error", done.stderr)


def node_red(b, r, flows):
    """The flows while the gateway runs."""
    flows.feed()
    b.do("press", board=RAW, state=1)
    shown = flows.shows(20, "Button to LED/the board did it")
    r.check("node-red: a press of one board's button lights the LED of another", shown and shown[0], "evidence", (shown, flows.debug("Button to LED/why not")))
    led = b.client.last(b.topic(FUSED, "led")) or {}
    r.check("node-red: and its LED says so", led.get("effect") == "flash" or led.get("state") == "OFF", "flash", led)
    flows.order(inject="Command with reply/read")
    shown = flows.shows(20, "Command with reply/the answer")
    r.check("node-red: a command is answered", shown and "battery_pct" in shown[0], "battery_pct", (shown, flows.debug("Command with reply/why not")))

    def explained(what, n, **order):
        """Boards that were not there yet when the gateway started were asked about, too."""
        count = lambda: sum(b.ids[n - 1] in text for text in flows.debug("Why no data/why"))
        before = count()
        flows.order(**order)
        r.check(f"node-red: {what}", until(20, lambda: flows.feed() or count() > before, 0.05), "a sentence", flows.debug("Why no data/why"))
    explained("why there are no data, or that there are", RAW, inject="Why no data/ask about board 1")
    explained("a board that goes offline is asked about", FUSED, topic=b.topic(FUSED, "availability"),
              payload=json.dumps({"state": "offline", "reason": "silent", "since_ms": 1, "gw": b.gateway}))

    topic = b.topic(RAW, "live", "temperature-die")
    for celsius in (39, 40.5, 39, 41, 37.5, 37):
        flows.order(topic=topic, payload=json.dumps({"ts_ms": 1, "temperature_c": celsius, "seq": 1, "board": b.ids[0], "stream": "temperature-die", "gw": b.gateway}))
    flows.order(topic=topic, payload=json.dumps({"ts_ms": 1, "temperature_c": 60, "seq": 1, "board": b.ids[0], "stream": "temperature-die", "gw": b.gateway, "quality": "uncertain"}))
    shown = flows.shows(10, "Alarm on threshold/well again")
    r.check("node-red: a threshold alarms once, and ends once", flows.debug("Alarm on threshold/alarm") == [f"Board {b.ids[0]}: 40.5 °C"] and shown == [f"Board {b.ids[0]}: 37.5 °C"],
            "40.5, 37.5", (flows.debug("Alarm on threshold/alarm"), shown))
    for more in ({"maintenance": True}, {}):
        flows.order(topic=b.topic(RAW, "event", "low-battery"), payload=json.dumps({"ts_ms": 1, "event_id": "1", "kind": "low-battery", "event_type": "low", "board": b.ids[0], "gw": b.gateway,
                                                                                  "battery_pct": 19, "battery_mv": 3500, **more}))
    shown = flows.shows(10, "Alarm on threshold/battery alarm")
    r.equal("node-red: a battery alarms, but not in maintenance", shown, [f"Board {b.ids[0]}: the battery is low, 19 % are left"])

    logged = until(30, lambda: flows.feed() or (b.client.last(b.topic(LOGGER, "state")) or {}).get("log_entries") is not None, 0.1)
    r.check("node-red: the board has a log", logged, "entries", b.client.last(b.topic(LOGGER, "state")))
    flows.order(inject="Nightly download/now")
    shown = flows.shows(40, "Nightly download/downloaded")
    r.check("node-red: the nightly download brings a log", shown and re.fullmatch(rf"Board {b.ids[LOGGER - 1]}: \d+ samples", shown[0]), "samples",
            (shown, flows.debug("Nightly download/not downloaded")))


def written(b, r, flows):
    """The files and requests, once nothing comes any more."""
    flows.feed()
    batches = {}
    for _, topic, payload, *_ in b.of_topics("metafleet/board/+/record/+") + b.of_topics("metafleet/board/+/log/+"):
        batch = json.loads(payload)
        batches[batch["batch_id"]] = batch
    count = sum(x["count"] for x in batches.values())

    def rows():
        return sum(x["text"].count("\n") for x in flows.of_kind("file")) - len({x["name"] for x in flows.of_kind("file")})
    until(20, lambda: rows() >= count, 0.1)
    files = {}
    for x in flows.of_kind("file"): files[x["name"]] = files.get(x["name"], "") + x["text"]
    found = {}
    for name, text in files.items():
        head, *lines = text.splitlines()
        r.check(f"node-red {os.path.basename(name).rsplit('-', 1)[0]}: one head line, and no line of another width", head.startswith("time,origin,err_ms,")
                and all(len(x.split(",")) == len(head.split(",")) and x != head for x in lines), "one", [head, *lines[:2]])
        board, stream = os.path.basename(name)[:12], os.path.basename(name)[13:].rsplit("-", 4)[0]
        for line in lines:
            cells = dict(zip(head.split(","), line.split(",")))
            found.setdefault((board, stream, cells["origin"]), []).append((cells["time"], {k: float(v) for k, v in cells.items() if k not in ("time", "origin", "err_ms")}))
    wanted = {}
    for x in batches.values():
        for s in x["samples"]:
            second, part = divmod(s["ts_us"], 1_000_000)
            stamp = datetime.datetime.fromtimestamp(second, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S") + f".{part:06d}Z"
            wanted.setdefault((x["board"], x["stream"], x["origin"]), []).append((stamp, {k: float(v) for k, v in s.items() if k != "ts_us"}))
    order = lambda rows: sorted(rows, key=lambda x: x[0])
    wrong = [k for k in wanted.keys() | found.keys() if order(wanted.get(k, [])) != order(found.get(k, []))]
    r.check("node-red: the files hold every sample once", not wrong and count > 500, "every sample", (wrong, count, rows()))
    events = [json.loads(m[2]) for m in b.of_topics("metafleet/board/+/event/+")]
    posted = [x for x in flows.of_kind("http") if x["headers"]["idempotency-key"] in {e["event_id"] for e in events}]
    r.check("node-red: every event is posted", events and sorted(x["headers"]["idempotency-key"] for x in posted) == sorted(e["event_id"] for e in events)
            and all(x["method"] == "POST" and x["url"].startswith("http://192.0.2.1/") and x["body"]["event_id"] == x["headers"]["idempotency-key"] for x in posted), "all", (len(posted), len(events)))
    errors = flows.of_kind("error")
    r.check("node-red: nothing went wrong in a flow", not errors, "no error", errors[:3])
    flows.order(ran=True)
    until(5, lambda: flows.of_kind("ran"))
    idle = [k for k, v in (flows.of_kind("ran") or [{"functions": {"none": 0}}])[0]["functions"].items() if not v]
    r.equal("node-red: every function node has run", idle, [])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    parser.add_argument("--influx", action="store_true", help="a real InfluxDB as well, which must be installed: it takes the points, and answers the dashboards' queries")
    parser.add_argument("--keep", action="store_true", help="leave logs and state behind")
    options = parser.parse_args()
    end_cleanly_on_signals()
    r = Report()
    scripts(r)
    b = DashboardBench(os.path.abspath(options.binary), boards=4, models="s", keep=options.keep)
    try:
        b.start()
        flows = Flows(b, "csv")
        r.equal("boards that do not stream", b.wait_streaming(60, [RAW, FUSED, STILL]), [])
        node_red(b, r, flows)
        # Until what was asked for is on all lanes.
        b.client.wait(20, b.topic(LOGGER, "log", "acceleration"))
        b.daemon.end()
        time.sleep(0.5)
        written(b, r, flows)
        grafana(b, r)
        points = telegraf(b, r)
        if options.influx: influx_history(b, r, points, os.path.join(DASHBOARDS, "grafana", "dashboards"))
    finally:
        b.close()
    return r.finish()


if __name__ == "__main__":
    sys.exit(main())
