"""Commands for groups and gateways: jobs, crowds, and what a gateway does about itself (MQTT contract 4)."""
import json
import os
import re
import subprocess
import tarfile
import time

from bench import until
from checks_commands import FINAL, ask, done, wrote

GROUP = "metafleet/group/lab"


def gate(b, verb, payload, wait=30):
    return ask(b, b.gateway_topic(), verb, payload, wait)


def verdict(final):
    return final.get("stage"), final.get("code")


def replies_of(b, mark, n, verb):
    return [json.loads(m[2]) for m in b.client.since(mark, b.topic(n, "reply", verb))]


def groups(b, r):
    everyone = range(1, b.count + 1)
    mark, now = b.client.mark(), b.do("now")
    replies, final = ask(b, GROUP, "led", {"id": "job-1", "args": {"color": "red", "pattern": "flash", "repeat": 2}, "job": {"parallel": 4}})
    first = (replies or [{}])[0]
    r.check("group: accepted with total and the effective job", first.get("stage") == "accepted" and first.get("group") == "lab"
            and first.get("data", {}).get("total") == b.count and first["data"].get("job", {}).get("parallel") == 4
            and first["data"]["job"].get("per_min") == 600, "accepted, total, job", first)
    data = final.get("data", {})
    r.check("group: done by all", final.get("stage") == "done" and final.get("ok") is True and data.get("done") == b.count and data.get("total") == b.count
            and data.get("failed") == data.get("unknown") == data.get("pending") == data.get("skipped") == 0 and data.get("not_done") == [], "all done", final)
    finals = {n: [x for x in replies_of(b, mark, n, "led") if x["stage"] in FINAL] for n in everyone}
    r.check("group: each member answers once under <job>.<board>", all(
        [x["id"] for x in finals[n]] == [f"job-1.{b.ids[n - 1]}"] and finals[n][0]["stage"] == "done" for n in everyone), "one final each", finals)
    r.check("group: each board played once", all(wrote(b, n, now).count("020101") == 1 for n in everyone), "one 020101 each",
            [wrote(b, n, now).count("020101") for n in everyone])
    mark = b.client.mark()
    again = ask(b, GROUP, "led", {"id": "job-1", "args": {"color": "red", "pattern": "flash", "repeat": 2}, "job": {"parallel": 4}})[1]
    r.equal("group: a repeat gets the stored summary", again, {**final, "duplicate": True})
    r.check("group: a repeat begins nothing", not any(replies_of(b, mark, n, "led") for n in everyone), "silence on the boards' topics", None)
    for what, topic, verb, payload, code in (
            ("a key that job lacks", GROUP, "led", {"id": "job-2", "args": {"color": "red"}, "job": {"speed": 1}}, "invalid"),
            ("parallel 65", GROUP, "led", {"id": "job-3", "args": {"color": "red"}, "job": {"parallel": 65}}, "invalid"),
            ("discard", GROUP, "log-clear", {"id": "job-4", "args": {"confirm": "lab", "discard": 5}}, "invalid"),
            ("confirm of something else", GROUP, "sleep", {"id": "job-5", "args": {"confirm": b.ids[0]}}, "invalid"),
            ("factory-reset of all", "metafleet/group/all", "factory-reset", {"id": "job-6", "args": {"confirm": "all"}}, "denied"),
            ("raw of all", "metafleet/group/all", "raw", {"id": "job-7", "args": {"confirm": "all", "hex": "0b84"}}, "denied"),
            ("a group without members", "metafleet/group/nobody", "led", {"id": "job-8", "args": {"color": "red"}}, "unreachable")):
        time.sleep(0.12)
        r.equal(f"group: {what}", verdict(ask(b, topic, verb, payload, 8)[1]), ("failed", code))
    mark = b.client.mark()
    final = ask(b, "metafleet/group/all", "read", {"id": "job-9", "args": {"what": "mac"}})[1]
    r.check("group all: done", final.get("stage") == "done" and final.get("data", {}).get("done") == b.count, "all done", final)


def crowd(b, r):
    """Ten commands to each board at once, while all of them stream."""
    mark, now = b.client.mark(), b.do("now")
    wanted = {(n, f"crowd-{k}") for n in range(1, b.count + 1) for k in range(10)}
    for n, name in sorted(wanted):
        b.client.client.publish(b.topic(n, "cmd", "haptic"), json.dumps({"id": name, "args": {"pulse_ms": 1}}), qos=1)

    def finals():
        return [(n, x) for n in range(1, b.count + 1) for x in replies_of(b, mark, n, "haptic") if x["stage"] in FINAL]
    until(40, lambda: len(finals()) >= len(wanted), 0.3)
    got = [(n, x["id"]) for n, x in finals() if x["stage"] == "done"]
    r.check("crowd: 200 commands at once, each done once", sorted(got) == sorted(wanted), "each id once, done", (len(got), [x for _, x in finals() if x["stage"] != "done"][:3]))
    pulses = [wrote(b, n, now).count("0801f8010000") for n in range(1, b.count + 1)]
    r.equal("crowd: each board pulsed ten times", pulses, [10] * b.count)
    order = [[x["id"] for x in replies_of(b, mark, n, "haptic") if x["stage"] in FINAL] for n in range(1, b.count + 1)]
    r.check("crowd: in the order of arrival", all(o == sorted(o) for o in order), "crowd-0 … crowd-9", order[:2])


