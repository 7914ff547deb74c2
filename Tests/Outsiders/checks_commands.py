"""Commands over MQTT: stages, evidence, refusals, exactly once, and the bytes that reached the board."""
import json
import time

from bench import Client, until

ORDER = {"accepted": 0, "queued": 1, "sent": 1, "progress": 1, "done": 2, "failed": 2, "unknown": 2}
FINAL = ("done", "failed", "unknown")


def ask(b, n, verb, payload, wait=35, id=None, topic=None, retain=False, **properties):
    """(all replies, the final one) to one request."""
    base = topic or (b.topic(n) if isinstance(n, int) else n)
    mark = b.client.mark()
    b.client.publish(f"{base}/cmd/{verb}", payload, retain=retain, **properties)
    wanted = id or (payload.get("id") if isinstance(payload, dict) else None)
    test = lambda v: v.get("stage") in FINAL and (wanted is None or v.get("id") == wanted)
    final = b.client.wait(wait, f"{base}/reply/{verb}", test, mark)
    replies = [json.loads(m[2]) for m in b.client.since(mark, f"{base}/reply/{verb}")]
    return [x for x in replies if wanted is None or x.get("id") == wanted], final or {}


def stages(replies):
    return [x["stage"] for x in replies]


def good_order(replies):
    s = stages(replies)
    return (s and s[0] == "accepted" and s[-1] in FINAL and sum(x in FINAL for x in s) == 1
            and s.count("sent") <= 1 and s.count("accepted") == 1)


def wrote(b, n, since, module=None):
    return [w[1] for w in b.do("writes", board=n, since=since) if module is None or w[1].startswith(module)]


def refused(b, r, what, n, verb, payload, code, words=(), **options):
    time.sleep(0.12)  # refusals are limited to 10/s
    replies, final = ask(b, n, verb, payload, wait=6, **options)
    ok = stages(replies)[:1] == ["failed"] and len(replies) == 1 and final.get("code") == code and \
        all(w in final.get("message", "") for w in words)
    r.check(f"refused: {what}", ok, f"one reply, failed/{code} naming {list(words)}", replies or "no reply within 6 s")
    return final


def done(b, r, what, n, verb, payload, evidence, test=lambda data: True, wait=35, **options):
    replies, final = ask(b, n, verb, payload, wait, **options)
    r.check(f"{what}: stages end done with {evidence}", final.get("stage") == "done" and final.get("evidence") == evidence
            and good_order(replies), f"accepted … done, evidence {evidence}", replies or "no reply")
    r.check(f"{what}: data", final.get("stage") == "done" and test(final.get("data", {})), "as in the contract", final.get("data"))
    return replies, final


