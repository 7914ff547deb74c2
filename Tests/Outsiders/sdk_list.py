"""What the vendor's SDKs do with a MetaMotion, item by item, as verbs over MQTT: which models do it, by which evidence, and where it is seen; which refuse it,
and how. deploy/docs/sdk-coverage.md has the same list in words."""
import collections
import json

from bench import until
from recipe_bench import fired, led, motor

# verb and arguments; evidence and what the data are; stimulus, the topic where it is seen, what the recording has; models that refuse, with code and words.
Item = collections.namedtuple("Item", "name verb args evidence data play sees shows refused")
NEVER = {}
PINS = {"ss": 10, "sck": 0, "mosi": 11, "miso": 7}


def item(name, verb, args=None, evidence="readback", data=lambda d: True, play=None, sees=None, shows=None, refused=NEVER):
    return Item(name, verb, args or {}, evidence, data, play, sees, shows, refused)


def read(name, what, data, refused=NEVER, play=None, **keys):
    return item(name, "read", {"what": what, **keys}, "response", data, play, refused=refused)


def between(key, low, high):
    return lambda d: low <= d.get(key, low - 1) <= high


def only(models, words="has no stream"):
    """Refused by the other models."""
    return {m: ("unsupported", words) for m in ("s", "rl", "r") if m not in models.split()}


def stream(name, field, test=lambda v: True, evidence="response", play=None, refused=NEVER, **keys):
    return item(f"stream {name}" + (f" {json.dumps(keys)}" if keys else ""), "stream-start", {"stream": name, **keys}, evidence, play=play,
                sees=(("live", name), lambda v: field in v and test(v)), refused=refused)


def detector(name, kind, kinds, play, models="s rl r", **keys):
    return item(f"detector {name} {json.dumps(keys)}", "stream-start", {"stream": name, **keys}, "readback", play=play,
                sees=(("event", kind), lambda v: v["event_type"] in kinds), refused=only(models))


STOP = item("streams are stopped", "stream-stop", {"stream": "*"}, None)

