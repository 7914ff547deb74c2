"""What Telegraf makes of messages: the rules of its input mqtt_consumer and of its parsers influx, json and json_v2, as their documentation
states them, for as much of them as the files in dashboards/telegraf use. What a file uses beyond that is an error here, not a guess.

A point is (measurement, tags, fields, time in µs)."""
import json
import re
import tomllib

# Options that say where from and how reliably; they change no point.
DELIVERY = {"servers", "username", "password", "qos", "persistent_session", "client_id", "max_undelivered_messages", "topics"}
PRECISIONS = {"1us": 1, "1ms": 1000, "1s": 1000000}


def consumers(path):
    """The inputs mqtt_consumer of a file."""
    with open(path, "rb") as f:
        return [Consumer(x) for x in tomllib.load(f).get("inputs", {}).get("mqtt_consumer", [])]


def matches(filter, topic):
    levels, parts = filter.split("/"), topic.split("/")
    if levels[-1] == "#":
        levels, parts = levels[:-1], parts[:len(levels) - 1]
    return len(levels) == len(parts) and all(a in ("+", b) for a, b in zip(levels, parts))


def lookup(value, path):
    """What stands at a path of keys and places, dots between them; None where nothing does."""
    for step in path.split("."):
        if isinstance(value, dict) and step in value: value = value[step]
        elif isinstance(value, list) and step.isdigit() and int(step) < len(value): value = value[int(step)]
        else: return None
    return value


def microseconds(value, form):
    scale = {"unix": 1_000_000, "unix_ms": 1000, "unix_us": 1}[form]
    return int(value) * scale


class Consumer:
    def __init__(self, options):
        self.options = {k: v for k, v in options.items() if k not in DELIVERY}
        self.topics = options["topics"]
        self.parse = {"influx": self.influx, "json": self.json, "json_v2": self.json_v2}[options["data_format"]]
        known = {"influx": {"influx_timestamp_precision"}, "json": {"tag_keys", "json_string_fields", "json_time_key", "json_time_format"},
                 "json_v2": {"json_v2"}}[options["data_format"]]
        for option in self.options:
            if option not in known | {"data_format", "topic_tag", "name_override"}: raise ValueError(f"the rules of {option} are not written down here")

    def points(self, topic, payload):
        """The points of a message; none of a topic that it does not listen on. Raises ValueError where Telegraf would drop the message and log an error."""
        if not any(matches(f, topic) for f in self.topics):
            return []
        found = []
        for name, tags, fields, time in self.parse(payload):
            if self.options.get("topic_tag", "topic"): tags["topic"] = topic
            if fields: found.append((self.options.get("name_override", name), tags, fields, time))
        return found

    # -- line protocol ------------------------------------------------------------------------------------------------
    def influx(self, payload):
        scale = PRECISIONS[self.options["influx_timestamp_precision"]]
        for line in payload.decode().split("\n"):
            if not line or line.startswith("#"):
                continue
            key, fields, stamp = split(line, " ")
            name, *tags = split(key, ",")
            values = {}
            for entry in split(fields, ","):
                field, value = split(entry, "=")
                values[plain(field)] = typed(value)
            yield plain(name), {plain(k): plain(v) for k, v in (split(t, "=") for t in tags)}, values, int(stamp) * scale

    # -- json: numbers are floats, texts and truth values fall away unless they are named ---------------------------------------
    def json(self, payload):
        if not payload.strip():
            return
        document = json.loads(payload)
        fields = {}
        flatten("", document, fields)
        time = fields.pop(self.options["json_time_key"], None)
        if time is None:
            raise ValueError("JSON time key could not be found")
        tags = {}
        for key in self.options.get("tag_keys", []):
            value = fields.pop(key, None)
            if value is not None: tags[key] = str(value).lower() if isinstance(value, bool) else str(value)
        kept = set(self.options.get("json_string_fields", []))
        fields = {k: v for k, v in fields.items() if isinstance(v, float) or k in kept}
        yield "mqtt_consumer", tags, fields, microseconds(time, self.options["json_time_format"])

    # -- json_v2: tags and fields of the whole, at each of the objects ---------------------------------------------------------
    def json_v2(self, payload):
        document = json.loads(payload)
        for rule in self.options["json_v2"]:
            if set(rule) - {"measurement_name_path", "tag", "field", "object"}: raise ValueError(f"the rules of {set(rule)} are not written down here")
            name, common = lookup(document, rule["measurement_name_path"]), ({}, {})
            for place, kind in enumerate(("tag", "field")):
                for entry in rule.get(kind, []):
                    value = lookup(document, entry["path"])
                    if value is None:
                        if not entry.get("optional"): raise ValueError(f"the path {entry['path']} doesn't exist")
                        continue
                    if isinstance(value, (list, dict)): raise ValueError(f"{entry['path']} is no single value")
                    key = entry.get("rename", entry["path"].split(".")[-1]).replace(" ", "_")
                    common[place][key] = converted(value, "string" if kind == "tag" else entry.get("type"))
            for entry in rule["object"]:
                if set(entry) - {"path", "timestamp_key", "timestamp_format", "fields"}: raise ValueError(f"the rules of {set(entry)} are not written down here")
                rows = lookup(document, entry["path"])
                if rows is None: raise ValueError(f"the path {entry['path']} doesn't exist")
                for row in rows:
                    fields, time = {}, None
                    for key, value in row.items():
                        if isinstance(value, (list, dict)): raise ValueError(f"{key} is no single value")
                        if key == entry["timestamp_key"]: time = microseconds(value, entry["timestamp_format"])
                        else: fields[key.replace(" ", "_")] = converted(value, entry.get("fields", {}).get(key))
                    # Without a time of its own a point has that of its arrival.
                    if time is None: raise ValueError(f"no {entry['timestamp_key']} in a row of {entry['path']}")
                    yield name, dict(common[0]), {**fields, **common[1]}, time


def converted(value, kind):
    """A value of json_v2: every number is a float that nobody asked to be another."""
    if kind == "string": return value if isinstance(value, str) else f"{value:g}"
    if kind == "int": return int(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool): return float(value)
    return value


def flatten(name, value, fields):
    name = name.strip("_")
    if isinstance(value, dict):
        for k, v in value.items(): flatten(f"{name}_{k}_", v, fields)
    elif isinstance(value, list):
        for i, v in enumerate(value): flatten(f"{name}_{i}_", v, fields)
    elif isinstance(value, bool) or isinstance(value, str): fields[name] = value
    elif value is not None: fields[name] = float(value)


def split(text, mark):
    """Parts between marks that are neither escaped nor within quotes."""
    parts, now, quoted, escaped = [], "", False, False
    for c in text:
        if c == mark and not quoted and not escaped:
            parts.append(now)
            now = ""
            continue
        if c == '"' and not escaped: quoted = not quoted
        escaped = c == "\\" and not escaped
        now += c
    return parts + [now]


def plain(text):
    return re.sub(r"\\([,= ])", r"\1", text)


def typed(text):
    if text.startswith('"') and text.endswith('"') and len(text) > 1: return text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    if re.fullmatch(r"-?\d+i", text): return int(text[:-1])
    if text in ("t", "T", "true", "f", "F", "false"): return text[0] in "tT"
    return float(text)
