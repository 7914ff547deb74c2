#!/usr/bin/python3
"""Judges logging, download and visits from outside, with boards that answer open questions in different ways."""
import argparse
import json
import os
import subprocess
import sys
import time

from bench import Report, end_cleanly_on_signals, until
from checks_commands import ask, wrote
from log_bench import LogBench, complete


def visits(b, r):
    """Boards log, are visited, and say so (contract 1.3, 1.5, 5, 7.4)."""
    r.equal("logs: all boards log", until(60, lambda: len(b.logging()) == b.count) and b.count, b.count)
    for n in range(1, b.count + 1):
        r.equal(f"logs: board {n} has two loggers of acceleration (protocol 16.2)", len(b.state_of(n)["loggers"]), 2)
        config = until(20, lambda: (c := b.client.last(b.topic(n, "config")) or {}).get("in_sync") and c["slots_used"] and c)
        r.check(f"logs: board {n}: config is in sync", config and config["desired"].get("log", {}).get("acceleration", {}).get("rate_hz") == b.rate
                and config["reported"].get("log") == config["desired"].get("log") and config["slots_used"].get("loggers") == 2,
                "log/acceleration", config)
    missing = lambda: [n for n in range(1, b.count + 1) if n not in b.keepers and not b.client.last(b.topic(n, "event", "log-downloaded"))]
    until(40, lambda: not missing())
    r.equal("visits: every board was downloaded", missing(), [])
    r.equal("visits: but those whose profile says no", [n for n in b.keepers if b.client.last(b.topic(n, "event", "log-downloaded"))], [])
    told = [json.loads(m[2]) for m in b.client.since(0, b.topic(1, "event", "log-downloaded"))]
    r.check("visits: downloads are complete", told and all(e["event_type"] == "complete" and e["entries_expected"] == e["entries_stored"]
            and e["streams"] == ["acceleration"] for e in told), "complete", told[:3])
    state = until(20, lambda: (s := b.client.last(b.topic(1, "state")) or {}).get("next_contact_ms") and s.get("link") == "logging" and s)
    r.check("visits: a board out of contact says logging and when it is visited", state and state["next_contact_ms"] > state["ts_ms"] - 5000,
            "link logging, next_contact_ms", b.client.last(b.topic(1, "state")))
    r.check("visits: its availability is online", (b.client.last(b.topic(1, "availability")) or {}).get("state") == "online", "online",
            b.client.last(b.topic(1, "availability")))
    state = b.client.last(b.topic(1, "state")) or {}
    r.check("visits: state tells the log", "log_used_pct" in state and "log_entries" in state, "log_used_pct, log_entries", state)
    connections = b.do("calls")
    r.check("visits: links are not held", any(m == "Disconnect" for *_, m in connections), "Disconnect calls", connections[-3:])


def batches(b, r):
    """What a batch of the log lane says (contract 1.7, mqtt-api 3.2)."""
    until(30, lambda: b.batches(1)[0])
    order, wrong = b.batches(1)
    r.equal("log lane: batches in order", wrong, [])
    first = order[0] if order else {}
    r.check("log lane: the first batch of a session has its configuration", first.get("config", {}).get("rate_hz") == b.rate
            and first.get("seq") == 0, "config, seq 0", first.get("config"))
    r.check("log lane: clock", all(x["clock"]["source"] == "board-tick" and x["clock"].get("err_ms", 0) > 0 for x in order),
            "board-tick, err_ms", [x["clock"] for x in order][:3])
    r.check("log lane: at most 500 samples", all(x["count"] <= 500 for x in order), "<= 500", max((x["count"] for x in order), default=0))
    others = {m[1] for m in b.client.since(0) if m[1].endswith(("/live/acceleration", "/record/acceleration"))}
    r.equal("log lane: what is logged alone is neither live nor recorded", others, set())


def order(b, r):
    """What the board was told, and when (protocol 16.3, 16.5)."""
    for n in (1, 5, 3):
        packets = [x for x in wrote(b, n, 0, "0b")]
        kind = b.board_models[n - 1]
        place = lambda prefix, start=0: next((i for i, x in enumerate(packets) if i >= start and x.startswith(prefix)), None)
        read = place("0b06")
        before = packets[:read] if read is not None else []
        last = lambda prefix: max((i for i, x in enumerate(before) if x.startswith(prefix)), default=None)
        r.check(f"bytes: {kind}: off, length, read-out", read is not None and last("0b0100") is not None and last("0b85") is not None
                and last("0b0100") < last("0b85"), "0b0100 … 0b85 … 0b06", before[-12:])
        flushed = [x for x in packets if x == "0b1001"]
        r.check(f"bytes: {kind}: flush from revision 3 on alone, before the length", bool(flushed) == (kind == "s")
                and (kind != "s" or last("0b0100") < last("0b1001") < last("0b85")), kind == "s", before[-12:])
        r.check(f"bytes: {kind}: notices are asked for", last("0b0701") is not None and last("0b0d01") is not None and last("0b0801") is not None,
                "0b0701 0b0d01 0b0801", before[-12:])


