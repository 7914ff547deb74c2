#!/usr/bin/python3
"""Judges the broker that is shipped (deploy/mosquitto): a real mosquitto with its listeners, and what each role may say and hear of every verb, lane and
document. Which verbs there are is asked of the program; who may do what is stated here.
"""
import argparse
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading

import paho.mqtt.client as mqtt

from bench import Process, Report, end_cleanly_on_signals, free_port, until

HERE = os.path.dirname(os.path.abspath(__file__))
SHIPPED = os.path.join(os.path.dirname(os.path.dirname(HERE)), "deploy", "mosquitto")
BOARD, FOREIGN, GROUP, OWN, OTHER = "e5a1c2d3f4b6", "c0ffee000001", "pumps", "floor-3", "floor-4"
ROLES = ["viewer", "operator", "installer", "homeassistant", OWN, OTHER]
DOCUMENTS = ["info", "availability", "state", "config", "led", "firmware"]
LANES = ["live", "record", "log", "lp", "cbor", "event"]
OPERATOR = {"explain", "identify", "led", "log-download", "log-status", "maintenance", "read"}


def verbs(binary):
    """Every verb, by whom it is for, as the program lists them."""
    output = subprocess.run([binary, "verbs", "--json"], stdout=subprocess.PIPE, text=True, check=True).stdout
    found = {"board": [], "group": [], "gateway": []}
    for line in output.splitlines():
        verb = json.loads(line)
        found[verb["for"]].append(verb["verb"])
    return found


def topics(found):
    """Every topic: (what it is of, which kind, name) by topic."""
    every = {}
    for verb in found["board"]:
        for board in (BOARD, FOREIGN):
            every[f"metafleet/board/{board}/cmd/{verb}"] = ("board", "cmd", verb)
            every[f"metafleet/board/{board}/reply/{verb}"] = ("board", "reply", verb)
    for verb in found["board"] + found["group"]:
        every[f"metafleet/group/{GROUP}/cmd/{verb}"] = ("group", "cmd", verb)
        every[f"metafleet/group/{GROUP}/reply/{verb}"] = ("group", "reply", verb)
    for gateway in (OWN, OTHER):
        for verb in found["gateway"] + ["explain"]:
            every[f"metafleet/gateway/{gateway}/cmd/{verb}"] = (gateway, "cmd", verb)
            every[f"metafleet/gateway/{gateway}/reply/{verb}"] = (gateway, "reply", verb)
        for name in ("availability", "info", "health", "alarms"):
            every[f"metafleet/gateway/{gateway}/{name}"] = (gateway, "document", name)
        every[f"metafleet/gateway/{gateway}/adapter/001a7dda7113"] = (gateway, "adapter", "001a7dda7113")
        every[f"metafleet/gateway/{gateway}/rollout/fw-1"] = (gateway, "rollout", "fw-1")
        every[f"metafleet/gateway/{gateway}/event/process"] = (gateway, "event", "process")
    for board in (BOARD, FOREIGN):
        for name in DOCUMENTS:
            every[f"metafleet/board/{board}/{name}"] = ("board", "document", name)
        for lane in LANES:
            every[f"metafleet/board/{board}/{lane}/acceleration"] = ("board", lane, "acceleration")
    every[f"homeassistant/device/metafleet_{BOARD}/config"] = ("homeassistant", "document", "config")
    every["homeassistant/status"] = ("homeassistant", "document", "status")
    every["metafleet/response/anna"] = ("response", "response", "anna")
    every["elsewhere/anna"] = ("elsewhere", "response", "anna")
    every["metafleet"] = ("elsewhere", "document", "base")
    return every


def may_say(role, of, kind, name):
    if role in (OWN, OTHER):
        if of == role:
            return True
        if of == "board":
            return kind != "cmd"
        return (of, kind) == ("group", "reply") or of == "response" or (of, name) == ("homeassistant", "config")
    if role == "installer":
        return kind == "cmd"
    if role == "operator":
        return kind == "cmd" and (of == "board" and name in OPERATOR or of == "group" and name == "maintenance"
                                  or of in (OWN, OTHER) and name in ("alarm-acknowledge", "rollout-abort", "rollout-list", "rollout-pause"))
    if role == "homeassistant":
        return (of, name) == ("homeassistant", "status") or (of, kind) == ("board", "cmd") and name in ("identify", "led")
    return False


