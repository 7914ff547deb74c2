"""Outputs, buses, settings and programs on the board: the bytes at the D-Bus against the protocol reference."""
import json
import math
import time

from bench import until
from checks_commands import ask, done, refused, stages, wrote

LIGHT = {"verb": "led", "args": {"state": "PLAY"}}  # 02 01 01, protocol reference 6

OUTPUTS = [  # verb, arguments, evidence, the bytes (protocol reference 11, 12, 13, 18; vendor's vectors)
    ("haptic", {"kind": "motor", "duty_pct": 100, "pulse_ms": 5000}, "link-write", ["0801f8881300"]),
    ("haptic", {"kind": "buzzer", "pulse_ms": 7500}, "link-write", ["08017f4c1d01"]),
    ("gpio", {"pin": 1, "output": "high"}, "link-write", ["050101"]),
    ("gpio", {"pin": 2, "pull": "down"}, "link-write", ["050402"]),
    ("i2c-write", {"device": 28, "register": 42, "hex": "01"}, "link-write", ["0d011c2aff0101"]),
    ("ibeacon", {"uuid": "326a9006-85cb-9195-d9dd-464cfbbae75a", "major": 78, "minor": 1}, "link-write",
     ["07025ae7bafb4c46ddd99591cb8506906a32", "07034e00", "07040100", "070101"]),
    ("settings", {"name": "Pump 3"}, "readback", ["110150756d702033"]),
]


def config_says(b, n, test, wait=10):
    """Whether the retained document does, now or soon."""
    return until(wait, lambda: test(b.client.last(b.topic(n, "config")) or {"overlay": [], "in_sync": None, "slots_used": {}}))


def outputs(b, r):
    for number, (verb, args, evidence, packets) in enumerate(OUTPUTS):
        now = b.do("now")
        done(b, r, f"{verb} {args}", 5, verb, {"id": f"out-{number}", "args": args}, evidence)
        got = wrote(b, 5, now)
        r.check(f"{verb} {args}: bytes", all(p in got for p in packets), packets, got)


def buses(b, r):
    now = b.do("now")
    done(b, r, "i2c-read", 5, "i2c-read", {"id": "bus-1", "args": {"device": 28, "register": 13, "length": 4}}, "response", lambda d: d.get("hex") == "0d0e0f10")
    done(b, r, "spi-read", 5, "spi-read", {"id": "bus-2", "args": {"pins": {"ss": 10, "sck": 0, "mosi": 11, "miso": 7}, "hex": "da", "mode": 3, "clock_hz": 8000000,
         "length": 3}}, "response", lambda d: d.get("hex") == "25ffff")
    got = wrote(b, 5, now, "0d")
    r.check("i2c-read, spi-read: bytes of protocol 18", len(got) == 2 and got[0][:2] + got[0][4:8] + got[0][10:] == "0d1c0d04"
            and got[1][:14] == "0d820a000b0776" and got[1][15:] == "2da", "0d811c0d..04 0d820a000b0776.2da", got)
    replies, final = ask(b, 5, "i2c-read", {"id": "bus-3", "args": {"device": 28, "register": 13, "length": 18}})
    r.check("i2c-read of more than a packet: invalid", (final.get("code"), stages(replies)) == ("invalid", ["failed"]), "invalid", replies)


def lists(b, r):
    """What was made by name is listed, run and stopped by name."""
    n = 8
    for verb, args in (("processor-create", {"name": "presses", "from": "switch", "chain": ["counter"]}), ("macro-record", {"name": "hello", "action": LIGHT}),
                       ("timer-create", {"name": "minute", "period_ms": 60000, "action": LIGHT})):
        done(b, r, f"{verb} for the lists", n, verb, {"id": f"list-{verb}", "args": args}, "response" if verb == "timer-create" else "readback")
    done(b, r, "processor-list", n, "processor-list", {"id": "list-1"}, "response",
         lambda d: [(x["slot"], x["name"], x["owner"]) for x in d.get("processors", [])] == [(0, "presses", "ours")])
    done(b, r, "macro-list", n, "macro-list", {"id": "list-2"}, "response",
         lambda d: [(x["slot"], x["name"], x["at_boot"], x["packets"], x["owner"]) for x in d.get("macros", [])] == [(0, "hello", False, 1, "ours")])
    for number, (verb, args, packet) in enumerate([("macro-run", {"name": "hello"}, "0f0500"), ("timer-stop", {"name": "minute"}, "0c0400"),
                                                   ("timer-start", {"name": "minute"}, "0c0300")]):
        now = b.do("now")
        replies, final = ask(b, n, verb, {"id": f"list-run-{number}", "args": args})
        r.check(f"{verb}: done with its slot", final.get("stage") == "done" and final.get("data", {}).get("slot") == 0, "done, slot 0", replies)
        r.equal(f"{verb}: its bytes, once", wrote(b, n, now).count(packet), 1)
        replies, final = ask(b, n, verb, {"id": f"list-none-{number}", "args": {"name": "nobody"}})
        r.check(f"{verb} of an unknown name: invalid, and the name", final.get("code") == "invalid" and "nobody" in final.get("message", ""), "invalid", replies)