ABOUT = [
    read("device information", "device", lambda d: d["model_id"] in ("5", "8") and d["fw"] and d["serial"] and d["hw"] and d["manufacturer"]),
    read("modules", "module-info", lambda d: {"switch", "led", "accelerometer", "macro", "debug"} <= set(d["modules"])),
    read("one module", "module-info", lambda d: d["modules"]["gyroscope"]["present"], module="gyroscope"),
    read("address", "mac", lambda d: d["address"].startswith("C0:FF:EE:00:00:")),
    read("signal strength", "rssi", between("rssi_dbm", -100, -20)),
    read("battery", "battery", lambda d: 0 < d["battery_pct"] <= 100 and 3000 < d["battery_mv"] < 4300),
    read("external power", "power-status", lambda d: d["power_present"] == 1, play="charger {} on"),
    read("charging", "charge-status", lambda d: d["charge_active"] == 1),
    read("no external power", "power-status", lambda d: d["power_present"] == 0, play="charger {} off"),
    read("the button", "switch", lambda d: d["pressed"] == 1, play="press {}"),
    read("the button, released", "switch", lambda d: d["pressed"] == 0, play="release {}"),
    read("entries of the log", "log-length", lambda d: d["entries"] == 0),
    read("clock of the log", "log-time", lambda d: d["tick"] > 0 and 0 <= d["reset_uid"] <= 7),
    read("settings", "settings", lambda d: d["name"] == "MetaWear" and d["tx_dbm"] == 0),
    read("resources", "resources", lambda d: set(d) == {"loggers", "processors", "timers", "events", "macros"}),
    read("free stack", "stack", lambda d: d["free_bytes"] > 0),
    read("queue usage", "queue-usage", lambda d: len(d["hex"]) >= 2),
    read("cause of the reset", "reset-cause", lambda d: d["cause"] == "power-on", only("s rl", "cannot report")),
    read("health of the flash", "flash-health", lambda d: d["pages_lost"] == 0, only("s", "cannot report")),
    item("debug key", "raw", {"confirm": "$ID", "hex": ["fe0401020304", "fe84"], "answers": 1, "timeout_ms": 10_000}, "response", lambda d: d["packets"] == ["fe8401020304"]),
    item("a spoofed press", "raw", {"confirm": "$ID", "hex": "fe0301010001"}, "link-write", sees=(("event", "button"), lambda v: v["event_type"] == "press")),
]
VALUES = [
    read("die's temperature", "temperature", between("temperature_c", 32, 45), source="die", play="temperature {} 33"),
    read("thermistor", "temperature", between("temperature_c", 32, 34), source="thermistor"),
    read("barometer's temperature", "temperature", between("temperature_c", 32, 34), only("s r", "cannot read"), source="bmp280"),
    read("external thermistor", "temperature", between("temperature_c", 32, 34), source="external", data_pin=0, pulldown_pin=1),
    read("channel of temperature", "temperature", between("temperature_c", 32, 34), channel=1),
    read("pressure", "pressure", between("pressure_pa", 98_750, 98_780), only("s r", "cannot read"), play="pressure {} 98765"),
    read("humidity", "humidity", None, only("", "cannot read")),
    read("pin, digital", "gpio", lambda d: d["level"] == 1, play="pin {} 1 high", pin=1, kind="digital"),
    read("pin, in millivolts", "gpio", between("voltage_mv", 890, 910), play="pin {} 1 900", pin=1, kind="voltage"),
    read("pin, in counts", "gpio", lambda d: 300 <= d["adc_counts"] <= 520, pin=1, kind="adc"),
    read("accelerometer's configuration", "sensor-config", lambda d: d["range_g"] in (2, 4, 8, 16), module="accelerometer"),
    read("gyroscope's configuration", "sensor-config", lambda d: d["range_dps"] in (125, 250, 500, 1000, 2000), module="gyroscope"),
]
OUTPUTS = [
    *[item(f"LED {p}", "led", {"color": c, "pattern": p}, "readback", lambda d: d["playing"], shows=led(c)) for p, c in
      (("solid", "green"), ("blink", "red"), ("breathe", "blue"), ("flash", "green"))],
    item("LED by channels", "led", {"channels": {"red": {"high": 10, "low": 0, "high_ms": 200, "period_ms": 800}, "green": {"high": 31, "low": 0, "high_ms": 300, "period_ms": 800}}},
         shows=lambda x: sorted(x.get("led", [])) == ["green", "red"]),
    item("LED pauses", "led", {"state": "PAUSE"}, None, data=lambda d: not d["playing"]),
    item("LED plays", "led", {"state": "PLAY"}, data=lambda d: d["playing"]),
    item("LED plays what comes", "led", {"state": "AUTOPLAY"}),
    item("LED is read", "read", {"what": "led"}, "response", lambda d: sorted(d["channels"]) == ["green", "red"]),
    item("LED is off", "led", {"state": "OFF"}, shows=led()),
    item("motor", "haptic", {"duty_pct": 80, "pulse_ms": 500}, "link-write", shows=lambda x: 79 <= x.get("motor_pct", 0) <= 81 and motor(0.5)(x)),
    item("buzzer", "haptic", {"kind": "buzzer", "pulse_ms": 200}, "link-write", shows=lambda x: "buzzer_pct" in x and x["for_s"] == 0.2),
    item("pin high", "gpio", {"pin": 0, "output": "high", "pull": "up"}, "link-write", shows=lambda x: x.get("pin") == 0 and x["level"] == "high"),
    item("pin low", "gpio", {"pin": 0, "output": "low"}, "link-write", shows=lambda x: x.get("pin") == 0 and x["level"] == "low"),
    item("I2C is read", "i2c-read", {"device": 28, "register": 13, "length": 1}, "response", lambda d: d["hex"] == "2a"),
    item("I2C is written", "i2c-write", {"device": 28, "register": 42, "hex": "5a"}, "link-write"),
    item("I2C: what was written", "i2c-read", {"device": 28, "register": 42, "length": 1}, "response", lambda d: d["hex"] == "5a"),
    item("SPI is read", "spi-read", {"pins": PINS, "length": 5, "hex": "da", "mode": 3, "clock_hz": 8000000}, "response", lambda d: d["hex"] == "0730810bc0"),
    item("SPI is written", "spi-write", {"pins": PINS, "hex": "2001"}, "link-write"),
    item("SPI: what was written", "spi-read", {"pins": PINS, "length": 1, "hex": "a0"}, "response", lambda d: d["hex"] == "01"),
    item("iBeacon", "ibeacon", {"uuid": "326a9006-85cb-9195-d9dd-464cfbbae75a", "major": 78, "minor": 1, "rx_dbm": -55, "tx_dbm": -4, "period_ms": 700}, "link-write", lambda d: d["enabled"]),
    item("iBeacon is off", "ibeacon", {"enabled": False}, "link-write", lambda d: not d["enabled"]),
]
SETTINGS = [
    item("name", "settings", {"name": "Pump 3 east_wing-1"}, data=lambda d: d["name"] == "Pump 3 east_wing-1"),
    item("name of 19 characters", "settings", {"name": "ABCDEFGHIJKLMNOPQRS"}, refused={m: ("invalid", "a packet over Bluetooth carries 18") for m in ("s", "rl", "r")}),
    *[item(f"transmit power {p}", "settings", {"tx_dbm": p}, data=lambda d, p=p: d["tx_dbm"] == p) for p in (4, 0, -4, -8, -12, -16, -20, -30)],
    item("advertising", "settings", {"advertising": {"interval_ms": 417, "timeout_s": 0}}, data=lambda d: abs(d["advertising"]["interval_ms"] - 417) < 1),
    item("connection", "settings", {"connection": {"min_ms": 15, "max_ms": 30, "latency": 0, "supervision_ms": 5000}}, data=lambda d: d["connection"]["max_ms"] == 30),
    item("scan response", "settings", {"scan_response": "0303d8fe1016d8fe0012006d6269656e746c616200"}, data=lambda d: d["scan_response"].startswith("0303d8fe")),
    item("advertising begins", "settings", {"start_advertising": True}, "link-write"),
    item("whitelist", "settings", {"whitelist": {"mode": "any", "addresses": []}, "confirm": "$ID"}, "link-write", refused=only("s rl", "needs revision 6")),
    item("regulator", "settings", {"regulator_3v": True}, data=lambda d: d["regulator_3v"], refused=only("s", "regulator_3v")),
    item("1M PHY", "settings", {"force_1m_phy": True}, data=lambda d: d["force_1m_phy"], refused=only("s", "force_1m_phy")),
]
SENSORS = [
    item("offset of acceleration", "sensor", {"do": "acceleration-offset", "x": 0.01, "y": 0, "z": 0, "enabled": True}, data=lambda d: 0.005 < d["effective"]["x"] < 0.015),
    item("no offset of acceleration", "sensor", {"do": "acceleration-offset", "x": 0, "y": 0, "z": 0, "enabled": False}),
    item("offset of rotation", "sensor", {"do": "angular-velocity-offset", "x": 1, "y": 0, "z": 0, "enabled": True}, data=lambda d: 0.9 < d["effective"]["x"] < 1.1),
    item("no offset of rotation", "sensor", {"do": "angular-velocity-offset", "x": 0, "y": 0, "z": 0, "enabled": False}),
    item("axes", "sensor", {"do": "axes", "order": "yxz"}, data=lambda d: d["effective"]["order"] == "yxz", refused=only("s", "cannot turn")),
    item("axes as they were", "sensor", {"do": "axes", "order": "xyz"}, refused=only("s", "cannot turn")),
    item("steps begin anew", "sensor", {"do": "steps-reset"}, "link-write"),
    item("orientation begins anew", "sensor", {"do": "fusion-reset-orientation"}, "link-write", refused=only("s rl", "cannot reset the orientation")),
]
STREAMS = [
    stream("acceleration", "az_g", lambda v: 0.9 < v["az_g"] < 1.1, rate_hz=100, range_g=2, packed="off"),
    stream("acceleration", "az_g", lambda v: 0.9 < v["az_g"] < 1.1, rate_hz=200, range_g=16, packed="on"),
    stream("angular-velocity", "gx_dps", rate_hz=100, range_dps=2000, packed="off"),
    stream("angular-velocity", "gx_dps", rate_hz=50, range_dps=125, packed="on"),
    *[stream("magnetic-field", "mz_ut", preset=p) for p in ("low-power", "regular", "enhanced-regular", "high-accuracy")],
    stream("pressure", "pressure_pa", lambda v: 98_700 < v["pressure_pa"] < 98_830, play="pressure {} 98765", refused=only("s r"), oversampling="standard", filter=4, standby_ms=62.5),
    stream("altitude", "altitude_m", refused=only("s r"), oversampling="standard", filter=4, standby_ms=62.5),
    stream("illuminance", "illuminance_lx", lambda v: 1150 < v["illuminance_lx"] < 1320, play="light {} 1234", refused=only("s r"), gain=1, integration_ms=100, period_ms=500),
    stream("switch", "pressed", lambda v: v["pressed"] == 1, None, play="press {} for 100ms"),
    stream("gpio-2-change", "level", lambda v: v["level"] == 1, None, play="pin {} 2 high for 300ms", edge="any", pull="down"),
    stream("power-status", "power_present", lambda v: v["power_present"] == 1, None, play="charger {} on"),
    stream("charge-status", "charge_active", lambda v: v["charge_active"] == 0, None, play="charger {} off"),
    *[stream(name, field, every="1s") for name, field in (("battery", "battery_pct"), ("temperature-die", "temperature_c"), ("temperature-thermistor", "temperature_c"),
                                                         ("gpio-1-adc", "adc_counts"), ("gpio-1-voltage", "voltage_mv"), ("gpio-1-digital", "level"),
                                                         ("log-length", "log_entries"), ("log-time", "log_tick"), ("fusion-calibration", "gyroscope_accuracy"))],
    stream("temperature-bmp280", "temperature_c", refused=only("s r"), every="1s"),
    stream("temperature-external", "temperature_c", every="1s", data_pin=0, pulldown_pin=1),
    STOP,
]
DETECTORS = [
    detector("any-motion", "motion", ["any"], "shake {} 1s"),
    detector("slow-motion", "motion", ["slow"], "shake {} 1s", "rl r"),
    STOP,
    item("detector no-motion", "stream-start", {"stream": "no-motion", "duration_ms": 1280}, play="shake {} 1s", sees=(("event", "motion"), lambda v: v["event_type"] == "none")),
    detector("low-g", "motion", ["low-g"], "fall {} 400ms", "rl r"),
    detector("high-g", "motion", ["high-g"], "shake {} 1s", "rl r"),
    detector("tap", "tap", ["single"], "tap {}", "rl r"),
    detector("orientation", "orientation", ["face-up-landscape-left", "face-down-landscape-left"], "turn {} landscape-left", "rl r"),
    detector("flat", "flat", ["flat"], "turn {} face-up", "rl r"),
    detector("wrist-gesture", "wrist", ["push-down"], "gesture {} push-down", "s", arm="right"),
    detector("wrist-wakeup", "wrist", ["wake-up"], "gesture {} wake-up", "s"),
    item("detector activity", "stream-start", {"stream": "activity"}, refused=only("s")),
    item("detector step", "stream-start", {"stream": "step"}),
    item("steps of the board", "stream-start", {"stream": "steps", "every": "500ms"}, "response", play="walk {} 20 400ms", sees=(("live", "steps"), lambda v: 18 <= v["steps"] <= 20)),
    STOP,
    detector("significant-motion", "motion", ["significant"], "shake {} 7s"),
    STOP,
]
CHAIN = {"from": "acceleration", "rate_hz": 25, "range_g": 4}


