"""A fake building for the page: twenty boards that move, with trouble and hostile names, and what commands do to them."""
import json
import math
import os
import random
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NAMES = {
    2: "<img src=x onerror=alert(1)>", 3: "\"><script>alert(document.domain)</script>", 4: "\u202eevil\u202c\u0007\u0000",
    5: "=HYPERLINK(\"http://x\")", 6: "\u200b\u200d", 7: "__proto__", 8: "x" * 200, 9: "${7*7}{{7*7}}' OR 1=1 --"}
REFUSED = {"raw", "factory-reset", "bootloader"}  # what the file does not let a page send
GATEWAY, OTHER = "gw-hall", "gw-attic"
VECTOR = {"acceleration": (["ax_g", "ay_g", "az_g"], "g"), "angular-velocity": (["gx_dps", "gy_dps", "gz_dps"], "°/s"),
          "quaternion": (["qw", "qx", "qy", "qz"], ""), "euler": (["heading_deg", "pitch_deg", "roll_deg", "yaw_deg"], "°"),
          "temperature-die": (["temperature_c"], "°C"), "battery": (["battery_pct", "battery_mv"], "%")}


def now_ms():
    return int(time.time() * 1000)


def attitude(number, at):
    """Yaw, pitch and roll of a board in radians, at a time in seconds."""
    return 0.8 * math.sin(0.5 * at + number), 0.5 * math.sin(0.7 * at + number), 0.4 * math.sin(0.9 * at + number)


def quaternion(yaw, pitch, roll):
    (cy, sy), (cp, sp), (cr, sr) = [(math.cos(a / 2), math.sin(a / 2)) for a in (yaw, pitch, roll)]
    return [cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy]


def sample(stream, number, at):
    """The fields of one sample, by the board's motion at that time."""
    yaw, pitch, roll = attitude(number, at)
    if stream == "quaternion":
        values = quaternion(yaw, pitch, roll)
    elif stream == "euler":
        values = [math.degrees(-yaw) % 360, math.degrees(roll), math.degrees(pitch), math.degrees(-yaw) % 360]
    elif stream == "acceleration":
        values = [-math.sin(pitch), math.sin(roll) * math.cos(pitch), math.cos(roll) * math.cos(pitch)]
    elif stream == "angular-velocity":
        values = [80 * math.sin(at * f + number) for f in (0.5, 0.7, 0.9)]
    elif stream == "battery":
        values = [max(0, 90 - number * 3), 4100 - number * 20]
    else:
        values = [21 + math.sin(at / 20 + number)]
    return dict(zip(VECTOR[stream][0], (round(v, 6) for v in values)))


def verbs():
    """What `metafleet verbs --json` would print, from the schemas that are shipped."""
    found = []
    for target in ("board", "gateway"):
        folder = os.path.join(ROOT, "deploy", "schemas", target)
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                schema = json.load(file)
            found.append({"verb": name[:-5], "for": target, "summary": schema.get("description", ""), "schema": schema,
                          "http": name[:-5] not in REFUSED})
    return found


def stimuli():
    """What a gateway whose boards are simulated offers beside its verbs: what somebody does with them."""
    def one(verb, stream=None, **properties):
        required = [name for name, field in properties.items() if "default" not in field]
        args = {"type": "object", "properties": properties, **({"required": required} if required else {})}
        return {"verb": verb, "for": "simulator", "summary": f"{NAMES[2]} {verb}", "http": True, "schema": {"$defs": {"args": args}}, **({"stream": stream} if stream else {})}
    return [one("press"), one("double-tap"), one("turn", side={"enum": ["face-up", "face-down"], "description": "how it lies then"}),
            one("walk", steps={"type": "integer", "minimum": 1, "maximum": 100, "default": 10, "description": "how many"},
                interval={"type": "string", "pattern": "^([0-9.]+(ms|s))+$", "default": "500ms", "description": "from one to the next"}),
            one("temperature", temperature_c={"type": "number", "minimum": -40, "maximum": 85, "default": "usual", "description": "as it is to be"}),
            one("humidity", "humidity", humidity_pct={"type": "number", "default": "usual"})]