def verbs(b, r):
    """log-* (contract 3.5)."""
    n = 2
    replies, final = ask(b, n, "log-status", {"id": "l-1"})
    data = final.get("data", {})
    r.check("log-status", final.get("stage") == "done" and final.get("evidence") == "response" and data.get("logging") is True
            and data.get("circular") is False and data.get("capacity") and [x["stream"] for x in data.get("loggers", [])] == ["acceleration"] * 2
            and all(x["owner"] == "ours" for x in data["loggers"]), "two loggers of acceleration, ours", replies)
    replies, final = ask(b, n, "log-download", {"id": "l-2"}, wait=60)
    data = final.get("data", {})
    r.check("log-download", final.get("stage") == "done" and final.get("evidence") == "readback" and data.get("complete") is True
            and data.get("entries_expected") == data.get("entries_stored") and data.get("streams") == ["acceleration"], "done, complete", replies)
    r.check("log-download: logging goes on", until(20, lambda: b.state_of(n)["logging"]), 1, b.state_of(n))
    replies, final = ask(b, n, "log-stop", {"id": "l-3"})
    r.check("log-stop", final.get("stage") == "done" and final.get("data", {}).get("logging") is False and not b.state_of(n)["logging"]
            and "entries" in final.get("data", {}), "logging false", replies)
    count = ask(b, n, "read", {"id": "l-4", "args": {"what": "log-length"}})[1].get("data", {}).get("entries")
    board = b.ids[n - 1]
    if r.check("log-stop: what was logged stays", count, "entries", count):
        replies, final = ask(b, n, "log-clear", {"id": "l-5", "args": {"confirm": board}})
        r.check("log-clear: what was not downloaded stays", final.get("code") == "undownloaded-data"
                and final.get("data", {}).get("entries") == count, f"undownloaded-data, {count}", replies)
        replies, final = ask(b, n, "factory-reset", {"id": "l-6", "args": {"confirm": board}})
        r.check("factory-reset: the same", final.get("code") == "undownloaded-data", "undownloaded-data", replies)
        replies, final = ask(b, n, "log-clear", {"id": "l-7", "args": {"confirm": board, "discard": count + 1}})
        r.check("log-clear: another number is no permission", final.get("code") == "undownloaded-data", "undownloaded-data", replies)
    replies, final = ask(b, n, "log-clear", {"id": "l-8", "args": {}})
    r.check("log-clear: needs confirm", final.get("code") == "invalid", "invalid", replies)
    replies, final = ask(b, n, "log-download", {"id": "l-9"}, wait=60)
    r.check("log-download of a stopped log: it stays stopped", final.get("stage") == "done" and not b.state_of(n)["logging"], "stopped", replies)
    replies, final = ask(b, n, "log-start", {"id": "l-10", "args": {"streams": {"acceleration": {"rate_hz": b.rate, "range_g": 4}}}})
    data = final.get("data", {})
    r.check("log-start", final.get("stage") == "done" and final.get("evidence") == "readback"
            and len(data.get("loggers", {}).get("acceleration", [])) == 2 and data.get("session") and data.get("capacity_s", 0) > 0
            and b.state_of(n)["logging"], "slots, session, capacity_s", replies)
    replies, final = ask(b, n, "log-start", {"id": "l-11", "args": {"streams": {"acceleration": {"rate_hz": 60}}}})
    r.check("log-start: a rate that is not offered", final.get("code") == "invalid" and "50" in final.get("message", ""), "invalid", replies)
    replies, final = ask(b, n, "log-start", {"id": "l-12", "args": {"streams": {"angular-velocity": {}, "quaternion": {}, "magnetic-field": {}}}})
    r.check("log-start: more than there are slots or chips for changes nothing", final.get("code") in ("no-slots", "invalid")
            and until(10, lambda: len(b.state_of(n)["loggers"]) == 2), "no-slots or invalid, two loggers", (replies, b.state_of(n)))