def chain(name, steps, refused=NEVER, key=None, **more):
    return item(f"processor {name}", "processor-create", {"name": name, **CHAIN, "chain": steps, **more}, "readback", lambda d: d["processors"],
                sees=(("live", name), lambda v: any(k.startswith(key or name.replace("-", "_")) for k in v)), refused=refused)


def chains(*created):
    """Each is created, seen, and removed again."""
    return [i for c in created for i in (c, item(f"{c.name} is removed", "processor-remove", {"name": c.args["name"]}, refused={m: ("", "") for m in c.refused}))]


PROCESSORS = [
    *chains(chain("through", ["passthrough"]), chain("sum", ["rms", "accumulator"]), chain("calm", ["rms", {"average": 4}]), chain("rough", ["rms", {"high-pass": 4}], only("s rl", "high-pass")),
            chain("still", ["rms", {"comparator": {"value_g": 0.2, "op": ">"}}]), chain("mean", ["rms"]), chain("length", ["rss"]), chain("seldom", [{"time": {"period_ms": 200}}]),
            chain("behind", ["rss", {"delay": 3}]), chain("packed", ["rss", {"packer": 4}]), chain("stamped", ["rss", {"accounter": "count"}]),
            chain("both", [{"fuser": {"with": ["angular-velocity"]}}])),
    chain("counted", ["counter"]), chain("double", ["rss", {"math": {"op": "multiply", "value": 2}}]),
    item("processor delta", "processor-create", {"name": "change", **CHAIN, "chain": ["rss", {"delta": {"magnitude_g": 0.5}}]}, play="shake {} 1s",
         sees=(("live", "change"), lambda v: "change_g" in v)),
    item("processor buffer", "processor-create", {"name": "last", **CHAIN, "chain": ["rss", "buffer"], "to": []}),
    item("processor is read", "read", {"what": "processor", "name": "last"}, "response", lambda d: len(d["hex"]) == 4),
    item("processor of the button", "processor-create", {"name": "presses", "from": "switch", "chain": ["counter"]}),
    item("processor's state", "processor-set", {"name": "presses", "state": 7000}, "readback", play="press {} for 100ms", sees=(("live", "presses"), lambda v: v["presses"] == 7001)),
    item("processor's parameters", "processor-set", {"name": "double", "step": 1, "parameters": {"op": "multiply", "value": 3}}, None,
         sees=(("live", "double"), lambda v: 2.7 < v["double_g"] < 3.3)),
    item("processors are listed", "processor-list", {}, "response", lambda d: {"counted", "double", "change", "last", "presses"} <= {p.get("name") for p in d["processors"]}),
    item("processor is removed", "processor-remove", {"name": "counted"}, "readback", lambda d: len(d["removed"]) == 1),
    item("processors are removed", "processor-remove", {"all": True}),
]
PROGRAMS = [
    item("timer's ticks", "timer-create", {"name": "pulse", "period_ms": 200, "to": ["stream"]}, "response", sees=(("live", "pulse"), lambda v: v["pulse_ticks"] >= 3)),
    item("timer stops", "timer-stop", {"name": "pulse"}, "link-write"),
    item("timer starts", "timer-start", {"name": "pulse"}, "link-write", shows=fired("timer")),
    item("timer is removed", "timer-remove", {"name": "pulse"}, None),
    item("timer of three ticks", "timer-create", {"name": "thrice", "period_ms": 100, "repetitions": 3, "immediate": True, "action": {"verb": "haptic", "args": {"pulse_ms": 31}}}, "response", shows=motor(0.031)),
    item("edges of a pin", "gpio", {"pin": 2, "change": "any"}, "readback"),
    item("event of a pin", "event-bind", {"name": "edge", "source": "gpio:2", "action": {"verb": "haptic", "args": {"pulse_ms": 32}}}, "response", play="pin {} 2 high for 300ms", shows=motor(0.032)),
    item("event of power", "event-bind", {"name": "plugged", "source": "power", "action": {"verb": "haptic", "args": {"pulse_ms": 33}}}, "response", play="charger {} on for 1s", shows=motor(0.033)),
    item("event is removed", "event-remove", {"name": "edge"}, "readback", lambda d: len(d["removed"]) == 1),
    item("events are removed", "event-remove", {"all": True}),
    item("timers are removed", "timer-remove", {"all": True}),
]
LOGS = [
    item("log begins", "log-start", {"streams": {"acceleration": {"rate_hz": 25, "range_g": 4}, "temperature-die": {"every": "200ms"}}}, data=lambda d: set(d["loggers"]) == {"acceleration", "temperature-die"},
        shows=lambda x: x.get("log", "").startswith("logged")),
    item("log's status", "log-status", {}, "response", lambda d: d["logging"] and {x["stream"] for x in d["loggers"]} == {"acceleration", "temperature-die"}),
    item("log is read out", "log-download", {"resume": False}, data=lambda d: d["complete"] and d["samples"] > 0, sees=(("log", "acceleration"), lambda v: abs(v["samples"][0]["az_g"] - 1) < 0.1)),
    item("log ends", "log-stop", {}, data=lambda d: not d["logging"]),
    item("log is cleared", "log-clear", {"confirm": "$ID", "discard": 100_000}, data=lambda d: d["entries"] == 0),
    item("log is empty", "read", {"what": "log-length"}, "response", lambda d: d["entries"] == 0),
]
LIFE = [
    item("downsampling", "sensor", {"do": "downsampling", "acceleration": 2, "gyroscope": 2}, data=lambda d: d["effective"] == {"acceleration": 2, "gyroscope": 2}, refused=only("s", "cannot downsample")),
    item("the board disconnects", "disconnect", {"by": "board"}, "response", shows=lambda x: x.get("link") == "down"),
    item("reset", "reset", {}, sees=(("event", "reset"), lambda v: v["event_type"] == "commanded"), shows=lambda x: "restarted" in x),
    item("name is lost by a reset", "read", {"what": "settings"}, "response", lambda d: d["name"] == "MetaWear"),
    item("sleep", "sleep", {"confirm": "$ID"}, "response", play="press {} for 100ms"),
    item("a press wakes it", "read", {"what": "battery"}, "response"),
    item("factory reset", "factory-reset", {"confirm": "$ID"}, data=lambda d: (d["macros"], d["loggers"], d["entries"]) == (0, 0, 0)),
]


