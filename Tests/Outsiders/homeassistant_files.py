"""Run by a Python that has Home Assistant: its own schemas judge the files of a folder. homeassistant_files.py FOLDER; exit status 1 where they refuse."""
import asyncio
import glob
import os
import sys
import tempfile

import homeassistant.components.alert as alert
import voluptuous as vol
from homeassistant.components.automation.config import AUTOMATION_BLUEPRINT_SCHEMA, PLATFORM_SCHEMA
from homeassistant.components.blueprint.models import Blueprint
from homeassistant.components.mqtt import binary_sensor, sensor, trigger
from homeassistant.components.template.config import CONFIG_SECTION_SCHEMA
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import frame
from homeassistant.util.yaml import loader


def package(content):
    """A package: each of its parts by the schema of who takes it."""
    for known in content:
        if known not in ("mqtt", "template", "alert", "automation"): raise vol.Invalid(f"nobody here judges {known}")
    for part, module in (("sensor", sensor), ("binary_sensor", binary_sensor)):
        for entry in content["mqtt"].get(part, []): module.PLATFORM_SCHEMA_MODERN(entry)
    for entry in content["template"]: CONFIG_SECTION_SCHEMA(entry)
    alert.CONFIG_SCHEMA({"alert": content["alert"]})
    for entry in content["automation"]:
        PLATFORM_SCHEMA(entry)
        for start in entry["triggers"]: trigger.TRIGGER_SCHEMA({**{k: v for k, v in start.items() if k != "trigger"}, "platform": "mqtt"})


async def main(folder):
    problems, judged = [], 0
    with tempfile.TemporaryDirectory() as place:
        # Templates are parsed by the running Home Assistant.
        frame.async_setup(HomeAssistant(place))
        for path in sorted(glob.glob(f"{folder}/**/*.yaml", recursive=True)):
            name = os.path.relpath(path, folder)
            try:
                content = loader.load_yaml(path)
                if "blueprint" in content:
                    found = Blueprint(content, expected_domain="automation", path=name, schema=AUTOMATION_BLUEPRINT_SCHEMA).validate()
                    if found: raise vol.Invalid(str(found))
                elif isinstance(content, dict): package(content)
                # Cards are the browser's business.
                elif not all(card.get("type") for card in content): raise vol.Invalid("a card without a type")
                judged += 1
            except (vol.Invalid, HomeAssistantError) as error:
                problems.append(f"{name}: {error}")
    for problem in problems: print("FAIL", problem)
    print(f"{judged} files taken")
    return 1 if problems or not judged else 0


sys.exit(asyncio.run(main(sys.argv[1])))
