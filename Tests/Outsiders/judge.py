"""Judges every MQTT message by MetaFleet's two contract documents, and by nothing else."""
import hashlib
import json
import math
import re
import time

import judge_config
import judge_lists
from judge_documents import (STATE, AVAILABILITY, GW_AVAILABILITY, GW_INFO, HEALTH, ADAPTER, BATCH, CLOCK, LED, REPLY, FIRMWARE)
from judge_shapes import is_type, quality, shape

ULID = re.compile(r"^[0-7][0-9A-HJKMNP-TV-Z]{25}$")
BOARD = re.compile(r"^[0-9a-f]{12}$")
LINKS = ("unseen advertising waiting-for-slot connecting interviewing idle streaming logging downloading "
         "updating bootloader unreachable").split()
CODES = ("unreachable expired busy invalid denied retained duplicate-id-mismatch undownloaded-data low-battery "
         "no-slots unsupported board-error not-published internal").split()
EVIDENCE = "readback response write-ack link-write".split()
REASONS = {"online": "connected advertising visited".split(),
           "offline": "silent connect-failed asleep bootloader identity-mismatch".split(),
           "unknown": "starting no-adapter bus-lost gateway-stopped moved".split()}
BOARD_EVENTS = {  # contract 5
    "button": (["press", "release"], {"held_ms": "int"}),
    "reset": (["unexpected", "commanded"], {"boot": "int!", "reset_uid": "int!"}),
    "data-gap": (["stream", "log"], {"stream": "str!", "session": "str", "from_ms": "int!", "to_ms": "int",
                                     "count": "int!", "reason": "str!", "cause": "str"}),
    "link-lost": (["lost", "flapping"], {"reason": "str!", "adapter": "str"}),
    "link-up": (["up"], {"reason": "str", "adapter": "str"}),
    "low-battery": (["low", "critical"], {"battery_pct": "int!", "battery_mv": "int"}),
    "foreign-change": (["changed", "conflict"], {"resources": "list!"}),
    "config": (["applied", "failed", "drifted"], {"differences": "list", "reason_code": "str"}),
    "data-quality": (["impossible-value", "recovered"], {"stream": "str!", "field": "str", "value": None, "count": "int",
                                                         "session": "str"}),
    "stream-silent": (["silent", "recovered"], {"stream": "str!"}),
    "stream-rate": (["missing", "slow", "fast", "doubled", "recovered"], {
        "stream": "str!", "expected": "int", "came": "int", "lost": "int", "doubled": "int"}),
    "retained-command": (["refused"], {"verb": "str!", "id": "str", "target": "str!"}),
    "denied-command": (["refused"], {"verb": "str!", "id": "str", "target": "str!"}),
    "motion": (None, {}), "tap": (None, {}), "orientation": (None, {}), "flat": (None, {}), "step": (None, {}),
    "activity": (None, {}), "wrist": (None, {}), "magnetic": (None, {}), "gpio": (None, {}), "power": (None, {}),
    "charge": (None, {}), "log-downloaded": (None, {}), "log-level": (None, {}), "unknown-logger": (None, {}),
    "contact-missed": (["missed"], {"due_ms": "int!", "late_s": "num!", "poll": "str"}),
    "maintenance": (["started", "ended", "expired"], {"until_ms": "int", "reason": "str", "who": "str"}),
    "identity": (["changed", "mismatch", "restored"], {"changed": "list!", "was": "dict", "is": "dict!", "wanted": "str"}),
    "firmware": ("available started updated failed bootloader rescued".split(), {
        "installed_version": "str", "latest_version": "str!", "image_sha256": "str", "bootloader_version": "str", "attempts": "int"}), "clock": (None, {}),
}
GATEWAY_EVENTS = {
    "board-discovered": (["new", "bootloader"], {"board": "str!", "name": "str!", "rssi_dbm": "int!", "model": "str",
                                               "reason": "str"}),
    "board-admitted": (["admitted", "forgotten"], {"board": "str!", "by": "str!"}),
    "board-forgotten": (["forgotten", "blocked", "expired"], {"board": "str!", "by": "str!"}),
    "adapter-reset": (["power", "scan", "bluetoothd", "usb", "skipped", "exhausted"], {"adapter": "str", "reason": "str!", "step": "str"}),
    "adapter": ("lost returned blocked failed forgotten".split(), {"adapter": "str!", "name": "str!", "reason": "str", "reason_code": "str",
                                                                   "by": "str"}),
    "bluetooth": (["lost", "restored"], {"reason": "str!"}),
    "broker-lost": (["lost", "restored", "taken-over"], {"reason": "str", "outage_s": "num"}),
    "broker-restored": (["lost", "restored", "taken-over"], {"reason": "str", "outage_s": "num"}),
    "storage-full": ("low full read-only corrupt recovered".split(), {"free_bytes": "int!"}),
    "storage": ("low full read-only locked slow being-read corrupt recovered".split(), {"free_bytes": "int!"}),
    "kept-streams": ("cut dropped recovered".split(), {"samples": "int!", "oldest_ms": "int"}),
    "config": (["reloaded", "rejected"], {"problems": "int!", "changed": "list", "needs_restart": "list"}),
    "publish-refused": (None, {}), "retained-changed": (["cleared", "altered"], {"topic": "str!", "count": "int!"}), "replay": (None, {}),
    "certificate": (["expiring", "expired"], {"days": "int"}),
    "firmware": (["failed", "recovered"], {"index": "str!"}),
    "clock": (["unset", "synced"], {}),
    "process": (["started", "draining", "crashed"], {"reason": "str", "signal": "str", "status": "int", "ended_ms": "int", "count": "int"}),
    "retained-command": (["refused"], {"verb": "str!", "id": "str", "target": "str!"}),
    "denied-command": (["refused"], {"verb": "str!", "id": "str", "target": "str!"}),
    "rollout": ("started soaking rolling paused resumed done aborted expired".split(), {
        "id": "str!", "group": "str!", "version": "str!", "total": "int!", "done": "int!", "failed": "int!", "stranded": "int!"}),
}
FIELDS = {  # contract 2.2: stream, (keys, decimals)
    "acceleration": (["ax_g", "ay_g", "az_g"], 5), "angular-velocity": (["gx_dps", "gy_dps", "gz_dps"], 4),
    "switch": (["pressed"], 0), "battery": (["battery_pct", "battery_mv"], 0),
    "temperature-die": (["temperature_c"], 3), "temperature-thermistor": (["temperature_c"], 3),
    "temperature-external": (["temperature_c"], 3), "temperature-bmp280": (["temperature_c"], 3),
}
INFO = {"v": "int!", "ts_ms": "int!", "board": "str!", "gw": "str!", "address": "str!", "family": "str!", "name": "str!",
        "site": "str", "profile": "str", "groups": "list!", "labels": "dict!", "verbs": "list!", "model": "str",
        "model_id": "str", "manufacturer": "str", "serial": "str", "hw": "str", "fw": "str", "imu": "str",
        "modules": "dict", "slots": "dict", "streams": "dict", "hardware_listed": "bool", "interviewed_ms": "int", "truncated": "bool"}