def programs(b, r):
    n = 6
    board = b.topic(n).split("/")[-1]
    now = b.do("now")
    done(b, r, "timer-create", n, "timer-create", {"id": "p-1", "args": {"name": "minute", "period_ms": 60000, "action": LIGHT}},
         "response", lambda d: d == {"slot": 0, "event_slots": [0]})
    got = wrote(b, n, now)
    expected = ["0c0260ea0000ffff00", "0a020c0600020101", "0a0301", "0c0300"]
    r.check("timer-create: bytes of protocol 17 and 15, started last", [x for x in got if x in expected] == expected, expected, got)
    now = b.do("now")
    done(b, r, "the same timer again", n, "timer-create", {"id": "p-2", "args": {"name": "minute", "period_ms": 60000, "action": LIGHT}}, "response")
    r.equal("the same timer again: nothing created", [x for x in wrote(b, n, now) if x[:4] in ("0c02", "0a02")], [])
    now = b.do("now")
    done(b, r, "event-bind", n, "event-bind", {"id": "p-3", "args": {"name": "press", "source": "button", "action": LIGHT}},
         "response", lambda d: d == {"event_slots": [1], "processors": []})
    r.check("event-bind: bytes", [x for x in wrote(b, n, now, "0a0") if x[:4] in ("0a02", "0a03")] == ["0a020101ff020101", "0a0301"],
            "0a020101ff020101 0a0301", wrote(b, n, now, "0a"))
    now = b.do("now")
    done(b, r, "processor-create", n, "processor-create", {"id": "p-4", "args": {"name": "presses", "from": "switch", "chain": ["counter"]}},
         "readback", lambda d: d.get("processors") == [0])
    r.check("processor-create: bytes of protocol 14", "09020101ff000213" in wrote(b, n, now), "09020101ff000213", wrote(b, n, now, "09"))
    now = b.do("now")
    done(b, r, "processor-set", n, "processor-set", {"id": "p-5", "args": {"name": "presses", "state": 7}}, "readback")
    r.check("processor-set: bytes", "09040007000000" in wrote(b, n, now), "09040007000000", wrote(b, n, now, "09"))
    done(b, r, "read processor", n, "read", {"id": "p-6", "args": {"what": "processor", "name": "presses"}}, "response",
         lambda d: d.get("state") == 7 and d.get("hex") == "07000000")
    now = b.do("now")
    done(b, r, "macro-record", n, "macro-record", {"id": "p-7", "args": {"name": "hello", "action": LIGHT}}, "readback",
         lambda d: d == {"slot": 0, "packets": 1, "verified": True})
    macro = [w for w in b.do("writes", board=n, since=now) if w[1].startswith("0f")]
    r.check("macro-record: bytes of protocol 19", [w[1] for w in macro if w[1][:4] in ("0f02", "0f03", "0f04")] ==
            ["0f0200", "0f03020101", "0f04"], "0f0200 0f03020101 0f04", macro)
    r.check("config: what verbs made is overlay and in sync (1.5)", config_says(
        b, n, lambda c: set(c["overlay"]) >= {"timers/minute", "events/press", "process/presses"} and c["in_sync"]
        and c["slots_used"].get("timers") == 1 and c["slots_used"].get("macros") == 1), "overlay", b.client.last(b.topic(n, "config")))
    r.check("macro-record: every write asks for a response (2.4)", macro and all(w[2] == "request" for w in macro), "request", macro)
    done(b, r, "read resources", n, "read", {"id": "p-8", "args": {"what": "resources"}}, "response",
         lambda d: [len(d.get(k, [])) for k in ("loggers", "processors", "timers", "events", "macros")] == [0, 1, 1, 2, 1]
         and all(row["owner"] == "ours" for k in ("processors", "timers", "events", "macros") for row in d[k]))
    refused(b, r, "raw, not allowed", n, "raw", {"id": "p-9", "args": {"confirm": board, "hex": "0b84"}}, "denied")
    refused(b, r, "raw inside an action", n, "event-bind", {"id": "p-10", "args": {
        "name": "x", "source": "button", "action": {"verb": "raw", "args": {"hex": "020101"}}}}, "denied")
    refused(b, r, "factory-reset without confirm", n, "factory-reset", {"id": "p-11", "args": {}}, "invalid", ["confirm"])
    time.sleep(0.2)
    now = b.do("now")
    done(b, r, "factory-reset", n, "factory-reset", {"id": "p-12", "args": {"confirm": board}}, "readback",
         lambda d: {**d, "boot": 0} == {"macros": 0, "loggers": 0, "entries": 0, "boot": 0}, wait=65)
    sequence = ["0b0100", "0b09ffffffff", "0b0a", "0a05", "0908", "0f08", "fe05", "fe06"]
    r.check("factory-reset: the sequence of protocol 32", [x for x in wrote(b, n, now) if x in sequence] == sequence, sequence, wrote(b, n, now))
    r.equal("factory-reset: the board streams again", b.wait_samples(20, [n], b.client.mark()), [])
    recorded(b, r, n)


