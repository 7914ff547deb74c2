#!/usr/bin/python3
"""Judges deploy/container without a container engine: the compose file is read and held against what our files need, and the scripts that begin broker
and gateway there are run here, with a real mosquitto.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import paho.mqtt.client as mqtt
import yaml

from bench import Process, Report, end_cleanly_on_signals, free_port, until

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(REPOSITORY, "deploy", "container")
# Keys of the Compose Specification that a service may have here.
KEYS = {"image", "build", "command", "entrypoint", "environment", "volumes", "tmpfs", "ports", "restart", "depends_on", "network_mode", "cap_drop",
        "read_only", "security_opt", "stop_grace_period"}
VARIABLE = re.compile(r"\$\{([A-Z][A-Z_]{2,})(?::[?-][^}]*)?\}")


def read(*path):
    with open(os.path.join(REPOSITORY, *path), encoding="utf-8") as file:
        return file.read()


def bound(service):
    """Pairs of what is mounted where, without named volumes."""
    pairs = [v.split(":")[:2] for v in service.get("volumes", [])]
    return [(source, target) for source, target in pairs if source.startswith((".", "/"))]


def variables(path):
    """What files below a path of the repository take from the environment."""
    found = set()
    for folder, _, names in os.walk(path) if os.path.isdir(path) else [(os.path.dirname(path), [], [os.path.basename(path)])]:
        for name in names:
            text = open(os.path.join(folder, name), encoding="utf-8").read()
            # Only data sources and the like are filled in by programs; scripts have variables of their own.
            if not name.startswith("start-"):
                found |= set(VARIABLE.findall(text)) | set(re.findall(r'env\.get\("([A-Z_]+)"\)', text.replace('\\"', '"')))
    return found


def compose(r):
    text = read("deploy", "container", "compose.yaml")
    document = yaml.safe_load(text)
    services = document["services"]
    r.equal("these services", set(services), {"mosquitto", "metafleet", "prometheus", "influxdb", "telegraf", "grafana", "node-red"})
    for name, service in services.items():
        r.check(f"{name} has known keys only", set(service) <= KEYS, KEYS, set(service) - KEYS)
        if name != "metafleet":
            r.check(f"{name} is of a stated version", re.fullmatch(r"docker\.io/\S+:v?\d[\w.]*", service["image"]), "docker.io/…:1.2", service["image"])
        missing = [s for s, _ in bound(service) if not s.startswith("/run/") and not os.path.exists(os.path.normpath(os.path.join(FOLDER, s)))]
        r.equal(f"{name}: what is mounted is there", missing, [])
        r.check(f"{name} listens on this machine alone", all(p.startswith("127.0.0.1:") for p in service.get("ports", [])), "127.0.0.1", service.get("ports"))
        r.check(f"{name} has no rights on the host", service.get("network_mode") in (None, "service:metafleet") and "privileged" not in service, "none", service)
        needed = set()
        for source, _ in bound(service):
            path = os.path.normpath(os.path.join(FOLDER, source))
            if source.startswith(".") and os.path.exists(path):
                needed |= variables(path)
        r.equal(f"{name}: every variable of its files is set", needed - set(service.get("environment", {})), set())
        waits = set(service.get("depends_on", []))
        r.check(f"{name} waits for what there is", waits <= set(services), services.keys(), waits)
        named = {v.split(":")[0] for v in service.get("volumes", [])} - {s for s, _ in bound(service)}
        r.check(f"{name} has declared volumes", named <= set(document["volumes"]), document["volumes"].keys(), named)
    with_bus = {name: [pair for pair in bound(s) if pair[0].startswith("/run")] for name, s in services.items()}
    r.equal("the system bus is the gateway's alone, as a folder", {n: p for n, p in with_bus.items() if p}, {"metafleet": [("/run/dbus", "/run/dbus")]})
    gateway = services["metafleet"]
    r.check("the gateway keeps its state, and drops all capabilities", gateway["cap_drop"] == ["ALL"] and "state:/var/lib/metafleet" in gateway["volumes"])
    r.equal("it is a user whom the host's bus knows", gateway["build"]["args"], {"METAFLEET_UID": "${METAFLEET_UID:?}"})
    asked = set(VARIABLE.findall(text))
    offered = set(re.findall(r"^([A-Z_]+)=", read("deploy", "container", "example.env"), flags=re.M))
    r.equal("example.env names what the compose file asks for", offered, asked)
    flows = {n["id"]: n["type"] for n in json.loads(read("dashboards", "node-red", "flows.json"))}
    credentials = json.loads(read("deploy", "container", "node-red", "flows_cred.json"))
    r.check("Node-RED's credentials are those of its broker", [flows.get(id) for id in credentials] == ["mqtt-broker"], "mqtt-broker", list(credentials))
    return services


def recipe(r):
    text = read("deploy", "container", "Containerfile").replace("\\\n", " ")
    lines = [line.split(" ", 1) for line in text.splitlines() if line and not line.startswith("#")]
    known = {"FROM", "ARG", "RUN", "WORKDIR", "COPY", "USER", "VOLUME", "ENV", "HEALTHCHECK", "STOPSIGNAL", "ENTRYPOINT"}
    r.check("the recipe has known instructions only", {line[0] for line in lines} <= known, known, {line[0] for line in lines} - known)
    version = re.match(r"// swift-tools-version: ([\d.]+)", read("Package.swift"))[1]
    r.check("it builds with the manifest's Swift", f"swift:{version}-bookworm" in text, version, lines[0])
    r.check("on the Debian that it runs on", "debian:bookworm-slim" in text)
    # Packages are those of operating.md: its row of the gateway, but for what is on the host.
    row = next(line for line in read("deploy", "docs", "operating.md").splitlines() if line.startswith("| only clients run"))
    wanted = set(re.findall(r"`([a-z][a-z0-9.+-]+)`", row.split("|")[2]))
    installed = set(next(run for name, run in lines[::-1] if name == "RUN" and "apt-get install" in run).split("--no-install-recommends ")[1].split("&&")[0].split())
    r.equal("it installs the packages of operating.md", installed, wanted)
    for name, rest in lines:
        if name == "COPY" and "--from" not in rest and not rest.startswith(". "):
            source = [w for w in rest.split() if not w.startswith("--")][0]
            r.check(f"{source} is there", os.path.exists(os.path.join(REPOSITORY, source)))
    r.check("it does not run as root", ["USER", "metafleet"] in lines)


def gateway(r, binary, directory):
    """The script that begins the gateway, and the file that it begins it with."""
    programs = os.path.join(directory, "programs")
    os.mkdir(programs)
    with open(os.path.join(programs, "metafleet"), "w") as file:
        file.write("#!/bin/sh\necho \"$@\"\nenv\n")
    os.chmod(os.path.join(programs, "metafleet"), 0o755)
    start = [os.path.join(FOLDER, "start-gateway")]
    environment = {"PATH": f"{programs}:/usr/bin:/bin", "METAFLEET_RUN": directory}
    without = subprocess.run(start, env=environment, capture_output=True, text=True)
    r.check("without a password it says so, and does not begin", without.returncode != 0 and "METAFLEET_GATEWAY_PASSWORD" in without.stderr, "a sentence", without.stderr)
    environment |= {"METAFLEET_GATEWAY_PASSWORD": "a secret", "METAFLEET_INSTALLER_PASSWORD": "another"}
    done = subprocess.run(start, env=environment, capture_output=True, text=True)
    r.check("it begins the gateway", done.stdout.startswith("run --config /etc/metafleet/metafleet.yaml\n"), "run", done.stdout)
    r.check("whose environment has no passwords", "secret" not in done.stdout and "another" not in done.stdout, "none", done.stdout)
    path = os.path.join(directory, "gateway-password")
    r.equal("the password is in a file of its own", (open(path).read(), os.stat(path).st_mode & 0o777), ("a secret\n", 0o600))
    text = read("deploy", "container", "metafleet.yaml").replace("/run/metafleet", directory)
    with open(os.path.join(directory, "metafleet.yaml"), "w") as file:
        file.write(text)
    checked = subprocess.run([binary, "config", "check", "--config", os.path.join(directory, "metafleet.yaml")], capture_output=True, text=True)
    r.check("its file has no errors", checked.returncode == 0, 0, checked.stdout + checked.stderr)


def broker(r, directory):
    """The script that begins the broker."""
    port = free_port()
    run, data = os.path.join(directory, "run"), os.path.join(directory, "data")
    for place in (run, data):
        os.mkdir(place)
        os.chmod(place, 0o777)
    os.chmod(directory, 0o755)
    text = read("deploy", "container", "mosquitto.conf").replace("/mosquitto/run", run).replace("/mosquitto/data", data).replace("listener 1883", f"listener {port} 127.0.0.1")
    with open(os.path.join(directory, "mosquitto.conf"), "w") as file:
        file.write(text)
    users = {"floor-3": "one", "installer": "two", "operator": "three", "viewer": "four"}
    environment = {**os.environ, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "MOSQUITTO_RUN": run, "MOSQUITTO_SHIPPED": os.path.join(REPOSITORY, "deploy", "mosquitto"),
                   "MOSQUITTO_CONFIGURATION": os.path.join(directory, "mosquitto.conf"), "METAFLEET_GATEWAY": "floor-3",
                   **{f"METAFLEET_{'GATEWAY' if user == 'floor-3' else user.upper()}_PASSWORD": password for user, password in users.items()}}
    for attempt in ("the first start", "a second one"):
        process = Process("broker", ["/bin/sh", os.path.join(FOLDER, "start-broker")], os.path.join(directory, "broker.log"), env=environment)
        codes = {}
        for user, password in {**users, "stranger": "five"}.items():
            def connected():
                client = mqtt.Client()
                client.username_pw_set(user, password)
                client.on_connect = lambda *words: codes.__setitem__(user, words[3])
                try:
                    client.connect("127.0.0.1", port, keepalive=10)
                except OSError:
                    return False
                until(5, lambda: client.loop(0.1) != 0 or user in codes, 0)
                client.disconnect()
                return user in codes
            until(10, connected, 0.1)
        log = open(os.path.join(directory, "broker.log")).read()
        r.check(f"after {attempt} those who have a password come in", codes == {**{user: 0 for user in users}, "stranger": 5}, "0, of a stranger 5", f"{codes} {log}")
        process.end()
    r.equal("passwords and rights are closed to others", {name: os.stat(os.path.join(run, name)).st_mode & 0o077 for name in ("passwords", "metafleet.acl")},
            {"passwords": 0, "metafleet.acl": 0})
    r.check("the gateway has its rights", "\nuser floor-3\n" in open(os.path.join(run, "metafleet.acl")).read())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    options = parser.parse_args()
    end_cleanly_on_signals()
    r = Report()
    directory = tempfile.mkdtemp(prefix="container-")
    try:
        compose(r)
        recipe(r)
        gateway(r, os.path.abspath(options.binary), directory)
        broker(r, directory)
    finally:
        for process in Process.everyone:
            process.end()
            process.output.close()
        shutil.rmtree(directory, ignore_errors=True)
    return r.finish()


if __name__ == "__main__":
    sys.exit(main())
