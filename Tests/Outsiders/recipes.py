"""What boards do by themselves, set up by commands alone: each recipe is played on each model, and the board's own recording says what became of it."""
import struct

from bench import until
from recipe_bench import fired, led, motor

THIRD = [{"comparator": 1}, "counter", {"math": {"op": "modulus", "value": 3}}, {"comparator": 0}]
FLASH = {"pattern": "flash", "repeat": 1}


def light(colour):
    return {"verb": "led", "args": {"color": colour, **FLASH}}


def words(form, entry):
    return struct.unpack("<" + form, bytes.fromhex(entry["data"]))


def gravities(entry):
    """Of 4 g in 16 bits."""
    return [x / 8192 for x in words("3h" if len(entry["data"]) == 12 else "H", entry)]


def near(values, truth):
    """Values have five places, or four."""
    return len(values) == len(truth) and all(abs(v - t) < 6e-5 for v, t in zip(values, truth))


def follow(values, truth):
    """Whether `values` are of `truth`, in their order."""
    rest = iter(truth)
    return all(any(near(v, t) for t in rest) for v in values)


def every_third_press(b):
    b.does("every third press: the chain", "processor-create", {"name": "third", "from": "switch", "chain": THIRD}, "readback", lambda d: d["stream"] == "third" and len(d["processors"]) == 4)
    b.does("every third press: what it does", "event-bind", {"name": "third-light", "source": "processor:third", "action": light("red")}, "response", lambda d: len(d["event_slots"]) == 3)
    mark, seen = b.mark(), b.client.mark()
    b.press(6)
    lit = b.shows(mark, led("red"), 2)
    presses = b.shows(mark, lambda x: x.get("fired") == "switch" and x["data"] == "01", 6)
    b.r.equal(f"{b.model}: every third press: the LED lights with the third and the sixth, and with no other", [x["t_s"] for x in lit], [x["t_s"] for x in (presses[2], presses[5])])
    b.sees(("record", "third"), lambda v: v["seq"] + v["count"] >= 2, seen)
    b.r.equal(f"{b.model}: every third press: comes as a sample each", [v["third"] for v in b.samples(seen, "record", "third")], [0, 0])
    b.tidy()


def activity_gate(b):
    source = {"from": "acceleration", "rate_hz": 50, "range_g": 4}
    gate = b.does("activity gate: closed", "processor-create", {"name": "gate", **source, "chain": [{"passthrough": {"mode": "conditional", "count": 0}}]}, "readback")["processors"][0]
    active = b.does("activity gate: what opens it", "processor-create",
                    {"name": "active", **source, "chain": ["rms", {"average": 4}, {"threshold": {"boundary_g": 1.0, "mode": "binary"}}]}, "readback")["processors"][-1]
    for name, value, state in (("lively", 1, 1), ("calm", -1, 0)):
        b.does(f"activity gate: {name}", "processor-create", {"name": name, "from": "active", "chain": [{"comparator": value}], "to": []}, "readback")
        b.does(f"activity gate: {name} sets it", "event-bind",
               {"name": name, "source": f"processor:{name}", "action": {"verb": "processor-set", "args": {"name": "gate", "step": 0, "state": state}}}, "response")
    mark, seen = b.mark(), b.client.mark()
    b.play("shake {} 2s")
    turns = b.shows(mark, fired("processor", 3, active), 2)
    if not b.r.equal(f"{b.model}: activity gate: moved once, and calm again", [x["data"] for x in turns], ["01", "ff"]): return b.tidy()
    opened, closed = turns[0]["t_s"], turns[1]["t_s"]
    passed = b.shows(mark, fired("processor", 3, gate), 80)
    b.r.check(f"{b.model}: activity gate: samples pass only while it moves", len(passed) >= 80 and all(opened <= x["t_s"] <= closed for x in passed), "between", (opened, closed, len(passed)))
    b.sees(("record", "gate"), lambda v: v["seq"] + v["count"] >= len(passed), seen)
    samples = b.samples(seen, "record", "gate")
    values, truth = [[s[f"gate_{axis}_g"] for axis in "xyz"] for s in samples], [gravities(x) for x in passed]
    b.r.check(f"{b.model}: activity gate: they are published, each once", len(values) == len(truth) and all(map(near, values, truth)), truth[:3], values[:3])
    b.sees(("record", "active"), lambda v: v["seq"] + v["count"] >= 2, seen)
    b.r.equal(f"{b.model}: activity gate: and when it opened and closed", [v["active"] for v in b.samples(seen, "record", "active")], [1, -1])
    b.tidy()


