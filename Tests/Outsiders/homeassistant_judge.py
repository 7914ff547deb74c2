"""Run by a Python that has Home Assistant: judges discovery documents by its own schemas, or writes down what these take.

homeassistant_judge.py judge DOCUMENTS TRANSCRIPT   exit status 1 where it refuses or warns, or the transcript is another
homeassistant_judge.py transcribe                   prints the transcript"""
import asyncio
import importlib
import json
import logging
import sys
import tempfile
import typing

import voluptuous as vol
from homeassistant.components.mqtt import schemas
from homeassistant.components.mqtt import update as mqtt_update
from homeassistant.components.sensor.const import DEVICE_CLASS_STATE_CLASSES, DEVICE_CLASS_UNITS
from homeassistant.const import __version__
from homeassistant.core import HomeAssistant
from homeassistant.helpers import frame

PLATFORMS = ("sensor", "light", "event", "button", "update", "binary_sensor")


def schema_of(validator):
    """The schema of keys inside a validator."""
    if isinstance(validator, vol.Schema):
        return validator
    for inner in getattr(validator, "validators", ()):
        found = schema_of(inner)
        if found is not None:
            return found
    return None


def keys_of(schema):
    return {str(key): isinstance(key, vol.Required) for key in schema.schema}


def words(values):
    return sorted(str(getattr(v, "value", v)) for v in values if v is not None)


def transcript():
    """What the schemas take, in plain JSON: keys and whether they must be there, classes, units."""
    result = {"version": __version__, "document": keys_of(schemas.DEVICE_DISCOVERY_SCHEMA),
              "device": keys_of(schema_of(schemas.DEVICE_DISCOVERY_SCHEMA.schema["device"])),
              "origin": keys_of(schema_of(schemas.DEVICE_DISCOVERY_SCHEMA.schema["origin"])), "platforms": {}, "classes": {}}
    for platform in PLATFORMS:
        module = importlib.import_module(f"homeassistant.components.mqtt.{platform}")
        schema = schema_of(module.DISCOVERY_SCHEMA)
        if platform == "light":
            schema = schema_of(importlib.import_module("homeassistant.components.mqtt.light.schema_json").DISCOVERY_SCHEMA_JSON)
        result["platforms"][platform] = keys_of(schema)
        domain = importlib.import_module(f"homeassistant.components.{platform}")
        classes = {"sensor": "SensorDeviceClass", "event": "EventDeviceClass", "button": "ButtonDeviceClass", "update": "UpdateDeviceClass", "binary_sensor": "BinarySensorDeviceClass"}.get(platform)
        result["classes"][platform] = words(getattr(domain, classes)) if classes else []
    result["units"] = {str(k.value): words(v) for k, v in DEVICE_CLASS_UNITS.items()}
    result["state_classes"] = {str(k.value): words(v) for k, v in DEVICE_CLASS_STATE_CLASSES.items()}
    result["update_payload"] = sorted(str(k) for k in mqtt_update.MQTT_JSON_UPDATE_SCHEMA.schema)
    return result


class Warnings(logging.Handler):
    """Whatever Home Assistant only warns of is refused tomorrow."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.texts = []

    def emit(self, record):
        self.texts.append(record.getMessage())


async def judge(documents, written):
    # Templates are only validated within a Home Assistant, though nothing of it has to run.
    with tempfile.TemporaryDirectory() as folder:
        frame.async_setup(HomeAssistant(folder))
        return judged(documents, written)


def judged(documents, written):
    warnings, problems = Warnings(), []
    logging.getLogger().addHandler(warnings)
    for topic, document in documents.items():
        try:
            parsed = schemas.DEVICE_DISCOVERY_SCHEMA(json.loads(json.dumps(document)))
        except vol.Invalid as error:
            problems.append(f"{topic}: {error}")
            continue
        shared = {k: document[k] for k in ("availability", "availability_mode", "qos") if k in document}
        for key, component in parsed["components"].items():
            options = {k: v for k, v in document["components"][key].items() if k != "platform"}
            if not options:
                continue
            module = importlib.import_module(f"homeassistant.components.mqtt.{component['platform']}")
            try:
                module.DISCOVERY_SCHEMA({**shared, **options, "device": document["device"], "origin": document["origin"]})
            except vol.Invalid as error:
                problems.append(f"{topic}: {key}: {error}")
    problems += [f"Home Assistant warns: {text}" for text in warnings.texts]
    if written != transcript():
        problems.append("the transcript in the repository is not that of this Home Assistant: Tests/Outsiders/homeassistant.py --transcribe")
    return problems


def main(arguments: typing.Sequence[str]):
    if arguments[:1] == ["transcribe"]:
        print(json.dumps(transcript(), indent=1, sort_keys=True))
        return 0
    documents, written = (json.load(open(path)) for path in arguments[1:3])
    problems = asyncio.run(judge(documents, written))
    for problem in problems:
        print("FAIL", problem)
    components = sum(len(d["components"]) for d in documents.values())
    print(f"Home Assistant {__version__}: {len(documents)} devices with {components} entities, {len(problems)} refused or warned of")
    return 1 if problems or not documents else 0


sys.exit(main(sys.argv[1:]))