def recorded(b, r, n):
    """A reaction that a macro makes at every start, a timer with what waits for it, and their removal."""
    now = b.do("now")
    bind = {"verb": "event-bind", "args": {"name": "press", "source": "button", "action": LIGHT}}
    done(b, r, "macro-record of an event", n, "macro-record", {"id": "m-1", "args": {"name": "light", "at_boot": True, "action": bind}}, "readback",
         lambda d: d == {"slot": 0, "packets": 2, "verified": True})
    expected = ["0a020101ff020101", "0a0301", "0f0201", "0f030a020101ff020101", "0f030a0301", "0f04"]
    got = [x for x in wrote(b, n, now) if x[:4] in ("0a02", "0a03", "0f02", "0f03", "0f04")]
    r.check("macro-record of an event: carried out once, then recorded (protocol 15, 19)", got == expected, expected, got)
    done(b, r, "reset behind it", n, "reset", {"id": "m-2"}, "readback", wait=65)
    done(b, r, "the reaction is there behind a reset", n, "read", {"id": "m-3", "args": {"what": "resources"}}, "response",
         lambda d: [row["owner"] for row in d.get("events", [])] == ["foreign"] and len(d.get("macros", [])) == 1)
    playing = lambda: next(x["playing"] for x in b.do("status", board=n))
    r.equal("the LED is off behind the reset", playing(), 0)
    b.do("press", board=n, state=1)
    r.equal("the button lights the LED by what the macro made at the start (protocol 6, 15)", playing(), 1)
    b.do("press", board=n, state=0)
    done(b, r, "timer that ticks to the host", n, "timer-create", {"id": "m-4", "args": {"name": "beat", "period_ms": 60000, "to": ["stream"]}}, "response")
    r.check("timer that ticks to the host: bytes (protocol 17)", until(5, lambda: {"0c070001", "0c0601"} <= set(wrote(b, n, now, "0c"))), "0c070001 0c0601",
            wrote(b, n, now, "0c"))
    done(b, r, "event of a timer", n, "event-bind", {"id": "m-5", "args": {"name": "tick", "source": "timer:beat", "action": LIGHT}}, "response",
         lambda d: d["event_slots"] == [1])
    done(b, r, "timer-remove takes its event along", n, "timer-remove", {"id": "m-6", "args": {"name": "beat"}}, "readback",
         lambda d: sorted(d["removed"]) == ["event/1", "timer/beat"])
    now = b.do("now")
    done(b, r, "event-remove of all", n, "event-remove", {"id": "m-7", "args": {"all": True, "foreign": True}}, "readback",
         lambda d: d["removed"] == ["event/0"])
    r.equal("event-remove of all: one packet (protocol 15)", wrote(b, n, now, "0a05"), ["0a05"])


def samples(b, n, stream, mark):
    return [x for m in b.client.since(mark, b.topic(n, "record", stream)) for x in json.loads(m[2])["samples"]]


