#!/usr/bin/python3
"""Judges `metafleet simulate` from outside: an independent BlueZ client, protocol bytes from the reference alone."""
import argparse
import os
import re
import signal
import struct
import subprocess
import sys
import time

import dbus
import dbus.bus
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

from bench import Process, Report, end_cleanly_on_signals
from fake_board import COMMON, MODULES

E = "org.bluez.Error."
ADAPTER, DEVICE, CHARACTERISTIC = "org.bluez.Adapter1", "org.bluez.Device1", "org.bluez.GattCharacteristic1"
PROPERTIES, MANAGER = "org.freedesktop.DBus.Properties", "org.freedesktop.DBus.ObjectManager"
METAWEAR = "326a9000-85cb-9195-d9dd-464cfbbae75a"
COMMAND, NOTIFY = METAWEAR.replace("9000", "9001"), METAWEAR.replace("9000", "9006")


class Bus:
    """One client of BlueZ; replies and signals in the order they arrive."""

    def __init__(self, address):
        self.bus = dbus.bus.BusConnection(address)
        self.bus.set_exit_on_disconnect(False)
        self.log, self.context = [], GLib.MainContext.default()
        for name, interface in (("PropertiesChanged", PROPERTIES), ("InterfacesAdded", MANAGER), ("InterfacesRemoved", MANAGER)):
            self.bus.add_signal_receiver(lambda *args, n=name, **k: self.log.append((n, str(k["path"]), args)), name, interface,
                                         path_keyword="path")
        self.bus.add_match_string("type='signal',sender='org.bluez'")

    def pump(self, seconds, condition=lambda: False):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if condition():
                return True
            self.context.iteration(False) or time.sleep(0.002)
        return condition()

    def call(self, path, interface, member, signature="", *args, timeout=60):
        """('ok', value) or ('error', name, text); stands in the log as ('reply', member)."""
        answer = []

        def good(*values):
            self.log.append(("reply", member, values))
            answer.append(("ok", values[0] if len(values) == 1 else values))

        def bad(error):
            self.log.append(("reply", member, error))
            answer.append(("error", error.get_dbus_name(), error.get_dbus_message()))
        self.bus.call_async("org.bluez", path, interface, member, signature, args, good, bad, timeout=timeout)
        self.pump(timeout + 1, lambda: answer)
        return answer[0] if answer else ("error", "timeout", member)

    def objects(self):
        return {str(p): i for p, i in self.call("/", MANAGER, "GetManagedObjects")[1].items()}

    def get(self, path, interface, name):
        answer = self.call(path, PROPERTIES, "Get", "ss", interface, name)
        return answer[1] if answer[0] == "ok" else None


class Board:
    def __init__(self, bus, path):
        self.bus, self.path, self.fd, self.packets, self.watch = bus, path, None, [], 0
        self.characteristics = {}

    def resolve(self):
        self.characteristics = {str(i[CHARACTERISTIC]["UUID"]).lower(): p for p, i in self.bus.objects().items()
                                if p.startswith(self.path + "/") and CHARACTERISTIC in i}

    def connect(self, wait=15):
        answer = self.bus.call(self.path, DEVICE, "Connect")
        self.bus.pump(wait, lambda: self.bus.get(self.path, DEVICE, "ServicesResolved"))
        self.resolve()
        return answer

    def acquire(self):
        answer = self.bus.call(self.characteristics[NOTIFY], CHARACTERISTIC, "AcquireNotify", "a{sv}", dbus.Dictionary({}, signature="sv"))
        if answer[0] != "ok":
            return answer
        fd, mtu = answer[1]
        self.fd = fd.take() if hasattr(fd, "take") else int(fd)
        os.set_blocking(self.fd, False)

        def readable(*_):
            try:
                data = os.read(self.fd, 512)
            except BlockingIOError:
                return True
            except OSError:
                data = b""
            if not data:
                self.packets.append(None)
                return False
            self.packets.append(data)
            return True
        self.watch = GLib.io_add_watch(self.fd, GLib.IO_IN | GLib.IO_HUP, readable)
        return "ok", int(mtu)

    def release(self):
        if self.fd is not None:
            if None not in self.packets:
                GLib.source_remove(self.watch)
            os.close(self.fd)
            self.fd = None

    def write(self, text, kind="command"):
        data = dbus.Array([dbus.Byte(x) for x in bytes.fromhex(text)], signature="y")
        return self.bus.call(self.characteristics[COMMAND], CHARACTERISTIC, "WriteValue", "aya{sv}", data,
                             dbus.Dictionary({"type": dbus.String(kind)}, signature="sv"))

    def ask(self, text, prefix=None, wait=3, kind="command"):
        """Hex of the first packet after the write that begins with `prefix` (the read's own by default), or None."""
        start, prefix = len(self.packets), bytes.fromhex(prefix or text[:4])
        self.write(text, kind)
        found = lambda: next((p for p in self.packets[start:] if p and p.startswith(prefix)), None)
        self.bus.pump(wait, found)
        return found() and found().hex()

    def read(self, uuid, options=None):
        return self.bus.call(self.characteristics[uuid], CHARACTERISTIC, "ReadValue", "a{sv}", dbus.Dictionary(options or {}, signature="sv"))


