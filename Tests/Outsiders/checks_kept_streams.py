"""What a gateway keeps of what boards stream (`storage.streams`), exported and held against the record lane, and how it is deleted (MQTT contract 4.1)."""
import csv
import datetime
import json

import checks_contract
from bench import Bench, until
from checks_upkeep import gate

# What waits to be worth a row, and for the next commit.
TAIL_US = 7_000_000


class Keeping(Bench):
    def write_config(self, extra=""):
        place = self.configure(f"""gateway: {{ id: {self.gateway} }}
profiles:
  moving:
    stream: {{ acceleration: {{ rate_hz: 50, range_g: 4 }}, temperature-die: {{ every: 1s }} }}
{extra}""", lambda n: "profile: moving")
        with open(place) as f:
            text = f.read()
        with open(place, "w") as f:
            f.write(text.replace("min_free: 1MB }", "min_free: 1MB, streams: { keep: 1h, max_size: 50MB } }"))
        return place

    def tool(self, *words):
        return super().tool(*words, "--config", self.path("metafleet.yaml"))


def micros(text):
    """`2026-11-20T20:40:34.123456Z` in microseconds since 1970."""
    time = datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ") - datetime.datetime(1970, 1, 1)
    return time // datetime.timedelta(microseconds=1)


def published(b):
    """Every sample of the record lane: stream, session, number → time and values."""
    samples = {}
    for _, topic, payload, *_ in b.client.since(0):
        levels = topic.split("/")
        if len(levels) == 5 and levels[3] == "record" and payload:
            batch = json.loads(payload)
            for index, sample in enumerate(batch["samples"]):
                values = {k: v for k, v in sample.items() if k != "ts_us"}
                samples[(batch["board"], batch["stream"], batch["session"], batch["seq"] + index)] = (sample["ts_us"], values)
    return samples


def exported(text):
    """The same of an export."""
    rows = csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
    samples = {}
    for row in rows:
        values = {k: float(v) for k, v in row.items() if v and k.rsplit("_", 1)[-1] in ("g", "c")}
        samples[(row["board"], row["stream"], row["session"], int(row["seq"]))] = (micros(row["time"]), values)
    return samples


def kept_streams(binary, r, keep):
    b = Keeping(binary, boards=2, keep=keep)
    try:
        b.start()
        r.equal("all boards stream", b.wait_streaming(30), [])
        until(12, lambda: len(published(b)) > 1_000, 0.5)
        code, out, err = b.tool("export", b.ids[0], b.ids[1], "--kind", "stream")
        told, read = published(b), exported(out)
        r.equal("export: ends well", code, 0)
        newest = max(time for time, _ in told.values())
        due = {k for k, (time, _) in told.items() if time < newest - TAIL_US}
        r.equal("export: everything but the last seconds is there", sorted(due - set(read))[:3], [])
        r.equal("export: nothing that was not published", sorted(k for k in set(read) - set(told) if read[k][0] < newest)[:3], [])
        r.check("export: so many samples", len(set(read) & set(told)) > 200, "hundreds", (len(read), len(told)))
        r.equal("export: times and values are the published ones", [(k, read[k], told[k]) for k in set(read) & set(told) if k[1] != "battery" and read[k] != told[k]][:3], [])
        middle = sorted(time for time, _ in read.values())[len(read) // 2]
        since = datetime.datetime.fromtimestamp(middle // 1_000_000, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
        code, out, err = b.tool("export", b.ids[0], "--kind", "stream", "--stream", "acceleration", "--since", since)
        part = exported(out)
        r.check("export --since: cuts within a session", code == 0 and 0 < len(part) < len(read) and all(time >= middle // 1_000_000 * 1_000_000 for time, _ in part.values()),
                "a part", (code, len(part), err))
        code, out, err = b.tool("sessions", "--kind", "stream", "--json")
        listed = [json.loads(line) for line in out.splitlines()]
        # A poll of the battery is over as it is made.
        r.check("sessions: a line for each stream that runs", {(s["board"], s["streams"][0]) for s in listed} == {k[:2] for k in due}
                and all(s["kind"] == "stream" and s["state"] == ("ended" if s["streams"] == ["battery"] else "running") for s in listed), "running", listed)
        deleting(b, r, told)
        checks_contract.verdict(b, r, "kept streams")
    finally:
        b.close()


def deleting(b, r, told):
    victim = b.ids[0]
    _, final = gate(b, "sessions-delete", {"id": "keep-1", "args": {"boards": [victim]}})
    r.equal("delete: not without a confirmation", (final.get("stage"), final.get("code")), ("failed", "invalid"))
    _, final = gate(b, "sessions-delete", {"id": "keep-2", "args": {"boards": [victim], "preview": True}})
    r.check("delete: a preview tells and deletes nothing", final.get("stage") == "done" and final["data"]["deleted"] == len(final["data"]["sessions"]) > 0
            and final["data"]["samples"] > 0, "a list", final)
    request = {"id": "keep-3", "args": {"boards": [victim], "kind": "stream", "confirm": b.gateway}}
    _, final = gate(b, "sessions-delete", request)
    r.check("delete: done", final.get("stage") == "done" and final["data"]["deleted"] > 0 and final["data"]["refused"] == [], "done", final)
    last = {k[:3]: max(n for (*head, n) in told if tuple(head) == k[:3]) for k in told}

    def again():
        code, out, _ = b.tool("export", victim, "--kind", "stream")
        return exported(out) if code == 0 else {}
    # Slow streams may be the first to have samples again.
    fresh = until(12, lambda: (lambda found: found if any(stream == "acceleration" for _, stream, *_ in found) else None)(again()), 1) or {}
    r.check("delete: the stream goes on, and is kept from then on", fresh and all(n > last.get((board, stream, session), -1) - 400 for board, stream, session, n in fresh)
            and min((n for _, stream, _, n in fresh if stream == "acceleration"), default=0) > 50, "later samples", sorted(fresh)[:2])
    _, repeat = gate(b, "sessions-delete", request)
    r.equal("delete: a repeat is answered as before, and deletes nothing", (repeat.get("duplicate"), repeat.get("data")), (True, final.get("data")))
    r.check("delete: what came since is there", set(fresh) <= set(again()), "all of it", len(fresh))
    r.check("delete: the other board's samples stay", json.loads(b.tool("sessions", b.ids[1], "--kind", "stream", "--json")[1].splitlines()[0])["samples"] > 0, "samples", None)
    code, out, err = b.tool("sessions", "delete", "--all", "--host", "127.0.0.1", "--port", str(b.port))
    r.check("sessions delete: without --yes, and nobody to ask, nothing is deleted", code == 1 and "--yes" in err and "SESSION" in out, "1", (code, out, err))
    code, out, err = b.tool("sessions", "delete", "--all", "--yes", "--host", "127.0.0.1", "--port", str(b.port))
    r.check("sessions delete --yes: deletes all", code == 0 and "deleted" in out, "0", (code, out, err))
    code, out, err = b.tool("audit", "--json")
    r.check("audit: who deleted stands there", sum(json.loads(line).get("verb") == "sessions-delete" for line in out.splitlines()) >= 4, "4 or more", out[-500:])


ALONE = [kept_streams]