def verbs(b, r):
    now = b.do("now")
    done(b, r, "led green blink", 1, "led", {"id": "led-1", "args": {"color": "green", "pattern": "blink", "repeat": 5}},
         "readback", lambda d: d == {"playing": True})
    led = wrote(b, 1, now, "02")
    expected = ["020201", "020300021f000000320000" + "00f401000005", "020101"]
    r.equal("led green blink: bytes", [x for x in led if x[2:3] == "0"], expected)
    doc = b.client.wait(5, b.topic(1, "led"), lambda v: v.get("state") == "ON") or {}
    r.check("led topic: green blink", doc.get("color") == {"r": 0, "g": 255, "b": 0} and doc.get("effect") == "blink"
            and "until_ms" in doc, "ON, green, blink, until_ms", doc)
    r.check("led topic: OFF when a finite repeat has ended", b.client.wait(8, b.topic(1, "led"), lambda v: v.get("state") == "OFF"),
            "OFF after 2.5 s", b.client.last(b.topic(1, "led")))
    now = b.do("now")
    done(b, r, "led vendor example (blue 16)", 2, "led", {"id": "led-2", "args": {"channels": {"blue": {
        "high": 16, "low": 16, "high_ms": 500, "period_ms": 1000, "repeat": 5}}}}, "readback")
    r.check("led vendor example: bytes of protocol 6", "0203020210100000f4010000e8030000" + "05" in wrote(b, 2, now), "0203020210…05", wrote(b, 2, now))
    now = b.do("now")
    done(b, r, "led in Home Assistant's form", 3, "led", {"state": "ON", "color": {"r": 255, "g": 0, "b": 0}, "brightness": 128,
                                                         "effect": "breathe"}, "readback", topic=b.topic(3))
    expected = "0203" + "0102" + "1000" + "d502f401d502d007" + "0000" + "ff"
    r.check("led in Home Assistant's form: bytes (red, 31 × 128/255 = 16, breathe, for ever)", expected in wrote(b, 3, now, "0203"),
            expected, wrote(b, 3, now, "02"))
    now = b.do("now")
    replies, final = ask(b, 3, "led", {"id": "led-off", "args": {"state": "OFF"}})
    r.check("led OFF: done", final.get("stage") == "done" and final.get("evidence") in ("readback", "link-write")
            and final.get("data") == {"playing": False}, "done, playing false", replies)
    r.check("led OFF: bytes", "020201" in wrote(b, 3, now), "020201", wrote(b, 3, now))
    r.check("led topic: OFF", b.client.wait(5, b.topic(3, "led"), lambda v: v.get("state") == "OFF"), "OFF", b.client.last(b.topic(3, "led")))
    now = b.do("now")
    done(b, r, "led yellow brightness 128", 4, "led", {"id": "led-y", "args": {"color": "yellow", "brightness": 128}}, "readback")
    channels = {x[4:6]: x[8:12] for x in wrote(b, 4, now, "0203")}
    r.equal("led yellow brightness 128: channels and intensities", channels, {"00": "1010", "01": "1010"})
    now = b.do("now")
    done(b, r, "identify PRESS", 5, "identify", "PRESS", "readback", lambda d: d == {"seconds": 5}, topic=b.topic(5))
    r.check("identify: LED on all channels and one motor pulse of 500 ms", {x[4:6] for x in wrote(b, 5, now, "0203")} == {"00", "01", "02"}
            and wrote(b, 5, now, "08") == ["0801f8f40100"], "02 03 of 0, 1, 2 and 08 01 F8 F4 01 00", wrote(b, 5, now))
    dark = until(8, lambda: not b.do("status", board=5)[0]["led"], 0.2)
    r.check("identify: afterwards the previous LED state (dark)", dark, "LED cleared within 8 s", b.do("status", board=5)[0]["led"])

    done(b, r, "read battery", 7, "read", {"id": "r1", "args": {"what": "battery"}}, "response",
         lambda d: d.get("battery_pct") == 87 and d.get("battery_mv") == 4007 and "ts_ms" in d)
    done(b, r, "read temperature (die by default)", 7, "read", {"id": "r2", "args": {"what": "temperature"}}, "response",
         lambda d: d.get("temperature_c") == 20.875 and d.get("source") == "die" and d.get("channel") == 0)
    done(b, r, "read temperature thermistor", 8, "read", {"id": "r3", "args": {"what": "temperature", "source": "thermistor"}}, "response",
         lambda d: d.get("temperature_c") == 22.0 and d.get("source") == "thermistor" and d.get("channel") == 1)
    done(b, r, "read temperature channel 1", 8, "read", {"id": "r4", "args": {"what": "temperature", "channel": 1}}, "response",
         lambda d: d.get("temperature_c") == 22.0 and d.get("source") == "thermistor")
    rl = next(n for n in range(1, b.count + 1) if b.board_models[n - 1] == "rl")
    replies, final = ask(b, rl, "read", {"id": "r5", "args": {"what": "temperature", "source": "bmp280"}})
    r.equal("read temperature bmp280 on RL: unsupported", (final.get("stage"), final.get("code")), ("failed", "unsupported"))
    done(b, r, "request without id", 9, "read", {"args": {"what": "battery"}}, "response", topic=b.topic(9))
    replies, final = ask(b, 9, "read", {"args": {"what": "battery"}})
    r.check("request without id: a generated ULID in every reply", len({x["id"] for x in replies}) == 1 and len(final.get("id", "")) == 26, "one ULID", replies)
    done(b, r, "integers may be written 5.0", 9, "led", '{"id":"five","args":{"color":"red","repeat":5.0}}', "readback", id="five")
    done(b, r, "mode queue on a linked board", 9, "read", {"id": "q1", "mode": "queue", "args": {"what": "battery"}}, "response")