def callback(b, r):
    new, address = b.ids[0][:8] + "00ac", "C1:0D:0E:0F:00:AC"
    gate(b, "admit", {"id": "cb-admit", "args": {"board": address}})
    topic, mark = f"metafleet/board/{new}", b.client.mark()
    b.client.publish(f"{topic}/cmd/led", {"id": "cb-1", "mode": "queue", "args": {"color": "green"}})
    waiting = b.client.wait(5, f"{topic}/reply/led", lambda v: v["stage"] == "queued", mark) or {}
    r.check("queue: a board that is away is waited for, until the command expires", time.time() * 1000 < waiting.get("eta_ms", 0) <= time.time() * 1000 + 86_400_000,
            "queued, eta within 24 h", waiting)
    again = ask(b, topic, "led", {"id": "cb-1", "mode": "queue", "args": {"color": "green"}}, 2)[0]
    r.check("queue: a repeat gets the latest stage, marked duplicate", [(x["stage"], x.get("duplicate")) for x in again] == [("queued", True)], "queued, duplicate", again)
    final = gate(b, "cancel", {"id": "cb-2", "args": {"id": "cb-1"}})[1]
    r.equal("cancel: done", (final.get("stage"), final.get("data")), ("done", {"cancelled": True}))
    victim = b.client.wait(5, f"{topic}/reply/led", lambda v: v["stage"] in FINAL, mark) or {}
    r.check("cancel: the victim ends failed/expired", verdict(victim) == ("failed", "expired") and "cancelled" in victim.get("message", ""), "failed/expired, cancelled", victim)
    final = gate(b, "cancel", {"id": "cb-3", "args": {"id": "nobody-knows-it"}})[1]
    r.equal("cancel of an unknown id: done, nothing cancelled", (final.get("stage"), final.get("data")), ("done", {"cancelled": False}))
    gate(b, "forget", {"id": "cb-forget", "args": {"board": new}})


def upkeep(b, r):
    replies, final = gate(b, "admission", {"id": "u-1", "args": {"mode": "window", "for_s": 5}})
    data = final.get("data", {})
    r.check("admission: a window with its end", final.get("stage") == "done" and data.get("mode") == "window"
            and 0 < data.get("until_ms", 0) - time.time() * 1000 < 6000, "until_ms within 5 s", replies)
    info = b.client.wait(5, b.gateway_topic("info"), lambda v: v["admission"] == "window")
    r.check("admission: told in the gateway's info", info, "window", b.client.last(b.gateway_topic("info")))
    final = gate(b, "admission", {"id": "u-2", "args": {"mode": "listed"}})[1]
    r.equal("admission: listed again", (final.get("stage"), final.get("data")), ("done", {"mode": "listed"}))

    final = ask(b, b.topic(1), "explain", {"id": "u-3"})[1]
    data = final.get("data", {})
    r.check("explain: done, without evidence", final.get("stage") == "done" and "evidence" not in final and data.get("has_data") is True
            and data.get("ok") is True
            and isinstance(data.get("summary"), str) and {c["code"] for c in data["causes"]} <= {"clock-unset", "firmware-check-failing", "firmware-old", "in-rollout", "not-in-sync"} and isinstance(data.get("next"), list), "has data", final)
    final = ask(b, b.topic(1), "firmware-abort", {"id": "u-firmware-abort"}, 8)[1]
    r.equal("firmware-abort: nothing to abort", (final.get("stage"), final.get("data")), ("done", {"aborted": False}))
    for args in ({}, {"confirm": b.ids[1]}, {"confirm": b.ids[0], "file": "../x.zip"}, {"confirm": b.ids[0], "discard": -1}):
        time.sleep(0.12)
        final = ask(b, b.topic(1), "firmware-update", {"id": f"u-update-{len(str(args))}", "args": args}, 8)[1]
        r.check(f"firmware-update {args}: invalid, and nothing is touched", verdict(final) == ("failed", "invalid"), "failed/invalid", final)

    final = gate(b, "diagnostics", {"id": "u-4"})[1]
    data = final.get("data", {})
    path = os.path.join(b.path("state"), data.get("file", "nothing"))
    names = tarfile.open(path).getnames() if os.path.isfile(path) else []
    r.check("diagnostics: a bundle in the state directory", final.get("stage") == "done" and data.get("version") and any(x.endswith("boards.jsonl") for x in names)
            and any(x.endswith("metafleet.yaml") for x in names) and os.stat(path).st_mode & 0o077 == 0 or os.stat(os.path.dirname(path)).st_mode & 0o077 == 0,
            "a tar.gz that nobody else can read", (final, names))

    lane = b.topic(2, "record") + "/"

    def recorded():
        return [m for m in b.client.since(0) if m[1].startswith(lane)]
    until(12, lambda: len(recorded()) > 30)  # seconds of it
    old, since = recorded(), int(time.time() * 1000) - 8000
    mark = b.client.mark()
    final = gate(b, "replay", {"id": "u-5", "args": {"from_ms": since, "to_ms": since + 4000, "lanes": ["record"], "boards": [b.ids[1]]}})[1]

    def marked():
        return [m for m in b.client.since(mark) if m[1].startswith(lane) and ("replay", "1") in (getattr(m[5], "UserProperty", None) or [])]
    until(5, lambda: len(marked()) == final.get("data", {}).get("messages"))
    again = marked()
    r.check("replay: done, with what it brought", final.get("stage") == "done" and final.get("data", {}).get("messages") == len(again) > 3, len(again), final)
    known = [m[2] for m in old]
    r.check("replay: byte for byte, in order", again and all(m[2] in known for m in again)
            and [known.index(m[2]) for m in again] == sorted(known.index(m[2]) for m in again), "as before", len(again))
    kinds = {v and v["event_type"] for v in (b.client.wait(3, b.gateway_topic("event", "replay"), lambda v, k=k: v["event_type"] == k, mark) for k in ("started", "finished"))}
    r.equal("replay: events", kinds, {"started", "finished"})