def may_hear(role, of, kind, name):
    if role in (OWN, OTHER):
        if of == role or of == "homeassistant" or of in ("board", "group") and kind == "cmd":
            return True
        return of == "board" and kind == "document" or of in (OWN, OTHER) and name == "availability"
    if role == "viewer":
        return of in ("board", OWN, OTHER) and kind not in ("cmd", "reply")
    if of == "homeassistant":
        return role == "homeassistant"
    # # is also what stands above it.
    return of != "elsewhere" or name == "base"


class Broker:
    """mosquitto with the configuration that is shipped, but for ports and places; and with a user who may do everything, to look on."""

    def __init__(self, directory):
        self.directory, self.port, self.tls_port = directory, free_port(), free_port()
        shutil.copy(os.path.join(SHIPPED, "metafleet.acl"), self.path("metafleet.acl"))
        template = open(os.path.join(SHIPPED, "gateway.acl")).read()
        with open(self.path("metafleet.acl"), "a") as acl:
            for gateway in (OWN, OTHER):
                acl.write(template.replace("GATEWAY", gateway))
            acl.write("\nuser judge\ntopic readwrite #\n")
        for first, user in enumerate(ROLES + ["judge"]):
            subprocess.run(["mosquitto_passwd", *(["-c"] if first == 0 else []), "-b", self.path("metafleet.passwd"), user, f"secret of {user}"], check=True)
        self.certificates()
        text = open(os.path.join(SHIPPED, "mosquitto.conf")).read()
        # The listener with TLS is there to be taken into use.
        block = re.search(r"(?:^#(?:listener|cafile|certfile|keyfile) .*\n)+", text, flags=re.M)[0]
        self.has_tls_block = [line.split()[0] for line in block.splitlines()] == ["#listener", "#cafile", "#certfile", "#keyfile"]
        text = text.replace(block, block.replace("#", ""))
        self.listeners = re.findall(r"^listener (.*)", text, flags=re.M)
        os.mkdir(self.path("conf.d"))
        for place in ("/etc/mosquitto/ca_certificates", "/etc/mosquitto/certs", "/etc/mosquitto", "/run/mosquitto", "/var/log/mosquitto", "/var/lib/mosquitto"):
            text = text.replace(place, directory)
        text = text.replace("listener 1883 ", f"listener {self.port} ").replace("listener 8883", f"listener {self.tls_port}")
        if os.geteuid() == 0:
            text = "user root\n" + text
        with open(self.path("mosquitto.conf"), "w") as file:
            file.write(text)
        os.chmod(self.path("metafleet.passwd"), 0o600)
        os.chmod(self.path("metafleet.acl"), 0o600)
        self.process = Process("broker", ["mosquitto", "-c", self.path("mosquitto.conf")], self.path("errors.log"))

    def path(self, name):
        return os.path.join(self.directory, name)

    def certificates(self):
        def openssl(*words):
            subprocess.run(["openssl", *words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.directory)
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=authority", "-keyout", "ca.key", "-out", "metafleet.ca")
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout", "metafleet.key", "-out", "server.csr")
        with open(self.path("server.ext"), "w") as file:
            file.write("subjectAltName=DNS:localhost\n")
        openssl("x509", "-req", "-in", "server.csr", "-CA", "metafleet.ca", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "server.ext", "-out", "metafleet.crt")
        # Shipped, both are named metafleet.crt, in folders of their own; here they lie in one.
        chain = open(self.path("metafleet.crt")).read() + open(self.path("metafleet.ca")).read()
        with open(self.path("metafleet.crt"), "w") as file:
            file.write(chain)


class Peer:
    """A client that keeps what it hears."""

    def __init__(self, broker, user, password=None, tls=False, connect=True):
        self.heard, self.code, self.answered = [], None, threading.Event()
        self.subscribed, self.lock = threading.Event(), threading.Lock()
        self.client = mqtt.Client(client_id=f"access-{user}-{id(self)}")
        if user:
            self.client.username_pw_set(user, password or f"secret of {user}")
        if tls:
            self.client.tls_set(ca_certs=broker.path("metafleet.ca"), cert_reqs=ssl.CERT_REQUIRED)
        self.client.on_connect, self.client.on_message = self.on_connect, self.on_message
        self.client.on_subscribe = lambda *_: self.subscribed.set()
        if connect:
            self.client.connect("localhost", broker.tls_port if tls else broker.port, keepalive=60)
            self.client.loop_start()
            self.answered.wait(10)

    def on_connect(self, client, userdata, flags, code):
        self.code = code
        self.answered.set()
        if code:
            client.disconnect()
        else:
            client.subscribe([("#", 1)])

    def on_message(self, client, userdata, message):
        with self.lock:
            self.heard.append((message.topic, message.payload.decode()))

    def say(self, all_topics, payload):
        waiting = [self.client.publish(topic, payload, qos=1) for topic in all_topics]
        for one in waiting:
            one.wait_for_publish(30)

    def heard_from(self, payload):
        with self.lock:
            return {topic for topic, said in self.heard if said == payload}

    def end(self):
        self.client.disconnect()
        self.client.loop_stop()


def listeners(b, r):
    r.check("the configuration has a listener for its own machine, and one with TLS to be taken into use",
            b.has_tls_block and b.listeners == ["1883 localhost", "8883"], "two", b.listeners)
    for what, user, password, tls, code in (
            ("nobody comes in without a name", None, None, False, 5), ("nor with a wrong password", "viewer", "wrong", False, 5),
            ("nor with TLS and without a name", None, None, True, 5), ("a user comes in on its own machine", "viewer", None, False, 0),
            ("and with TLS", "viewer", None, True, 0)):
        peer = Peer(b, user, password, tls)
        r.equal(what, peer.code, code)
        peer.end()
    plain = Peer(b, "viewer", connect=False)
    try:
        plain.client.connect("localhost", b.tls_port, keepalive=5)
        plain.client.loop_start()
        plain.answered.wait(2)
    except OSError:
        pass
    r.check("without TLS nobody comes in where it is wanted", plain.code is None, "no answer", plain.code)
    plain.end()


def rights(b, r, every):
    judge = Peer(b, "judge")
    peers = {role: Peer(b, role) for role in ROLES}
    for name, peer in [("judge", judge), *peers.items()]:
        r.check(f"{name} is connected", peer.code == 0 and peer.subscribed.wait(10), 0, peer.code)
    for role, peer in peers.items():
        peer.say(every, role)
    judge.say(every, "judge")
    until(30, lambda: judge.heard_from("judge") == set(every))
    for role in ROLES:
        wanted = {topic for topic, what in every.items() if may_say(role, *what)}
        said = judge.heard_from(role)
        r.check(f"{role} may say what is his to say: {len(wanted)} of {len(every)} topics", said == wanted,
                "exactly these", {"too much": sorted(said - wanted)[:20], "missing": sorted(wanted - said)[:20]})
    for role, peer in peers.items():
        wanted = {topic for topic, what in every.items() if may_hear(role, *what)}
        until(10, lambda: peer.heard_from("judge") >= wanted)
        heard = peer.heard_from("judge")
        r.check(f"{role} hears what is his to hear: {len(wanted)} of {len(every)} topics", heard == wanted,
                "exactly these", {"too much": sorted(heard - wanted)[:20], "missing": sorted(wanted - heard)[:20]})
    for peer in (judge, *peers.values()):
        peer.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    options = parser.parse_args()
    end_cleanly_on_signals()
    r = Report()
    directory = tempfile.mkdtemp(prefix="access-")
    try:
        b = Broker(directory)
        until(10, lambda: os.path.exists(b.path("mosquitto.pid")))
        found = verbs(os.path.abspath(options.binary))
        r.check("the program lists its verbs", len(found["board"]) > 30 and len(found["gateway"]) > 5, "many", found)
        listeners(b, r)
        rights(b, r, topics(found))
    finally:
        for process in Process.everyone:
            process.end()
            process.output.close()
        shutil.rmtree(directory, ignore_errors=True)
    return r.finish()


if __name__ == "__main__":
    sys.exit(main())