def uuid16(short):
    return f"0000{short}-0000-1000-8000-00805f9b34fb"


def error(r, what, answer, name, text):
    r.equal(f"error: {what}", answer, ("error", name, text))


def discovery(bus, r, path, count):
    objects = bus.objects()
    adapter = objects.get(path, {}).get(ADAPTER)
    if not r.check("adapter hci0 is there and powered", adapter and adapter.get("Powered"), path, sorted(objects)):
        return
    error(r, "StopDiscovery without a session", bus.call(path, ADAPTER, "StopDiscovery"), E + "Failed", "No discovery started")
    bad = lambda d: bus.call(path, ADAPTER, "SetDiscoveryFilter", "a{sv}", dbus.Dictionary(d, signature="sv"))
    error(r, "unknown filter key", bad({"Colour": dbus.String("red")}), E + "InvalidArguments", "Invalid arguments in method call")
    error(r, "unknown transport", bad({"Transport": dbus.String("pigeon")}), E + "InvalidArguments", "Invalid arguments in method call")
    error(r, "bad UUID in the filter", bad({"UUIDs": dbus.Array(["nonsense"], signature="s")}), E + "InvalidArguments", "Invalid arguments in method call")
    answer = bad({"Transport": dbus.String("le"), "UUIDs": dbus.Array([METAWEAR], signature="s")})
    r.equal("SetDiscoveryFilter", answer[0], "ok")
    bus.log.clear()
    r.equal("StartDiscovery", bus.call(path, ADAPTER, "StartDiscovery")[0], "ok")
    bus.pump(2, lambda: sum(1 for x in bus.log if x[0] == "PropertiesChanged" and "Discovering" in x[2][1]) >= 1)
    changed = [x[2][1].get("Discovering") for x in bus.log if x[0] == "PropertiesChanged" and "Discovering" in x[2][1]]
    r.equal("Discovering true is signalled", [bool(c) for c in changed], [True])
    error(r, "second StartDiscovery", bus.call(path, ADAPTER, "StartDiscovery"), E + "InProgress", "Operation already in progress")
    wanted = {f"{path}/dev_C0_FF_EE_00_00_{n:02X}" for n in range(1, count + 1)}
    bus.pump(5, lambda: wanted <= set(bus.objects()))
    objects = bus.objects()
    r.equal("discovery finds the boards at their addresses", sorted(p for p in objects if DEVICE in objects[p]), sorted(wanted))
    keys = set("Address AddressType Name Alias Paired Bonded Trusted Blocked LegacyPairing RSSI Connected UUIDs Adapter ServicesResolved".split())
    for device in sorted(wanted)[:1]:
        p = objects.get(device, {}).get(DEVICE, {})
        r.equal("device properties of an unconnected board", sorted(keys - set(p)), [])
        r.equal("device: address type, services, state", (str(p.get("AddressType")), METAWEAR in [str(u).lower() for u in p.get("UUIDs", [])],
                                                          bool(p.get("Connected")), bool(p.get("ServicesResolved"))), ("random", True, False, False))
    bus.log.clear()
    r.equal("StopDiscovery", bus.call(path, ADAPTER, "StopDiscovery")[0], "ok")
    bus.pump(1, lambda: any("Discovering" in x[2][1] for x in bus.log if x[0] == "PropertiesChanged"))
    invalid = [x for x in bus.log if x[0] == "PropertiesChanged" and "RSSI" in x[2][2]]
    order = [("RSSI" in x[2][2]) and "rssi" or ("Discovering" in x[2][1] and "off") for x in bus.log if x[0] == "PropertiesChanged"]
    r.check("StopDiscovery: RSSI invalidated per device, then Discovering false", len(invalid) == count and order and order[-1] == "off", f"{count} × rssi, off", order)


