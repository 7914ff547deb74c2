"""`metafleet record` beside an observer: what it saw on the record lane is in the files, each sample once, as Python's csv and json read them."""
import csv
import datetime
import json
import os
import resource
import signal
import subprocess

from bench import Bench, Process, until
from checks_encodings import points

NAME = '=1+1, "Pümpe" #2'


class Recorded(Bench):
    def write_config(self, extra=""):
        path = self.configure(f"""gateway: {{ id: {self.gateway} }}
profiles:
  moving:
    stream: {{ acceleration: {{ rate_hz: 50, range_g: 4 }}, temperature-die: {{ every: 500ms }} }}
{extra}""", lambda n: "profile: moving")
        text = open(path).read().replace("name: Board 1,", f"name: '{NAME}',")
        with open(path, "w") as f:
            f.write(text)
        return path

    def environment(self):
        return {**os.environ, "METAFLEET_MQTT_HOST": "127.0.0.1", "METAFLEET_MQTT_PORT": str(self.port)}

    def record(self, *arguments):
        return subprocess.run([self.binary, "record", *arguments], env=self.environment(), capture_output=True, text=True, timeout=60)

    def begin(self, name, *arguments):
        return Process(name, [self.binary, "record", "--output", self.path(name), *arguments], self.path(name + ".log"),
                       env=self.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def content(b, name):
    """What is in a file, bytes as they are."""
    try:
        with open(b.path(name), newline="", encoding="utf-8") as f:
            return f.read()
    except FileNotFoundError:
        return ""


def stamp(text):
    """Microseconds since 1970."""
    moment = datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=datetime.timezone.utc)
    return (moment - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)) // datetime.timedelta(microseconds=1)


FRAME = ["time", "error_ms", "clock", "board", "board_name", "session", "boot", "stream", "seq", "gap_before", "quality_reasons"]


def from_csv(text):
    """The samples of a file by board, stream, session and number, with their time and values; and what its last line says."""
    reader = csv.DictReader(text.splitlines(keepends=True), strict=True)
    samples, count, names = [], None, {}
    for row in reader:
        if row["time"].startswith("#"):
            count = row["time"]
            continue
        names.setdefault(row["board"], set()).add(row["board_name"])
        values = {k: float(v) for k, v in row.items() if k not in FRAME and k != "other" and v}
        samples.append(((row["board"], row["stream"], row["session"], int(row["seq"])), (stamp(row["time"]), values)))
    return samples, count, names, reader.fieldnames


def from_json(text):
    samples, names = [], {}
    for line in text.splitlines():
        row = json.loads(line)
        names.setdefault(row["board"], set()).add(row["board_name"])
        samples.append(((row["board"], row["stream"], row["session"], row["seq"]),
                        (stamp(row["time"]), {k: v for k, v in row.items() if k not in FRAME})))
    return samples, names


def seen(b, mark, end):
    """What the observer saw on the record lane in the meantime."""
    samples = {}
    for _, topic, payload, *_ in b.client.since(mark)[:end - mark]:
        levels = topic.split("/")
        if len(levels) == 5 and levels[3] == "record" and payload:
            batch = json.loads(payload)
            for n, sample in enumerate(batch["samples"]):
                key = batch["board"], batch["stream"], batch["session"], batch["seq"] + n
                samples[key] = sample["ts_us"], {k: v for k, v in sample.items() if k != "ts_us"}
    return samples


def compare(r, what, samples, wanted):
    kept = dict(samples)
    r.equal(f"{what}: no sample twice", len(samples), len(kept))
    r.equal(f"{what}: every sample that an observer saw", [k for k in wanted if k not in kept][:5], [])
    r.equal(f"{what}: with its time and values", [(k, kept[k], v) for k, v in wanted.items() if k in kept and kept[k] != v][:3], [])