def streams(b, r):
    n = 10
    mark = b.client.mark()
    before = b.judge.sessions.get((b.ids[n - 1], "acceleration"), [])[-1:]
    replies, final = done(b, r, "stream-start at another rate", n, "stream-start",
                          {"id": "s1", "args": {"stream": "acceleration", "rate_hz": 200, "range_g": 16}}, "response",
                          lambda d: d.get("stream") == "acceleration" and d.get("adjusted") == [] and d["config"].get("rate_hz") == 200
                          and d["config"].get("range_g") == 16)
    config = [x for x in wrote(b, n, 0, "0303")][-1:]
    model = b.board_models[n - 1]
    r.equal("stream-start: configuration bytes", config, ["0303a903" if model == "s" else "0303290c"])
    session = final.get("data", {}).get("session")
    batch = b.client.wait(5, b.topic(n, "record", "acceleration"), lambda v: v["session"] == session, mark)
    r.check("stream-start: a new session, announced, from seq 0 with config", batch and [session] != before and batch["seq"] == 0
            and batch.get("config", {}).get("rate_hz") == 200, session, batch and {k: batch[k] for k in batch if k != "samples"})
    count = b.do("now")
    replies, final = ask(b, n, "stream-start", {"id": "s2", "args": {"stream": "acceleration", "rate_hz": 200, "range_g": 16}})
    r.check("stream-start of the same configuration: done without effect", final.get("stage") == "done" and not wrote(b, n, count, "0303"),
            "done, no configuration write", (final, wrote(b, n, count)))
    done(b, r, "stream-start nearest", n, "stream-start", {"id": "s3", "args": {"stream": "acceleration", "rate_hz": 60, "nearest": True}},
         "response", lambda d: d.get("config", {}).get("rate_hz") == 50 and d.get("adjusted") == ["rate_hz"])
    done(b, r, "stream-start within 1 % (0.78)", n, "stream-start", {"id": "s4", "args": {"stream": "acceleration", "rate_hz": 12.45}},
         "response", lambda d: d.get("config", {}).get("rate_hz") == 12.5)
    mark = b.client.mark()
    done(b, r, "stream-start for_s", n, "stream-start", {"id": "s5", "args": {"stream": "temperature-thermistor", "every": "500ms", "for_s": 3}}, "response")
    time.sleep(5)
    mark = b.client.mark()
    time.sleep(2)
    r.check("stream-start for_s: it has ended", not b.client.since(mark, b.topic(n, "live", "temperature-thermistor")), "silence after 3 s",
            len(b.client.since(mark, b.topic(n, "live", "temperature-thermistor"))))
    now, mark = b.do("now"), b.client.mark()
    _, final = done(b, r, "stream-stop", n, "stream-stop", {"id": "s6", "args": {"stream": "acceleration"}}, "readback", lambda d: d.get("stopped") == ["acceleration"])
    time.sleep(2)  # whenever its last records come out
    late = [sample for m in b.client.since(mark, b.topic(n, "record", "acceleration")) for sample in json.loads(m[2])["samples"]
            if sample["ts_us"] > final.get("ts_ms", 0) * 1000]
    r.equal("stream-stop: nothing was measured after it was done", late, [])
    r.check("stream-stop: bytes switch sampling off", "03020001" in wrote(b, n, now), "03020001", wrote(b, n, now))
    done(b, r, "stream-stop of all, on another board", 6, "stream-stop", {"id": "s7", "args": {"stream": "*"}}, "readback",
         lambda d: "acceleration" in d.get("stopped", []))
    idle = b.client.wait(5, b.topic(6, "state"), lambda v: v["link"] == "idle", mark)
    r.check("stream-stop of all: state says idle within 5 s", idle, "idle", b.client.last(b.topic(6, "state")))
    done(b, r, "stream-start with defaults", 6, "stream-start", {"id": "s7b", "args": {"stream": "acceleration"}}, "response",
         lambda d: d.get("config", {}).get("rate_hz") == 50 and d["config"].get("range_g") == 4)
    done(b, r, "stream-start again", n, "stream-start", {"id": "s8", "args": {"stream": "acceleration", "rate_hz": 50, "range_g": 4}}, "response")
    done(b, r, "stream-start live_rate_hz 2", n, "stream-start", {"id": "s9", "args": {"stream": "acceleration", "rate_hz": 50, "range_g": 4,
                                                                                        "live_rate_hz": 2}}, "response")
    mark = b.client.mark()
    time.sleep(4)
    live = len(b.client.since(mark, b.topic(n, "live", "acceleration")))
    r.check("live_rate_hz 2 holds", 5 <= live <= 10, "about 8 in 4 s", live)


