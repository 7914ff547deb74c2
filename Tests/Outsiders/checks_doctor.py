"""`metafleet doctor` and `setup`: whatever is broken from outside is named with its fix, and nothing of a whole gateway is."""
import json
import os
import shutil
import subprocess

from bench import Bench, Process, free_port, until

CHECKS = {"configuration", "state", "database", "disk", "clock", "bus", "bluetoothd", "adapters", "rfkill", "helper", "broker-name",
          "broker-port", "broker-tls", "broker-login", "broker-topics", "retained", "gateway"}
GUARDED = """listener {port} 127.0.0.1
allow_anonymous false
password_file {passwords}
acl_file {acl}
{user}"""


class Ward(Bench):
    """Two boards, their gateway, and a copy of what the kernel shows of radio switches."""

    def __init__(self, binary, keep):
        super().__init__(binary, boards=2, keep=keep)
        self.sysfs = self.path("sys")
        self.block("0", "0")

    def block(self, soft, hard):
        radio = os.path.join(self.sysfs, "class/rfkill/rfkill0")
        os.makedirs(radio, exist_ok=True)
        for name, text in {"type": "bluetooth", "name": "hci0", "soft": soft, "hard": hard}.items():
            with open(os.path.join(radio, name), "w") as f:
                f.write(text + "\n")

    def write_config(self, extra=""):
        return self.configure(f"gateway: {{ id: {self.gateway} }}\n{extra}", lambda n: "groups: [lab]")

    def environment(self, bus=None):
        clean = {k: v for k, v in os.environ.items() if not k.startswith("METAFLEET") and k != "CREDENTIALS_DIRECTORY"}
        return {**clean, "DBUS_SYSTEM_BUS_ADDRESS": bus or self.bus_address}

    def doctor(self, *words, bus=None, config=None):
        """Exit status, and what each check says."""
        ending = subprocess.run(
            [self.binary, "doctor", "--json", "--sysfs", self.sysfs, "--config", config or self.path("metafleet.yaml"), *words],
            env=self.environment(bus), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        found = [json.loads(line) for line in ending.stdout.splitlines()]
        return ending.returncode, {d["check"]: d for d in found}, ending.stderr

    def config(self, name, text):
        with open(self.path(name), "w") as f:
            f.write(f"gateway: {{ id: {self.gateway} }}\nstorage: {{ directory: {self.path('state')}, min_free: 1MB }}\nhttp: {{ listen: none }}\n{text}")
        return self.path(name)


def broken(found):
    return {name for name, d in found.items() if d["verdict"] == "broken"}


def names(r, what, answer, check, *words, alone=True):
    """`check` is broken, with these words in its text or fix, and, with `alone`, nothing else is."""
    status, found, errors = answer
    d = found.get(check, {})
    text = f"{d.get('text')} / {d.get('fix')}"
    r.check(f"doctor: {what}", status == 1 and check in broken(found) and all(w in text for w in words)
            and (not alone or broken(found) == {check}), (check, words), (status, broken(found), text, errors))


def doctor(binary, r, keep):
    b = Ward(binary, keep)
    try:
        b.start(daemon=False)
        status, found, errors = b.doctor(config=b.path("none.yaml"))
        r.equal("doctor: one line for each check", set(found), CHECKS)
        r.check("doctor: before there is a configuration nothing is broken but the broker that is not there",
                broken(found) <= {"broker-port"} and found["configuration"]["verdict"] == "warning", "warning", (found, errors))
        b.start_daemon()
        b.client.wait(30, b.gateway_topic("availability"), lambda v: v["state"] == "online")
        status, found, errors = b.doctor()
        r.check("doctor: nothing of a whole gateway is broken", status == 0 and not broken(found), "none", (status, found, errors))
        r.equal("doctor: the gateway is seen, and what it may do", (found["gateway"]["verdict"], found["broker-topics"]["verdict"]), ("ok", "ok"))
        r.check("doctor: it says nothing to anybody", not [m for m in b.client.since(0) if m[2] and "000000000000" in m[1] and "/reply/" not in m[1]])
        surroundings(b, r)
        brokers(b, r)
        files(b, r)
        setup(b, r)
        # A gateway that runs clears such a one by itself.
        b.daemon.end(wait=20)
        b.client.publish(b.topic(1, "cmd", "led"), {"args": {}}, retain=True)
        status, found, errors = b.doctor()
        r.check("doctor: a retained command is named with what clears it", found["retained"]["verdict"] == "warning"
                and f"mosquitto_pub -r -n -t '{b.topic(1, 'cmd', 'led')}'" in found["retained"]["fix"], "warning", found["retained"])
    finally:
        b.close()


def surroundings(b, r):
    names(r, "no bus", b.doctor(bus="unix:path=/nowhere/bus"), "bus", "there is no system bus")
    b.block("1", "0")
    names(r, "a blocked radio", b.doctor(), "rfkill", "sudo rfkill unblock bluetooth")
    b.block("0", "1")
    names(r, "a radio that is switched off by hand", b.doctor(), "rfkill", "no program can")
    b.block("0", "0")
    b.do("hang-listing", on=True)
    names(r, "a bluetoothd that does not answer", b.doctor(), "bluetoothd", "sudo systemctl restart bluetooth", alone=False)
    b.do("hang-listing", on=False)
    b.do("stop")
    names(r, "no bluetoothd", b.doctor(), "bluetoothd", alone=False)
    b.do("start")
    lost = b.config("lost.yaml", f"mqtt: {{ host: 127.0.0.1, port: {b.port} }}\nbluetooth: {{ adapters: [\"00:1A:7D:DA:71:99\"] }}\n")
    names(r, "an adapter that is not there", b.doctor(config=lost), "adapters", "00:1A:7D:DA:71:99")


def brokers(b, r):
    def at(name, mqtt):
        return b.doctor(config=b.config(name, f"mqtt: {mqtt}\n"))
    names(r, "a broker whose name is not known", at("name.yaml", "{ host: broker.invalid }"), "broker-name", "broker.invalid")
    names(r, "a port at which nobody listens", at("port.yaml", f"{{ host: 127.0.0.1, port: {free_port()} }}"), "broker-port", "refused")
    names(r, "TLS at a port without", at("tls.yaml", f"{{ host: 127.0.0.1, port: {b.port}, tls: true }}"), "broker-tls")
    port = free_port()
    passwords, acl = b.path("passwords"), b.path("acl")
    for number, user in enumerate(("gateway", "viewer")):
        subprocess.run(["mosquitto_passwd", *["-c"] * (number == 0), "-b", passwords, user, "right"], check=True, capture_output=True)
    with open(acl, "w") as f:
        f.write("user gateway\ntopic readwrite metafleet/#\nuser viewer\ntopic read metafleet/board/+/+\n")
    with open(b.path("guarded.conf"), "w") as f:
        f.write(GUARDED.format(port=port, passwords=passwords, acl=acl, user="user root\n" * (os.geteuid() == 0)))
    guarded = Process("guarded", ["mosquitto", "-c", b.path("guarded.conf")], b.path("guarded.log"))
    for name, text in {"right": "right", "wrong": "wrong"}.items():
        with open(b.path(name), "w") as f:
            f.write(text + "\n")
        os.chmod(b.path(name), 0o600)

    def as_user(user, password):
        return f"{{ host: 127.0.0.1, port: {port}, username: {user}, password_file: {b.path(password)} }}"
    until(10, lambda: at("guarded.yaml", as_user("gateway", "right"))[1]["broker-port"]["verdict"] == "ok")
    _, found, _ = at("guarded.yaml", as_user("gateway", "right"))
    r.check("doctor: a user with all rights lacks nothing", not broken(found) and found["broker-topics"]["verdict"] == "ok", "ok", found)
    names(r, "a wrong password", at("wrong.yaml", as_user("gateway", "wrong")), "broker-login", "the user gateway", "password")
    names(r, "nobody without a user", at("nobody.yaml", f"{{ host: 127.0.0.1, port: {port} }}"), "broker-login", "mqtt.username")
    names(r, "topics that the access list refuses", at("viewer.yaml", as_user("viewer", "right")), "broker-topics",
          "the user viewer", "metafleet/board/000000000000/record/")
    told = {p: subprocess.run([b.binary, "send", "--unchecked", "gateway:outsider", "scan", "--port", str(port), "--username", "viewer",
                               "--password-file", b.path(p)], env={**b.environment(), "METAFLEET_MQTT_HOST": "127.0.0.1"},
                              capture_output=True, text=True, timeout=30) for p in ("right", "wrong")}
    r.check("clients: a wrong password and what may not be read are told apart",
            told["wrong"].returncode == 77 and "password" in told["wrong"].stderr and "password" not in told["right"].stderr
            and "access list" in told["right"].stderr, "77, and the access list", {p: (e.returncode, e.stderr) for p, e in told.items()})
    guarded.end()


def files(b, r):
    names(r, "a configuration with errors", b.doctor(config=b.config("bad.yaml", f"mqtt: {{ host: 127.0.0.1, port: {b.port} }}\nmqqt: {{}}\n")),
          "configuration", "mqtt", alone=False)
    other = b.path("other")
    os.mkdir(other, 0o700)
    place = b.config("other.yaml", f"mqtt: {{ host: 127.0.0.1, port: {b.port} }}\n")
    with open(place) as f:
        text = f.read().replace(b.path("state"), other)
    with open(place, "w") as f:
        f.write(text)
    with open(os.path.join(other, "metafleet.sqlite"), "wb") as f:
        f.write(b"no database" * 1000)
    names(r, "a damaged database", b.doctor(config=place), "database")
    os.remove(os.path.join(other, "metafleet.sqlite"))
    os.chmod(other, 0o755)
    _, found, _ = b.doctor(config=place)
    r.check("doctor: a directory that everybody can read", found["state"]["verdict"] == "warning" and "chmod o-rwx" in found["state"]["fix"],
            "warning", found["state"])
    shutil.rmtree(other)


def setup(b, r):
    """Three answers make a file; it runs, and is not written over."""
    made = b.path("made.yaml")
    answers = f"127.0.0.1:{b.port}\nmade-here\nnone\n"

    def run(*words, text=answers):
        return subprocess.run([b.binary, "setup", "--output", made, "--scan-for", "1s", *words], env=b.environment(), input=text,
                              capture_output=True, text=True, timeout=60)
    first = run()
    with open(made) as f:
        text = f.read()
    r.check("setup: three answers make a file", first.returncode == 0 and "made-here" in text and str(b.port) in text, "0", (first, text))
    check = subprocess.run([b.binary, "config", "check", "--config", made], capture_output=True, text=True, timeout=30)
    r.check("setup: which passes config check", check.returncode == 0 and not check.stdout, "0", check)
    second = run()
    with open(made) as f:
        r.check("setup: a file that is there is left alone", second.returncode == 73 and f.read() == text, "73", second)
    os.remove(made)
    third = run("--yes", "--host", "127.0.0.1", "--gateway", "by-options", text="")
    with open(made) as f:
        text = f.read()
    r.check("setup: with --yes all boards in range are taken", third.returncode == 0 and text.count("address:") <= b.count, "0", (third, text))


ALONE = [doctor]
