#!/usr/bin/python3
"""Judges what the gateway makes of packages that somebody else's tool made, adafruit-nrfutil from PyPI: those that fit are looked through, mirrored
and installed on boards of `metafleet simulate` over MQTT; the others have their refusals, before a board is touched where that can be known."""
import json
import os
import subprocess
import sys
import zipfile

import dbus
import dbus.bus
from dbus.mainloop.glib import DBusGMainLoop

from bench import Bench, Process, judge, until
from checks_commands import ask
from dfu_host import Host, image
from foreign_tools import program
from simulator_checks import Bus

PACKAGE = "adafruit-nrfutil==0.5.3.post16"
S, RL = 1, 2  # the boards


def hexadecimal(data, start):
    """An image as linkers leave it behind, in Intel's format."""
    def record(kind, address, content):
        line = bytes([len(content), address >> 8 & 0xFF, address & 0xFF, kind]) + content
        return ":" + (line + bytes([-sum(line) & 0xFF])).hex().upper()
    lines, page = [], None
    for place in range(0, len(data), 16):
        address = start + place
        if address >> 16 != page:
            page = address >> 16
            lines.append(record(4, 0, page.to_bytes(2, "big")))
        lines.append(record(0, address & 0xFFFF, data[place:place + 16]))
    return "\n".join([*lines, ":00000001FF", ""])