def across_a_restart(b, r):
    """Three recordings of everything, while the broker restarts."""
    runs = {name: b.begin(name, *more) for name, more in (("all.csv", ()), ("all.jsonl", ()), ("some.lp", ("--stream", "acceleration")))}
    r.check("recordings: all begin", until(30, lambda: all(all(id in content(b, name) for id in b.ids) for name in runs), 0.2), "rows of every board",
            {name: content(b, name)[-200:] for name in runs})
    mark = b.client.mark()
    until(10, lambda: len(seen(b, mark, b.client.mark())) > 300, 0.2)
    b.broker.end()
    b.start_broker()
    until(20, b.client.connected.is_set)
    back = b.client.mark()
    r.check("recordings: samples come again", until(30, lambda: len(seen(b, back, b.client.mark())) > 300, 0.2), "300", len(seen(b, back, b.client.mark())))
    end = b.client.mark()
    wanted = seen(b, mark, end)
    newest = {k[:3]: k[3] for k in sorted(wanted)}
    # What the observer has, the others get within a moment, and write within a second.
    until(20, lambda: all({k[:3]: k[3] for k, _ in sorted(from_json(whole_lines(content(b, "all.jsonl")))[0])}.get(lane, -1) >= number for lane, number in newest.items()), 0.5)
    until(3, lambda: False, 0.5)
    said = {}
    for name, run in runs.items():
        said[name] = run.end(signal.SIGINT), open(b.path(name + ".log")).read()
    r.equal("recordings: nothing is missing, and they say so", {n: s for n, s in said.items() if s[0] != 0 or not s[1].rstrip().endswith("; no gaps")}, {})
    samples, count, names, header = from_csv(content(b, "all.csv"))
    compare(r, "csv", samples, wanted)
    r.equal("csv: its last line has the number of rows", count, f"# rows: {len(samples)}")
    r.check("csv: plain column names", header[:11] == FRAME and {"ax_g", "ay_g", "az_g", "temperature_c"} <= set(header), FRAME, header)
    r.equal("csv: a name is a name, and no formula", names.get(b.ids[0]), {"'" + NAME})
    samples, names = from_json(content(b, "all.jsonl"))
    compare(r, "jsonl", samples, wanted)
    r.equal("jsonl: a name is as it is", names.get(b.ids[0]), {NAME})
    text = content(b, "some.lp")
    lines = text.splitlines(keepends=True)
    found = points("".join(x for x in lines if not x.startswith("#")).encode())
    kept = {(tags["board"], when): fields for _, tags, fields, when in found}
    of_one = {k: v for k, v in wanted.items() if k[1] == "acceleration"}
    r.equal("lp: no sample twice", len(found), len(kept))
    r.equal("lp: every sample that an observer saw, as it was",
            [(k, v) for k, v in of_one.items() if {n: x for n, x in kept.get((k[0], v[0]), {}).items() if n in v[1]} != v[1]][:3], [])
    r.check("lp: one stream, and the number of rows", {m for m, *_ in found} == {"acceleration"} and lines[-1] == f"# rows: {len(found)}\n", "acceleration", lines[-1:])


def whole_lines(text):
    return text[:text.rfind("\n") + 1]


def files(b, r):
    """What is there stays; what is killed, or finds no room, ends with a whole line."""
    before = content(b, "all.csv")
    refused = b.record("--output", b.path("all.csv"))
    r.check("recordings: a file that is there stays as it is", refused.returncode == 73 and "is there already" in refused.stderr and content(b, "all.csv") == before,
            "73", (refused.returncode, refused.stderr))
    run = b.begin("killed.csv", "--stream", "acceleration")
    until(20, lambda: content(b, "killed.csv").count("\n") > 100, 0.2)
    run.end(signal.SIGKILL)
    samples, count, _, _ = from_csv(content(b, "killed.csv"))
    r.check("recordings: one that is killed has whole lines, and no count", content(b, "killed.csv").endswith("\r\n") and samples and count is None, "whole lines", content(b, "killed.csv")[-200:])
    full = subprocess.run([b.binary, "record", "--output", b.path("full.csv")], env=b.environment(), capture_output=True, text=True, timeout=60,
                          restore_signals=False, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000)))
    text = content(b, "full.csv")
    r.check("recordings: one that can grow no more says so, and has whole lines", full.returncode == 73 and "cannot be written" in full.stderr and text.endswith("\r\n") and len(text) <= 40_000,
            "73", (full.returncode, full.stderr, text[-100:]))
    again = b.record(b.ids[1], "--stream", "acceleration", "--output", b.path("killed.csv"), "--force", "--for", "3s")
    samples, count, _, _ = from_csv(content(b, "killed.csv"))
    r.check("recordings: --force overwrites, --for ends it", again.returncode == 0 and count == f"# rows: {len(samples)}" and {k[0] for k, _ in samples} == {b.ids[1]}, b.ids[1],
            (again.returncode, again.stderr, count))
    piped = b.record("--stream", "temperature-die", "--output", "-", "--format", "jsonl", "--for", "3s")
    samples, _ = from_json(piped.stdout)
    r.check("recordings: a hyphen is standard output", piped.returncode == 0 and {k[1] for k, _ in samples} == {"temperature-die"}, "temperature-die", (piped.returncode, piped.stderr))
    wrong = b.record("--stream", "acelleration", "--output", b.path("wrong.csv"))
    r.check("recordings: a stream that nobody has is refused, with the one that was meant", wrong.returncode == 64 and "did you mean acceleration?" in wrong.stderr
            and not os.path.exists(b.path("wrong.csv")), "64", (wrong.returncode, wrong.stderr))


def recordings(binary, r, keep):
    b = Recorded(binary, boards=3, keep=keep)
    try:
        b.start()
        r.equal("recordings: all boards stream", b.wait_streaming(60), [])
        across_a_restart(b, r)
        files(b, r)
    finally:
        b.close()


ALONE = [recordings]
