"""Programs of other people, from PyPI: each is installed into an environment of its own, which is kept below $XDG_CACHE_HOME, else ~/.cache."""
import os
import subprocess


def program(package, name):
    """The program `name` of `package`, such as nrf-ota==0.4.0, in an environment that has it; made where there is none."""
    place = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), f"metafleet-{package.replace('==', '-')}")
    path = os.path.join(place, "bin", name)
    if not os.path.exists(path):
        subprocess.run(["/usr/bin/python3", "-m", "venv", "--clear", place], check=True)
        subprocess.run([os.path.join(place, "bin", "pip"), "install", "--quiet", "--use-pep517", package], check=True)
    return path