def find(bus, board):
    """Scans until the board is heard: an object that was only seen goes 30 s later, and may be about to."""
    adapter = os.path.dirname(board.path)
    bus.call(adapter, ADAPTER, "StartDiscovery")
    bus.pump(5, lambda: bus.get(board.path, DEVICE, "RSSI") is not None)
    bus.call(adapter, ADAPTER, "StopDiscovery")
    bus.pump(0.2)


def connecting(bus, r, board):
    find(bus, board)
    error(r, "Connect of an unknown object", bus.call(board.path[:-2] + "77", DEVICE, "Connect"),
          "org.freedesktop.DBus.Error.UnknownObject", "Method \"Connect\" with signature \"\" on interface \"org.bluez.Device1\" doesn't exist\n")
    bus.log.clear()
    r.equal("Connect", board.connect()[0], "ok")
    what = []
    for kind, path, data in bus.log:
        if kind == "reply" and path == "Connect": what.append("reply")
        if kind == "PropertiesChanged" and path == board.path:
            if "Connected" in data[1]: what.append("connected")
            if data[1].get("ServicesResolved"): what.append("resolved")
        if kind == "InterfacesAdded" and CHARACTERISTIC in data[1] and "objects" not in what: what.append("objects")
    r.equal("Connect: order of signals and reply", what, ["connected", "reply", "objects", "resolved"])
    r.equal("Connect when connected: ok at once", bus.call(board.path, DEVICE, "Connect")[0], "ok")
    needed = {COMMAND, NOTIFY, *[uuid16(u) for u in ("2a24", "2a25", "2a26", "2a27", "2a29", "2a19")]}
    r.equal("GATT: all characteristics of protocol 1.1", sorted(needed - set(board.characteristics)), [])
    flags = lambda u: {str(f) for f in bus.get(board.characteristics[u], CHARACTERISTIC, "Flags")}
    r.check("GATT: flags of command and notification", {"write", "write-without-response"} <= flags(COMMAND) and {"notify"} <= flags(NOTIFY),
            "write, write-without-response; notify", (flags(COMMAND), flags(NOTIFY)))
    r.check("GATT: MTU", (bus.get(board.characteristics[COMMAND], CHARACTERISTIC, "MTU") or 0) >= 23, "≥ 23", bus.get(board.characteristics[COMMAND], CHARACTERISTIC, "MTU"))
    r.check("Battery1 beside the device", bus.get(board.path, "org.bluez.Battery1", "Percentage") is not None, "Percentage", None)


