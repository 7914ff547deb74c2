"""The reference of topics (deploy/docs/asyncapi.json) and its JSON Schemas, read by a reader of our own: whether the reference keeps to the
rules of AsyncAPI 3.0.0, and whether what is on the broker keeps to the reference."""
import json
import os
import re

from bench import HERE
from cbor_reader import item

DEPLOY = os.path.join(HERE, "..", "..", "deploy")
PATTERNS = {"base": r"[\w-]+(?:/[\w-]+){0,3}", "prefix": r"[\w-]+(?:/[\w-]+){0,3}", "board": "[0-9a-f]{12}", "adapter": "[0-9a-f]{12}"}
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
REMARKS = {"$schema", "$defs", "title", "description", "default", "examples", "then", "properties", "additionalProperties", "format"}


class Schemas:
    """JSON Schemas by the paths of their files, compiled: as much of them as drafts 7 and 2020-12 have in common and ours use."""

    def __init__(self):
        self.files, self.compiled = {}, {}

    def load(self, path):
        path = os.path.normpath(path)
        if path not in self.files:
            with open(path) as f:
                self.files[path] = json.load(f)
        return path

    def find(self, reference, path):
        """The schema that a reference in a file leads to, and that one's file."""
        name, _, pointer = reference.partition("#")
        if name:
            path = self.load(os.path.join(os.path.dirname(path), name))
        schema = self.files[path]
        for part in pointer.split("/")[1:]:
            schema = schema[part.replace("~1", "/").replace("~0", "~")]
        return schema, path

    def at(self, reference, path):
        schema, path = self.find(reference, path)
        key = (path, id(schema))
        if key not in self.compiled:
            self.compiled[key] = lambda value: self.compiled[key](value)  # for schemas that refer to themselves
            self.compiled[key] = self.compile(schema, path)
        return lambda value: self.compiled[key](value)

    def compile(self, schema, path):
        """What tells the first thing wrong with a value; None when nothing is."""
        parts = [self.part(keyword, wanted, schema, path) for keyword, wanted in schema.items() if keyword not in REMARKS]
        if "properties" in schema or "additionalProperties" in schema:
            parts.append(self.members(schema, path))

        def judge(value):
            for part in parts:
                problem = part(value)
                if problem:
                    return problem
            return None
        return judge

    def part(self, keyword, wanted, schema, path):
        is_number = lambda v: isinstance(v, (int, float)) and not isinstance(v, bool)
        plain = {
            "type": lambda v: any(is_of(v, t) for t in ([wanted] if isinstance(wanted, str) else wanted)),
            "enum": lambda v: any(v == w and isinstance(v, bool) == isinstance(w, bool) for w in wanted),
            "const": lambda v: v == wanted and isinstance(v, bool) == isinstance(wanted, bool),
            "minimum": lambda v: not is_number(v) or v >= wanted, "maximum": lambda v: not is_number(v) or v <= wanted,
            "minLength": lambda v: not isinstance(v, str) or len(v) >= wanted, "maxLength": lambda v: not isinstance(v, str) or len(v) <= wanted,
            "minItems": lambda v: not isinstance(v, list) or len(v) >= wanted, "maxItems": lambda v: not isinstance(v, list) or len(v) <= wanted,
            "maxProperties": lambda v: not isinstance(v, dict) or len(v) <= wanted,
            "required": lambda v: not isinstance(v, dict) or all(k in v for k in wanted),
            "pattern": lambda v, p=re.compile(wanted) if keyword == "pattern" else None: not isinstance(v, str) or p.search(v),
        }.get(keyword)
        if plain:
            return lambda v: None if plain(v) else f"{short(v)} breaks {keyword} {short(wanted)}"
        if keyword == "$ref":
            return self.at(wanted, path)
        if keyword in ("allOf", "anyOf", "oneOf"):
            judges = [self.compile(x, path) for x in wanted]
            if keyword == "allOf":
                return lambda v: next((p for p in (j(v) for j in judges) if p), None)

            def some(v):
                fitting = sum(j(v) is None for j in judges)
                return None if fitting == 1 or fitting and keyword == "anyOf" else f"{short(v)} fits {fitting} of {keyword}"
            return some
        if keyword == "if":
            condition, then = self.compile(wanted, path), self.compile(schema["then"], path)
            return lambda v: then(v) if condition(v) is None else None
        if keyword == "items":
            each = self.compile(wanted, path)
            return lambda v: next((p for p in map(each, v) if p), None) if isinstance(v, list) else None
        raise ValueError(f"{path} has the keyword {keyword}")

    def members(self, schema, path):
        known = {k: self.compile(v, path) for k, v in schema.get("properties", {}).items()}
        further = schema.get("additionalProperties", True)
        other = self.compile(further, path) if isinstance(further, dict) else (lambda _: None) if further else (lambda _: "is not known")

        def judge(value):
            if isinstance(value, dict):
                for key, inner in value.items():
                    problem = known.get(key, other)(inner)
                    if problem:
                        return f"{key}: {problem}"
            return None
        return judge


