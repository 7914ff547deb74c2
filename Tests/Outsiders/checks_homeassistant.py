"""Boards announced to Home Assistant (MQTT API 7), held to what its schemas take (homeassistant_schemas.json, made by homeassistant_judge.py)."""
import json
import os
import re

from bench import Bench, until

SCHEMAS = json.load(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "homeassistant_schemas.json")))
PREFIX = "homeassistant"


class Announced(Bench):
    discovery, listed = "true", None

    def write_config(self, extra=""):
        path = self.configure(f"""gateway: {{ id: {self.gateway} }}
homeassistant: {{ discovery: {self.discovery} }}
firmware: {{ index: {self.directory} }}
profiles:
  still:
    stream: {{ acceleration: {{ rate_hz: 25, range_g: 4, packed: off }}, temperature-die: {{ every: {self.period} }}, temperature-thermistor: {{ every: 1s }} }}
    process: {{ shaking: {{ from: acceleration, rate_hz: 25, range_g: 4, packed: off, chain: [ rms, {{ average: 8 }} ] }} }}
{extra}""", lambda n: f"profile: still, labels: {{ room: Room {n} }}")
        if self.listed is not None:
            lines = open(path).read().splitlines(keepends=True)
            kept = [x for x in lines if not x.startswith("  - {") or any(f"name: Board {n}," in x for n in self.listed)]
            open(path, "w").writelines(kept)
        return path

    period = "1h"

    def documents(self):
        """What stands retained below the discovery prefix: topic to document."""
        result = {}
        for _, topic, payload, *_ in self.client.since(0):
            if topic.startswith(PREFIX + "/device/"):
                if payload:
                    result[topic] = json.loads(payload)
                else:
                    result.pop(topic, None)
        return result


def problems_of(document):
    """What Home Assistant would say against a document, by the transcript of its schemas."""
    said = []

    def keys(what, value, allowed, without=()):
        said.extend(f"{what}: unknown key {k}" for k in value if k not in allowed)
        said.extend(f"{what}: {k} is missing" for k, needed in allowed.items() if needed and k not in value and k not in without)
    keys("document", document, SCHEMAS["document"])
    keys("device", document["device"], SCHEMAS["device"])
    keys("origin", document["origin"], SCHEMAS["origin"])
    if not document["device"].get("identifiers"):
        said.append("device: no identifiers")
    for key, component in document["components"].items():
        platform = component.get("platform")
        if platform not in SCHEMAS["platforms"]:
            said.append(f"{key}: platform {platform}")
            continue
        options = {k: v for k, v in component.items() if k != "platform"}
        if not options:
            continue  # withdrawn
        keys(key, options, SCHEMAS["platforms"][platform])
        if not options.get("unique_id"):
            said.append(f"{key}: no unique_id")
        kind = options.get("device_class")
        if kind is not None and kind not in SCHEMAS["classes"][platform]:
            said.append(f"{key}: no device class {kind}")
        if platform == "sensor" and kind in SCHEMAS["units"] and options.get("unit_of_measurement") not in SCHEMAS["units"][kind]:
            said.append(f"{key}: {kind} in {options.get('unit_of_measurement')}")
        if platform == "sensor" and "state_class" in options and kind in SCHEMAS["state_classes"] \
                and options["state_class"] not in SCHEMAS["state_classes"][kind]:
            said.append(f"{key}: {kind} is not {options['state_class']}")
        if "expire_after" in options and "/live/" not in options.get("state_topic", ""):
            said.append(f"{key}: expires on a retained topic")
    return said


def render(template, value):
    """The few templates that are used, as Jinja would render them."""
    match = re.fullmatch(r"\{\{ value_json\.(\w+) \| default\(none\) \}\}", template)
    if match:
        return str(value.get(match[1]))
    if template == "{{ 'online' if value_json.state == 'online' else 'offline' }}":
        return "online" if value.get("state") == "online" else "offline"
    return None


def update_state(template, value):
    """Of the template of an update, a dictionary of keys with defaults: what it says of a document, and what Home Assistant's schema of it refuses."""
    said = {}
    for key, name, defaults in re.findall(r"'(\w+)': value_json\.(\w+)((?: \| default\([^)]*\))*)", template):
        said[key] = value.get(name)
        for default in re.findall(r"default\(([^)]*)\)", defaults):
            if said[key] is None:
                said[key] = value.get(default.removeprefix("value_json.")) if default.startswith("value_json.") else None if default == "none" else default.strip("'")
    wrong = [key for key in said if key not in SCHEMAS["update_payload"]]
    wrong += [key for key in ("installed_version", "latest_version", "title") if not isinstance(said.get(key), str)]
    wrong += ["in_progress"] if not isinstance(said.get("in_progress"), bool) else []
    share = said.get("update_percentage")
    return said, wrong + (["update_percentage"] if share is not None and not 0 <= share <= 100 else [])


def firmware(b, r, component):
    """Shown, and not installed from there: nobody asked for that in the file."""
    r.check("homeassistant: firmware has no button unless the file says so", component["platform"] == "update" and "command_topic" not in component and "payload_install" not in component, "no command", component)
    document = b.client.last(component["state_topic"]) or {"title": "firmware", "installed_version": "1.7.3", "in_progress": False}
    sending = {**document, "in_progress": True, "stage": "sending", "update_percentage": 41.6, "eta_ms": 1}
    unknown = {key: value for key, value in document.items() if key != "latest_version"}
    for name, value, wanted in (("as it is", document, (document["in_progress"], None)), ("while it is sent", sending, (True, 41.6)), ("without an index", unknown, (document["in_progress"], None))):
        said, wrong = update_state(component["value_template"], value)
        r.check(f"homeassistant: firmware {name} is what its schema takes", not wrong and (said["in_progress"], said["update_percentage"]) == wanted, wanted, (said, wrong))