def chains(b, r):
    n = 13
    scale = 8192  # counts per g at 4 g, protocol reference 7
    mark, now = b.client.mark(), b.do("now")
    done(b, r, "chain of a component", n, "processor-create", {"id": "c-1", "args": {
        "name": "level", "from": "acceleration-z", "rate_hz": 50, "chain": ["passthrough"]}}, "readback",
        lambda d: d == {"stream": "level", "processors": [0], "unit": "g", "fields": [{"name": "level_g", "unit": "g", "type": "number"}]})
    done(b, r, "chain of a vector", n, "processor-create", {"id": "c-2", "args": {
        "name": "pull", "from": "acceleration", "rate_hz": 50, "range_g": 4, "chain": ["rss"], "live_rate_hz": 2}}, "readback",
        lambda d: d.get("stream") == "pull" and d.get("processors") == [1])
    expected = ["09020304ff240100" + "0000", "090700" + "01", "090301", "09020304ffa007a501", "09070101"]
    got = wrote(b, n, now, "09")
    r.equal("chains: creations and both subscriptions (protocol 14.1, 2.3)", [x for x in got if x in expected and x != "090301"] + ["090301"] * ("090301" in got),
            [x for x in expected if x != "090301"] + ["090301"])
    r.equal("chains: the sensor that streams goes on as it was", [x for x in wrote(b, n, now, "03") if x[3] in "123"], [])
    until(10, lambda: len(samples(b, n, "level", mark)) > 100 and len(samples(b, n, "pull", mark)) > 100, 0.1)
    level, pull, raw = (samples(b, n, s, mark) for s in ("level", "pull", "acceleration"))
    r.check("chain of a component: exactly 1 g each", len(level) > 100 and {x.get("level_g") for x in level} == {1}, "level_g 1", level[:3])
    known = {math.isqrt(sum(round(x[k] * scale) ** 2 for k in ("ax_g", "ay_g", "az_g"))) for x in raw}
    first, last = raw[0]["ts_us"] + 200_000, raw[-1]["ts_us"] - 200_000  # batches of the two close at their own times
    beside = [x for x in pull if first < x["ts_us"] < last]
    wrong = [x for x in beside if round(x["pull_g"] * scale) not in known]
    r.check("chain of a vector: the length of what is streamed", len(beside) > 60 and not wrong, "lengths of acceleration", wrong[:5])
    r.check("chains in config: below process alone, and in sync", config_says(b, n, lambda c: c["in_sync"] is True
            and {"level", "pull"} <= set(c["reported"].get("process", {})) and "level" not in c["reported"].get("stream", {})),
            "in_sync", b.client.last(b.topic(n, "config")))
    info = b.client.wait(5, b.topic(n, "info"), lambda v: {"level", "pull"} <= set(v.get("streams", {})), mark) or {}
    entry = info.get("streams", {}).get("pull", {})
    r.check("chains are in info.streams", entry.get("fields") == [{"name": "pull_g", "unit": "g", "type": "number"}]
            and entry.get("via") == "stream" and entry.get("streamable") is True, "pull_g in g", entry)
    replies, final = ask(b, n, "processor-create", {"id": "c-3", "args": {"name": "far", "from": "acceleration", "range_g": 8, "chain": ["rss"]}})
    r.check("chain against the range of a stream", final.get("code") == "invalid" and "4 g" in final.get("message", ""), "invalid, 4 g", replies)

    mark, now = b.client.mark(), b.do("now")
    done(b, r, "stream-stop below chains", n, "stream-stop", {"id": "c-4", "args": {"stream": "acceleration"}}, "link-write")
    until(5, lambda: len(samples(b, n, "pull", mark)) > 60, 0.1)
    alone = [x["pull_g"] for x in samples(b, n, "pull", mark)]
    r.check("chains compute while nobody streams their sensor", len(alone) > 60 and sum(a > c for a, c in zip(alone, alone[1:])) <= 1,
            "growing with x, which wraps once in five minutes", alone[:5])
    r.equal("stream-stop below chains: the sensor is not touched", [x for x in wrote(b, n, now, "03") if x[3] in "123"], [])
    replies, final = ask(b, n, "stream-start", {"id": "c-5", "args": {"stream": "acceleration", "rate_hz": 100}})
    r.check("stream against the rate of a chain", final.get("code") == "invalid" and "50 Hz" in final.get("message", ""), "invalid, 50 Hz", replies)

    now = b.do("now")
    done(b, r, "reset below chains", n, "reset", {"id": "c-6"}, "readback", wait=65)
    mark = b.client.mark()
    r.equal("reset below chains: their samples come again", b.wait_samples(20, [n], mark, "pull") + b.wait_samples(20, [n], mark, "level"), [])
    again = [x for x in wrote(b, n, now, "0902") if x in expected]
    r.equal("reset below chains: each is made once", sorted(again), sorted(x for x in expected if x.startswith("0902")))

    now = b.do("now")
    done(b, r, "stream-stop of a chain", n, "stream-stop", {"id": "c-7", "args": {"stream": "level"}}, "link-write", lambda d: d.get("stopped") == ["level"])
    quiet = [x for x in wrote(b, n, now) if x[:4] in ("0907", "0903")]
    r.check("stream-stop of a chain: its notification alone (protocol 14.1)", quiet in (["09070000"], ["09070100"]), "09 07 id 00", quiet)
    for name in ("level", "pull"):
        done(b, r, f"processor-remove {name}", n, "processor-remove", {"id": f"c-{name}", "args": {"name": name}}, "readback")
    off = until(3, lambda: not b.do("status", board=n)[0]["accelerometer"], 0.1)
    r.check("without chains the sensor is off", off, "power 0", b.do("status", board=n)[0]["accelerometer"])
    done(b, r, "stream-start behind chains", n, "stream-start", {"id": "c-8", "args": {"stream": "acceleration", "rate_hz": 50, "range_g": 4}}, "response")