def is_of(value, kind):
    if kind in ("integer", "number"):
        return isinstance(value, (int, float)) and not isinstance(value, bool) and (kind == "number" or value == int(value))
    return isinstance(value, TYPES[kind])


def short(value):
    text = json.dumps(value, default=str)
    return text if len(text) < 90 else text[:80] + "…"


def keys(schemas, reference, path):
    """Every key that a document may have at its top, whatever conditions stand before it."""
    found, (schema, path) = set(), schemas.find(reference, path)

    def walk(part, path):
        if "$ref" in part:
            return walk(*schemas.find(part["$ref"], path))
        found.update(part.get("properties", {}))
        for keyword in ("allOf", "anyOf", "oneOf"):
            for inner in part.get(keyword, []):
                walk(inner, path)
        for keyword in {"if", "then"} & set(part):
            walk(part[keyword], path)
    walk(schema, path)
    return found


class Reference:
    """The document itself; see `structure` and `judge`."""

    def __init__(self):
        self.schemas = Schemas()
        self.path = self.schemas.load(os.path.join(DEPLOY, "docs", "asyncapi.json"))
        self.document = self.schemas.files[self.path]
        self.channels = {}
        for name, channel in self.document["channels"].items():
            pattern = re.sub(r"\\{(\w+)\\}", lambda m: f"(?P<{m[1]}>{PATTERNS.get(m[1], '[^/]+')})", re.escape(channel["address"]))
            self.channels[name] = (re.compile(pattern), channel)
        operations = self.document["operations"].values()
        self.sent = {self.name(o["channel"]): o["bindings"]["mqtt"] for o in operations if o["action"] == "send"}
        self.judges, self.known = {}, {}

    @staticmethod
    def name(reference):
        return reference["$ref"].split("/")[2]

    def channel(self, topic):
        """The channel of a topic, and the last of its levels."""
        return next(((name, topic.rsplit("/", 1)[1]) for name, (pattern, _) in self.channels.items() if pattern.fullmatch(topic)), (None, None))

    def message(self, name, last):
        """Of a channel with several messages the one of that verb; what is none is refused."""
        messages = self.channels[name][1]["messages"]
        key = next(iter(messages)) if len(messages) == 1 else last if last in messages else "refusal"
        if key in messages:
            yield f"#/channels/{name}/messages/{key}", messages[key]

    def problem(self, topic, payload, qos, retain):
        """What is wrong with a message; None when nothing is. And its channel."""
        name, last = self.channel(topic)
        if name is None:
            return name, "no channel has this topic"
        if name not in self.sent:
            return name, None  # somebody else's
        binding, pattern = self.sent[name], self.channels[name][0]
        if (qos, bool(retain)) != (binding["qos"], binding["retain"]):
            return name, f"QoS {qos}, retained {retain}: {binding}"
        for parameter, value in pattern.fullmatch(topic).groupdict().items():
            words = self.channels[name][1]["parameters"][parameter].get("enum")
            if words and value not in words:
                return name, f"{parameter} {value} is not one of the reference"
        if not payload and retain:
            return name, None  # taken away
        place, message = next(self.message(name, last), (None, None))
        if place is None:
            return name, f"the channel has no message for {last}"
        if place not in self.judges:
            self.judges[place] = self.schemas.at(place + "/payload", self.path)
            self.known[place] = keys(self.schemas, place + "/payload", self.path)
        kind = message.get("contentType", "application/json")
        try:
            value = item(payload)[0] if kind == "application/cbor" else payload.decode() if kind == "text/plain" else json.loads(payload)
        except (ValueError, KeyError, IndexError) as error:
            return name, f"no {kind}: {error}"
        if isinstance(value, dict) and name != "board.live":  # its fields are those of the stream, which may be anybody's
            for key in value:
                if key not in self.known[place]:
                    return name, f"{key} is not in the schema"
        return name, self.judges[place](value)

    def judge(self, messages):
        """How many messages each channel has, and what is wrong, by kind: how often, and the first."""
        seen, problems = {}, {}
        for _, topic, payload, qos, retain, _ in messages:
            if topic.startswith("outsider/"):
                continue  # our own response topics
            name, problem = self.problem(topic, payload, qos, retain)
            seen[name] = seen.get(name, 0) + 1
            if problem:
                kind = f"{name}: {re.sub('[0-9]+', '#', problem)[:70]}"
                count, first = problems.get(kind, (0, f"{topic}: {problem} in {payload[:300]!r}"))
                problems[kind] = (count + 1, first)
        return seen, problems

    def structure(self):
        """Where the document breaks a rule of AsyncAPI 3.0.0, as far as it goes."""
        return structure(self)