def spaces(times):
    return [z - a for a, z in zip(times, times[1:])]


def logged(b, what, create, period_s, decode, chunks):
    """A chain whose output is logged while nobody is there: what is read out afterwards is what the board computed, so far apart."""
    name = create["name"]
    leaf = b.does(f"{what}: the chain", "processor-create", {**create, "to": []}, "readback")["processors"][-1]
    mark, seen = b.mark(), b.client.mark()
    b.does(f"{what}: its output is logged", "log-start", {"streams": {name: {}}}, "readback", lambda d: len(d["loggers"][name]) == chunks)
    gone = b.leave()
    away = b.shows(gone, fired("processor", 3, leaf), 8)
    b.r.check(f"{b.model}: {what}: the board goes on without a link", len(away) >= 8 and not b.shows(gone, lambda x: x.get("link") == "up", wait=0), "8", away[-1:])
    b.come_back()
    b.does(f"{what}: is read out", "log-download", {"resume": False}, "readback", lambda d: d["complete"] and d["entries_lost"] == 0)
    entries = len(b.shows(mark, lambda x: x.get("log", "").startswith("logged"), wait=0))
    until(30, lambda: len(b.samples(seen, "log", name)) * chunks >= entries, 0.1)
    rows = b.samples(seen, "log", name)
    b.r.equal(f"{b.model}: {what}: as many samples as the board logged", len(rows) * chunks, entries)
    values = [[v for k, v in row.items() if k != "ts_us"] for row in rows]
    truth, alone = ([decode(x) for x in entries] for entries in (b.shows(mark, fired("processor", 3, leaf)), away))
    b.r.check(f"{b.model}: {what}: each is what the board computed", len(rows) >= len(away) and follow(values, truth), truth[:3], values[:3])
    place = next((i for i in range(len(values)) if len(values) >= i + len(alone) and all(map(near, values[i:], alone))), None)
    b.r.check(f"{b.model}: {what}: what it computed without a link is there, without a hole", place is not None, alone[:3], values)
    told, true = spaces([row["ts_us"] / 1e6 for row in rows[place or 0:(place or 0) + len(alone)]]), spaces([x["t_s"] for x in away])
    # A tick is 1.5 ms, and the chain has a sample each 10 or 20 ms; a busy computer may leave some out, and never adds one.
    b.r.check(f"{b.model}: {what}: not less than {period_s} s apart, mostly that, and as far as on the board", len(true) >= 7 and min(true) > period_s - 0.03
              and sorted(true)[len(true) // 2] < period_s + 0.03 and len(told) == len(true) and all(abs(x - y) < 0.01 for x, y in zip(told, true)), true, told)
    b.does(f"{what}: no longer logged", "log-stop", {}, "readback")
    b.tidy()


def throttled_log(b):
    logged(b, "throttled log", {"name": "slow", "from": "euler", "mode": "imuplus", "chain": [{"time": {"period_ms": 200}}]}, 0.2,
           lambda x: words("4f", x), 4)


def delayed_log(b):
    logged(b, "delayed log", {"name": "late", "from": "acceleration", "rate_hz": 50, "range_g": 4, "chain": ["rms", {"time": {"period_ms": 160}}, {"delay": 2}]}, 0.16, gravities, 1)


def boot_macros(b):
    """One lights at every start, one makes the reaction to a press anew, one runs when it is told."""
    b.does("boot macro", "macro-record", {"name": "hello", "at_boot": True, "action": light("blue")}, "readback", lambda d: d["verified"])
    b.does("macro with an event in it", "macro-record", {"name": "reaction", "at_boot": True, "action": {"verb": "event-bind", "args": {
        "name": "pressed", "source": "button-press", "action": light("green")}}}, "readback", lambda d: d["verified"])
    mark = b.mark()
    b.does("macro by hand", "macro-record", {"name": "buzz", "action": {"verb": "haptic", "args": {"pulse_ms": 123}}}, "readback", lambda d: d["verified"])
    b.r.check(f"{b.model}: macro by hand: is carried out when it is told", not b.shows(mark, motor(0.123), wait=0), "nothing")
    b.does("macro by hand: runs", "macro-run", {"name": "buzz"}, "response")
    b.r.equal(f"{b.model}: macro by hand: the motor runs", len(b.shows(mark, motor(0.123))), 1)
    b.refuses("a data token into a macro is refused", "event-bind", {"name": "no", "source": "button", "action": {
        "verb": "macro-run", "args": {"name": "buzz"}, "token": {"length": 1}}}, "unsupported", "token")
    b.does("macros are listed", "macro-list", {}, "response", lambda d: [(m["name"], m["at_boot"], m["owner"]) for m in d["macros"]] == [
        ("hello", True, "ours"), ("reaction", True, "ours"), ("buzz", False, "ours")])
    gone = b.leave()
    b.play("reset {}")
    b.r.check(f"{b.model}: boot macro: the LED lights at the start, without a link", b.shows(gone, led("blue")), "blue", b.shows(gone, lambda x: True, wait=0))
    b.press()
    lit = b.shows(gone, led("green"))
    b.r.equal(f"{b.model}: macro with an event in it: a press behind the reset lights the LED, and no gateway was there", (len(lit), b.shows(gone, lambda x: x.get("link") == "up", wait=0)), (1, []))
    b.come_back()
    mark = b.mark()
    b.does("the event is there, and nobody's", "read", {"what": "resources"}, "response", lambda d: {e["owner"] for e in d["events"]} == {"foreign"})
    b.press()
    b.r.equal(f"{b.model}: macro with an event in it: with the gateway a press lights it once", len(b.shows(mark, led("green"))), 1)
    b.does("macros are erased", "macro-erase", {"confirm": b.id}, "readback", lambda d: d["erased"] == 3)
    b.tidy()


def data_token(b):
    """The number of the press becomes a byte of the motor's pulse: 256 ms and that many."""
    b.does("data token: presses are counted", "processor-create", {"name": "presses", "from": "switch", "chain": [{"comparator": 1}, {"counter": {"size": 1}}], "to": []}, "readback")
    b.does("data token: into the pulse of the motor", "event-bind", {"name": "count", "source": "processor:presses", "action": {
        "verb": "haptic", "args": {"pulse_ms": 256}, "token": {"length": 1, "dest": 1}}}, "response")
    mark = b.mark()
    b.press(3)
    b.r.equal(f"{b.model}: data token: each pulse is as long as its press says", [x["for_s"] for x in b.shows(mark, lambda x: "motor_pct" in x, 3)], [0.257, 0.258, 0.259])
    b.tidy()


def without_a_link(b):
    """Timer to LED, button to LED and motor, and what the loss of the link itself sets off."""
    b.does("timer to LED", "timer-create", {"name": "tick", "period_ms": 300, "action": light("blue")}, "response")
    b.does("press to LED", "event-bind", {"name": "press", "source": "button-press", "action": light("green")}, "response")
    b.does("release to motor", "event-bind", {"name": "release", "source": "button-release", "action": {"verb": "haptic", "args": {"pulse_ms": 77}}}, "response")
    b.does("every third press: the chain", "processor-create", {"name": "third", "from": "switch", "chain": THIRD, "to": []}, "readback")
    b.does("every third press to motor", "event-bind", {"name": "third", "source": "processor:third", "action": {"verb": "haptic", "args": {"pulse_ms": 444}}}, "response")
    b.does("disconnect to motor", "event-bind", {"name": "lonely", "source": "disconnect", "action": {"verb": "haptic", "args": {"pulse_ms": 333}}}, "response")
    mark = b.mark()
    gone = b.leave()
    b.r.equal(f"{b.model}: disconnect to motor: once, when the link is lost", len(b.shows(mark, motor(0.333))), 1)
    lit = [x["t_s"] for x in b.shows(gone, led("blue"), 4)]
    b.r.check(f"{b.model}: timer to LED: each 300 ms, without a link", len(lit) >= 4 and all(abs(z - a - 0.3) < 0.001 for a, z in zip(lit, lit[1:])), "300 ms", lit)
    b.press(7)
    found = [len(b.shows(gone, test, count)) for test, count in ((motor(0.077), 7), (led("green"), 7), (motor(0.444), 2))]
    b.r.equal(f"{b.model}: press to LED, release to motor, every third press to motor, without a link", (found, b.shows(gone, lambda x: x.get("link") == "up", wait=0)), ([7, 7, 2], []))
    b.come_back()
    b.does("timer to LED: stops", "timer-stop", {"name": "tick"}, "link-write")
    b.tidy()


def pulse(b):
    """Width, area and peak of a pulse at a pin, which firmware from 1.7 on no longer tells."""
    source = {"from": "gpio-1-adc", "every": "100ms"}
    b.play("pin {} 1 200")
    for output in ("width", "area", "peak"):
        chain = [{"pulse": {"threshold": 300, "samples": 2, "output": output}}]
        args = {"name": f"pulse-{output}", **source, "chain": chain}
        if b.model != "r":
            b.refuses(f"pulse {output}: refused from firmware 1.7 on", "processor-create", args, "unsupported", "since firmware 1.7")
            continue
        leaf = b.does(f"pulse {output}", "processor-create", args, "readback")["processors"][-1]
        mark, seen = b.mark(), b.client.mark()
        b.play("pin {} 1 1700")
        b.shows(mark, fired("timer"), 6)
        b.play("pin {} 1 200")
        truth = b.shows(mark, fired("processor", 3, leaf))
        value = b.sees(("live", f"pulse-{output}"), mark=seen)
        b.r.check(f"{b.model}: pulse {output}: the sample is what the board computed", truth and value and value[f"pulse_{output}"] == int.from_bytes(bytes.fromhex(truth[0]["data"]), "little") >= 3,
                  truth, value)
        b.tidy()
    leaf = b.does("pulse detect", "processor-create", {"name": "pulse-detect", **source, "chain": [{"pulse": {"threshold": 300, "samples": 2}}]}, "readback")["processors"][-1]
    seen = b.client.mark()
    b.play("pin {} 1 1700")
    b.r.check(f"{b.model}: pulse detect: a sample for each", b.sees(("live", "pulse-detect"), lambda v: v["pulse_detect"] == 1, seen), 1)
    b.tidy()



def number(data, format="u", big_endian=True):
    return int.from_bytes(data, "big" if big_endian else "little", signed=format == "i")


def bus_registers(b):
    """Registers of devices on both buses, streamed, logged without a link, and computed with: what comes is what a direct read of them says."""
    level = {"device": 28, "register": 42, "length": 2}
    low_g = {"pins": {"ss": 10, "sck": 0, "mosi": 11, "miso": 7}, "clock_hz": 8_000_000, "hex": "da", "length": 4}
    b.does("bus registers: the device is told what it holds", "i2c-write", {"device": 28, "register": 42, "hex": "fffe"}, "link-write")
    truth = {bus: bytes.fromhex(b.does(f"bus registers: a direct read of {bus}", f"{bus}-read", keys, "response").get("hex", "")) for bus, keys in (("i2c", level), ("spi", low_g))}
    forms = ({}, {"format": "i"}, {"big_endian": False}, {"format": "i", "big_endian": False})
    for bus, keys in (("i2c", level), ("spi", low_g)):
        for n, form in enumerate(forms):
            seen, name = b.client.mark(), f"{bus}-form-{n}"
            b.does(f"bus registers: {name}", "stream-start", {"stream": name, "every": "500ms", **keys, **form}, "response")
            want = number(truth[bus], **form)
            b.r.check(f"{b.model}: bus registers: {name} is {want}", b.sees(("live", name), lambda v: v[f"form_{n}_raw"] == want, seen), want, b.documents(seen, "live", name)[-2:])
    b.does("bus registers: streams end", "stream-stop", {"stream": "*"})
    b.refuses("bus registers: a stream without its register", "stream-start", {"stream": "i2c-level", "device": 28, "length": 1}, "invalid", "register")
    b.refuses("bus registers: nobody is at address 29", "stream-start", {"stream": "i2c-nobody", "every": "500ms", "device": 29, "register": 0, "length": 1}, "board-error", "address 29 of the I2C bus")
    bus_chains(b, level)
    bus_logs(b, level, low_g, truth)


def bus_chains(b, level):
    """Streams are polled beside: no chain counts what the host reads, nor what another chain does."""
    little = {**level, "big_endian": False}
    raw = number(bytes.fromhex("fffe"), big_endian=False)
    b.does("bus chains: a stream beside", "stream-start", {"stream": "i2c-level", "every": "100ms", **level}, "response")
    for name, keys, chain, want in (("same", level, ["passthrough"], 0xFFFE), ("double", little, [{"math": {"op": "multiply", "value": 2}}], 2 * raw)):
        seen = b.client.mark()
        b.does(f"bus chains: {name}", "processor-create", {"name": name, "from": f"i2c-{name}", "every": "200ms", **keys, "chain": chain}, "readback")
        b.r.check(f"{b.model}: bus chains: {name} is {want}", b.sees(("live", name), lambda v: v[name] == want, seen), want, b.documents(seen, "live", name)[-2:])
    b.refuses("bus chains: none computes with the highest byte first", "processor-create", {"name": "no", "from": "i2c-no", "every": "1s", **level, "chain": [{"average": 4}]}, "invalid", "big_endian")
    mark = b.mark()
    leaf = b.does("bus chains: reads are counted", "processor-create", {"name": "reads", "from": "i2c-level", "every": "500ms", **level, "chain": ["counter"], "to": []}, "readback")["processors"][-1]
    counted = b.shows(mark, fired("processor", 3, leaf), 4)
    b.r.check(f"{b.model}: bus chains: its own timer's alone", len(counted) >= 4 and all(abs(x - 0.5) < 0.01 for x in spaces([c["t_s"] for c in counted])), "500 ms apart", [c["t_s"] for c in counted])
    b.does("bus chains: the stream ends", "stream-stop", {"stream": "*"})
    b.tidy()


def bus_logs(b, level, low_g, truth):
    """Three registers at once, of which one is read when the button is pressed; the board is alone meanwhile."""
    seen = b.client.mark()
    streams = {"i2c-level": {**level, "format": "i", "every": "200ms"}, "spi-low-g": {**low_g, "every": "300ms"}, "i2c-rare": {"device": 28, "register": 13, "length": 1, "every": "1h"}}
    b.does("bus logs: begin", "log-start", {"streams": streams}, "readback", lambda d: set(d["loggers"]) == set(streams))
    b.does("bus logs: a press reads", "event-bind", {"name": "look", "source": "button-press", "action": {
        "verb": "i2c-read", "args": {"device": 28, "register": 13, "length": 1, "deliver": "log"}}}, "response")
    gone = b.leave()
    b.press(3)
    b.shows(gone, lambda x: x.get("log", "").startswith("logged"), 15)
    b.come_back()
    b.does("bus logs: are read out", "log-download", {"resume": False}, "readback", lambda d: d["complete"] and d["entries_lost"] == 0)
    wanted = {"i2c-level": (number(truth["i2c"], "i"), 5), "spi-low-g": (number(truth["spi"]), 3), "i2c-rare": (0x2A, 3)}
    for name, (value, least) in wanted.items():
        key = name[4:].replace("-", "_") + "_raw"
        until(30, lambda: len(b.samples(seen, "log", name)) >= least, 0.1)
        rows = b.samples(seen, "log", name)
        b.r.check(f"{b.model}: bus logs: {name} is {value} each time", len(rows) >= least and {r[key] for r in rows} == {value} and (name != "i2c-rare" or len(rows) == 3), (value, least), rows[:4])
    times = [r["ts_us"] / 1e6 for r in b.samples(seen, "log", "i2c-level")]
    # A busy computer may leave some out, and never adds one.
    b.r.check(f"{b.model}: bus logs: each 200 ms, without a link too", len(times) >= 5 and min(spaces(times)) > 0.19 and sorted(spaces(times))[len(times) // 2 - 1] < 0.21, "200 ms", times)
    b.does("bus logs: end", "log-stop", {}, "readback")
    b.does("bus logs: the log is empty", "log-clear", {"confirm": b.id, "discard": 100_000}, "readback")
    b.tidy()


ALL = [every_third_press, activity_gate, throttled_log, delayed_log, boot_macros, data_token, without_a_link, pulse, bus_registers]