def information(bus, r, board, model):
    text = lambda u: bytes(bytearray(board.read(uuid16(u))[1])).decode()
    r.equal(f"{model}: model number, manufacturer", (text("2a24"), text("2a29")), ("8" if model == "s" else "5", "MbientLab Inc"))
    r.check(f"{model}: serial, firmware, hardware", re.match(r"^[0-9A-F]{6}$", text("2a25")) and re.match(r"^\d+\.\d+\.\d+$", text("2a26")) and re.match(r"^r?\d+\.\d+$", text("2a27")),
            "055B9E, 1.7.3, 0.1", (text("2a25"), text("2a26"), text("2a27")))
    level = board.read(uuid16("2a19"))[1]
    r.check(f"{model}: battery level", len(level) == 1 and 0 <= int(level[0]) <= 100, "one byte, percent", level)
    bus.log.clear()
    board.read(uuid16("2a24"))
    order = [("value" if k == "PropertiesChanged" else "reply") for k, p, d in bus.log if (k == "PropertiesChanged" and "Value" in d[1]) or (k == "reply" and p == "ReadValue")]
    r.equal(f"{model}: ReadValue signals the value before its reply", order, ["value", "reply"])
    error(r, f"{model}: offset past the end", board.read(uuid16("2a24"), {"offset": dbus.UInt16(99)}), E + "InvalidArguments", "Invalid offset")
    error(r, f"{model}: write of a read-only characteristic", bus.call(board.characteristics[uuid16("2a24")], CHARACTERISTIC, "WriteValue", "aya{sv}",
          dbus.Array([dbus.Byte(1)], signature="y"), dbus.Dictionary({}, signature="sv")), E + "NotSupported", "Operation is not supported")
    error(r, f"{model}: unknown write type", board.write("0b84", "pigeon"), E + "NotSupported", "Operation is not supported")
    error(r, f"{model}: StartNotify where nothing notifies", bus.call(board.characteristics[uuid16("2a24")], CHARACTERISTIC, "StartNotify"), E + "NotSupported", "Operation is not supported")
    error(r, f"{model}: StopNotify without a session", bus.call(board.characteristics[NOTIFY], CHARACTERISTIC, "StopNotify"), E + "Failed", "No notify session started")


def notify_handle(bus, r, board, model):
    answer = board.acquire()
    r.check(f"{model}: AcquireNotify", answer[0] == "ok" and answer[1] >= 23, "descriptor and mtu", answer)
    r.check(f"{model}: NotifyAcquired is true, Notifying false", bool(bus.get(board.characteristics[NOTIFY], CHARACTERISTIC, "NotifyAcquired"))
            and not bus.get(board.characteristics[NOTIFY], CHARACTERISTIC, "Notifying"), "true, false", "")
    second = bus.call(board.characteristics[NOTIFY], CHARACTERISTIC, "AcquireNotify", "a{sv}", dbus.Dictionary({}, signature="sv"))
    error(r, f"{model}: AcquireNotify while acquired", second, E + "NotPermitted", "Notify acquired")
    error(r, f"{model}: StartNotify while acquired", bus.call(board.characteristics[NOTIFY], CHARACTERISTIC, "StartNotify"), E + "NotPermitted", "Notify acquired")


def modules(bus, r, board, model):
    """Protocol reference 3.3: which modules, implementations, and the extra bytes that hosts rely on."""
    for module in [*COMMON, 0x16]:
        got = board.ask(f"{module:02x}80", wait=3, kind="request" if module == 0x0F else "command")
        expected = MODULES[model].get(module) if module in MODULES[model] else None
        if expected is None:
            r.equal(f"{model}: module {module:02X} absent: two bytes", got, f"{module:02x}80")
            continue
        expected = bytes.fromhex(expected)
        data = bytes.fromhex(got or "")[2:]
        ok = len(data) >= 2 and data[0] == expected[0]
        if module == 0x04:
            ok = ok and data[2:] in (bytes([0, 3, 1, 2]), bytes([0, 3, 1]))
        elif module in (0x09, 0x0A, 0x0C):
            ok = ok and data[2:3] == expected[2:3]
        elif module == 0x0B:
            ok = ok and data[2] == 8 and len(data) in (7, 9)
        r.check(f"{model}: module {module:02X} present, implementation {expected[0]}, extra bytes", ok, expected.hex(), got)
    for module in (0x06, 0x10, 0x17, 0x18):
        r.equal(f"{model}: module {module:02X} absent: two bytes", board.ask(f"{module:02x}80"), f"{module:02x}80")