def ask(b, i):
    """One item, of one board."""
    if i.play and i.verb == "read": b.play(i.play)
    seen, mark = b.client.mark(), b.mark()
    args = json.loads(json.dumps(i.args).replace("$ID", b.id))
    if b.model in i.refused:
        if not i.refused[b.model][0]: return
        return b.refuses(f"{i.name} is refused", i.verb, args, *i.refused[b.model])
    b.does(i.name, i.verb, args, i.evidence, i.data)
    if i.play and i.verb != "read": b.play(i.play)
    if i.sees:
        topic, test = i.sees
        b.r.check(f"{b.model}: {i.name}: is published", b.sees(topic, test, seen), "/".join(topic), b.documents(seen, *topic)[-2:])
    if i.shows:
        b.r.check(f"{b.model}: {i.name}: the board did it", b.shows(mark, i.shows), "in the recording", b.recording.since(b.id, mark)[:10])


def fusion(b):
    """Every output, until the sensors are calibrated; their blocks, read, written back, and loaded by a board that knows nothing any more."""
    for name, field in (("quaternion", "qw"), ("euler", "heading_deg"), ("gravity", "gravz_g"), ("linear-acceleration", "linx_g"), ("corrected-acceleration", "caz_g"),
                        ("corrected-angular-velocity", "cgx_dps"), ("corrected-magnetic-field", "cmx_ut")):
        ask(b, stream(name, field, mode="ndof"))


