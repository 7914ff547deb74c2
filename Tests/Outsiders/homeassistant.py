#!/usr/bin/python3
"""Home Assistant's own schemas judge what three boards announce, its warnings counted as refusals, and the files of dashboards/home-assistant. Needs a Python 3.13 to make an environment with
homeassistant 2025.4.4 and paho-mqtt in (600 MB, ten minutes the first time), which is kept below $XDG_CACHE_HOME, else ~/.cache."""
import argparse
import glob
import json
import os
import subprocess
import sys

from bench import HERE, Report, end_cleanly_on_signals
from checks_homeassistant import SCHEMAS, Announced, announced

PACKAGES = [f"homeassistant=={SCHEMAS['version']}", "paho-mqtt==2.1.0"]
JUDGE, TRANSCRIPT = os.path.join(HERE, "homeassistant_judge.py"), os.path.join(HERE, "homeassistant_schemas.json")
FILES = os.path.join(HERE, "..", "..", "dashboards", "home-assistant")


def python():
    """A Python 3.13 that runs; a shim of pyenv may be none."""
    for path in ["python3.13", *sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/3.13*/bin/python3")))]:
        try:
            told = subprocess.run([path, "-c", "import sys; print(sys.version_info[:2] == (3, 13))"], capture_output=True, text=True)
        except OSError:
            continue
        if told.stdout.strip() == "True":
            return path
    sys.exit("there is no Python 3.13 here, which Home Assistant 2025.4 needs")


def environment():
    """The Python of an environment that has Home Assistant; made where there is none."""
    place = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), f"metafleet-homeassistant-{SCHEMAS['version']}")
    inside = os.path.join(place, "bin", "python3")
    if subprocess.run([inside, "-c", "import homeassistant, paho.mqtt"], capture_output=True).returncode if os.path.exists(inside) else True:
        subprocess.run([python(), "-m", "venv", "--clear", place], check=True)
        subprocess.run([inside, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    return inside


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    parser.add_argument("--transcribe", action="store_true", help="only write the transcript of the schemas anew")
    options = parser.parse_args()
    end_cleanly_on_signals()
    # Without this folder, in which a program is called like the package.
    alone = [environment(), "-P"]
    if options.transcribe:
        text = subprocess.run([*alone, JUDGE, "transcribe"], check=True, capture_output=True, text=True).stdout
        with open(TRANSCRIPT, "w") as f:
            f.write(text)
        return 0
    r = Report()
    told = subprocess.run([*alone, os.path.join(HERE, "homeassistant_files.py"), FILES], capture_output=True, text=True)
    r.check("Home Assistant takes the files of dashboards/home-assistant", told.returncode == 0, 0, told.stdout + told.stderr[-2000:])
    b = Announced(os.path.abspath(options.binary), boards=3)
    try:
        b.start()
        r.equal("all boards stream", b.wait_streaming(30), [])
        announced(b, r)
        with open(b.path("documents.json"), "w") as f:
            json.dump(b.documents(), f)
        told = subprocess.run([*alone, JUDGE, "judge", b.path("documents.json"), TRANSCRIPT], capture_output=True, text=True)
        print(told.stdout, end="")
        r.check("Home Assistant takes every document without a warning", told.returncode == 0, 0, told.stdout + told.stderr[-2000:])
    finally:
        b.close()
    return r.finish()


sys.exit(main())