def registers(bus, r, board, model):
    clock = board.ask("0b84")
    r.check(f"{model}: log clock 0B 84", clock and len(clock) == 14, "tick32, reset uid", clock)
    battery = board.ask("118c")
    r.check(f"{model}: battery 11 8C", battery and len(battery) == 10 and int(battery[4:6], 16) <= 100 and
            2800 < struct.unpack("<H", bytes.fromhex(battery[6:]))[0] < 4400, "charge8, mv16", battery)
    channels = bytes.fromhex(board.ask("0480"))[4:]
    for channel in range(len(channels)):
        value = board.ask(f"0481{channel:02x}", f"0481{channel:02x}")
        celsius = value and len(value) == 10 and struct.unpack("<h", bytes.fromhex(value[6:]))[0] / 8
        r.check(f"{model}: temperature channel {channel} (source {channels[channel]})", value and (channels[channel] == 1 or -40 < celsius < 85),
                "i16 / 8 degrees (an external thermistor may be missing)", value)
    r.check(f"{model}: MAC 11 8B", board.ask("118b") == "118b01" + bytes.fromhex(board.path[-17:].replace("_", ""))[::-1].hex(), "type 1, address reversed", board.ask("118b"))
    config = "a702" if model == "s" else "270c"
    default = "a802" if model == "s" else "2803"
    r.equal(f"{model}: default accelerometer configuration", board.ask("0383"), "0383" + default)
    board.write("0303" + config)
    r.equal(f"{model}: configuration reads back", board.ask("0383"), "0383" + config)
    board.write("03020100")
    r.equal(f"{model}: sampling mask reads back as one byte", board.ask("0382"), "038201")
    board.write("03020001")
    r.equal(f"{model}: sampling mask cleared", board.ask("0382"), "038200")
    pattern = "02021010" + "0000f4010000e803000005"
    board.write("020201")
    board.write("0203" + pattern)
    board.write("020101")
    r.equal(f"{model}: LED pattern reads back", board.ask("028302", "0283"), "0283" + pattern)
    board.write("020201")
    r.equal(f"{model}: switch reads", board.ask("0181"), "018100")
    board.write("010101")
    start = len(board.packets)
    board.write("fe030101" + "0001")  # 27.3: a faked press goes through the normal dispatch
    bus.pump(2, lambda: any(p and p.startswith(b"\x01\x01") for p in board.packets[start:]))
    r.check(f"{model}: a spoofed button press reaches the subscriber", any(p == b"\x01\x01\x01" for p in board.packets[start:]), "010101", [p and p.hex() for p in board.packets[start:]])
    before = len(board.packets)
    for odd in ("03ff", "7700", "77ff", "0303", "02030000", "fe"):
        board.write(odd)
    r.check(f"{model}: nonsense is dropped silently and the link stays", board.ask("0b84") and bus.get(board.path, DEVICE, "Connected"), "alive", board.packets[before:])