def settings(b, r):
    """A profile's settings are desired state (contract 1.5, 3.4, 3.9, 7.4)."""
    n = 4  # profile loose: tx_dbm -4
    power = lambda c: c.get("reported", {}).get("settings", {}).get("tx_dbm")
    r.check("settings of a profile: in config", config_says(b, n, lambda c: power(c) == -4 and c["in_sync"] is True
            and c.get("profile") == "loose"), "tx_dbm -4", b.client.last(b.topic(n, "config")))
    r.equal("settings of a profile: written once (protocol 20)", [x for x in wrote(b, n, 0) if x.startswith("1103")], ["1103fc"])
    r.check("settings of a profile: in_sync in state", until(5, lambda: (b.client.last(b.topic(n, "state")) or {}).get("in_sync") is True),
            "in_sync", b.client.last(b.topic(n, "state")))
    now = b.do("now")
    done(b, r, "settings", n, "settings", {"id": "s-1", "args": {"tx_dbm": 4}}, "readback", lambda d: d == {"tx_dbm": 4})
    r.check("settings: overlay until the reset", config_says(b, n, lambda c: power(c) == 4 and c["overlay"] == ["settings/tx_dbm"]
            and c["in_sync"] is True), "overlay", b.client.last(b.topic(n, "config")))
    mark = b.client.mark()
    done(b, r, "profile", n, "profile", {"id": "s-2", "args": {"name": "loose"}}, "readback",
         lambda d: d == {"profile": "loose", "differences": ["settings/tx_dbm changed"], "in_sync": True})
    r.check("profile: overlay dropped", config_says(b, n, lambda c: power(c) == -4 and c["overlay"] == []), "no overlay",
            b.client.last(b.topic(n, "config")))
    event = b.client.wait(5, b.topic(n, "event", "config"), lambda v: v.get("event_type") == "applied", mark)
    r.check("profile: event config applied", event and event.get("differences") == ["settings/tx_dbm changed"], "applied", event)
    r.equal("profile: bytes", [x for x in wrote(b, n, now) if x.startswith("1103")], ["110304", "1103fc"])
    refused_late(b, r, "profile, not known", n, "profile", {"id": "s-3", "args": {"name": "nosuch"}}, "invalid", ["nosuch", "loose"])
    now = b.do("now")
    b.do("reboot", board=n)
    r.check("settings: written again after a reset", until(40, lambda: "1103fc" in wrote(b, n, now)), "1103fc", wrote(b, n, now))
    r.equal("settings: the board streams again", b.wait_samples(40, [n], b.client.mark()), [])


def refused_late(b, r, what, n, verb, payload, code, words):
    _, final = ask(b, n, verb, payload)
    r.check(f"refused: {what}", final.get("code") == code and all(w in final.get("message", "") for w in words), code, final)