def refusals(b, r):
    n = 11
    before = b.do("now")
    refused(b, r, "unknown argument is named", n, "led", {"id": "x1", "args": {"color": "green", "colour": "green"}}, "invalid", ["colour"])
    refused(b, r, "unknown top-level key is named", n, "led", {"id": "x2", "args": {"color": "green"}, "urgent": True}, "invalid", ["urgent"])
    refused(b, r, "value out of range", n, "led", {"id": "x3", "args": {"color": "green", "repeat": 255}}, "invalid", ["repeat"])
    refused(b, r, "wrong type (number as string)", n, "led", {"id": "x4", "args": {"color": "green", "repeat": "5"}}, "invalid", ["repeat"])
    refused(b, r, "true for a number", n, "led", {"id": "x5", "args": {"color": "green", "repeat": True}}, "invalid", ["repeat"])
    refused(b, r, "fraction for an integer", n, "led", '{"id":"x6","args":{"color":"green","repeat":5.5}}', "invalid", ["repeat"], id="x6")
    refused(b, r, "required argument missing", n, "led", {"id": "x7", "args": {}}, "invalid", ["color"])
    refused(b, r, "unknown colour", n, "led", {"id": "x8", "args": {"color": "beige"}}, "invalid", ["color"])
    refused(b, r, "null argument", n, "led", '{"id":"x9","args":{"color":null}}', "invalid", id="x9")
    refused(b, r, "bare text for a verb with a required argument", n, "led", "PRESS", "invalid")
    refused(b, r, "stream rate that is not offered", n, "stream-start", {"id": "x10", "args": {"stream": "acceleration", "rate_hz": 60}}, "invalid", ["60", "50"])
    refused(b, r, "unknown stream", n, "stream-start", {"id": "x11", "args": {"stream": "accelleration"}}, "invalid", ["accelleration"])
    refused(b, r, "unknown `what`", n, "read", {"id": "x12", "args": {"what": "weather"}}, "invalid", ["what"])
    refused(b, r, "duration as bare number", n, "stream-start", {"id": "x13", "args": {"stream": "temperature-die", "every": 5}}, "invalid", ["every"])
    refused(b, r, "period shorter than reached by the pulse", n, "led", {"id": "x14", "args": {"color": "red", "high_ms": 500, "period_ms": 100}}, "invalid", ["period_ms"])
    refused(b, r, "identify for_s 31", n, "identify", {"id": "x15", "args": {"for_s": 31}}, "invalid", ["for_s"])
    refused(b, r, "expired", n, "led", {"id": "x16", "args": {"color": "green"}, "expires_ms": int(time.time() * 1000) - 1000}, "expired")
    refused(b, r, "expires_ms more than 10 min ahead", n, "led", {"id": "x17", "args": {"color": "green"}, "expires_ms": int(time.time() * 1000) + 11 * 60000}, "invalid")
    refused(b, r, "issued_ms in the future", n, "led", {"id": "x18", "args": {"color": "green"}, "issued_ms": int(time.time() * 1000) + 120000}, "invalid", ["issued_ms"])
    refused(b, r, "wrong args before expired (precedence)", n, "led", {"id": "x19", "args": {"color": "beige"}, "expires_ms": 1}, "invalid")
    refused(b, r, "unknown mode", n, "led", {"id": "x20", "args": {"color": "green"}, "mode": "later"}, "invalid", ["mode"])
    refused(b, r, "unknown verb", n, "dance", {"id": "x21"}, "invalid")
    refused(b, r, "raw is off by default", n, "raw", {"id": "x22", "args": {"confirm": b.ids[n - 1], "hex": "0b84"}}, "denied")

    for what, payload in {
            "JSON that breaks off": b'{"id":"y1","args":{', "an array": b'[1,2]', "invalid UTF-8": b'{"id":"\xff\xfe"}',
            "duplicate keys": b'{"id":"y2","args":{"color":"green","color":"red"}}', "NaN": b'{"id":"y3","args":{"color":"green","repeat":NaN}}',
            "Infinity": b'{"id":"y4","args":{"color":"green","repeat":Infinity}}', "U+0000": b'{"id":"y5","args":{"color":"gr\\u0000een"}}',
            "nesting 9": b'{"a":' * 8 + b'{}' + b'}' * 8, "nesting 5000": b'{"a":' * 5000 + b'1' + b'}' * 5000,
            "257 keys": json.dumps({"args": {f"k{i}": 1 for i in range(257)}}).encode(), "a string over 4 KiB": b'{"args":{"color":"' + b'g' * 4097 + b'"}}',
            "a payload over 16 KiB": b'{"args":{"color":"green"}' + b' ' * 16384 + b'}', "text after the object": b'{"args":{"color":"green"}} x',
            "an id with a blank": b'{"id":"a b","args":{"color":"green"}}',
            "an id of 65 characters": b'{"id":"' + b'a' * 65 + b'","args":{"color":"green"}}',
            "number 1e999": b'{"args":{"color":"green","repeat":1e999}}', "a lone surrogate": b'{"args":{"color":"\\ud800"}}'}.items():
        time.sleep(0.12)  # refusals are limited to 10/s
        mark = b.client.mark()
        b.client.publish(b.topic(n, "cmd", "led"), payload)
        reply = b.client.wait(5, b.topic(n, "reply", "led"), mark=mark) or {}
        r.check(f"unreadable: {what}", (reply.get("stage"), reply.get("code")) == ("failed", "invalid") and reply.get("id"), "failed/invalid with an id", reply)
    mark = b.client.mark()
    b.client.publish(b.topic(n, "cmd", "identify"), b"")
    b.client.publish(b.topic(n, "cmd", "identify"), b"", retain=True)
    time.sleep(1.5)
    r.equal("empty payload: no reply", [m[2] for m in b.client.since(mark, b.topic(n, "reply", "identify"))], [])
    r.equal("refused commands wrote nothing to the board", [w for w in wrote(b, n, before) if w[:2] in ("02", "08", "fe")], [])

    ghost = "metafleet/board/c0ffee00beef"
    refused(b, r, "board that nobody admitted", ghost, "led", {"id": "z1", "args": {"color": "green"}}, "unreachable", ["not admitted"])


