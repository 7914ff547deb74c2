#!/usr/bin/python3
"""The vendor's byte vectors, asked for as an MQTT user would and read off the fake BlueZ below the daemon."""
import argparse
import json
import os
import sys
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor

from bench import Bench, Report, end_cleanly_on_signals, until

BOARDS_FOR_A_GROUP = 6
UNDONE = {"event-bind": "event-remove", "timer-create": "timer-remove", "processor-create": "processor-remove"}

VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "MetaMotionTests", "Vectors")


def stream(name, **configuration):
    return "stream-start", {"stream": name, **configuration}


def chain(source, *steps, **more):
    return "processor-create", {"name": "chain", "from": source, "chain": list(steps), "to": [], **more}


def fusion(mode, range_g, range_dps=2000):
    return stream("linear-acceleration" if mode in ("ndof", "imuplus") else "quaternion", mode=mode, range_g=range_g, range_dps=range_dps)


# Three references of two bytes would be misread, so the last is repeated (contract 3.8).
OTHERWISE = {"090204c101200603c000c800d000": "090204c101200603c000c800d000d000"}

# Vector → what a user asks for. Where the vendor writes less at a time, its packets are looked for among ours, in order.
ASKED = {
    "accelerometer-bmi160": {
        "acc-bmi160-config-set-odr-0-78125-hz": [stream("acceleration", rate_hz=0.78125, range_g=2)],
        "acc-bmi160-config-set-odr-100-hz": [stream("acceleration", rate_hz=100, range_g=2)],
        "acc-bmi160-config-set-odr-400-hz": [stream("acceleration", rate_hz=400, range_g=2)],
        "acc-bmi160-config-set-odr-and-range": [stream("acceleration", rate_hz=200, range_g=8)],
        "bmi160-acceleration-data-subscribe-acceleration-data": [stream("acceleration", packed="off")],
        "bmi160-high-freq-acc-data-get-acceleration-data-g": [stream("acceleration", packed="on", range_g=8)],
        "acc-bmi160-config-disable-acceleration-sampling": [stream("acceleration"), ("stream-stop", {"stream": "acceleration"})],
        "any-motion-start": [stream("any-motion")],
        "any-motion-stop": [stream("any-motion"), ("stream-stop", {"stream": "any-motion"})],
        "flat-start": [stream("flat")],
        "high-g-configure": [stream("acceleration", range_g=16, rate_hz=100), stream("high-g", axes="z", threshold_g=2, duration_ms=15, hysteresis_g=2)],
        "low-high-stop": [stream("high-g"), ("stream-stop", {"stream": "high-g"})],
        "bmi160-step-counter-data-read-step-counter": [("read", {"what": "steps"})],
        "bmi160-step-detector-data-get-detection": [stream("step", sensitivity="normal")],
        "step-detector-config-sensitive": [stream("step", sensitivity="sensitive")],
        "bmi160-step-counter-setup-set-mode-robust": [stream("steps", sensitivity="robust", every="1s")],
    },
    "accelerometer-bmi270": {
        "acc-bmi270-config-set-odr-0-78125-hz": [stream("acceleration", rate_hz=0.78125, range_g=8)],
        "acc-bmi270-config-set-odr-400-hz": [stream("acceleration", rate_hz=400, range_g=8)],
        "acc-bmi270-config-set-range": [stream("acceleration", rate_hz=100, range_g=16)],
        "bmi270-high-freq-acc-data-subscribe": [stream("acceleration", packed="on")],
        "bmi270-acceleration-data-get-acceleration-data-g": [stream("acceleration", packed="off", range_g=4)],
        "activity-enable": [stream("activity")],
        "axis-remap-yxz-z": [("sensor", {"do": "axes", "order": "yx-z"})],
        "downsampling-zero": [("sensor", {"do": "downsampling", "acceleration": 0, "gyroscope": 0})],
        "sig-motion-config-default": [stream("significant-motion", block_ms=5000)],
        "sig-motion-enable": [stream("significant-motion")],
        "no-motion-config-default": [stream("no-motion", duration_ms=100, threshold_g=0.083, axes="xyz")],
        "wrist-gesture-config-left": [stream("wrist-gesture", arm="left", peak=0x332, samples=0x50, max_samples=0x64)],
        "bmi270-step-counter-read-read-step-counter": [("read", {"what": "steps"})],
        "bmi270-step-detector-data-get-detection": [stream("step")],
    },
    "accelerometer-common": {
        "accelerometer-bmi160-any-motion-start-single": [stream("tap", kinds="single")],
        "accelerometer-bmi160-orientation-enable": [stream("orientation")],
    },
    "ambient-light": {
        "als-ltr329-config-set-gain": [stream("illuminance", gain=48)],
        "als-ltr329-config-set-integration-time": [stream("illuminance", integration_ms=400)],
        "als-ltr329-data-handler-get-illuminance-data": [stream("illuminance")],
    },
    "barometer": {
        "barometer-bmp280-altitude-data-altitude-subscribe": [stream("altitude")],
        "barometer-bmp280-config-set-filter-avg-2": [stream("pressure", filter=2)],
        "barometer-bmp280-config-set-oversampling-ultra-high": [stream("pressure", oversampling="ultra-high")],
        "barometer-bmp280-config-set-standby-125ms": [stream("pressure", standby_ms=125)],
        "barometer-bmp280-config-start": [stream("pressure")],
        "barometer-bmp280-pressure-data-pressure-subscribe": [stream("pressure")],
    },
    "gyro-bmi160": {
        "gyro-bmi160-config-gyro-bmi160-set-odr": [stream("angular-velocity", rate_hz=200)],
        "gyro-bmi160-config-gyro-active": [stream("angular-velocity")],
        "gyro-bmi160-data-handler-subscribe-rotation-data": [stream("angular-velocity", packed="off")],
        "gyro-bmi160-high-freq-data-handler-subscribe-rotation-data": [stream("angular-velocity", packed="on")],
    },
    "gyro-bmi270": {
        "config-100hz-2000": [stream("angular-velocity", rate_hz=100)],
        "config-200hz-500": [stream("angular-velocity", rate_hz=200, range_dps=500)],
        "stop": [stream("angular-velocity"), ("stream-stop", {"stream": "*"})],
    },
    "magnetometer": {
        "magnetometer-bmm150-data-b-field-data": [stream("magnetic-field", packed="off")],
        "magnetometer-bmm150-data-b-field-component-data-x-axis": [stream("magnetic-field-x", packed="off")],
        "magnetometer-bmm150-preset-high-accuracy": [stream("magnetic-field", preset="high-accuracy")],
        "magnetometer-bmm150-preset-enhanced-regular": [stream("magnetic-field", preset="enhanced-regular")],
        "magnetometer-bmm150-start": [stream("magnetic-field")],
    },
    "sensor-fusion-config": {
        "sensor-fusion-config-configure-ndof-10": [fusion("ndof", 8, 1000)],
        "sensor-fusion-config-configure-imu-plus-15": [fusion("imuplus", 16, 500)],
        "sensor-fusion-config-configure-compass-13": [fusion("m4g", 16, 2000)],
        "bmi270-ndof-2-2000": [fusion("ndof", 2, 2000)],
        "mms-ndof-16g-250": [fusion("ndof", 16, 250)],
        "mms-imuplus-16g-250": [fusion("imuplus", 16, 250)],
        "bmi270-m4g-2": [fusion("m4g", 2)],
    },
    "sensor-fusion": {
        "ndof-start-linear-acceleration": [fusion("ndof", 16)],
        "ndof-start-euler-angles": [stream("euler", mode="ndof")],
        "ndof-start-corrected-angular-velocity": [stream("corrected-angular-velocity", mode="ndof")],
        "sensor-fusion-received-data-quaternion": [stream("quaternion")],
        "imuplus-stop": [fusion("imuplus", 16), ("stream-stop", {"stream": "*"})],
        "sensor-fusion-rev3-orientation-reset": [("sensor", {"do": "fusion-reset-orientation"})],
        "calibration-state": [("read", {"what": "fusion-calibration"})],
    },
    "data-processor": {
        "acc-axis-processing-acc-y-threshold": [chain(
            "acceleration-y", {"threshold": {"boundary_g": 1, "mode": "binary"}}, {"comparator": {"value": 1}}, range_g=16, to=["stream"])],
        "accounter-create": [chain("acceleration", "accounter")],
        "accounter-data-extraction": [chain("acceleration", "accounter", to=["stream"])],
        "accumulator-set-sum-valid-set-state": [chain("pressure", "accumulator"), ("processor-set", {"name": "chain", "state": 101325})],
        "average-reset-valid-reset": [chain("pressure", {"average": 8}), ("processor-set", {"name": "chain", "reset": True})],
        "counter-set-count-valid-set-state": [chain("pressure", {"counter": 1}), ("processor-set", {"name": "chain", "state": 128})],
        "data-processor-timeout-timeout-with-state": [chain("switch", {"accumulator": 1})],
        "delta-set-previous-valid-set-previous": [
            chain("pressure", {"delta": {"magnitude_pa": 25331.25, "mode": "differential"}}), ("processor-set", {"name": "chain", "state": 101325})],
        "fuser-accounter-commands": [
            chain("acceleration", {"fuser": {"with": ["angular-velocity"]}}, {"time": 20}), chain("chain", {"accounter": {"mode": "count"}}, name="counted"),
            chain("chain", {"accounter": {"mode": "time"}}, name="stamped")],
        "multi-comparator-redirect-modify": [
            chain("acceleration", "rss", {"comparator": {"value_g": 2, "op": ">"}}, range_g=2),
            ("processor-set", {"name": "chain", "parameters": {"value_g": 0.5, "op": ">"}}),
            ("processor-set", {"name": "chain", "parameters": {"value_g": 2, "op": ">"}})],
        "data-processing-chain-freefall": [
            chain("acceleration", "rss", {"average": 4}, {"threshold": {"boundary_g": 0.5, "mode": "binary"}}, range_g=2),
            chain("chain", {"comparator": {"value": -1}}, name="falling"), chain("chain", {"comparator": {"value": 1}}, name="resting")],
        "gpio-adc-pulse-pulse-unsubscribe": [chain("gpio-0-adc", {"pulse": {"threshold": 500, "samples": 10, "output": "peak"}}, every="1s", to=["stream"]),
                                             ("processor-remove", {"name": "chain"})],
        "accounter-packer-chain-data-extraction": [chain("temperature-thermistor", "accounter", {"packer": 2}, every="1s", to=["stream"])],
        "packer-accounter-chain-data-extraction": [chain("temperature-thermistor", {"packer": 4}, "accounter", every="1s", to=["stream"])],
        "packer-create": [chain("temperature-thermistor", {"packer": 4}, every="1s")],
        "multi-comparator-absolute": [chain("temperature-thermistor", {"comparator": {"value_c": [24, 25, 26]}}, every="1s")],
        "passthrough-set-count-valid-set-count": [
            chain("pressure", {"passthrough": {"count": 10, "mode": "count"}}), ("processor-set", {"name": "chain", "state": 20})],
        "math-processor-constant-op-data": [chain("temperature-die", {"math": {"op": "constant", "value": 25}}, every="1s", to=["stream"])],
    },
    "debug": {"debug-debug-reset": [("reset", {})], "debug-handle-schedule-queue-state": [("read", {"what": "queue-usage"})],
              "tmp-value": [("read", {"what": "debug-key"})]},
    "event": {
        "disconnect-led": [("event-bind", {"name": "gone", "source": "disconnect", "action": [
            {"verb": "led", "args": {"channels": {"blue": {"high": 31, "low": 0, "rise_ms": 0, "high_ms": 50, "fall_ms": 0, "period_ms": 500, "repeat": 10}}}}]})],
        # The second timer of its board.
        "event-schedule-read-gpio-adc": [("timer-create", {"name": "first", "period_ms": 1000, "start": False}), ("timer-create", {"name": "t", "period_ms": 667408, "start": False, "action": {
            "verb": "read", "args": {"what": "gpio", "pin": 2, "kind": "adc", "deliver": "log"}}})],
    },
    "gpio": {
        "gpio-digital-config-set-digital-out": [("gpio", {"pin": 0, "output": "high"})],
        "gpio-digital-config-set-pull-mode-0": [("gpio", {"pin": 4, "pull": "up"})],
        "gpio-digital-config-set-pull-mode-1": [("gpio", {"pin": 3, "pull": "down"})],
        "gpio-analog-data-read-analog-input-1": [("read", {"what": "gpio", "pin": 2, "kind": "adc"})],
        "gpio-enhanced-analog-read-read-analog-with-parameters-1": [("read", {
            "what": "gpio", "pin": 2, "kind": "adc", "pull_up_pin": 1, "pull_down_pin": 2, "virtual_pin": 21, "delay_us": 10})],
        "gpio-digital-data-pin-monitor-rising": [stream("gpio-0-change", edge="rising")],
    },
    "haptic": {"haptic-start-buzzer": [("haptic", {"kind": "buzzer", "pulse_ms": 7500})]},
    "ibeacon": {
        "ibeacon-ibeacon-disable": [("ibeacon", {"enabled": False})],
        "ibeacon-set-rx-power": [("ibeacon", {"rx_dbm": -55})],
        "major-max": [("ibeacon", {"major": 65535})],
        "tx-minus4": [("ibeacon", {"tx_dbm": -4})],
        "period-700": [("ibeacon", {"period_ms": 700})],
        "ibeacon-set-major-signal": [chain("switch", "counter"), ("event-bind", {
            "name": "beacon", "source": "processor:chain", "action": {"verb": "ibeacon", "args": {"major": 0}, "token": {"length": 4}}})],
    },
    "led": {
        "led-control-play": [("led", {"state": "PLAY"})],
        "led-control-pause": [("led", {"state": "PAUSE"})],
        "led-delayed-pattern-blink-pattern": [("led", {"color": "green", "pattern": "blink", "delay_ms": 5000, "repeat": 10})],
        "led-pattern-pulse-pattern": [("led", {"color": "blue", "pattern": "breathe", "repeat": 40})],
        "led-pattern-solid-pattern": [("led", {"color": "red", "pattern": "solid", "repeat": 20})],
        "led-delayed-pattern-solid-pattern": [("led", {"color": "red", "pattern": "solid", "delay_ms": 10000, "repeat": 20})],
    },
    "macro": {"erase-all": [("macro-erase", {"confirm": True})]},
    "serial-passthrough": {
        "i2c-write": [("i2c-write", {"device": 0x68, "register": 0x6B, "hex": "dead"})],
        "spi-write-flags": [("spi-write", {"pins": {"ss": 10, "sck": 11, "mosi": 12, "miso": 13}, "lsb_first": True, "mode": 3, "clock_hz": 8000000, "hex": "00"})],
    },
    "settings": {
        "settings-set-name": [("settings", {"name": "AntiWare"})],
        "settings-revision1-set-ad-interval": [("settings", {"advertising": {"interval_ms": 417, "timeout_s": 180}})],
        "adv-interval-rev6": [("settings", {"advertising": {"interval_ms": 417, "timeout_s": 180}})],
        "settings-set-tx-power": [("settings", {"tx_dbm": -20})],
        "settings-start-advertising": [("settings", {"start_advertising": True})],
        "read-adv-name": [("read", {"what": "settings"})],
        "settings-revision3-disconnected-event": [("event-bind", {
            "name": "gone", "source": "disconnect", "action": {"verb": "haptic", "args": {"duty_pct": 100, "pulse_ms": 3000}}})],
        "whitelist-address": [("settings", {"whitelist": {"mode": "connect", "addresses": ["01:02:03:04:05:06"]}, "confirm": True})],
    },
    "temperature": {
        "multi-channel-temperature-mwr-read-temperature-4-129-0-0": [("read", {"what": "temperature"})],
        "multi-channel-temperature-mwr-pro-configure-ext-thermistor": [stream("temperature-external", data_pin=0, pulldown_pin=1, every="1s")],
    },
    "timer": {
        "timer-create-timer": [("timer-create", {"name": "t", "period_ms": 3141, "repetitions": 59, "start": False})],
        "timer-start": [("timer-create", {"name": "t", "period_ms": 1000, "repetitions": 10, "immediate": True})],
    },
}