class Fleet:
    """All documents by topic, and the commands. `say(kind, topic, payload)` passes on whatever happens."""

    def __init__(self, boards, say, rate=10, empty=False, silent=False):
        self.say, self.rate, self.lock = say, rate, threading.RLock()
        self.documents, self.numbers, self.deleted, self.cancelled, self.gaps, self.past = {}, {}, set(), set(), {}, []
        self.start = now_ms() - 3_600_000
        self.verbs = verbs()
        known = {v["verb"] for v in self.verbs}
        if "alarm-acknowledge" not in known:
            args = {"type": "object", "properties": {"alarm": {"type": "string", "description": "which alarm"}}}
            self.verbs.append({"verb": "alarm-acknowledge", "for": "gateway", "summary": "Acknowledges an alarm.", "schema": {"$defs": {"args": args}}})
        self.ids = [f"e5a1c2d3{n:04x}" for n in range(0 if empty or silent else boards)]
        if not silent:
            self.gateways()
        for number, board in enumerate(self.ids):
            self.board(number, board)

    def put(self, topic, payload):
        with self.lock:
            if payload is None:
                self.documents.pop(topic, None)
            else:
                self.documents[topic] = payload
        self.say("document", topic, payload)

    def gateways(self):
        names = [v["verb"] for v in self.verbs if v["for"] == "gateway"]
        for gateway, online in ((GATEWAY, True), (OTHER, False))[:2 if self.ids else 1]:
            top = f"gateway/{gateway}"
            own = [b for n, b in enumerate(self.ids) if (n >= 18) != online]
            self.put(f"{top}/availability", {"state": "online" if online else "offline", "birth": 3, "since_ms": self.start, "reason": "started"})
            self.put(f"{top}/info", {
                "v": 1, "ts_ms": self.start, "gateway": gateway, "site": "hq", "version": "1.0.0", "host": gateway + ".local", "os": "Debian 12",
                "mqtt_protocol": "5", "config_hash": "0", "started_ms": self.start, "adapters": ["001a7dda7113"], "boards": own, "admission": "listed", "verbs": names})
            self.put(f"{top}/health", {
                "ts_ms": now_ms(), "gw": gateway, "storage": "ok", "uptime_s": 3600, "outbox_msgs": 2, "outbox_oldest_s": 0.4, "outbox_bytes": 900, "samples_dropped": 0,
                "samples_in": 1_000_000, "samples_published": 999_000, "samples_lost": 12, "storage_ok": 1, "bluetooth_ok": 1, "clock_synced": 1, "storage_free_bytes": 7e9,
                "rss_bytes": 6e7, "contacts_missed": 1, "commands_ok": 20, "commands_failed": 1, "boards_admitted": len(own)})
            if online:
                holders = [b for n, b in enumerate(self.ids) if n < 18 and n % 6 != 5][:6]
                self.put(f"{top}/adapter/001a7dda7113", {
                    "ts_ms": now_ms(), "gw": gateway, "adapter": "001a7dda7113", "name": "hci0", "state": "up", "slots_used": len(holders), "slots_free": 0, "slots_total": 6,
                    "waiting": 2, "queue": [{"board": b, "purpose": "download", "since_ms": now_ms() - 20_000} for b in self.ids[11:13]], "connected": holders,
                    "load_packets_per_s": 200, "capacity_packets_per_s": 1596, "scanning": True, "scan_age_s": 0.2, "resets": 1, "scan_restarts": 0, "connects_ok": 40,
                    "connects_failed": 3, "last_error": "a connection attempt timed out", "last_error_ms": now_ms() - 600_000})
                self.put(f"{top}/alarms", {"ts_ms": now_ms(), "gw": gateway, "alarms": [] if not self.ids else [
                    {"id": "offline-5", "code": "offline", "severity": "critical", "since_ms": now_ms() - 900_000, "board": self.ids[5], "text": "the board has been silent for 15 minutes", "acknowledged": False},
                    {"id": "disk", "code": "disk", "severity": "warning", "since_ms": now_ms() - 90_000, "text": "<b>the disk</b> is nearly full", "acknowledged": False}]})

    def board(self, number, board):
        trouble, gateway = number % 6, OTHER if number >= 18 else GATEWAY
        top = f"board/{board}"
        wanted = {"acceleration": {"rate_hz": 50, "range_g": 4}, "angular-velocity": {"rate_hz": 50, "range_dps": 2000}}
        if number % 2 == 0:
            wanted = {"quaternion": {"mode": "ndof"}, "temperature-die": {"every": "10s"}}
        if number % 8 == 1:
            wanted = {"euler": {"mode": "ndof"}}
        offers = {"acceleration": {"rate_hz": [12.5, 25, 50, 100], "range_g": [2, 4, 8, 16]}, "angular-velocity": {"rate_hz": [25, 50, 100], "range_dps": [250, 2000]},
                  "quaternion": {"mode": ["ndof", "imuplus"]}, "euler": {"mode": ["ndof", "imuplus"]}}
        streams = {name: {
            "fields": [{"name": f, "unit": "mV" if f.endswith("_mv") else unit, "type": "number"} for f in fields], "via": "stream", "streamable": True, "loggable": True,
            "readable": name in ("temperature-die", "battery"), "modules": [], "entries": 2, **({"offers": offers[name]} if name in offers else {})}
            for name, (fields, unit) in VECTOR.items()}
        names = sorted(v["verb"] for v in self.verbs if v["for"] == "board" and v["verb"] not in ("raw", "factory-reset"))
        self.put(f"{top}/info", {
            "v": 1, "ts_ms": self.start, "board": board, "gw": gateway, "address": board, "family": "metamotion", "name": NAMES.get(number, f"Pump {number}"), "site": "hq",
            "profile": "vibration", "groups": ["east" if number % 2 else "west", "pumps"], "labels": {"room": NAMES[2]}, "verbs": names, "model": "MetaMotion S", "fw": "1.7.3",
            "slots": {"loggers": 8, "log_entries": 66_781_184}, "streams": streams})
        bad = {5: ("offline", "silent"), 3: ("online", "connected")}.get(trouble, ("online", "connected"))
        self.put(f"{top}/availability", {"state": bad[0], "reason": bad[1], "since_ms": now_ms() - 900_000, "gw": gateway})
        state = {
            "ts_ms": now_ms(), "board": board, "gw": gateway, "link": "unreachable" if trouble == 5 else "streaming", "adapter": "001a7dda7113", "rssi_dbm": -50 - number,
            "battery_pct": max(0, 90 - number * 5), "battery_mv": 3900, "battery_ms": now_ms() - 60_000, "log_used_pct": 12.4, "last_seen_ms": now_ms() - 900_000 * (trouble == 5),
            "next_contact_ms": now_ms() + 600_000, "sessions_24h": 24, "session_fail_24h": 1, "samples_lost_24h": 7 if trouble == 3 else 0, "commands_waiting": 0, "boot": 5, "in_sync": trouble != 4}
        if trouble == 5:
            state.update(reason="The board did not answer: <b>le-connection-abort-by-local</b>", reason_code="unreachable", since_ms=now_ms() - 900_000, until_ms=now_ms() + 30_000)
        if trouble == 3:
            state.update(stream_reason="acceleration: 7 of 100 samples are lost in transmission", stream_reason_code="samples-missing")
        if number == 10:
            state.update(maintenance_until_ms=now_ms() + 3_600_000, maintenance_reason=NAMES[3], maintenance_who="anna")
        self.put(f"{top}/state", state)
        self.firmware(board, **({} if number == 0 else {"installed_version": "1.7.3"}))
        self.config(board, wanted, drift=trouble == 4)

    def config(self, board, wanted, drift=False):
        reported = {k: ({**v, "rate_hz": 25} if drift and "rate_hz" in v else v) for k, v in wanted.items()}
        self.put(f"board/{board}/config", {
            "ts_ms": now_ms(), "board": board, "profile": "vibration", "desired": {"stream": wanted}, "reported": {"stream": reported}, "desired_hash": "0", "reported_hash": "1" if drift else "0",
            "in_sync": not drift, "differences": ["stream/acceleration different"] if drift else [], "overlay": [], "foreign": ["logger/3"] if drift else [],
            "slots_used": {"loggers": 2, "timers": 1}, "applied_ms": self.start})

    def streams(self, board):
        return self.documents.get(f"board/{board}/config", {}).get("desired", {}).get("stream", {})

    def live(self):
        """One turn of live samples of every board that streams."""
        at = time.time()
        for number, board in enumerate(self.ids):
            document = self.documents.get(f"board/{board}/state", {})
            if document.get("link") != "streaming" or number >= 18 and self.ids:
                continue
            for stream in list(self.streams(board)):
                if stream not in VECTOR or at < self.gaps.get((board, stream), 0):
                    continue
                key = (board, stream)
                self.numbers[key] = self.numbers.get(key, 0) + 5
                self.say("live", f"board/{board}/live/{stream}", {
                    "ts_ms": int(at * 1000), **sample(stream, number, at), "seq": self.numbers[key], "board": board, "stream": stream, "gw": GATEWAY})

    def trouble(self):
        """Something that happens now and then: an event, a gap, a state that changes."""
        running = [b for b in self.ids[:18] if self.streams(b)]
        if not running:
            return
        board = random.choice(running)
        stream = random.choice(list(self.streams(board)))
        event = {"ts_ms": now_ms(), "event_id": f"01{random.getrandbits(100):024X}", "board": board, "gw": GATEWAY}
        if random.random() < 0.5:
            self.gaps[(board, stream)] = time.time() + 3
            event.update(kind="data-gap", event_type="stream", stream=stream, from_ms=now_ms(), to_ms=now_ms() + 3000, count=150, reason="radio")
        else:
            event.update(kind="button", event_type="press", message=NAMES[2])
        self.event(board, event)
        state = {**self.documents[f"board/{board}/state"], "ts_ms": now_ms(), "rssi_dbm": random.randint(-90, -40)}
        self.put(f"board/{board}/state", state)

    def event(self, board, event):
        """It happens now, and is kept."""
        with self.lock:
            self.past = [event, *self.past][:1000]
        self.say("event", f"board/{board}/event/{event['kind']}", event)

    def firmware(self, board, **more):
        """What is published of a board's firmware."""
        self.put(f"board/{board}/firmware", {
            "ts_ms": now_ms(), "board": board, "title": "MetaMotion S firmware", "installed_version": "1.7.2", "latest_version": "1.7.3", "in_progress": False, "stage": "idle",
            "checked_ms": self.start, "check_ok": True, **more})

    def sessions(self, board=None):
        found = []
        for number, name in enumerate(self.ids[:18]):
            for kind in ("log", "stream"):
                session = f"01JDB9{'1' if kind == 'log' else '2'}TAS8N0M2T5V7X9Z{number:04d}"[:26].ljust(26, "0")
                if session in self.deleted or board not in (None, name):
                    continue
                entry = {"session": session, "board": name, "kind": kind, "started_ms": self.start - number * 60_000, "boot": 5, "samples": 20_000}
                if kind == "log":
                    entry.update(state="short" if number % 5 == 2 else "complete", entries_stored=40_000, entries_expected=40_000 + (number % 5 == 2) * 211, samples_lost=-1 if number % 5 == 2 else 0,
                                 streams=["acceleration", "temperature-die"])
                else:
                    entry.update(state="running", ended_ms=now_ms(), samples_lost=3, bytes=1_200_000, streams=["battery" if number % 3 == 0 else "quaternion"])
                found.append(entry)
        return found

    def plot(self, session, stream, start, end, count):
        """Least and greatest of each bucket; a tenth of the middle is missing."""
        fields = VECTOR[stream][0]
        start, end = start or self.start, end or self.start + 3_000_000
        step, buckets = (end - start) / count, []
        for place in range(count):
            at = start + place * step
            if 0.5 < (at - self.start) / 3_000_000 < 0.55:
                continue
            values = [sample(stream, 1, (at + step * part) / 1000) for part in (0, 0.25, 0.5, 0.75)]
            row = [int(at), 40]
            for field in fields:
                row += [min(v[field] for v in values), max(v[field] for v in values)]
            buckets.append(row)
        return {"stream": stream, "fields": fields, "from_ms": int(start), "to_ms": int(end), "buckets": buckets}