def retained_commands(b, r):
    n = 12
    topic = b.topic(n, "cmd", "led")
    mark, before = b.client.mark(), b.do("now")
    b.client.publish(topic, {"id": "ret-1", "args": {"color": "green"}}, retain=True)
    reply = b.client.wait(5, b.topic(n, "reply", "led"), mark=mark) or {}
    r.equal("retained command: failed/retained", (reply.get("stage"), reply.get("code"), reply.get("id")), ("failed", "retained", "ret-1"))
    event = b.client.wait(5, b.topic(n, "event", "retained-command"), mark=mark)
    r.check("retained command: event", event and event.get("verb") == "led", "retained-command", event)
    cleared = until(5, lambda: any(m[2] == b"" for m in b.client.since(mark, topic)))
    time.sleep(0.3)
    late = Client(b.port, None, "outsider-late2", (topic,), persistent=False).start()
    late.subscribed.wait(5)
    time.sleep(0.5)
    r.check("retained command: the retained copy is cleared", cleared and not late.since(0), "empty retained publish", [m[2] for m in late.since(0)])
    late.stop()
    r.equal("retained command: never executed", wrote(b, n, before, "02"), [])


def once(b, r):
    n = 13
    body = {"id": "once-1", "args": {"color": "blue"}}
    now = b.do("now")
    replies, first = ask(b, n, "led", body)
    r.equal("once: first", first.get("stage"), "done")
    time.sleep(0.2)
    plays = len([w for w in wrote(b, n, now) if w == "020101"])
    mark = b.client.mark()
    b.client.publish(b.topic(n, "cmd", "led"), body)
    again = b.client.wait(5, b.topic(n, "reply", "led"), mark=mark) or {}
    r.equal("once: the repeat gets the stored final reply, marked duplicate", again, {**first, "duplicate": True})
    r.equal("once: the board got it once", len([w for w in wrote(b, n, now) if w == "020101"]), plays)
    refused(b, r, "same id, other body", n, "led", {"id": "once-1", "args": {"color": "red"}}, "duplicate-id-mismatch")
    done(b, r, "same id on another topic is another command", 14, "led", body, "readback")
    # three at once
    now, mark = b.do("now"), b.client.mark()
    for _ in range(3):
        b.client.client.publish(b.topic(n, "cmd", "led"), json.dumps({"id": "once-3", "args": {"color": "cyan"}}), qos=1)
    until(6, lambda: len([m for m in b.client.since(mark, b.topic(n, "reply", "led")) if json.loads(m[2])["stage"] == "done"]) >= 1)
    time.sleep(1)
    finals = [json.loads(m[2]) for m in b.client.since(mark, b.topic(n, "reply", "led")) if json.loads(m[2])["stage"] in FINAL]
    r.check("once: three deliveries at once, one execution", len([w for w in wrote(b, n, now) if w == "020101"]) == 1
            and len([f for f in finals if not f.get("duplicate")]) == 1, "one play, one plain final", (wrote(b, n, now, "02"), finals))