def others(b, r):
    """A logger that somebody else left goes by its slot, and only by a command that names it (contract 3.7, I4)."""
    n = 2
    b.do("log-foreign", board=n, slot=7, hex="0101ff00")
    data = ask(b, n, "log-status", {"id": "o-1"})[1].get("data", {})
    r.check("log-status: another's logger", [x["owner"] for x in data.get("loggers", []) if x["slot"] == 7] == ["foreign"], "foreign in 7", data)
    replies, final = ask(b, n, "log-stop", {"id": "o-2", "args": {"slots": [0]}})
    r.check("log-stop by slot: ours is refused", final.get("code") == "invalid" and "0" in b.state_of(n)["loggers"], "invalid", replies)
    replies, final = ask(b, n, "log-stop", {"id": "o-3", "args": {"slots": [7]}})
    r.check("log-stop by slot: another's is removed", final.get("stage") == "done" and "7" not in b.state_of(n)["loggers"]
            and final.get("data", {}).get("logging") is True, "7 gone, logging", (replies, b.state_of(n)))


def accidents(b, r):
    """Links break, boards start anew, loggers vanish (rows F31, F35, F39)."""
    for n in (1, 3, 4):
        until(20, lambda: b.state_of(n)["flash"] + b.state_of(n)["gathered"] > 300, 0.1)
        ask_mark = b.client.mark()
        b.client.publish(f"{b.topic(n)}/cmd/log-download", {"id": f"a-{n}"})
        until(10, lambda: b.client.since(ask_mark, b.topic(n, "reply", "log-download")), 0.01)
        time.sleep(0.3)
        b.do("drop", board=n)
    mark = b.client.mark()
    b.do("reboot", board=5)
    event = b.client.wait(60, b.topic(5, "event", "reset"), mark=mark)
    r.check("a board starts anew: event reset, unexpected", event and event["event_type"] == "unexpected" and event.get("boot", 0) >= 2, "boot 2", event)
    r.check("a board starts anew: it logs again within a minute of the contact", until(60, lambda: b.state_of(5)["logging"], 0.2),
            1, b.state_of(5))


def pauses(b, r):
    """What a board does not log while it is read out: few questions, and a gap that says so."""
    for n in (1, 3, 4, 5):
        packets = wrote(b, n, 0, "0b")
        worst, inside = [], None
        for packet in packets:
            if packet == "0b0100": inside = []
            elif packet == "0b0101" and inside is not None:
                worst, inside = max(worst, inside, key=len), None
            elif inside is not None and not packet.startswith("0b06") and packet != "0b0e": inside.append(packet)
        r.check(f"pauses: board {n}: at most eight round trips beside the read-out", worst and len(worst) <= 8, "<= 8", worst)
        told = [json.loads(m[2]) for m in b.client.since(0, b.topic(n, "event", "data-gap"))]
        told = [e for e in told if e.get("cause") == "pause"]
        r.check(f"pauses: board {n}: each is told, by rate and time", told and all(e["reason"] == "download" and e["stream"] == "acceleration"
                and abs(e["count"] - (e["to_ms"] - e["from_ms"]) / 1000 * b.rate) <= 1 for e in told), "data-gap download pause", told[:3])
        before = [x["gap_before"] for x in b.batches(n)[0] if x["seq"] == 0 and x["gap_before"]]
        counts = {e["session"]: e["count"] for e in told}
        r.check(f"pauses: board {n}: and before the first sample behind it", before and all(x["gap_before"] == counts[x["session"]]
                for x in b.batches(n)[0] if x["seq"] == 0 and x["session"] in counts), "gap_before", (before[:5], list(counts.values())[:5]))


def damages(b, r):
    """Wrong ticks of entries, packets that come twice, clocks that jump: each is told, and throws nothing else off."""
    done = {n: 0 for n in (1, 4, 5)}
    for n in done:
        b.do("log-twice", board=n, count=7)
        for seed, count in enumerate((1, 3, 6)):
            until(15, lambda: b.do("log-damage", board=n, count=count, seed=1000 * n + seed), 0.2)
    jumps = {3: 437, 6: -171}
    for n, seconds in jumps.items():
        mark = b.client.mark()
        b.do("log-jump", board=n, seconds=seconds)
        event = b.client.wait(40, b.topic(n, "event", "clock"), mark=mark)
        r.check(f"damages: board {n}: a jump of {seconds} s is told", event and event["event_type"] == "jump"
                and abs(event["jump_ms"] - 1000 * seconds) < 2500, 1000 * seconds, event)
    unknown = lambda n: sum(x["count"] for x in b.batches(n)[0] if x["clock"]["source"] == "unknown")
    for n in done:
        until(40, lambda: unknown(n) >= 2)
        r.check(f"damages: board {n}: samples of wrong times are told as unknown, and no others", 2 <= unknown(n) <= 10, "2 to 10", unknown(n))
        told = lambda: sum(json.loads(m[2]).get("doubled", 0) for m in b.client.since(0, b.topic(n, "event", "log-downloaded")))
        r.check(f"damages: board {n}: packets that came twice are counted", until(40, told), b.do("log-doubled", board=n), told())