class Text(float):
    """A fraction that remembers how it was written."""
    def __new__(cls, text):
        made = float.__new__(cls, text)
        made.text = text
        return made


def parse(payload):
    """The payload as an object by contract 0, or the list of problems."""
    problems = []

    def pairs(items):
        keys = [k for k, _ in items]
        if len(keys) != len(set(keys)):
            problems.append(f"duplicate keys in {keys}")
        return dict(items)

    def constant(text):
        problems.append(f"{text} is no number")
        return 0.0

    try:
        value = json.loads(payload.decode("utf-8"), object_pairs_hook=pairs, parse_float=Text, parse_constant=constant)
    except ValueError as error:
        return None, [f"not JSON: {error}: {payload[:80]!r}"]
    if not isinstance(value, dict):
        return None, ["not an object"]
    walk_nulls(value, "", problems)
    return value, problems


def walk_nulls(value, path, problems):
    if value is None:
        problems.append(f"null at {path}")
    elif isinstance(value, dict):
        for key, inner in value.items():
            walk_nulls(inner, f"{path}.{key}", problems)
    elif isinstance(value, list):
        for inner in value:
            walk_nulls(inner, path + "[]", problems)
    elif isinstance(value, float) and not math.isfinite(value):
        problems.append(f"infinite at {path}")


