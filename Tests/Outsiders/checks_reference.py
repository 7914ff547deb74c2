"""The reference of topics against a fleet that says everything that there is to say: every channel is seen, and every message keeps to its schema."""
import json
import os
import time

import checks_contract
from bench import Bench, until
from dfu_host import image, init_packet, write_package
from reference import DEPLOY, Reference


class Everything(Bench):
    """Streams in all encodings, logs and visits, with Home Assistant."""

    def write_config(self, extra=""):
        with open(self.path("info2.json"), "w") as f:
            json.dump({"0.1": {"8": {"vanilla": {"1.9.0": {"filename": "firmware.zip", "required-bootloader": "0.1"}}}}}, f)
        release, data = self.path("0.1/8/vanilla/1.9.0"), image(4000)
        os.makedirs(release, exist_ok=True)
        write_package(os.path.join(release, "firmware.zip"), data, init_packet(data))
        return self.configure(f"""gateway: {{ id: {self.gateway} }}
lanes: {{ encodings: [json, lp, cbor] }}
homeassistant: {{ discovery: true }}
firmware: {{ index: {self.directory} }}
schedules: {{ firmware_check: 1h }}
profiles:
  moving:
    stream: {{ acceleration: {{ rate_hz: 50, range_g: 4 }}, temperature-die: {{ every: 1s }} }}
    process: {{ shaking: {{ from: acceleration, rate_hz: 50, range_g: 4, chain: [ rms, {{ average: 8 }} ] }} }}
  recorder:
    log: {{ acceleration: {{ rate_hz: 50, range_g: 4 }} }}
    visit: {{ every: 10s, jitter: 0% }}
{extra}""", lambda n: f"profile: {'recorder' if n == self.count else 'moving'}, groups: [lab]")


def same_as_others(r, reference, messages):
    """Our reader of JSON Schemas finds what the one of Debian finds; and the schemas are schemas, also for draft 7, which AsyncAPI speaks."""
    import jsonschema
    checked, differing, odd = 0, [], []
    for folder, _, names in os.walk(os.path.join(DEPLOY, "schemas")):
        for name in names:
            with open(os.path.join(folder, name)) as f:
                schema = json.load(f)
            for draft in (jsonschema.Draft7Validator, jsonschema.Draft202012Validator):
                try:
                    draft.check_schema(schema)
                except jsonschema.SchemaError as error:
                    odd.append(f"{name}: {error.message}")
    r.equal("reference: the schemas are JSON Schemas of draft 7 and of 2020-12", odd[:3], [])
    counts = {}
    for _, topic, payload, *_ in messages:
        name, last = reference.channel(topic)
        place = next(reference.message(name, last), (None,))[0] if name in reference.sent else None
        if place is None or not payload or name in ("board.lp", "board.cbor") or counts.setdefault((place, topic.split("/")[-1]), 0) >= 2:
            continue
        counts[(place, topic.split("/")[-1])] += 1
        schema, path = reference.schemas.find(place + "/payload", reference.path)
        resolver = jsonschema.RefResolver(f"file://{path}", reference.document)
        value = json.loads(payload)
        # As it is, and without each of its keys.
        for candidate in [value] + [{k: v for k, v in value.items() if k != key} for key in value]:
            for draft in (jsonschema.Draft7Validator, jsonschema.Draft202012Validator):
                checked += 1
                ours = reference.schemas.at(place + "/payload", reference.path)(candidate) is None
                if draft(schema, resolver=resolver).is_valid(candidate) != ours:
                    differing.append((place, draft.__name__, ours, candidate))
    r.check("reference: our reader of schemas and Debian's agree", checked > 500 and not differing, "hundreds, none differs", differing[:1] or checked)


def said(b, r):
    """Has everything said that does not come by itself."""
    mark = b.client.mark()
    b.do("press", board=1, state=1)
    b.client.publish(b.topic(1, "cmd", "led"), {"id": "light", "args": {"color": "green"}})
    b.client.publish("/".join([b.base, "group", "lab", "cmd", "read"]), {"id": "group", "args": {"what": "battery"}})
    b.client.publish(b.gateway_topic("cmd", "diagnostics"), {"id": "own"})
    # Begun, and nobody gets it: the hours are others.
    hour = (time.localtime().tm_hour + 12) % 24
    b.client.publish("/".join([b.base, "group", "lab", "cmd", "firmware-rollout"]),
                     {"id": "rollout", "args": {"confirm": "lab", "version": "1.9.0", "hours": f"{hour:02}:00-{hour:02}:10"}})
    b.client.publish(b.topic(2, "cmd", "led"), {"id": "wrong", "args": {"color": "mauve"}})
    b.client.publish("homeassistant/status", "online")
    for topic, id in ((b.topic(1, "reply", "led"), "light"), ("/".join([b.base, "group", "lab", "reply", "read"]), "group"), ("/".join([b.base, "group", "lab", "reply", "firmware-rollout"]), "rollout"), (b.gateway_topic("reply", "diagnostics"), "own")):
        final = b.client.wait(30, topic, lambda v: v.get("id") == id and v.get("stage") in ("done", "failed", "unknown"), mark)
        r.check(f"reference: {id} is answered", final, "a final reply", final)


def reference(binary, r, keep):
    judge = Reference()
    r.equal("reference: it keeps to the rules of AsyncAPI 3.0.0", judge.structure(), [])
    b = Everything(binary, boards=4, keep=keep)
    try:
        b.start()
        r.equal("reference: all that stream do", b.wait_streaming(30, range(1, b.count)), [])
        said(b, r)

        def unseen():
            with b.client.lock:
                topics = {m[1] for m in b.client.messages}
            return sorted(set(judge.channels) - {judge.channel(t)[0] for t in topics})
        until(40, lambda: not unseen(), 0.5)
        r.equal("reference: every channel is seen", unseen(), [])
        same_as_others(r, judge, b.client.since(0))
        checks_contract.verdict(b, r, "reference")
    finally:
        b.close()


ALONE = [reference]
