"""The consumers of deploy/examples, each run as its README says: what they print is what was published, and what must not be lost is not."""
import csv
import http.server
import json
import os
import re
import signal
import threading
import time

import checks_contract
from bench import Bench, until
from cbor_reader import item
from example_programs import RunsExamples

LANGUAGES = ("py", "sh", "js")
FIELDS = ["ax_g", "ay_g", "az_g"]


class Watched(RunsExamples, Bench):
    def write_config(self, extra=""):
        return self.configure(f"""gateway: {{ id: {self.gateway} }}
lanes: {{ encodings: [json, lp, cbor] }}
profiles:
  moving:
    stream: {{ acceleration: {{ rate_hz: 50, range_g: 4 }} }}
{extra}""", lambda n: "profile: moving")

    def catch_up(self):
        """Until the observer has what the examples had before it."""
        marker = b"caught up %d" % self.client.mark()
        self.client.publish("outsider/marker", marker)
        until(10, lambda: self.client.since(0, "outsider/marker")[-1:] and self.client.since(0, "outsider/marker")[-1][2] == marker, 0.05)

    def batches(self, mark=0, lane="record"):
        return [json.loads(m[2]) for m in self.client.since(mark) if m[1].split("/")[3:] == [lane, "acceleration"]]


class Database:
    """Takes what a real InfluxDB would take on /write, and refuses as one that has just begun when asked to."""

    def __init__(self):
        self.lines, self.bodies, self.refuses = set(), 0, False
        database = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if not database.refuses:
                    database.lines.update(body.decode().splitlines())
                    database.bodies += 1
                self.send_response(503 if database.refuses else 204)
                self.end_headers()

            def log_message(self, *_):
                pass
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/write?db=fleet&precision=u"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def text(path):
    with open(path) as f:
        return f.read()


def rows(path):
    """The rows of a CSV file below its header, as (board, number, stamp, values); the header beside them."""
    if not os.path.exists(path) or not text(path):
        return [], []
    header, *lines = list(csv.reader(text(path).splitlines()))
    return header, [(x[1], int(x[2]), int(x[0]), tuple(map(float, x[3:]))) for x in lines if len(x) == len(header)]


def watched(b, r, outputs):
    texts = {language: text(outputs[f"watch.{language}"]) for language in LANGUAGES}
    b.catch_up()
    live = {(v["board"], v["ts_ms"] / 1000, v["az_g"]) for v in (json.loads(m[2]) for m in b.client.since(0, b.topic(1, "live", "acceleration")))}
    for language in LANGUAGES:
        lines = [(x[0], float(x[1]), float(x[2])) for x in (y.split() for y in texts[language].splitlines()) if len(x) == 3]
        r.check(f"watch.{language} prints what is live, of one board", len(lines) > 20 and set(lines) <= live, "lines of live samples", [x for x in lines if x not in live][:3] or len(lines))


def commanded(b, r):
    for n, language in enumerate(LANGUAGES, 1):
        arguments = (b.ids[n - 1], "led", '{"color": "green"}', f"example-{language}")
        status, replies = b.ask(f"command.{language}", *arguments)
        r.check(f"command.{language} waits for the final reply", status == 0 and [x["stage"] for x in replies][::len(replies) - 1 or 1] == ["accepted", "done"],
                "0, accepted … done", (status, replies))
        before = len(b.do("writes", board=n))
        status, replies = b.ask(f"command.{language}", *arguments)
        r.check(f"command.{language} asked with the same id again: nothing runs, the stored reply comes", status == 0 and replies and replies[-1].get("duplicate") is True,
                "0, duplicate", (status, replies))
        r.equal(f"command.{language} asked again: nothing is written to the board's LED", [w for w in b.do("writes", board=n)[before:] if w[1].startswith("02")], [])
        status, replies = b.ask(f"command.{language}", b.ids[n - 1], "led", '{"color": "mauve"}')
        r.check(f"command.{language} tells of what fails", status == 1 and replies and replies[-1]["stage"] == "failed", "1, failed", (status, replies))


def written(b, r, outputs):
    """The CSV programs: every sample from the first one they have to the last is there, once; one was killed and begun anew."""
    texts = {path: rows(path) for language in LANGUAGES for path in outputs[f"samples_to_csv.{language}"]}
    b.catch_up()
    published = {}
    for batch in b.batches():
        for n, sample in enumerate(batch["samples"], batch["seq"]):
            published[(batch["board"], n, sample["ts_us"])] = tuple(sample[k] for k in FIELDS)
    for language in LANGUAGES:
        found = []
        for path in outputs[f"samples_to_csv.{language}"]:
            header, more = texts[path]
            found += more
            r.equal(f"samples_to_csv.{language} names its columns", header, ["ts_us", "board", "seq", *FIELDS])
        r.equal(f"samples_to_csv.{language}: each as it was published", [x for x in found if published.get(x[:3]) != x[3]][:3], [])
        missing = []
        for board in b.ids:
            stamps = [x[2] for x in found if x[0] == board]
            missing += [k for k in published if k[0] == board and stamps and min(stamps) <= k[2] <= max(stamps) and k[2] not in set(stamps)]
            r.check(f"samples_to_csv.{language}: samples of {board}", len(stamps) > 200, "hundreds", len(stamps))
        r.equal(f"samples_to_csv.{language}: none is missing", missing[:3], [])
        if language != "py":  # its two files have what came twice, each once
            r.equal(f"samples_to_csv.{language}: none is there twice", len(found), len({x[:3] for x in found}))