class Judge:
    """Sees every message in order; collects problems by kind, so that one fault is one line."""

    def __init__(self, gateway, base="metafleet", boards=()):
        self.gateway, self.base, self.boards = gateway, base, set(boards)
        self.problems = {}  # kind -> (count, first example)
        self.types = {}
        self.batches = {}  # batch_id -> digest
        self.next_seq = {}  # (board, session, stream) -> next seq
        self.last_stamp = {}
        self.samples = {}  # (board, stream, seq, session) -> sample
        self.sessions = {}  # (board, stream) -> [sessions in order]
        self.live = {}  # (board, stream) -> [ts_ms]
        self.live_seen = []
        self.births = []
        self.counts = {}
        self.state_times = {}
        self.restarted = 0  # the pace of documents is one process's promise, and the outbox outlives it
        self.pulse = (0, 0)  # when a message of nobody's came, and the seconds that broker and observer took for it
        self.blind_until = 0  # after we missed messages, a session may come in the middle

    def say(self, kind, text):
        count, first = self.problems.get(kind, (0, text))
        self.problems[kind] = (count + 1, first)

    def path_delay(self, now):
        """How late messages reach us that no gateway held up; 0 where the last pulse is too long ago to know."""
        arrived, delay = self.pulse
        return delay if now - arrived <= 0.5 else 0

    def message(self, topic, payload, qos, retain, now=None):
        """`retain` as published (not whether the broker kept it)."""
        now = time.time() if now is None else now
        levels = topic.split("/")
        if levels[0] in ("outsider", "homeassistant"):
            return  # our own response topics; what checks_homeassistant and the reference of topics judge
        if levels[0] != self.base:
            return self.say("topic", f"{topic} is not under {self.base}")
        if levels[1] == "board" and len(levels) >= 4 and BOARD.match(levels[2]):
            lane = levels[3]
        elif levels[1] == "gateway" and len(levels) >= 4:
            lane = "gateway-" + levels[3]
            if levels[2] != self.gateway:
                self.say("topic", f"{topic}: gateway is not {self.gateway}")
        elif levels[1] == "group" and len(levels) == 5 and levels[3] in ("cmd", "reply"):
            lane = levels[3]
        else:
            return self.say("topic", f"unknown topic {topic}")
        if lane in ("cmd", "gateway-cmd"):
            return
        expected = {"info": (4, 1, 1), "availability": (4, 1, 1), "state": (4, 1, 1), "firmware": (4, 1, 1),
                    "config": (4, 1, 1), "led": (4, 1, 1), "live": (5, 0, 0), "record": (5, 1, 0), "log": (5, 1, 0),
                    "lp": (5, 1, 0), "cbor": (5, 1, 0),
                    "event": (5, 1, 0), "reply": (5, 1, 0), "gateway-availability": (4, 1, 1), "gateway-info": (4, 1, 1),
                    "gateway-health": (4, 1, 1), "gateway-alarms": (4, 1, 1), "gateway-adapter": (5, 1, 1), "gateway-rollout": (5, 1, 1), "gateway-event": (5, 1, 0),
                    "gateway-reply": (5, 1, 0)}.get(lane)
        if not expected or len(levels) != expected[0]:
            return self.say("topic", f"unknown topic {topic}")
        self.counts[lane] = self.counts.get(lane, 0) + 1
        if qos != expected[1]:
            self.say(f"{lane} qos", f"{topic}: expected QoS {expected[1]} got {qos}")
        if bool(retain) != bool(expected[2]):
            self.say(f"{lane} retain", f"{topic}: expected retain {expected[2]} got {int(retain)}")
        if not payload:
            if not expected[2]:
                self.say(f"{lane} empty", f"{topic}: empty payload")
            return
        # What is on these is no JSON (MQTT API 2): checks_encodings reads it.
        if lane in ("lp", "cbor"):
            return
        value, problems = parse(payload)
        if value is not None:
            problems += self.common(lane, levels, value, now, len(payload))
            problems += getattr(self, "judge_" + lane.replace("-", "_"), lambda *_: [])(levels, value, now)
        for problem in problems:
            self.say(f"{lane}: {re.sub(r'[0-9]+', '#', problem)[:60]}", f"{topic}: {problem} in {payload[:300].decode('utf-8', 'replace')}")

    def common(self, lane, levels, value, now, size):
        problems = []
        for key, inner in value.items():
            kind = "bool" if isinstance(inner, bool) else "number" if isinstance(inner, (int, float)) else type(inner).__name__
            # `quality_reasons` is a text in what is flat, and a list elsewhere (mqtt-contract 2).
            if key not in ("state", "slots_used", "samples", "streams", "quality_reasons") and self.types.setdefault(key, kind) != kind:
                problems.append(f"{key} changes type from {self.types[key]} to {kind}")
            if key.endswith("_pct") and isinstance(inner, (int, float)) and not 0 <= inner <= 100:
                problems.append(f"{key} {inner} is no percentage")
        if levels[1] == "board" and value.get("board", levels[2]) != levels[2]:
            problems.append(f"board {value['board']} on the topic of {levels[2]}")
        if "gw" in value and value["gw"] != self.gateway:
            problems.append(f"gw {value['gw']}")
        ts = value.get("ts_ms")
        if isinstance(ts, int) and not isinstance(ts, bool) and not now * 1000 - 86400000 < ts < now * 1000 + 2000:
            problems.append(f"ts_ms {ts} is not near now")
        limit = {"info": 65536, "config": 65536, "state": 4096, "availability": 4096, "gateway-health": 4096,
                 "gateway-alarms": 131072, "record": 262144, "log": 262144}.get(lane, 65536)
        if size > limit:
            problems.append(f"{size} bytes, limit {limit}")
        return problems

    # -- boards ----------------------------------------------------------------------------------------------
    def judge_info(self, levels, value, now):
        problems = shape(value, INFO)
        if value.get("v") != 1: problems.append(f"v {value.get('v')}")
        if value.get("family") != "metamotion": problems.append(f"family {value.get('family')}")
        address = ":".join(levels[2][i:i + 2] for i in range(0, 12, 2)).upper()
        if value.get("address") != address: problems.append(f"address {value.get('address')}")
        if "model" in value:
            if value["model"] not in ("MetaMotion R", "MetaMotion RL", "MetaMotion S"): problems.append(f"model {value['model']}")
            for key in ("model_id", "serial", "hw", "fw", "imu", "modules", "streams", "interviewed_ms"):
                if key not in value: problems.append(f"{key} is missing after the interview")
            if value.get("hw", "").startswith("r"): problems.append(f"hw {value['hw']}")
            if value.get("imu") not in ("bmi160", "bmi270"): problems.append(f"imu {value.get('imu')}")
        names = ("switch led accelerometer temperature gpio ibeacon haptic processor event logging timer serial macro settings "
                 "barometer gyroscope ambient-light magnetometer humidity sensor-fusion debug").split()
        for name, module in value.get("modules", {}).items():
            if name not in names: problems.append(f"module {name}")
            problems += shape(module, {"id": "int!", "present": "bool!", "implementation": "int", "revision": "int",
                                       "extra": "str"}, f"modules.{name}.")
            if module.get("present") and not re.match(r"^([0-9a-f]{2})*$", module.get("extra", "?")):
                problems.append(f"modules.{name}.extra {module.get('extra')}")
        if "modules" in value and sorted(value["modules"]) != sorted(names):
            problems.append(f"modules lack {sorted(set(names) - set(value['modules']))}")
        if "slots" in value:
            problems += shape(value["slots"], {k: "int" for k in "loggers processors events timers macros log_entries".split()}, "slots.")
        for name, entry in value.get("streams", {}).items():
            problems += shape(entry, {"fields": "list!", "via": "str!", "streamable": "bool!", "loggable": "bool!",
                                      "readable": "bool!", "modules": "list!", "components": "list", "entries": "int",
                                      "offers": "dict"}, f"streams.{name}.")
            if entry.get("via") not in ("stream", "event"): problems.append(f"streams.{name}.via {entry.get('via')}")
            for field in entry.get("fields", []):
                problems += shape(field, {"name": "str!", "unit": "str!", "type": "str!"}, f"streams.{name}.fields.")
                if field.get("type") not in ("number", "integer", "flag"): problems.append(f"field type {field}")
            if name in FIELDS and [f.get("name") for f in entry.get("fields", [])] != FIELDS[name][0]:
                problems.append(f"streams.{name}.fields {entry.get('fields')}")
        return problems

    def judge_availability(self, levels, value, now):
        problems = shape(value, AVAILABILITY)
        if value.get("state") not in REASONS: problems.append(f"state {value.get('state')}")
        elif value.get("reason") not in REASONS[value["state"]]:
            problems.append(f"{value['state']} with reason {value.get('reason')}")
        return problems

    def judge_state(self, levels, value, now):
        problems = shape(value, STATE)
        if value.get("link") not in LINKS: problems.append(f"link {value.get('link')}")
        if any(isinstance(v, (dict, list)) for v in value.values()): problems.append("state is not flat")
        if "adapter" in value and not BOARD.match(str(value["adapter"])): problems.append(f"adapter {value['adapter']}")
        times = self.state_times.setdefault(levels[2], [])
        last = value.get("reason_code") == "gateway-stopped"  # once more, whenever that is
        if now > self.restarted + 2 and times and not last and isinstance(value.get("ts_ms"), int) and 0 < value["ts_ms"] - times[-1] < 900:
            problems.append(f"state again after {value['ts_ms'] - times[-1]} ms, at most 1/s")
        times.append(value.get("ts_ms", 0))
        return problems

    def judge_firmware(self, levels, value, now):
        return shape(value, FIRMWARE)

    def judge_config(self, levels, value, now):
        return shape(value, judge_config.CONFIG) or judge_config.judge(value)

    def fields(self, stream, sample, where):
        problems = []
        if stream in FIELDS:
            names, decimals = FIELDS[stream]
            for name in names:
                if not is_type(sample.get(name), "num"):
                    problems.append(f"{where}{name} is {sample.get(name)!r}")
                elif isinstance(sample[name], Text) and len(sample[name].text.split("e")[0].partition(".")[2]) > decimals:
                    problems.append(f"{where}{name} {sample[name].text} has more than {decimals} decimals")
        return problems

    def judge_live(self, levels, value, now):
        stream = levels[4]
        problems = self.fields(stream, value, "")
        keys = {"ts_ms": "int!", "seq": "int!", "board": "str!", "stream": "str!", "gw": "str!", "quality": "str",
                "quality_reasons": "str"}
        problems += quality(value)
        if stream in FIELDS: keys.update({k: "num!" for k in FIELDS[stream][0]})
        else: keys.update({k: "num" for k, v in value.items() if k not in keys})
        problems += shape(value, keys)
        if value.get("stream") != stream: problems.append(f"stream {value.get('stream')}")
        if any(isinstance(v, (dict, list, bool)) for v in value.values()): problems.append("live is not flat")
        stamps = self.live.setdefault((levels[2], stream), [])
        ts = value.get("ts_ms", 0)
        if stamps and ts < stamps[-1]: problems.append(f"live runs back by {stamps[-1] - ts} ms")
        stamps.append(ts)
        window = [t for t in stamps[-15:] if ts - 1000 < t <= ts]
        if len(window) > 11: problems.append(f"{len(window)} live samples in one second")
        # What broker and observer were late is nobody's fault.
        age, way = now * 1000 - ts, self.path_delay(now) * 1000
        if age - way > 5000: problems.append(f"live sample of {stream} is {age:.0f} ms old, of which {way:.0f} ms on the judge's way")
        self.live_seen.append((levels[2], stream, value))
        return problems

    def judge_record(self, levels, value, now):
        board, stream = levels[2], levels[4]
        problems = shape(value, BATCH)
        if problems:
            return problems
        problems += quality(value)
        if value["v"] != 1: problems.append(f"v {value['v']}")
        if value["stream"] != stream: problems.append(f"stream {value['stream']}")
        flash = levels[3] == "log"
        if value["origin"] != ("flash" if flash else "stream"): problems.append(f"origin {value['origin']}")
        if not ULID.match(value["session"]): problems.append(f"session {value['session']} is no ULID")
        problems += shape(value["clock"], CLOCK, "clock.")
        if value["clock"].get("source") not in ("board-tick", "arrival", "unknown"): problems.append(f"clock {value['clock']}")
        if value["boot"] < 1: problems.append(f"boot {value['boot']}, starts at 1")
        samples = value["samples"]
        if value["count"] != len(samples): problems.append(f"count {value['count']} of {len(samples)}")
        if not 1 <= len(samples) <= 500: problems.append(f"{len(samples)} samples in a batch")
        digest = hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
        repeat = value["batch_id"] in self.batches
        if self.batches.setdefault(value["batch_id"], digest) != digest:
            problems.append(f"batch_id {value['batch_id']} with other content")
        if repeat:
            return problems
        key = (board, value["session"], stream)
        if key not in self.next_seq:
            if value["seq"] != 0 and now > self.blind_until: problems.append(f"session starts with seq {value['seq']} expected 0")
            if value["seq"] == 0 and stream in FIELDS and "config" not in value: self.counts["no config"] = self.counts.get("no config", 0) + 1
            self.sessions.setdefault((board, stream), []).append(value["session"])
        else:
            if value["seq"] != self.next_seq[key]:
                problems.append(f"hole: seq {value['seq']} expected {self.next_seq[key]}")
            if "config" in value: problems.append("config in a later batch of the session")
        self.next_seq[key] = value["seq"] + len(samples)
        last = self.last_stamp.get(key, 0)
        if not flash and samples and samples[-1].get("ts_us", 0) - samples[0].get("ts_us", 0) > 250000:
            problems.append(f"batch spans {samples[-1]['ts_us'] - samples[0]['ts_us']} us")
        for offset, sample in enumerate(samples):
            ts = sample.get("ts_us")
            if not is_type(ts, "int"):
                problems.append(f"ts_us {ts!r}")
                continue
            if ts < last: problems.append(f"stamp runs back by {last - ts} us")
            last = ts
            problems += self.fields(stream, sample, "samples.")
            if stream in FIELDS and set(sample) != {"ts_us", *FIELDS[stream][0]}:
                problems.append(f"sample keys {sorted(sample)}")
            self.samples[(board, stream, value["session"], value["seq"] + offset)] = sample
        if abs(last / 1e6 - now) > 86400: problems.append(f"ts_us {last} is not near now")
        self.last_stamp[key] = last
        return problems

    judge_log = judge_record

    def judge_led(self, levels, value, now):
        problems = shape(value, LED)
        if value.get("state") not in ("ON", "OFF"): problems.append(f"state {value.get('state')}")
        if value.get("state") == "ON":
            for key in ("color_mode", "color", "brightness", "effect"):
                if key not in value: problems.append(f"{key} is missing when ON")
            if value.get("color_mode") != "rgb": problems.append(f"color_mode {value.get('color_mode')}")
            color = value.get("color", {})
            problems += shape(color, {"r": "int!", "g": "int!", "b": "int!"}, "color.")
            if color and max(color.values()) not in (0, 255): problems.append(f"color {color}: largest is not 255")
        return problems

    def event(self, table, levels, value):
        kind = levels[4]
        if kind not in table: return [f"unknown kind {kind}"]
        types, extra = table[kind]
        keys = {"ts_ms": "int!", "event_id": "str!", "event_type": "str!", "kind": "str!", "gw": "str!", "message": "str"}
        if levels[1] == "board": keys.update({"board": "str!", "maintenance": "bool"})
        if types is None: keys.update({k: "num" if is_type(v, "num") else type(v).__name__ for k, v in value.items() if k not in keys})
        problems = shape(value, {**keys, **extra})
        if value.get("maintenance") is False: problems.append("maintenance is true, or left out")
        if value.get("kind") != kind: problems.append(f"kind {value.get('kind')}")
        if types and value.get("event_type") not in types: problems.append(f"event_type {value.get('event_type')} of {kind}")
        if not ULID.match(str(value.get("event_id"))): problems.append(f"event_id {value.get('event_id')}")
        return problems

    def judge_event(self, levels, value, now):
        return self.event(BOARD_EVENTS, levels, value)

    def judge_reply(self, levels, value, now):
        problems = shape(value, REPLY)
        stage = value.get("stage")
        if stage not in "accepted queued sent progress done failed unknown".split(): problems.append(f"stage {stage}")
        if value.get("verb") != levels[4]: problems.append(f"verb {value.get('verb')}")
        final = stage in ("done", "failed", "unknown")
        for key in ("ok", "took_ms"):
            if (key in value) != final: problems.append(f"{key} with stage {stage}")
        if final and value.get("ok") != (stage == "done"): problems.append(f"ok {value.get('ok')} with stage {stage}")
        if stage == "failed":
            if value.get("code") not in CODES: problems.append(f"code {value.get('code')}")
            if not value.get("message"): problems.append("failed without message")
        elif "code" in value: problems.append(f"code with stage {stage}")
        if stage == "unknown" and not value.get("message"): problems.append("unknown without message")
        if stage == "queued" and "eta_ms" not in value: problems.append("queued without eta_ms")
        if value.get("code") == "busy" and "retry_after_ms" not in value: problems.append("busy without retry_after_ms")
        addressees = [k for k in ("board", "group", "gateway") if k in value]
        if addressees != [levels[1]]: problems.append(f"addressed as {addressees}")
        if levels[1] == "board" and stage == "done" and levels[4] not in ("firmware-check", "explain", "maintenance"):
            if value.get("evidence") not in EVIDENCE: problems.append(f"evidence {value.get('evidence')}")
        elif "evidence" in value: problems.append(f"evidence with stage {stage}")
        return problems

    # -- gateway -----------------------------------------------------------------------------------------------
    def judge_gateway_availability(self, levels, value, now):
        problems = shape(value, GW_AVAILABILITY)
        if value.get("state") not in ("online", "offline"): problems.append(f"state {value.get('state')}")
        if "reason" in value and value["reason"] not in ("started", "reconnected", "stopped"): problems.append(f"reason {value['reason']}")
        if value.get("state") == "online": self.births.append(value.get("birth"))
        return problems

    def judge_gateway_info(self, levels, value, now):
        problems = shape(value, GW_INFO)
        if value.get("v") != 1: problems.append(f"v {value.get('v')}")
        if value.get("gateway") != self.gateway: problems.append(f"gateway {value.get('gateway')}")
        if value.get("mqtt_protocol") not in ("5", "3.1.1"): problems.append(f"mqtt_protocol {value.get('mqtt_protocol')}")
        return problems

    def judge_gateway_health(self, levels, value, now):
        problems = shape(value, HEALTH)
        for flag in ("clock_synced", "bluetooth_ok", "storage_ok", "firmware_check_ok", "kept_ok"):
            if value.get(flag) not in (0, 1): problems.append(f"{flag} {value.get(flag)}")
        if value.get("storage") not in ("ok", "being-read", "slow", "locked", "low", "full", "read-only", "corrupt"): problems.append(f"storage {value.get('storage')}")
        return problems

    def judge_gateway_alarms(self, levels, value, now):
        return judge_lists.alarms(value)

    def judge_gateway_rollout(self, levels, value, now):
        return judge_lists.rollout(levels[4], value)

    def judge_gateway_adapter(self, levels, value, now):
        problems = shape(value, ADAPTER)
        if value.get("adapter") != levels[4]: problems.append(f"adapter {value.get('adapter')}")
        if value.get("state") not in ("up", "down", "blocked", "missing", "failed"): problems.append(f"state {value.get('state')}")
        if not problems and value["slots_used"] + value["slots_free"] != value["slots_total"]:
            problems.append(f"slots {value['slots_used']} + {value['slots_free']} != {value['slots_total']}")
        return problems

    def judge_gateway_event(self, levels, value, now):
        return self.event(GATEWAY_EVENTS, levels, value)

    judge_gateway_reply = judge_reply

    def killed(self, at_ms):
        """The gateway was killed then: its last records went with it, and their live samples must not be held against
        those of the next session, which has the same numbers."""
        self.live_seen = [x for x in self.live_seen if not at_ms - 2000 < x[2]["ts_ms"] < at_ms + 500]

    def live_matches_record(self):
        """mqtt-api 3.2: a live sample carries the time and seq of the same sample in the record lane."""
        compared, wrong, example = 0, 0, ""
        index, seen = {}, list(self.live_seen)
        for (board, stream, session, seq), sample in self.samples.copy().items():
            index.setdefault((board, stream, seq), []).append(sample)
        for board, stream, live in seen:
            candidates = [s for s in index.get((board, stream, live.get("seq")), [])
                          if abs(s["ts_us"] / 1000 - live["ts_ms"]) < 2000]  # other sessions have the same numbers
            if not candidates:
                continue
            compared += 1
            ok = any(abs(s["ts_us"] / 1000 - live["ts_ms"]) <= 1 and
                     all(live.get(k) == v for k, v in s.items() if k != "ts_us") for s in candidates)
            if not ok:
                wrong += 1
                example = example or f"{live} is none of {candidates[:2]}"
        return compared, wrong, example