def commands(b, r, binary):
    """sessions, export, verify on what lies on disk."""
    def run(*arguments):
        done = subprocess.run([binary, *arguments, "--config", b.path("metafleet.yaml")], capture_output=True, text=True, timeout=60,
                              env={**os.environ, "METAFLEET_MQTT_PORT": str(b.port)})
        return done.returncode, done.stdout, done.stderr
    code, out, err = run("sessions", "--json")
    rows = [json.loads(x) for x in out.splitlines()]
    r.check("sessions --json: one object per session of every board", code == 0 and {x.get("board") for x in rows} == set(b.ids), b.ids, (code, out[:500], err))
    code, out, err = run("sessions")
    r.check("sessions: a table", code == 0 and b.ids[0] in out or "Board 1" in out, "a table", (code, out[:500], err))
    code, out, err = run("verify", b.ids[0], "--since", "1h")
    r.check("verify: it adds up", code == 0 and "acceleration" in out, "exit 0", (code, out[:800], err))
    r.check("verify: pauses are counted", "not logged: " in err and " pauses, " in err, "not logged: n pauses, s", (out[-300:], err))
    session = next((x["session"] for x in rows if x["board"] == b.ids[0] and x.get("samples", x.get("entries", 1))), None)
    if session:
        code, out, err = run("export", session, "--format", "csv")
        lines = out.splitlines()
        r.check("export csv: units in the header, a line per sample, their number at the end", code == 0 and len(lines) > 2 and "ax_g" in lines[0] and lines[-1] == f"# rows: {len(lines) - 2}",
                "csv", (code, lines[:3], lines[-1:], err))
        path = b.path("export.csv")
        code, _, err = run("export", session, "--output", path)
        with open(path, newline="") as f:
            first = f.read()
        r.check("export: a file has what standard output has", code == 0 and first.splitlines() == lines, f"{len(lines)} lines", (code, err))
        code, _, err = run("export", session, "--output", path)
        r.check("export: a file that is there stays as it is", code == 73 and "is there already" in err and open(path, newline="").read() == first, 73, (code, err))
        code, out, err = run("export", session, "--format", "lp")
        r.check("export lp: a point per sample", code == 0 and len(out.splitlines()) == len(lines) - 1 and all(",origin=flash " in x for x in out.splitlines()[:-1]), len(lines) - 1, (code, out[:300], err))
        code, out, err = run("export", session, "--format", "jsonl")
        r.check("export jsonl: an object per sample", code == 0 and out and all("ax_g" in json.loads(x) for x in out.splitlines()[:50]), "jsonl", (code, out[:300], err))
        exported = len(out.splitlines())
        told = sum(x["count"] for x in b.batches(1)[0] if x["session"] == session)
        r.equal("export: as many samples as were published", exported, told)
    code, out, err = run("export", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "--format", "csv")
    r.check("export of a session that is not there", code == 64, 64, (code, err))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    parser.add_argument("--boards", type=int, default=6)
    parser.add_argument("--keep", action="store_true", help="leave logs and state behind")
    options = parser.parse_args()
    end_cleanly_on_signals()
    r = Report()
    binary = os.path.abspath(options.binary)
    b = LogBench(binary, boards=options.boards, keep=options.keep, scale=0.05)
    b.keepers = (2,)
    try:
        b.start()
        for step in (visits, batches, order, verbs, others, pauses, damages, accidents):
            started = time.monotonic()
            print(f"# {step.__name__}", flush=True)
            try: step(b, r)
            except Exception as error: r.check(f"{step.__name__} runs to its end", False, "no exception", f"{type(error).__name__}: {error}")
            print(f"# {step.__name__} took {time.monotonic() - started:.0f} s", flush=True)
        b.freeze()
        replies, final = ask(b, 2, "log-download", {"id": "last"}, wait=60)
        r.check("log-download brings home what no visit did", final.get("data", {}).get("complete") is True, "complete", replies)
        complete(b, r, 90, reset={5})
        commands(b, r, binary)
        r.equal("every message is as the contract has it", b.judge.problems, {})
    finally:
        b.close()
    return r.finish()


if __name__ == "__main__":
    sys.exit(main())