def state(b):
    d = b.ask("read", {"what": "fusion-calibration"}).get("data") or {}
    return [d.get(k) for k in ("acceleration", "gyroscope", "magnetometer")]


def calibration(b):
    b.r.equal(f"{b.model}: fusion calibrates itself", until(40, lambda: state(b) == [3, 3, 3] and [3, 3, 3], 0.3), [3, 3, 3])
    keys = ("acceleration_block", "gyroscope_block", "magnetometer_block")
    data = b.does("calibration blocks are read", "read", {"what": "fusion-calibration", "blocks": True}, "response", lambda d: all(d[k][16:] == "0300" for k in keys))
    blocks = {k: data.get(k, "") for k in keys}
    ask(b, STOP)
    b.refuses("a magnetometer's block of low accuracy is refused", "sensor", {"do": "fusion-calibration", "magnetometer_block": "00000000000000000200"}, "invalid", "accuracy 2")
    return blocks


def calibration_after_a_reset(b, blocks):
    b.does("calibration is lost by a reset", "read", {"what": "fusion-calibration", "blocks": True}, "response", lambda d: d["gyroscope"] == 0 and d["gyroscope_block"] == "0" * 20)
    b.does("calibration blocks are written", "sensor", {"do": "fusion-calibration", **blocks}, "readback", lambda d: d["effective"] == blocks)
    ask(b, stream("quaternion", "qw", mode="ndof"))
    b.does("fusion begins calibrated", "read", {"what": "fusion-calibration", "blocks": True}, "response",
           lambda d: (d["acceleration"], d["gyroscope"], d["magnetometer"]) == (3, 3, 3) and all(d[k] == blocks[k] for k in blocks))
    ask(b, STOP)
    for mode, output in (("imuplus", "quaternion"), ("compass", "euler"), ("m4g", "gravity")):
        ask(b, stream(output, {"quaternion": "qw", "euler": "heading_deg", "gravity": "gravz_g"}[output], mode=mode))
        ask(b, STOP)


