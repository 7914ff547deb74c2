"""A host of Nordic's legacy DFU over BlueZ's D-Bus, written from the description of the protocol alone, and its packages."""
import binascii
import json
import os
import struct
import zipfile

import dbus

from simulator_checks import ADAPTER, CHARACTERISTIC, COMMAND, DEVICE, uuid16

DFU = "00001530-1212-efde-1523-785feabcd123"
CONTROL, PACKET, VERSION = (DFU.replace("1530", n, 1) for n in ("1531", "1532", "1534"))
ANY = 0xFFFF


def image(size, text=b""):
    """Bytes that mean nothing, with a text in the middle."""
    body = bytearray((n * 73 + 29) & 0xFF for n in range(size))
    # Without digits and points no text is in it but the one asked for.
    body = bytearray(b ^ 0x80 if 0x2E <= b <= 0x39 else b for b in body)
    body[size // 2:size // 2 + len(text)] = text
    return bytes(body[:size])


def crc(data):
    return binascii.crc_hqx(data, 0xFFFF)


def init_packet(data, device=ANY, revision=ANY, version=0xFFFFFFFF, soft_devices=(0xFFFE,), checksum=None):
    packet = struct.pack("<HHIH", device, revision, version, len(soft_devices))
    packet += b"".join(struct.pack("<H", s) for s in soft_devices)
    return packet + struct.pack("<H", crc(data) if checksum is None else checksum)


def write_package(path, data, packet):
    """A package as release tools write it."""
    manifest = {"manifest": {"application": {"bin_file": "firmware.bin", "dat_file": "firmware.dat",
                                             "init_packet_data": {"firmware_crc16": crc(data)}}, "dfu_version": 0.5}}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("manifest.json", json.dumps(manifest))
        package.writestr("firmware.bin", data)
        package.writestr("firmware.dat", packet)


class Host:
    """One board, in whichever shape it is; answers are taken in the order in which they come."""

    def __init__(self, bus, path):
        self.bus, self.path, self.at, self.characteristics = bus, path, 0, {}

    # The way to the board.

    def get(self, name):
        return self.bus.get(self.path, DEVICE, name)

    def find(self, name, wait=20):
        """Scans until the board advertises this name."""
        adapter, mark = os.path.dirname(self.path), len(self.bus.log)
        self.bus.call(adapter, ADAPTER, "StartDiscovery")

        def heard():
            for kind, path, data in self.bus.log[mark:]:
                changed = data[1] if path == self.path and kind == "PropertiesChanged" else {}
                if kind == "InterfacesAdded" and str(data[0]) == self.path:
                    changed = data[1].get(DEVICE, {})
                if "RSSI" in changed and str(changed.get("Name", "")) in ("", name):
                    return True
            return False
        found = self.bus.pump(wait, lambda: heard() and str(self.get("Name")) == name)
        self.bus.call(adapter, ADAPTER, "StopDiscovery")
        return found

    def connect(self, wait=15):
        answer = self.bus.call(self.path, DEVICE, "Connect")
        self.bus.pump(wait, lambda: self.get("ServicesResolved"))
        self.characteristics = {str(i[CHARACTERISTIC]["UUID"]).lower(): p for p, i in self.bus.objects().items()
                                if p.startswith(self.path + "/") and CHARACTERISTIC in i}
        return answer[0] == "ok" and bool(self.get("ServicesResolved"))

    def gone(self, wait=10):
        """Whether the link ends by itself."""
        return self.bus.pump(wait, lambda: not self.get("Connected"))

    def read(self, uuid):
        answer = self.bus.call(self.characteristics[uuid], CHARACTERISTIC, "ReadValue", "a{sv}", dbus.Dictionary({}, signature="sv"))
        return bytes(bytearray(answer[1])) if answer[0] == "ok" else None

    def text(self, number):
        value = self.read(uuid16(number)) if uuid16(number) in self.characteristics else None
        return value.decode() if value is not None else None

    def write(self, uuid, data, kind):
        array = dbus.Array([dbus.Byte(b) for b in data], signature="y")
        return self.bus.call(self.characteristics[uuid], CHARACTERISTIC, "WriteValue", "aya{sv}", array,
                             dbus.Dictionary({"type": dbus.String(kind)}, signature="sv"))

    def notify(self, uuid, on=True):
        return self.bus.call(self.characteristics[uuid], CHARACTERISTIC, "StartNotify" if on else "StopNotify")

    def jump(self):
        """Makes the application jump, waits until it has closed the link, and finds the bootloader at the same address."""
        self.write(COMMAND, b"\xfe\x02", "command")
        return self.gone() and self.find("MetaBoot")

    def enter(self):
        """From the application into the bootloader, with notifications."""
        return self.jump() and self.return_to_bootloader()

    def return_to_bootloader(self):
        if not self.connect() or CONTROL not in self.characteristics:
            return False
        self.at = len(self.bus.log)
        return self.notify(CONTROL)[0] == "ok"

    # The protocol.

    def answer(self, wait=10):
        """The next notification of the control point as hexadecimal digits; None when none comes."""
        def look():
            while self.at < len(self.bus.log):
                kind, path, data = self.bus.log[self.at]
                self.at += 1
                if kind == "PropertiesChanged" and path == self.characteristics[CONTROL] and "Value" in data[1]:
                    found.append(bytes(bytearray(data[1]["Value"])).hex())
                    return True
            return False
        found = []
        self.bus.pump(wait, look)
        return found[0] if found else None

    def control(self, text):
        return self.write(CONTROL, bytes.fromhex(text), "request")

    def packet(self, data):
        return self.write(PACKET, data, "command")

    def burst(self, packets):
        """Packets as fast as the bus takes them; nobody waits for their replies."""
        for data in packets:
            array = dbus.Array([dbus.Byte(b) for b in data], signature="y")
            self.bus.bus.call_async("org.bluez", self.characteristics[PACKET], CHARACTERISTIC, "WriteValue", "aya{sv}",
                                    (array, dbus.Dictionary({"type": dbus.String("command")}, signature="sv")),
                                    lambda *_: None, lambda *_: None)

    def start(self, application=0, bootloader=0, soft_device=0, kind="04"):
        self.control("01" + kind)
        self.packet(struct.pack("<III", soft_device, bootloader, application))
        return self.answer(wait=60)

    def init(self, packet):
        self.control("0200")
        for n in range(0, len(packet), 20):
            self.packet(packet[n:n + 20])
        self.control("0201")
        return self.answer()

    def send(self, data, window=10):
        """The answers to an image, receipts among them; ends early when one does not come, or is a refusal."""
        self.control("08" + struct.pack("<H", window).hex())
        self.control("03")
        answers, sent = [], 0
        while sent < len(data):
            end = min(sent + 20 * window, len(data))
            self.burst(data[n:min(n + 20, end)] for n in range(sent, end, 20))
            sent = end
            answers.append(self.answer())
            if answers[-1] is None or answers[-1].startswith("1003"):
                break
        return answers

    def load(self, data, packet, window=10):
        """Everything up to the validation: the answers without receipts."""
        answers = [self.start(application=len(data))]
        if answers[-1] == "100101":
            answers.append(self.init(packet))
        if answers[-1] == "100201":
            answers += [a for a in self.send(data, window) if not (a or "").startswith("11")]
        if answers[-1] == "100301":
            self.control("04")
            answers.append(self.answer())
        return answers

    def activate(self):
        """Whether the board closes the link and comes back as an application."""
        self.control("05")
        return self.gone() and self.find("MetaWear", wait=30) and self.connect()

    def reset(self):
        self.control("06")
        return self.gone()