def decoded(b, r, path):
    lines = [json.loads(x) for x in text(path).splitlines() if x.endswith("}")]
    b.catch_up()
    batches = {x["batch_id"]: x for x in b.batches()}
    r.check("cbor.py prints what JSON says", len(lines) > 20 and all(batches.get(x["batch_id"]) == x for x in lines), "equal batches", [x for x in lines if batches.get(x["batch_id"]) != x][:1] or len(lines))
    ours = [item(m[2])[0]["batch_id"] for m in b.client.since(0) if m[1].split("/")[3:4] == ["cbor"]]
    r.check("cbor.py leaves nothing out", [x for x in ours if x in {y["batch_id"] for y in lines}][-len(lines):] == [x["batch_id"] for x in lines], "all, in order", len(lines))


def carried(b, r, database, mark):
    """Everything since the consumer subscribed, although the database refused for a while and the consumer was killed."""
    lines = {line for m in b.client.since(mark) if m[1].split("/")[3:4] == ["lp"] for line in m[2].decode().splitlines()}
    until(20, lambda: lines <= database.lines, 0.2)
    r.check("influx.py: every line arrives", len(lines) > 500 and lines <= database.lines, "all", f"{len(lines - database.lines)} of {len(lines)} are missing")
    r.check("influx.py: in batches", database.bodies < len(lines) / 5, "many lines each", (database.bodies, len(lines)))


def offline(b, r, outputs):
    """The gateway is killed: its will is all that tells of its boards; then it is back."""
    death = time.time() * 1000
    b.daemon.popen.send_signal(signal.SIGKILL)
    b.daemon.popen.wait(10)
    b.client.wait(30, b.gateway_topic("availability"), lambda v: v["state"] == "offline", b.client.mark())

    def count(language):
        lines = text(outputs[f"alert_offline.{language}"])
        return len(set(re.findall(rf"gateway {b.gateway} offline" if language == "sh" else rf"(\w+) offline gateway {b.gateway}", lines)))
    wanted = {"py": b.count, "js": b.count, "sh": 1}
    for language in LANGUAGES:
        r.check(f"alert_offline.{language}: a gateway that crashed", until(10, lambda: count(language) == wanted[language], 0.1), wanted[language], text(outputs[f"alert_offline.{language}"]))
    mark = b.client.mark()
    b.start_daemon()
    r.equal("the gateway is back", b.wait_samples(40, range(1, b.count + 1), mark), [])
    b.judge.killed(death)
    for language in LANGUAGES:
        back = rf"(gateway {b.gateway}) online" if language == "sh" else rf"({'|'.join(b.ids)}) online"
        r.check(f"alert_offline.{language}: it is back", until(10, lambda: len(set(re.findall(back, text(outputs[f'alert_offline.{language}'])))) == wanted[language], 0.1),
                wanted[language], text(outputs[f"alert_offline.{language}"]))


def examples(binary, r, keep):
    b = Watched(binary, boards=3, keep=keep)
    database = Database()
    try:
        b.start()
        r.equal("all boards stream", b.wait_streaming(30), [])
        outputs = {}
        for language in LANGUAGES:
            outputs[f"watch.{language}"] = b.example(f"watch.{language}", "acceleration", "az_g", b.ids[0])[1]
            outputs[f"alert_offline.{language}"] = b.example(f"alert_offline.{language}")[1]
        outputs["samples_to_csv.sh"] = [b.example("samples_to_csv.sh", "acceleration", *FIELDS)[1]]
        outputs["samples_to_csv.js"] = [b.example("samples_to_csv.js", "acceleration")[1]]
        outputs["samples_to_csv.py"] = [b.path(f"{part}.csv") for part in ("first", "second")]
        first, _ = b.example("samples_to_csv.py", "acceleration", "first.csv")
        carrier, _ = b.example("influx.py", database.url, "spool.db")
        cbor = b.example("cbor.py", "acceleration")[1]
        until(15, lambda: database.bodies and len(rows(outputs["samples_to_csv.py"][0])[1]) > 100, 0.1)
        mark = b.client.mark()
        database.refuses = True
        first.end(signal.SIGKILL)
        commanded(b, r)
        carrier.end(signal.SIGKILL)
        b.example("samples_to_csv.py", "acceleration", "second.csv")
        refused, _ = b.example("samples_to_csv.py", "acceleration", "first.csv", output="refused.out")
        r.check("samples_to_csv.py does not overwrite a file", until(10, lambda: refused.popen.poll(), 0.1) == 1, 1, refused.popen.poll())
        b.example("influx.py", database.url, "spool.db")
        until(10, lambda: len(b.batches(mark)) > 120, 0.1)
        database.refuses = False
        watched(b, r, outputs)
        decoded(b, r, cbor)
        until(10, lambda: len(rows(outputs["samples_to_csv.py"][1])[1]) > 300, 0.1)
        written(b, r, outputs)
        carried(b, r, database, mark)
        offline(b, r, outputs)
        checks_contract.verdict(b, r, "examples")
    finally:
        b.close()
        database.server.shutdown()


ALONE = [examples]