# Vector of what a board tells → the stream on whose record lane its first value has to be.
TOLD = {
    "accelerometer-bmi160": {"bmi160-high-freq-acc-data-get-acceleration-data-g": [stream("acceleration", packed="on", range_g=8)]},
    "accelerometer-bmi270": {
        "bmi270-acceleration-data-get-acceleration-data-g": [stream("acceleration", packed="off", range_g=4)],
        "bmi270-high-freq-acc-data-get-acceleration-data-g": [stream("acceleration", packed="on", range_g=8)]},
    "ambient-light": {"als-ltr329-data-handler-get-illuminance-data": [stream("illuminance")]},
    "barometer": {"barometer-bmp280-altitude-data-get-altitude-data": [stream("altitude")]},
    "gpio": {"gpio-digital-data-pin-monitor-rising": [stream("gpio-0-change", edge="rising")]},
    "gyro-bmi160": {"gyro-bmi160-high-freq-data-handler-rotation-data-handler": [stream("angular-velocity", packed="on", range_dps=1000)]},
    "gyro-bmi270": {
        "data-500dps": [stream("angular-velocity", packed="off", range_dps=500)],
        "packed-data-1000dps": [stream("angular-velocity", packed="on", range_dps=1000)]},
    "magnetometer": {
        "magnetometer-bmm150-data-b-field-data": [stream("magnetic-field", packed="off")],
        "magnetometer-bmm150-data-b-field-component-data-x-axis": [stream("magnetic-field-x", packed="off")]},
    "sensor-fusion": {
        "sensor-fusion-received-data-corrected-acc": [stream("corrected-acceleration")],
        "sensor-fusion-received-data-corrected-mag": [stream("corrected-magnetic-field")],
        "sensor-fusion-received-data-linear-acc": [stream("linear-acceleration")],
        "sensor-fusion-received-data-quaternion": [stream("quaternion")]},
    "switch": {"switch-switch-get-data-pushed": [stream("switch")]},
}