def announced(b, r):
    own = f"{PREFIX}/device/metafleet_gateway_{b.gateway}/config"
    wanted = {f"{PREFIX}/device/metafleet_{id}/config" for id in b.ids} | {own}
    # What a chain yields is known once it is on the board.
    until(30, lambda: set(b.documents()) == wanted and all("shaking" in d["components"] for t, d in b.documents().items() if t != own), 0.2)
    documents = b.documents()
    r.equal("homeassistant: one document per board, and one of the gateway", set(documents), wanted)
    alarms = documents.get(own, {}).get("components", {})
    r.equal("homeassistant: the gateway has its alarms, and whether somebody should see to one", {k: c["platform"] for k, c in alarms.items()},
            {"alarms": "sensor", "problem": "binary_sensor"})
    told = b.client.wait(10, b.gateway_topic("alarms"))
    r.equal("homeassistant: its number of alarms is that of the document", render(alarms["alarms"]["value_template"], told or {}), str((told or {}).get("count")))
    r.equal("homeassistant: nothing that its schemas refuse", {t: p for t, d in documents.items() if (p := problems_of(d))}, {})
    identifiers = [c["unique_id"] for d in documents.values() for c in d["components"].values() if "unique_id" in c]
    r.equal("homeassistant: every entity has an identifier of its own", len(identifiers), len(set(identifiers)))
    one = documents[sorted(documents)[0]]["components"]
    r.check("homeassistant: slow values, chains, battery, LED, identify, firmware; no waves",
            {"temperature-die", "temperature-thermistor", "shaking", "battery", "rssi", "link", "led", "identify", "firmware"} <= set(one) and "acceleration" not in one,
            "all of them", sorted(one))
    firmware(b, r, one["firmware"])
    until(20, lambda: (b.client.last(b.topic(1, "live", "temperature-thermistor")) or {}).get("temperature_c") and (b.client.last(b.topic(1, "state")) or {}).get("battery_pct"), 0.2)
    empty = []
    for key in ("temperature-thermistor", "battery", "link", "rssi"):
        component = one[key]
        value = b.client.last(component["state_topic"]) or {}
        if render(component["value_template"], value) in (None, "None"):
            empty.append((key, component["value_template"], value))
    r.equal("homeassistant: the templates find their values", empty, [])
    places = documents[sorted(documents)[0]]["availability"]
    r.equal("homeassistant: board and gateway are there", [render(p["value_template"], b.client.last(p["topic"]) or {}) for p in places], ["online", "online"])


def commanded(b, r):
    """What Home Assistant sends for a light and a button, to the topics that it was given."""
    component = b.documents()[f"{PREFIX}/device/metafleet_{b.ids[0]}/config"]["components"]
    mark = b.client.mark()
    b.client.publish(component["led"]["command_topic"], json.dumps({"state": "ON", "color": {"r": 0, "g": 255, "b": 0}, "brightness": 128}))
    lit = b.client.wait(10, component["led"]["state_topic"], lambda v: v.get("state") == "ON" and v["color"] == {"r": 0, "g": 255, "b": 0}, mark)
    r.check("homeassistant: its light command lights the LED", lit, "ON, green", lit)
    b.client.publish(component["identify"]["command_topic"], component["identify"]["payload_press"])
    final = b.client.wait(10, b.topic(1, "reply", "identify"), lambda v: v.get("stage") in ("done", "failed"), mark)
    r.check("homeassistant: its button identifies the board", final and final["stage"] == "done", "done", final)


def born(b, r):
    """Home Assistant starts again: the last slow values come once more, as old as they are."""
    topic = b.topic(1, "live", "temperature-die")
    before = [m[2] for m in b.client.since(0) if m[1] == topic]
    mark = b.client.mark()
    b.client.publish(f"{PREFIX}/status", "online")
    until(5, lambda: any(m[1] == topic for m in b.client.since(mark)), 0.1)
    again = [m[2] for m in b.client.since(mark) if m[1] == topic]
    r.check("homeassistant: its birth brings the last slow value, unchanged", before and again and again[0] == before[-1], before[-1:], again)
    documents = [m[1] for m in b.client.since(mark) if m[1].startswith(PREFIX + "/device/")]
    r.equal("homeassistant: and no document that says nothing new", documents, [])


def reload(b, r, what):
    mark, id = b.client.mark(), what.replace(" ", "-")
    b.write_config()
    b.client.publish(b.gateway_topic("cmd", "reload"), json.dumps({"id": id, "args": {"confirm": b.gateway}}))
    final = b.client.wait(20, b.gateway_topic("reply", "reload"), lambda v: v.get("id") == id and v.get("stage") in ("done", "failed"), mark)
    r.check(f"homeassistant: reload, {what}", final and final["stage"] == "done", "done", final)


def changed(b, r):
    b.listed = range(1, b.count)
    reload(b, r, "a board is gone")
    gone = f"{PREFIX}/device/metafleet_{b.ids[-1]}/config"
    r.check("homeassistant: a forgotten board leaves nothing", until(10, lambda: gone not in b.documents(), 0.2), "no document", sorted(b.documents()))
    b.discovery = "false"
    reload(b, r, "switched off")
    r.check("homeassistant: switched off, nothing is left", until(10, lambda: not b.documents(), 0.2), "nothing", sorted(b.documents()))


def home_assistant(binary, r, keep):
    b = Announced(binary, boards=3, keep=keep)
    try:
        b.start()
        r.equal("homeassistant: all boards stream", b.wait_streaming(30), [])
        for step in (announced, commanded, born, changed):
            step(b, r)
    finally:
        b.close()


ALONE = [home_assistant]