class Tool:
    """What the foreign tool makes, in a directory."""

    def __init__(self, directory):
        self.directory = directory
        os.makedirs(directory)
        named = lambda version: image(8002, b"\0" + version + b"\0")  # no number of words of 4: the tool fills it up
        for name, content in (("app.bin", named(b"1.9.6")), ("other.bin", named(b"1.9.8")), ("bl.bin", image(2000)), ("sd.bin", image(4000))):
            with open(self.path(name), "wb") as f:
                f.write(content)
        with open(self.path("app.hex"), "w") as f:
            f.write(hexadecimal(image(8000, b"\0" + b"1.9.7\0"), 0x26000))

    def path(self, name):
        return os.path.join(self.directory, name)

    def make(self, name, *options):
        """A package; the names of files among the options are those of the directory."""
        command = [program(PACKAGE, "adafruit-nrfutil"), "dfu", "genpkg", *(self.path(o) if o.endswith((".bin", ".hex")) else o for o in options), self.path(name)]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=60)
        return self.path(name)

    def altered(self, name, package, ending):
        """A package in which the last byte but one of a file is another; all else is in order."""
        with zipfile.ZipFile(self.path(package)) as old, zipfile.ZipFile(self.path(name), "w", zipfile.ZIP_DEFLATED) as new:
            for file in old.namelist():
                content = bytearray(old.read(file))
                if file.endswith(ending):
                    content[-2] ^= 1
                new.writestr(file, bytes(content))
        return self.path(name)

    def truncated(self, name, package):
        with open(self.path(package), "rb") as old, open(self.path(name), "wb") as new:
            content = old.read()
            new.write(content[:len(content) * 3 // 4])
        return self.path(name)

    def make_all(self):
        of_s = ("--dev-type", "8", "--dev-revision", "1", "--sd-req", "0x00A9,0x00B6")
        self.make("fits.zip", *of_s, "--application-version", str(0x00010906), "--application", "app.bin")
        self.make("other.zip", *of_s, "--application-version", str(0x00010908), "--application", "other.bin")
        self.make("of-rl.zip", "--dev-type", "5", "--dev-revision", "5", "--sd-req", "0x00A8", "--application", "app.hex")
        self.make("any.zip", "--application", "app.bin")
        self.make("bootloader.zip", "--bootloader", "bl.bin")
        self.make("soft-device.zip", "--softdevice", "sd.bin")
        self.make("both.zip", "--softdevice", "sd.bin", "--bootloader", "bl.bin")
        self.make("three.zip", "--softdevice", "sd.bin", "--bootloader", "bl.bin", "--application", "app.bin")
        self.make("extended.zip", "--dfu-ver", "0.6", "--application", "app.bin")
        self.altered("image.zip", "fits.zip", ".bin")
        self.altered("checksum.zip", "fits.zip", ".dat")
        self.truncated("short.zip", "fits.zip")


# What `inspect` says of packages that are in order, and why the others cannot be installed.
SOUND = {
    "fits.zip": {"replaces": "firmware", "bytes": 8004, "device_type": 8, "device_revision": 1, "application_version": 0x00010906, "soft_devices": [0xA9, 0xB6]},
    "of-rl.zip": {"replaces": "firmware", "bytes": 8000, "device_type": 5, "device_revision": 5, "soft_devices": [0xA8]},
    "any.zip": {"replaces": "firmware", "bytes": 8004, "device_type": 0xFFFF, "device_revision": 0xFFFF, "application_version": 0xFFFFFFFF, "soft_devices": [0xFFFE]},
    "bootloader.zip": {"replaces": "bootloader", "bytes": 2000},
    "soft-device.zip": {"replaces": "soft device", "bytes": 4000},
    "both.zip": {"replaces": "soft device and bootloader", "bytes": 6000, "soft_device_bytes": 4000},
}
UNSOUND = {
    "image.zip": "its image is not the one of its init packet",
    "checksum.zip": "its image is not the one of its init packet",
    "short.zip": "it is no zip archive, or not whole",
    "three.zip": "names 2 images, and one is installed at a time",
    "extended.zip": "in a form that no bootloader of a MetaMotion reads",
}
# Sound, and not for an order of firmware.
OTHERS = {"bootloader.zip": "contains a bootloader and no firmware", "both.zip": "contains a bootloader and no firmware"}


class PackageBench(Bench):
    """Boards of `metafleet simulate`, and a gateway that has the packages in its directory and others in a mirror."""

    def __init__(self, binary, keep):
        super().__init__(binary, boards=2, models="s,rl", keep=keep)
        self.ids = [f"c0ffee00{n:04x}" for n in range(1, self.count + 1)]
        self.judge = None

    def start_fake(self, *extra):
        command = [self.binary, "simulate", "--bus", self.bus_address, "--boards", str(self.count), "--models", self.models, "--bootloader", "interval=15ms"]
        self.fake = Process("simulator", command, self.path("fake.log"), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        bus = dbus.bus.BusConnection(self.bus_address)
        until(20, lambda: bus.name_has_owner("org.bluez"))
        self.fake.popen.stdin.write(f"battery 1-{self.count} 90\n".encode())
        self.fake.popen.stdin.flush()

    def write_config(self, extra=""):
        return self.configure(f"""gateway: {{ id: {self.gateway}, site: lab }}
firmware: {{ index: {self.path('mirror')}, directory: {self.path('packages')} }}
lanes: {{ live: {{ rate_hz: 1 }} }}
profiles:
  moving: {{ stream: {{ acceleration: {{ rate_hz: 12.5, range_g: 4 }} }} }}
""", lambda n: "profile: moving")

    def start_daemon(self):
        self.daemon = Process("daemon", [self.binary, "run", "--config", self.path("metafleet.yaml")], self.path("daemon.log"),
                              stdout=open(self.path("daemon.out"), "ab"), env={**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": self.bus_address})

    def update(self, n, order, **arguments):
        return ask(self, self.topic(n), "firmware-update", {"id": order, "args": {"confirm": self.ids[n - 1], **arguments}}, 90)[1]

    def shown(self, bus, n):
        """The firmware that the simulated board itself shows: read from it, and not from what the gateway says of it."""
        host = Host(bus, f"/org/bluez/hci0/dev_C0_FF_EE_00_00_{n:02X}")
        host.connect()
        return host.text("2a26")


def look_through(b, r, tool):
    for name, facts in SOUND.items():
        status, output, errors = b.tool("firmware", "inspect", tool.path(name), "--json")
        found = json.loads(output) if status == 0 else {}
        r.check(f"inspect {name}: in order", {k: found.get(k) for k in facts} == facts, facts, (status, output, errors))
    for name, words in UNSOUND.items():
        status, output, errors = b.tool("firmware", "inspect", tool.path(name))
        r.check(f"inspect {name}: refused, and why", status == 1 and words in errors, (1, words), (status, output, errors))


def mirror(b, r, tool):
    """A mirror of an index that lists such packages is filled and compared, and one that is cut off is found out."""
    source, path = b.path("releases"), "0.1/8/vanilla/1.9.6/firmware.zip"
    os.makedirs(os.path.join(source, os.path.dirname(path)))
    with open(os.path.join(source, "info2.json"), "w") as f:
        json.dump({"0.1": {"8": {"vanilla": {"1.9.6": {"filename": "firmware.zip", "required-bootloader": "0.4"}}}}}, f)
    with open(tool.path("fits.zip"), "rb") as package, open(os.path.join(source, path), "wb") as f:
        f.write(package.read())
    r.equal("mirror: filled", b.tool("firmware", "mirror", "--index", source, "--to", b.path("mirror"))[0], 0)
    r.equal("verify: all is as it was", b.tool("firmware", "verify", b.path("mirror"))[0], 0)
    copy = os.path.join(b.path("mirror"), path)
    with open(copy, "rb") as f:
        whole = f.read()
    with open(copy, "wb") as f:
        f.write(whole[:-100])
    status, output, errors = b.tool("firmware", "verify", b.path("mirror"))
    r.check("verify: one that is cut off is named", status == 1 and path in output + errors, (1, path), (status, output, errors))
    with open(copy, "wb") as f:
        f.write(whole)


def refused_at_once(b, r, tool, bus):
    """No board is touched, whatever the package says of its version."""
    mark, before = b.client.mark(), b.client.last(b.topic(S, "firmware"))
    for name, words in {**UNSOUND, **OTHERS}.items():
        final = b.update(S, f"no-{name.split('.')[0]}", file=name, version="1.9.6")
        r.check(f"update with {name}: invalid, and why", (final.get("stage"), final.get("code")) == ("failed", "invalid") and words in final.get("message", ""),
                ("failed", "invalid", words), final)
    lost = [m[1] for m in b.client.since(mark, b.topic(S, "event", "link-lost"))]
    stages = {json.loads(m[2]).get("stage") for m in b.client.since(mark, b.topic(S, "firmware")) if m[2]}
    r.check("refused packages: the board was not touched", not lost and not stages & {"entering-bootloader", "sending", "verifying"}, "no stage behind fetching", (lost, stages, before))
    r.equal("refused packages: it shows what it showed", b.shown(bus, S), "1.7.3")


def installed(b, r, bus, what, n, arguments):
    version = arguments["version"]
    final = b.update(n, f"yes-{version}", **arguments)
    r.check(f"{what}: done, by what the application says", (final.get("stage"), final.get("evidence"), final.get("data", {}).get("to")) == ("done", "readback", version),
            ("done", version), final)
    r.equal(f"{what}: the board itself shows it", b.shown(bus, n), version)
    r.equal(f"{what}: it streams again", b.wait_samples(60, [n], b.client.mark()), [])


def for_others(b, r, bus):
    """A package for another device is the bootloader's to refuse; the board waits there, and takes the right one."""
    final = b.update(S, "of-another", file="of-rl.zip", version="1.9.7", force=True)
    r.check("a package for another device: board-error, and why", (final.get("stage"), final.get("code")) == ("failed", "board-error")
            and "it is made for other boards" in final.get("message", ""), ("failed", "board-error"), final)
    told = until(30, lambda: (b.client.last(b.topic(S, "availability")) or {}).get("reason") == "bootloader")
    r.check("a package for another device: the board is said to wait in its bootloader", told, "bootloader", b.client.last(b.topic(S, "availability")))
    installed(b, r, bus, "the right package behind it", S, {"file": "other.zip", "version": "1.9.8"})


def play(b, r):
    tool = Tool(b.path("packages"))
    tool.make_all()
    look_through(b, r, tool)
    mirror(b, r, tool)
    b.start()
    r.equal("both boards stream", b.wait_samples(60, [S, RL], 0), [])
    bus = Bus(b.bus_address)
    refused_at_once(b, r, tool, bus)
    installed(b, r, bus, "by the index, from the mirror", S, {"version": "1.9.6"})
    installed(b, r, bus, "by its name, of Intel's format", RL, {"file": "of-rl.zip", "version": "1.9.7"})
    for_others(b, r, bus)


if __name__ == "__main__":
    DBusGMainLoop(set_as_default=True)
    sys.exit(judge(__doc__, PackageBench, play))