def batches(b, r):
    """Contract 3.11, and values of groups (4.2)."""
    n = 11
    two = [{"verb": "led", "args": {"color": "red"}}, {"verb": "read", "args": {"what": "battery"}}]
    results = lambda final: [x.get("stage") for x in final.get("data", {}).get("results", [])]
    now = b.do("now")
    replies, final = ask(b, n, "batch", {"id": "bat-1", "args": {"commands": two}})
    read = (final.get("data", {}).get("results") or [{}])[-1]
    r.check("batch: done, in one reply with each result", final.get("stage") == "done" and good_order(replies) and results(final) == ["done", "done"]
            and read.get("verb") == "read" and read.get("evidence") == "response" and "battery_pct" in read.get("data", {}), "two results, done", replies)
    r.check("batch: evidence is the weakest of its commands", final.get("evidence") == "response", "response", final)
    plays = len([w for w in wrote(b, n, now) if w == "020101"])
    mark = b.client.mark()
    b.client.publish(b.topic(n, "cmd", "batch"), {"id": "bat-1", "args": {"commands": two}})
    again = b.client.wait(6, b.topic(n, "reply", "batch"), lambda v: v.get("id") == "bat-1" and v.get("duplicate"), mark) or {}
    r.check("batch: a repeat gets the stored answer and runs nothing", again.get("data") == final.get("data") and plays == 1
            and len([w for w in wrote(b, n, now) if w == "020101"]) == 1, "duplicate, one play", again)
    bad = [{"verb": "profile", "args": {"name": "nosuch"}}, {"verb": "read", "args": {"what": "battery"}}]
    replies, final = ask(b, n, "batch", {"id": "bat-2", "args": {"commands": bad}})
    r.check("batch: a failure stops it", final.get("stage") == "failed" and results(final) == ["failed", "skipped"]
            and final.get("code") == final["data"]["results"][0].get("code"), "failed, skipped", replies)
    replies, final = ask(b, n, "batch", {"id": "bat-3", "args": {"commands": bad, "on_failure": "continue"}})
    r.check("batch: or does not, where that was asked for", final.get("stage") == "failed" and results(final) == ["failed", "done"], "failed, done", replies)
    now = b.do("now")
    for what, second, words in (("unknown verb", {"verb": "leed"}, ("commands[1].verb", "led")),
                                ("wrong argument", {"verb": "led", "args": {"color": "rde"}}, ("commands[1].args.color",)),
                                ("batch in a batch", {"verb": "batch", "args": {"commands": two}}, ("commands[1].verb",)),
                                ("verb of gateways", {"verb": "scan"}, ("commands[1].verb", "gateway")),
                                ("sleep without confirm", {"verb": "sleep"}, ("commands[1].args.confirm",))):
        refused(b, r, f"batch with {what}", n, "batch", {"args": {"commands": [two[0], second]}}, "invalid", words)
    refused(b, r, "batch with reset before the end", n, "batch", {"args": {"commands": [{"verb": "reset"}, two[1]]}}, "invalid", ("commands[0].verb",))
    r.equal("batch: what is refused writes nothing", wrote(b, n, now, "02"), [])
    ids = [b.ids[i] for i in range(b.count) if "lab" in (b.client.last(b.topic(i + 1, "info")) or {}).get("groups", [])]
    mark = b.client.mark()
    replies, final = ask(b, "metafleet/group/lab", "read", {"id": "grp-r", "args": {"what": "battery"}}, wait=40)
    for i in ids:
        value = b.client.wait(2, f"metafleet/board/{i}/reply/read", lambda v: v.get("id") == f"grp-r.{i}" and v.get("stage") in FINAL, mark) or {}
        r.check(f"group read: board {i} answers by itself", value.get("stage") != "done" or "battery_pct" in value.get("data", {}), "its value, or why not", value)