def adapter(b, r):
    mac = next(m[1].split("/")[-1] for m in b.client.since(0) if m[1].startswith(b.gateway_topic("adapter") + "/"))
    final = gate(b, "adapter-reset", {"id": "a-1", "args": {"adapter": mac}})[1]
    r.check("adapter-reset: busy while a link on it delivers", verdict(final) == ("failed", "busy") and final.get("retry_after_ms", 0) > 0, "failed/busy", final)
    mark = b.client.mark()
    final = gate(b, "adapter-reset", {"id": "a-2", "args": {"adapter": mac, "force": True}}, 60)[1]
    r.check("adapter-reset: forced", final.get("stage") == "done" and final.get("data", {}).get("adapter") == mac
            and final["data"].get("boards_lost") == b.count, "done, all boards lost", final)
    event = b.client.wait(5, b.gateway_topic("event", "adapter-reset"), mark=mark)
    r.check("adapter-reset: event", event and event["event_type"] == "power" and event["adapter"] == mac, "power", event)
    r.equal("adapter-reset: all boards stream again", b.wait_samples(90, range(1, b.count + 1), b.client.mark()), [])
    time.sleep(3)  # the records of the last live samples


def drain(b, r):
    final = gate(b, "drain", {"id": "d-1"}, 60)[1]
    r.equal("drain: all boards released", (final.get("stage"), final.get("data")), ("done", {"boards": b.count}))
    time.sleep(3)
    r.equal("drain: no links", [x["board"] for x in b.do("status") if x["connected"]] if b.count else [], [])
    refused = ask(b, b.topic(3), "led", {"id": "d-2", "args": {"color": "red"}, "expires_ms": int(time.time() * 1000) + 2000}, 8)[1]
    r.equal("drain: a command is unreachable at its expiry", verdict(refused), ("failed", "unreachable"))
    mark = b.client.mark()
    final = gate(b, "drain", {"id": "d-3", "args": {"resume": True}})[1]
    r.equal("drain: resumed", final.get("stage"), "done")
    r.equal("drain: all boards stream again", b.wait_samples(90, range(1, b.count + 1), mark), [])