def humidity(b):
    """A board with a BME280, which no MetaMotion has."""
    b.play("humidity {} 61.5")
    ask(b, read("humidity", "humidity", between("humidity_pct", 61, 62)))
    ask(b, stream("humidity", "humidity_pct", between("humidity_pct", 61, 62), every="500ms", oversampling_x=4))
    ask(b, STOP)
    b.does("humidity is logged", "log-start", {"streams": {"humidity": {"every": "200ms"}}})
    b.shows(0, lambda x: x.get("log", "").startswith("logged"), 3)
    seen = b.client.mark()
    b.does("humidity is read out", "log-download", {"resume": False}, "readback", lambda d: d["complete"])
    b.r.check(f"{b.model}: humidity's log", b.sees(("log", "humidity"), lambda v: all(61 < s["humidity_pct"] < 62 for s in v["samples"]), seen), "61.5", b.documents(seen, "log", "humidity"))


def inside(b):
    """While fusion finds its calibration out, the board is asked for what does not need its sensors."""
    fusion(b)
    for i in ABOUT + VALUES + OUTPUTS + SETTINGS + PROGRAMS: ask(b, i)
    blocks = calibration(b)
    for i in LIFE: ask(b, i)
    calibration_after_a_reset(b, blocks)


def sensors(b):
    for i in SENSORS + DETECTORS + STREAMS + PROCESSORS + LOGS: ask(b, i)