def comfort(b, r):
    mark = b.client.mark()
    b.client.publish(b.topic(15, "cmd", "read"), {"id": "mq5", "args": {"what": "battery"}}, ResponseTopic="outsider/answers", CorrelationData=b"\x01corr")
    b.client.wait(6, b.topic(15, "reply", "read"), lambda v: v["stage"] == "done", mark)
    time.sleep(0.5)
    answers = b.client.since(mark, "outsider/answers")
    r.check("MQTT 5: the response topic gets the same replies", [json.loads(m[2]) for m in answers] ==
            [json.loads(m[2]) for m in b.client.since(mark, b.topic(15, "reply", "read"))] and answers, "same stages", [m[2] for m in answers])
    r.check("MQTT 5: correlation data is echoed", answers and all(getattr(m[5], "CorrelationData", None) == b"\x01corr" for m in answers), "on each",
            [getattr(m[5], "CorrelationData", None) for m in answers])
    told = {(getattr(m[5], "ContentType", None), getattr(m[5], "PayloadFormatIndicator", None))
            for m in answers + b.client.since(mark, b.topic(15, "reply", "read"))}
    r.equal("MQTT 5: replies say that they are JSON, and text", told, {("application/json", 1)})
    import paho.mqtt.client as mqtt
    old = mqtt.Client(client_id="outsider-311", protocol=mqtt.MQTTv311)
    got = []
    old.on_message = lambda c, u, m: got.append(json.loads(m.payload))
    old.connect("127.0.0.1", b.port)
    old.subscribe(b.topic(15, "reply", "read"), 1)
    old.loop_start()
    time.sleep(0.3)
    old.publish(b.topic(15, "cmd", "read"), '{"id":"old","args":{"what":"battery"}}', qos=0)
    until(6, lambda: any(g["stage"] == "done" for g in got))
    old.loop_stop()
    old.disconnect()
    r.check("MQTT 3.1.1, QoS 0: a command works", any(g["stage"] == "done" for g in got), "done", got)


def life(b, r):
    n = 16
    uid = b.do("status", board=n)[0]["reset_uid"]
    mark, now = b.client.mark(), b.do("now")
    replies, final = done(b, r, "reset", n, "reset", "PRESS", "readback", lambda d: d.get("boot") == 2, wait=65, topic=b.topic(n))
    r.check("reset: FE 01, once", wrote(b, n, now, "fe01") == ["fe01"] and b.do("status", board=n)[0]["reset_uid"] == (uid + 1) % 8, "fe01", wrote(b, n, now, "fe"))
    event = b.client.wait(10, b.topic(n, "event", "reset"), mark=mark)
    r.check("reset: event commanded, with boot and reset_uid", event and event["event_type"] == "commanded" and event.get("boot") == 2 and event.get("reset_uid") == (uid + 1) % 8, "boot 2", event)
    r.equal("reset: the board streams again within 20 s", b.wait_samples(20, [n], b.client.mark()), [])
    batch = b.client.wait(5, b.topic(n, "record", "acceleration"), lambda v: v.get("boot") == 2, mark)
    r.check("reset: batches carry boot 2", batch, "boot 2", None)
    state = b.client.wait(5, b.topic(n, "state"), lambda v: v.get("boot") == 2, mark)
    r.check("reset: state.boot within 5 s (I8)", state, 2, (b.client.last(b.topic(n, "state")) or {}).get("boot"))

    n = 17
    mark, now = b.client.mark(), b.do("now")
    done(b, r, "disconnect with hold", n, "disconnect", {"id": "d1", "args": {"hold_s": 4}}, "response")
    r.check("disconnect: by the board (FE 06)", wrote(b, n, now, "fe") == ["fe06"], "fe06", wrote(b, n, now, "fe"))
    time.sleep(2)
    r.check("disconnect: held away", not b.do("status", board=n)[0]["connected"], "no link during hold_s", b.do("status", board=n)[0])
    state = b.client.last(b.topic(n, "state")) or {}
    r.check("disconnect: state is not streaming", state.get("link") not in ("streaming", "connecting"), "idle or advertising", state)
    r.equal("disconnect: back after the hold", b.wait_samples(20, [n], b.client.mark()), [])
    now = b.do("now")
    done(b, r, "disconnect by host", n, "disconnect", {"id": "d2", "args": {"by": "host"}}, "response")
    r.equal("disconnect by host: no FE 06", wrote(b, n, now, "fe06"), [])
    r.equal("disconnect by host: back", b.wait_samples(25, [n], b.client.mark()), [])

    n = 18
    b.do("deaf", board=n, on=True)
    replies, final = ask(b, n, "read", {"id": "m1", "args": {"what": "battery"}}, wait=40)
    r.check("deaf board: read ends failed or unknown, not before 5 s nor after 40 s", final.get("stage") in ("failed", "unknown"), "board-error", replies)
    replies, final = ask(b, n, "led", {"id": "m2", "args": {"color": "red"}}, wait=60)
    b.do("deaf", board=n, on=False)
    r.check("deaf board: led ends within expiry and proves nothing", final.get("stage") in ("failed", "unknown") or
            final.get("evidence") == "link-write", "link-write at most", replies)
    r.equal("deaf board: streams again", b.wait_samples(60, [n], b.client.mark()), [])