# The keys of each object by AsyncAPI 3.0.0: `!` is required.
OBJECTS = {
    "root": "asyncapi! id info! servers defaultContentType channels operations components",
    "info": "title! version! termsOfService contact license tags externalDocs description",
    "server": "host! protocol! protocolVersion pathname description title summary variables security tags externalDocs bindings",
    "channel": "address messages parameters title summary description servers tags externalDocs bindings",
    "parameter": "enum default description examples location",
    "operation": "action! channel! messages reply traits title summary description security tags externalDocs bindings",
    "reply": "address channel messages",
    "message": "contentType headers payload correlationId tags summary name title description externalDocs deprecated examples bindings traits",
    "components": "schemas servers channels serverVariables operations messages securitySchemes parameters correlationIds operationTraits messageTraits replies replyAddresses "
                  "serverBindings channelBindings operationBindings messageBindings tags externalDocs",
    "mqtt": "qos retain messageExpiryInterval bindingVersion",
}


def structure(r):
    said, d = [], r.document

    def keys_of(kind, where, value):
        allowed = {k.rstrip("!"): k.endswith("!") for k in OBJECTS[kind].split()}
        said.extend(f"{where}: unknown key {k}" for k in value if k not in allowed and not k.startswith("x-"))
        said.extend(f"{where}: {k} is missing" for k, needed in allowed.items() if needed and k not in value)

    def leads(where, value, *folders):
        """Every reference in a value leads somewhere, and one that stands for an object to a place below one of `folders`."""
        if isinstance(value, dict):
            if isinstance(value.get("$ref"), str):
                if list(value) != ["$ref"]:
                    said.append(f"{where}: keys beside $ref")
                if folders and not value["$ref"].startswith(folders):
                    said.append(f"{where}: leads to {value['$ref']}")
                try:
                    r.schemas.find(value["$ref"], r.path)
                except (KeyError, OSError, ValueError) as error:
                    said.append(f"{where}: {value['$ref']} leads nowhere: {error!r}")
            for key, inner in value.items():
                leads(f"{where}/{key}", inner)
        elif isinstance(value, list):
            for inner in value:
                leads(where, inner)
    keys_of("root", "#", d)
    keys_of("info", "#/info", d["info"])
    keys_of("components", "#/components", d.get("components", {}))
    if d.get("asyncapi") != "3.0.0":
        said.append(f"asyncapi {d.get('asyncapi')}")
    leads("#", d)
    for name, server in d.get("servers", {}).items():
        keys_of("server", f"server {name}", server)
    for folder in ("parameters", "messages"):
        for name, value in d.get("components", {}).get(folder, {}).items():
            keys_of(folder[:-1], f"component {name}", value)
            if not re.fullmatch(r"[\w.-]+", name):
                said.append(f"component {name}: no name")
    addresses = [c["address"] for c in d["channels"].values()]
    if len(addresses) != len(set(addresses)):
        said.append("two channels have one address")
    for name, channel in d["channels"].items():
        keys_of("channel", name, channel)
        if set(re.findall(r"\{(\w+)\}", channel["address"])) != set(channel.get("parameters", {})):
            said.append(f"{name}: the parameters of {channel['address']} are {list(channel.get('parameters', {}))}")
        for parts, kind in ((channel.get("parameters", {}), "parameter"), (channel.get("messages", {}), "message")):
            for key, value in parts.items():
                if "$ref" in value:
                    leads(f"{name}/{key}", value, f"#/components/{kind}s/")
                else:
                    keys_of(kind, f"{name}/{key}", value)
    used = set()
    for name, operation in d["operations"].items():
        keys_of("operation", name, operation)
        if operation["action"] not in ("send", "receive"):
            said.append(f"{name}: action {operation['action']}")
        keys_of("mqtt", f"{name}/bindings", operation["bindings"]["mqtt"])
        leads(name, operation["channel"], "#/channels/")
        used.add(r.name(operation["channel"]))
        sides = [(operation["channel"], operation.get("messages", []))]
        if "reply" in operation:
            keys_of("reply", f"{name}/reply", operation["reply"])
            sides.append((operation["reply"]["channel"], operation["reply"].get("messages", [])))
        for channel, messages in sides:
            for message in messages:
                leads(name, message, channel["$ref"] + "/messages/")
    said.extend(f"{name}: no operation is on it" for name in d["channels"] if name not in used)
    return said