def reload(b, r):
    with open(b.path("metafleet.yaml")) as f:
        before = f.read()
    try:
        replies, final = gate(b, "reload", {"id": "load-1"})
        r.check("reload of the same file: nothing changed", final.get("stage") == "done" and final.get("data", {}).get("changed") == [], "changed []", replies)
        with open(b.path("metafleet.yaml"), "w") as f:
            f.write(before.replace("site: lab", "site: loft"))
        final = gate(b, "reload", {"id": "load-2"})[1]
        r.check("reload: says what changed", final.get("stage") == "done" and any("site" in x for x in final["data"].get("changed", []))
                and final["data"].get("needs_restart") == [], "gateway.site", final)
        with open(b.path("metafleet.yaml"), "w") as f:
            f.write(before.replace("battery: 5s", "batery: 5s"))
        replies, final = gate(b, "reload", {"id": "load-3"})
        problems = final.get("data", {}).get("problems", [])
        r.check("reload of a bad file: invalid, and where", verdict(final) == ("failed", "invalid") and any(
            "batery" in json.dumps(x) and x.get("line") == 5 and x.get("severity") == "error" for x in problems), "invalid, line 5", replies)
        refused_files(b, r, before)
    finally:
        with open(b.path("metafleet.yaml"), "w") as f:
            f.write(before)
    r.check("reload: the old file is taken again", gate(b, "reload", {"id": "load-4"})[1].get("stage") == "done", "done", None)


def refused_files(b, r, before):
    """Files that look like a mishap (MQTT contract 7.5): nothing changes, whatever they say besides."""
    gateway = b.gateway_topic().split("/")[-1]
    with open(b.path("metafleet.yaml"), "w") as f:
        f.write(before)
    r.equal("reload of the first file: taken", gate(b, "reload", {})[1].get("stage"), "done")
    without = re.sub(r"(?ms)^boards:.*?(?=^\S|\Z)", "", before)
    for what, text in (("an empty file", ""), ("a file that lost its boards", without.replace("site: lab", "site: loft"))):
        mark = b.client.mark()
        with open(b.path("metafleet.yaml"), "w") as f:
            f.write(text)
        final = gate(b, "reload", {})[1]
        data = final.get("data", {})
        r.check(f"reload of {what}: invalid, names the boards and how to confirm", verdict(final) == ("failed", "invalid")
                and set(data.get("boards", [])) == set(b.ids[:b.count]) and f"confirm={gateway}" in final.get("message", ""), "invalid, all boards", final)
        event = b.client.wait(5, b.gateway_topic("event", "config"), lambda v: v["event_type"] == "rejected", mark)
        r.check(f"reload of {what}: event rejected, and why", event and "no longer lists" in event.get("message", ""), "rejected", event)
        info = b.client.wait(5, b.gateway_topic("info"), lambda v: "config_error" in v, mark)
        r.check(f"reload of {what}: info says that the file does not count", info and info["site"] == "lab", "config_error, the old site", info)
        wrong = gate(b, "reload", {"args": {"confirm": "somebody"}})[1]
        r.equal(f"reload of {what}: confirmed by another name", verdict(wrong), ("failed", "invalid"))
        r.equal(f"reload of {what}: all boards stream on", b.wait_samples(30, range(1, b.count + 1), b.client.mark()), [])
        r.equal(f"reload of {what}: no link was lost", [m[1] for m in b.client.since(mark) if m[1].endswith("/event/link-lost")], [])
        # Obeyed again, so that the next refusal is news.
        with open(b.path("metafleet.yaml"), "w") as f:
            f.write(before)
        mark = b.client.mark()
        r.equal(f"reload after {what}: the old file is taken", gate(b, "reload", {})[1].get("stage"), "done")
        r.check(f"reload after {what}: info has nothing against it", b.client.wait(5, b.gateway_topic("info"), lambda v: "config_error" not in v, mark), "no config_error", None)
    with open(b.path("metafleet.yaml"), "w") as f:
        f.write(before.rstrip("\n"))
    final = gate(b, "reload", {})[1]
    r.check("reload of a file whose last line has no end: obeyed, with a warning", final.get("stage") == "done"
            and any("line break" in p.get("message", p.get("text", "")) for p in final["data"]["problems"]), "done, a warning", final)
    with open(b.path("metafleet.yaml"), "w") as f:
        f.write(before)
    r.equal("reload of the first file: taken again", gate(b, "reload", {})[1].get("stage"), "done")


def audit(b, r):
    done(b, r, "a command to be found again", 4, "haptic", {"id": "audited", "args": {"pulse_ms": 1}}, "link-write", UserProperty=[("user", "ada")])
    lines = subprocess.run([b.binary, "audit", "--config", b.path("metafleet.yaml"), "--json", "--since", "1h"], capture_output=True, timeout=20, text=True)
    entries = [json.loads(x) for x in lines.stdout.splitlines()]
    mine = [x for x in entries if x.get("id") == "audited"]
    r.check("audit: who asked for what, and what became of it", lines.returncode == 0 and len(mine) == 1 and mine[0].get("verb") == "haptic"
            and "ada" in json.dumps(mine[0]) and mine[0].get("stage") == "done", "one entry, by ada, done", (lines.returncode, lines.stderr, mine or entries[-1:]))
    r.check("audit: refusals too", any(x.get("code") == "denied" for x in entries), "denied ones", None)


ALL = [groups, crowd, callback, upkeep, reload, audit, drain, adapter]