def rates(bus, r, board, model):
    scale = 8192
    config, packed = ("a801", "05") if model == "s" else ("2805", "1c")
    for register, per_packet in (("04", 1), (packed, 3)):
        board.write("0303" + config)
        board.write(f"03{register}01")
        board.write("03020100")
        board.write("030101")
        bus.pump(1)
        start, t = len(board.packets), time.monotonic()
        bus.pump(4)
        span = time.monotonic() - t
        packets = [p for p in board.packets[start:] if p and p[:2] == bytes.fromhex("03" + register)]
        rate = len(packets) * per_packet / span
        r.check(f"{model}: 100 Hz on register {register}, {per_packet} to a packet", 80 < rate < 120 and all(len(p) == 2 + 6 * per_packet for p in packets),
                "about 100 samples/s", f"{rate:.1f}")
        values = [struct.unpack("<hhh", p[2 + i:8 + i]) for p in packets for i in range(0, 6 * per_packet, 6)]
        norm = sorted(sum((x / scale) ** 2 for x in v) ** 0.5 for v in values)
        r.check(f"{model}: about 1 g at 4 g range", norm and 0.5 < norm[len(norm) // 2] < 2, "median near 1", norm[len(norm) // 2] if norm else None)
        board.write("030100")
        board.write("03020001")
        board.write(f"03{register}00")
        bus.pump(0.3)
        start = len(board.packets)
        bus.pump(0.7)
        r.equal(f"{model}: register {register} stopped", len([p for p in board.packets[start:] if p and p[0] == 3]), 0)


def survives(bus, r, board, model):
    """Subscriptions belong to the board (2.3); Disconnect takes its time and its order."""
    config, packed = ("a701", "05") if model == "s" else ("2705", "1c")
    for command in ("0303" + config, f"03{packed}01", "03020100", "030101"):
        board.write(command)
    bus.log.clear()
    t = time.monotonic()
    bus.call(board.path, DEVICE, "Disconnect")
    took = time.monotonic() - t
    bus.pump(4, lambda: not bus.get(board.path, DEVICE, "Connected"))
    bus.pump(0.3)
    order = []
    for kind, path, data in bus.log:
        if kind == "reply" and path == "Disconnect": order.append("reply")
        if kind == "PropertiesChanged" and path == board.path and "ServicesResolved" in data[1]: order.append("unresolved")
        if kind == "PropertiesChanged" and path == board.path and "Connected" in data[1]: order.append("disconnected")
        if kind == "InterfacesRemoved" and "org.bluez.Battery1" in data[1]: order.append("battery")
    r.equal(f"{model}: Disconnect: Battery1 goes, unresolved, reply, disconnected", order, ["battery", "unresolved", "reply", "disconnected"])
    r.check(f"{model}: Disconnect takes about 2 s", 1.5 < took < 3.5, "1.8 to 2.7 s", f"{took:.2f}")
    r.check(f"{model}: end of file on the descriptor", None in board.packets, "end of file", "open")
    error(r, f"{model}: read when disconnected", board.read(uuid16("2a24")), E + "Failed", "Not connected")
    r.check(f"{model}: GATT objects stay", board.characteristics[COMMAND] in bus.objects(), "objects", "gone")
    board.release()
    board.packets.clear()
    r.equal(f"{model}: Connect again", board.connect()[0], "ok")
    board.acquire()
    bus.pump(2, lambda: len(board.packets) > 5)
    r.check(f"{model}: the subscription survived the link", any(p and p.startswith(bytes.fromhex("03" + packed)) for p in board.packets), "packets at once", board.packets[:3])


def reset(bus, r, board, model):
    uid = int(board.ask("0b84")[-2:], 16)
    board.write("fe01")
    gone = bus.pump(5, lambda: not bus.get(board.path, DEVICE, "Connected"))
    r.check(f"{model}: FE 01 drops the link", gone, "Connected false", "")
    board.release()
    board.packets.clear()
    t = time.monotonic()
    while time.monotonic() - t < 20 and not bus.get(board.path, DEVICE, "ServicesResolved"):
        board.connect(5)
    r.check(f"{model}: after FE 01 it can be connected again", bus.get(board.path, DEVICE, "ServicesResolved"), "connected within 20 s", "")
    board.acquire()
    bus.pump(1)
    r.equal(f"{model}: subscriptions ended with the reset", len([p for p in board.packets if p]), 0)
    clock = board.ask("0b84")
    r.equal(f"{model}: reset uid + 1", clock and int(clock[-2:], 16), (uid + 1) % 8)
    r.check(f"{model}: tick restarted", clock and struct.unpack("<I", bytes.fromhex(clock[4:12]))[0] * 48 / 32768 < 30, "< 30 s", clock)
    r.check(f"{model}: configuration is the default again", board.ask("0383") == "0383" + ("a802" if model == "s" else "2803"), "default", board.ask("0383"))
    start = time.monotonic()
    board.write("fe06")
    gone = bus.pump(5, lambda: not bus.get(board.path, DEVICE, "Connected"))
    r.check(f"{model}: FE 06 drops the link", gone and time.monotonic() - start < 3, "Connected false", "")
    board.release()


def notify_sessions(bus, r, board, model):
    """StartNotify: values as signals, and the session that outlives the link."""
    board.packets.clear()
    board.connect()
    path = board.characteristics[NOTIFY]
    r.equal(f"{model}: StartNotify", bus.call(path, CHARACTERISTIC, "StartNotify")[0], "ok")
    bus.log.clear()
    board.write("0b84")
    values = lambda: [bytes(bytearray(x[2][1]["Value"])) for x in bus.log if x[0] == "PropertiesChanged" and x[1] == path and "Value" in x[2][1]]
    bus.pump(2, values)
    r.check(f"{model}: StartNotify: the value comes as a signal", any(v[:2] == b"\x0b\x84" for v in values()), "0b84…", values())
    acquired = bus.call(path, CHARACTERISTIC, "AcquireNotify", "a{sv}", dbus.Dictionary({}, signature="sv"))
    error(r, f"{model}: AcquireNotify during StartNotify", acquired, E + "InProgress", "In Progress")
    bus.call(board.path, DEVICE, "Disconnect")
    bus.pump(4, lambda: not bus.get(board.path, DEVICE, "Connected"))
    board.connect()
    bus.log.clear()
    board.write("0b84")
    bus.pump(2, values)
    r.check(f"{model}: the notify session survives the link", any(v[:2] == b"\x0b\x84" for v in values()), "0b84…", values())
    r.equal(f"{model}: StopNotify", bus.call(path, CHARACTERISTIC, "StopNotify")[0], "ok")
    bus.call(board.path, DEVICE, "Disconnect")
    bus.pump(4, lambda: not bus.get(board.path, DEVICE, "Connected"))


def power(bus, r, path, board):
    find(bus, board)
    board.connect()
    off = bus.call(path, PROPERTIES, "Set", "ssv", ADAPTER, "Powered", dbus.Boolean(False))
    bus.pump(3, lambda: not bus.get(path, ADAPTER, "Powered"))
    r.check("adapter off: the link is down", off[0] == "ok" and not bus.get(board.path, DEVICE, "Connected"), "ok, Connected false", off)
    error(r, "adapter off: StartDiscovery", bus.call(path, ADAPTER, "StartDiscovery"), E + "NotReady", "Resource Not Ready")
    error(r, "adapter off: Connect", bus.call(board.path, DEVICE, "Connect"), E + "Failed", "Input/output error")
    r.equal("adapter on again", bus.call(path, PROPERTIES, "Set", "ssv", ADAPTER, "Powered", dbus.Boolean(True))[0], "ok")
    r.equal("adapter on again: the known board connects without a scan", board.connect()[0], "ok")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    options = parser.parse_args()
    end_cleanly_on_signals()
    DBusGMainLoop(set_as_default=True)
    r, models = Report(), ["s", "rl", "r", "s"]
    simulator = Process("simulator", [os.path.abspath(options.binary), "simulate", "--boards", "4", "--models", "s,rl,r"], os.devnull,
                        stdout=subprocess.PIPE)
    try:
        started = time.monotonic()
        line = simulator.popen.stdout.readline().decode()
        matched = re.match(r"^DBUS_SYSTEM_BUS_ADDRESS=(\S+)\n$", line)
        if not r.check("first line names the bus", matched, "DBUS_SYSTEM_BUS_ADDRESS=<address>", line):
            return r.finish()
        print(f"# first line after {time.monotonic() - started:.1f} s")
        bus, path = Bus(matched[1]), "/org/bluez/hci0"
        discovery(bus, r, path, 4)
        boards = [Board(bus, f"{path}/dev_C0_FF_EE_00_00_{n:02X}") for n in range(1, 5)]
        connecting(bus, r, boards[0])
        for n, (board, model) in enumerate(zip(boards[:3], models)):
            if n:
                find(bus, board)
                answer = board.connect()
                r.check(f"{model}: Connect", answer[0] == "ok", "ok", answer)
            for step in (information, notify_handle, modules, registers, rates, survives, reset, notify_sessions):
                try:
                    step(bus, r, board, model)
                except Exception as problem:
                    r.check(f"{model}: {step.__name__} runs to its end", False, "no exception", f"{type(problem).__name__}: {problem}")
        power(bus, r, path, boards[3])
    finally:
        code = simulator.end(signal.SIGTERM)
    r.check("SIGTERM: exit 0", code == 0, "0", code)
    return r.finish()


if __name__ == "__main__":
    sys.exit(main())
