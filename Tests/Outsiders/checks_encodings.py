"""The lanes `lp` and `cbor` (MQTT contract 1.7), read by a line-protocol reader and a CBOR reader of our own: they say what the JSON lane says."""
import json
import re

import checks_contract
from bench import Bench, until
from cbor_reader import item

LINE = re.compile(r"(?P<measurement>(?:[^, \\]|\\.)+)(?P<tags>(?:,(?:[^,= \\]|\\.)+=(?:[^,= \\]|\\.)+)*) (?P<fields>\S+) (?P<stamp>\d+)$")


class Encoded(Bench):
    encodings = "[json, lp, cbor]"

    def write_config(self, extra=""):
        return self.configure(f"""gateway: {{ id: {self.gateway} }}
lanes: {{ encodings: {self.encodings} }}
profiles:
  moving:
    stream: {{ acceleration: {{ rate_hz: 50, range_g: 4 }}, temperature-die: {{ every: 1s }}, switch: {{}} }}
{extra}""", lambda n: "profile: moving")


def field(text):
    """A field's value with the type that a database would give it."""
    if re.fullmatch(r"-?\d+i", text):
        return int(text[:-1])
    if text.startswith('"') and text.endswith('"'):
        return text[1:-1]
    return float(text)


def points(payload):
    """The lines of a message: measurement, tags, fields, stamp."""
    result = []
    text = payload.decode()
    if not text.endswith("\n"):
        raise ValueError("the last line has no end")
    for line in text.splitlines():
        match = LINE.match(line)
        if not match:
            raise ValueError(f"no line of the protocol: {line}")
        tags = dict(re.findall(r",((?:[^,= \\]|\\.)+)=((?:[^,= \\]|\\.)+)", match["tags"]))
        fields = dict(re.findall(r'([^,=]+)=("[^"]*"|[^,"]+)', match["fields"]))
        result.append((match["measurement"], tags, {k: field(v) for k, v in fields.items()}, int(match["stamp"])))
    return result


def held(b, mark, lane):
    """Payloads of a lane of board 1 and others, by topic's board and stream."""
    return [(m[1].split("/")[2], m[1].split("/")[4], m[2]) for m in b.client.since(mark)
            if len(m[1].split("/")) == 5 and m[1].split("/")[3] == lane]


def compare(b, r, mark):
    json_batches = {v["batch_id"]: v for _, _, p in held(b, mark, "record") for v in [json.loads(p)]}
    cbor, broken = {}, []
    for _, _, payload in held(b, mark, "cbor"):
        try:
            value, end = item(payload)
            if end != len(payload):
                raise ValueError(f"{len(payload) - end} bytes behind it")
            cbor[value["batch_id"]] = value
        except (ValueError, KeyError, IndexError) as error:
            broken.append(str(error))
    r.equal("cbor: every batch is deterministic CBOR", broken, [])
    common = set(json_batches) & set(cbor)
    r.check("cbor: the same batches as JSON", len(common) >= 0.9 * len(json_batches) > 20, "nearly all", (len(common), len(json_batches)))
    r.equal("cbor: each says what JSON says", [i for i in common if cbor[i] != json_batches[i]][:3], [])
    seen, broken = {}, []
    for board, stream, payload in held(b, mark, "lp"):
        try:
            for measurement, tags, fields, stamp in points(payload):
                if measurement != stream or tags != {"board": board, "gw": b.gateway, "origin": "stream"}:
                    broken.append(f"{measurement} {tags} on the lane of {board} {stream}")
                seen[(board, stream, stamp)] = fields
        except ValueError as error:
            broken.append(str(error))
    r.equal("lp: every line is of the protocol, with its tags", broken[:3], [])
    wanted = {(v["board"], v["stream"], s["ts_us"]): ({k: x for k, x in s.items() if k != "ts_us"}, v["seq"] + i)
              for v in json_batches.values() for i, s in enumerate(v["samples"])}
    both = set(wanted) & set(seen)
    r.check("lp: a point per sample", len(both) >= 0.9 * len(wanted) > 200, "nearly all", (len(both), len(wanted)))
    other = [(k, seen[k], wanted[k]) for k in both if seen[k].get("seq") != wanted[k][1]
             or {n: v for n, v in seen[k].items() if n in wanted[k][0]} != wanted[k][0]]
    r.equal("lp: each has the sample's values and number", other[:3], [])
    kinds = {}
    for (_, stream, _), fields in seen.items():
        for name, value in fields.items():
            kinds.setdefault((stream, name), set()).add(type(value).__name__)
    r.equal("lp: no field changes its type", [k for k, v in kinds.items() if len(v) > 1], [])
    r.check("lp: every stamp states its error", all("err_ms" in f or "clock-unknown" in f.get("quality_reasons", "") for f in seen.values()), "err_ms", None)


def encodings(binary, r, keep):
    b = Encoded(binary, boards=3, keep=keep)
    try:
        b.start()
        r.equal("all boards stream", b.wait_streaming(30), [])
        mark = b.client.mark()
        until(8, lambda: len(held(b, mark, "cbor")) > 120, 0.2)
        compare(b, r, mark)
        b.encodings = "[json]"
        b.write_config()
        mark = b.client.mark()
        b.client.publish(b.gateway_topic("cmd", "reload"), json.dumps({"id": "plain"}))
        final = b.client.wait(20, b.gateway_topic("reply", "reload"), lambda v: v.get("id") == "plain" and v.get("stage") == "done", mark)
        r.check("a reload takes the lanes away", final is not None, "done", final)
        mark = b.client.mark()
        r.equal("JSON goes on", b.wait_samples(10, range(1, 4), mark), [])
        r.equal("nothing more on lp and cbor", len(held(b, mark, "lp")) + len(held(b, mark, "cbor")), 0)
        r.equal("no link was lost", [m[1] for m in b.client.since(mark) if m[1].endswith("/event/link-lost")], [])
        checks_contract.verdict(b, r, "encodings")
    finally:
        b.close()


ALONE = [encodings]