def read_cases():
    """(area, case, requests), by what the boards say of their modules."""
    groups = {}
    everything = [(area, asked, False) for area, asked in ASKED.items()] + [(area, told, True) for area, told in TOLD.items()]
    for area, asked, is_told in everything:
        with open(os.path.join(VECTORS, area + ".json")) as file:
            cases = {case["name"]: case for case in json.load(file)["cases"]}
        for name, requests in asked.items():
            board = cases[name]["board"]
            information = {k: v[4:] for k, v in board["modules"].items() if len(v) > 4}
            if len(information.get("0x05", "")) == 4: information["0x05"] += "030303030303"  # who names no pins has none
            group = groups.setdefault(json.dumps([board["model"], board.get("fw", "1.7.3"), information], sort_keys=True), [])
            group.append((area, {**cases[name], "is_told": is_told}, requests))
    return groups


def in_order(wanted, written):
    """Whether each of the packets was written after the one before."""
    rest = iter(written)
    return all(any(packet == other for other in rest) for packet in wanted)


class Fleet:
    """Boards as the vectors want them, each with its cases one after the other, all boards at once."""

    def __init__(self, binary, groups, r, keep):
        self.r, self.turns, self.lock = r, [], threading.Lock()
        models = []
        for key, cases in groups.items():
            model, firmware, information = json.loads(key)
            for part in range(min(len(cases), BOARDS_FOR_A_GROUP)):
                self.turns.append(({"firmware": firmware, "modules": information}, cases[part::BOARDS_FOR_A_GROUP]))
                models.append("s" if model == 8 else "r")
        self.b = Bench(binary, boards=len(models), models=",".join(models), keep=keep)

    def judge(self):
        try:
            self.b.start(daemon=False)
            for number, (board, _) in enumerate(self.turns, 1):
                self.b.do("be", board=number, **board)
            self.b.start_daemon()
            self.b.wait_streaming(60)
            with ThreadPoolExecutor(len(self.turns)) as pool:
                list(pool.map(lambda turn: self.play(turn[0], turn[1][1]), enumerate(self.turns, 1)))
        finally:
            self.b.close()

    def play(self, board, cases):
        for area, case, requests in cases:
            self.ask(board, "stream-stop", {"stream": "*"})
            if case["is_told"]:
                self.hear(board, area, case, *requests[0])
                continue
            with self.lock: now = self.b.do("now")
            answers = [self.ask(board, verb, {k: self.b.ids[board - 1] if k == "confirm" else v for k, v in arguments.items()})
                       for verb, arguments in requests]
            wanted = [OTHERWISE.get(packet, packet) for packet in case["writes"]]
            until(1, lambda: in_order(wanted, self.written(board, now)), 0.05)
            written = self.written(board, now)
            self.r.check(f"{area} {case['name']}", in_order(wanted, written), f"{wanted} for “{case['do']}”",
                         f"{[w for w in written if w in wanted or int(w[2:4], 16) < 0x80]} and {answers[-1]}")
            for verb, arguments in reversed(requests):
                if verb in UNDONE: self.ask(board, UNDONE[verb], {"name": arguments["name"]})

    def hear(self, board, area, case, verb, arguments):
        """Lets the board tell the vector's packet, and looks for its value on the record lane."""
        packet, topic, mark = case["inject"][0], self.b.topic(board, "record", arguments["stream"]), self.b.client.mark()
        with self.lock: now = self.b.do("now")
        self.b.client.publish(self.b.topic(board, "cmd", verb), {"id": uuid.uuid4().hex, "args": arguments})
        until(5, lambda: packet[:4] + "01" in self.written(board, now), 0.05)
        value = case["expect"]["values"][0]
        expected = list(value["value"].values()) if isinstance(value["value"], dict) else [value["value"]]
        if value.get("unit") == "mlux": expected = [x / 1000 for x in expected]

        def is_it(sample):
            got = [x for key, x in sample.items() if key != "ts_us"]
            return len(got) == len(expected) and all(abs(x - y) <= 1e-5 * max(1, abs(y)) for x, y in zip(got, expected))

        def tell():
            with self.lock: self.b.do("send", board=board, hex=packet)
            return self.b.client.wait(0.5, topic, lambda v: any(is_it(s) for s in v["samples"]), mark)
        self.r.check(f"{area} {case['name']}: told", until(6, tell), f"{expected} on {topic}", [m[2] for m in self.b.client.since(mark, topic)][-1:])

    def written(self, board, since):
        with self.lock: return [w[1] for w in self.b.do("writes", board=board, since=since)]

    def ask(self, board, verb, arguments):
        """What was answered in the end. A stream of a sensor whose samples the fake board does not make ends in a failure,
        which is fine: its bytes are judged."""
        identifier, topic, mark = uuid.uuid4().hex, self.b.topic(board, "reply", verb), self.b.client.mark()
        self.b.client.publish(self.b.topic(board, "cmd", verb), {"id": identifier, "args": arguments})
        return self.b.client.wait(12, topic, lambda v: v.get("id") == identifier and v.get("stage") in ("done", "failed", "unknown"), mark)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    parser.add_argument("--only", help="part of a vector's name")
    parser.add_argument("--keep", action="store_true", help="leave logs and state behind")
    options = parser.parse_args()
    end_cleanly_on_signals()
    r = Report()
    groups = {key: [c for c in cases if not options.only or options.only in c[1]["name"]] for key, cases in read_cases().items()}
    Fleet(os.path.abspath(options.binary), {k: c for k, c in groups.items() if c}, r, options.keep).judge()
    return r.finish()


if __name__ == "__main__":
    sys.exit(main())