def gateway_verbs(b, r):
    def gate(verb, payload, wait=20):
        return ask(b, b.gateway_topic(), verb, payload, wait)
    new, address = b.ids[0][:8] + "00aa", "C1:0D:0E:0F:00:AA"
    replies, final = gate("scan", {"id": "g-scan", "args": {"for_s": 2}})
    boards = final.get("data", {}).get("boards", [])
    r.check("scan: done, with the boards of the air", final.get("stage") == "done" and "evidence" not in final and all(
        set(x) >= {"board", "name", "rssi_dbm", "adapter", "admitted", "bootloader"} for x in boards), "boards", replies)
    replies, final = gate("admit", {"id": "g-admit", "args": {"board": address, "name": "Newcomer", "profile": "moving", "groups": ["lab"]}})
    r.check("admit: done", final.get("stage") == "done" and final.get("data") == {"board": new, "created": True}, "created", replies)
    info = b.client.wait(6, f"metafleet/board/{new}/info")
    r.check("admit: info of the new board", info and info["name"] == "Newcomer" and info.get("profile") == "moving", "info", info)
    gw = b.client.wait(6, b.gateway_topic("info"), lambda v: new in v["boards"])
    r.check("admit: gateway info lists it", gw, "owned", (b.client.last(b.gateway_topic("info")) or {}).get("boards"))
    event = b.client.wait(5, b.gateway_topic("event", "board-admitted"), lambda v: v["board"] == new)
    r.check("admit: event board-admitted by command", event and event["by"] == "command", "by command", event)
    replies, final = gate("admit", {"id": "g-admit2", "args": {"board": new, "name": "Renamed"}})
    r.check("admit again: updated", final.get("stage") == "done" and final.get("data") == {"board": new, "created": False}, "created false", replies)
    replies, final = gate("admit", {"id": "g-admit3", "args": {"board": b.ids[0], "name": "Mine"}})
    r.equal("admit of a board of the file: invalid", (final.get("stage"), final.get("code")), ("failed", "invalid"))
    replies, final = gate("admit", {"id": "g-admit4", "args": {"board": "C1:0D:0E:0F:00:AB", "profile": "nosuch"}})
    r.equal("admit with unknown profile: invalid", (final.get("stage"), final.get("code")), ("failed", "invalid"))
    replies, final = ask(b, f"metafleet/board/{new}", "led", {"id": "away", "args": {"color": "green"}, "expires_ms": int(time.time() * 1000) + 4000}, wait=12)
    r.check("command for an admitted board that is away: unreachable at its expiry", (final.get("stage"), final.get("code")) == ("failed", "unreachable")
            and final.get("took_ms", 0) >= 3000, "failed/unreachable after 4 s", replies)
    mark = b.client.mark()
    replies, final = gate("forget", {"id": "g-forget", "args": {"board": new}})
    r.check("forget: done", final.get("stage") == "done" and final["data"].get("board") == new and final["data"].get("topics_cleared", 0) >= 3, "topics_cleared ≥ 3", replies)
    until(5, lambda: any(m[1] == f"metafleet/board/{new}/led" and not m[2] for m in b.client.since(mark)))
    late = Client(b.port, None, "outsider-late3", (f"metafleet/board/{new}/#",), persistent=False).start()
    late.subscribed.wait(5)
    time.sleep(0.7)
    r.equal("forget: no retained topic stays behind", [m[1] for m in late.since(0)], [])
    late.stop()
    replies, final = gate("forget", {"id": "g-forget2", "args": {"board": new}})
    r.equal("forget of an unknown board: invalid", (final.get("stage"), final.get("code")), ("failed", "invalid"))
    replies, final = gate("forget", {"id": "g-forget3", "args": {"board": b.ids[0]}})
    r.equal("forget of a board of the file: invalid", (final.get("stage"), final.get("code")), ("failed", "invalid"))
    replies, final = gate("dance", {"id": "g-x"})
    r.equal("unknown gateway verb: invalid", (final.get("stage"), final.get("code")), ("failed", "invalid"))
    replies, final = ask(b, "metafleet/group/lab", "led", {"id": "grp-1", "args": {"color": "green", "pattern": "flash"}}, wait=15)
    print(f"# group command: {json.dumps(final)[:300] or 'no reply'}")
