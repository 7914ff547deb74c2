#!/usr/bin/python3
"""Judges the bootloader of `metafleet simulate` from outside, with a DFU host of its own over D-Bus: boards are updated, connections break in the
middle, images and init packets are wrong, and each refusal and the way out of it is seen. With --nrf-ota somebody else's host updates a board."""
import argparse
import contextlib
import os
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time

from dbus.mainloop.glib import DBusGMainLoop

from bench import Process, Report, end_cleanly_on_signals
from dfu_host import CONTROL, DFU, PACKET, VERSION, Host, image, init_packet, write_package
from foreign_tools import program
from simulator_checks import CHARACTERISTIC, COMMAND, E, METAWEAR, NOTIFY, Bus, uuid16

PACKAGE = "nrf-ota==0.4.0"
WHOLE = ["100101", "100201", "100301", "100401"]
REFUSED = ("error", E + "Failed", "Operation failed with ATT error: 0xfd")


class Simulator:
    """`metafleet simulate` with bootloaders of a kind; faults go to its standard input."""

    def __init__(self, binary, boards, models="s", bootloader="interval=15ms"):
        command = [binary, "simulate", "--boards", str(boards), "--models", models, "--bootloader", bootloader]
        self.process = Process("simulator", command, os.devnull, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        line = self.process.popen.stdout.readline().decode()
        self.address = re.match(r"^DBUS_SYSTEM_BUS_ADDRESS=(\S+)\n$", line)[1]
        self.bus = Bus(self.address)

    def fault(self, line):
        self.process.popen.stdin.write((line + "\n").encode())
        self.process.popen.stdin.flush()
        time.sleep(0.3)

    def board(self, number):
        """Board `number`, found and connected."""
        host = Host(self.bus, f"/org/bluez/hci0/dev_C0_FF_EE_00_00_{number:02X}")
        host.find("MetaWear")
        host.connect()
        return host

    def end(self):
        return self.process.end(signal.SIGTERM)


@contextlib.contextmanager
def simulator(*arguments, **options):
    running = Simulator(*arguments, **options)
    try:
        yield running
    finally:
        running.end()


def shape(s, r):
    """What a client finds behind the jump."""
    host = s.board(1)
    notify_path = host.characteristics[NOTIFY]
    r.check("FE 02: the board closes the link, and MetaBoot is found at its address", host.jump(), "MetaBoot", host.get("Name"))
    r.check("MetaBoot can be connected to", host.connect(), "resolved", "")
    r.equal("characteristics of DFU and device information, none of the application's",
            sorted({CONTROL, PACKET, VERSION, uuid16("2a24"), uuid16("2a25"), uuid16("2a26"), uuid16("2a27")} - set(host.characteristics)) + sorted({COMMAND, NOTIFY} & set(host.characteristics)), [])
    r.equal("the path of the notifications is now the control point's", host.characteristics[CONTROL], notify_path)
    uuids = {str(u).lower() for u in host.get("UUIDs")}
    r.check("UUIDs follow", DFU in uuids and METAWEAR not in uuids, DFU, uuids)
    r.equal("DFU version, model, bootloader's version", (host.read(VERSION), host.text("2a24"), host.text("2a26")), (b"\x08\x00", "8", "0.5.0"))
    r.equal("MTU", int(host.bus.get(host.characteristics[PACKET], CHARACTERISTIC, "MTU")), 23)
    flags = lambda u: sorted(str(f) for f in host.bus.get(host.characteristics[u], CHARACTERISTIC, "Flags"))
    r.equal("flags of control point and packet", (flags(CONTROL), flags(PACKET)), (["notify", "write"], ["write-without-response"]))
    r.equal("control point while notifications are off", host.control("07"), REFUSED)
    host.notify(CONTROL)
    host.at = len(host.bus.log)
    host.control("07")
    r.equal("received size of nothing", host.answer(), "10070100000000")
    r.check("06 without a start: the old application comes back", host.reset() and host.find("MetaWear") and host.connect(), "MetaWear", host.get("Name"))
    r.equal("and shows its old version", host.text("2a26"), "1.7.3")


def update(s, r):
    """A whole update, with receipts that count and one boundary exactly at the end."""
    data = image(4000)
    host = s.board(2)
    r.check("into the bootloader", host.enter(), "ready", "")
    r.equal("start, init packet", [host.start(application=len(data)), host.init(init_packet(data, 8, 1, 0x00010900, (0x00A9,)))], WHOLE[:2])
    receipts = ["11" + struct.pack("<I", n).hex() for n in range(200, len(data), 200)]
    r.equal("receipts after each ten packets, none for the last", host.send(data), receipts + ["100301"])
    host.control("04")
    r.equal("validation", host.answer(), "100401")
    r.check("activation: the board is back as an application", host.activate(), "MetaWear", host.get("Name"))
    r.equal("with the new version", host.text("2a26"), "1.9.0")
    r.check("and answers packets, not DFU", CONTROL not in host.characteristics and COMMAND in host.characteristics, COMMAND, sorted(host.characteristics))


def broken(s, r):
    """The link is lost in the middle; what came stays, and only a reset helps."""
    data = image(4000)
    packet = init_packet(data, version=0x00010901)
    host = s.board(3)
    host.enter()
    s.fault("dfu-drop 3 50")
    answers = host.load(data, packet)
    r.check("a link that is lost at half of the image", answers[-1] is None and host.gone(), "no answer, not connected", answers)
    r.check("MetaBoot advertises again", host.find("MetaBoot") and host.return_to_bootloader(), "MetaBoot", host.get("Name"))
    host.control("07")
    r.equal("what came is still counted", host.answer(), "100701" + struct.pack("<I", 2000).hex())
    r.equal("a second start is refused", host.start(application=len(data)), "100102")
    r.check("06: MetaBoot again, for the application is gone", host.reset() and host.find("MetaBoot") and host.return_to_bootloader(), "MetaBoot", host.get("Name"))
    r.equal("once more from the start", host.load(data, packet), WHOLE)
    r.check("and it is done", host.activate() and host.text("2a26") == "1.9.1", "1.9.1", host.text("2a26"))


def wrong(s, r):
    """Images and init packets that are not what they should be."""
    data = image(2000)
    host = s.board(4)
    host.enter()
    r.equal("too large", host.start(application=0x00200000), "100104")
    r.equal("application together with a bootloader", host.start(application=400, bootloader=400), "100103")
    r.equal("a size that is no multiple of four", host.start(application=402), "100103")
    host.control("01")
    r.equal("start without a type", host.answer(), "100106")
    host.control("0a")
    r.equal("an unknown request", host.answer(), "100a03")
    host.control("08")
    r.equal("receipts without a number", host.answer(), "100803")
    host.control("0201")
    r.equal("init packet before a start", host.answer(), "100202")
    r.equal("data that nobody announced is ignored", (host.packet(b"1234")[0], host.answer(wait=1)), ("ok", None))
    r.equal("the start after all that", host.start(application=len(data)), "100101")
    host.control("03")
    host.packet(data[:20])
    r.equal("no init packet", host.answer(), "100302")
    host.control("0200")
    for _ in range(7):
        host.packet(bytes(20))
    r.equal("an init packet that is too long", host.answer(), "100206")
    host.control("0201")
    r.equal("and is none", host.answer(), "100206")
    r.equal("a wrong device", host.init(init_packet(data, 5, 1, 0x00010902)), "100206")
    r.equal("a wrong hardware revision", host.init(init_packet(data, 8, 9, 0x00010902)), "100206")
    r.equal("a wrong soft device", host.init(init_packet(data, 8, 1, 0x00010902, (0x0064,))), "100206")
    r.equal("the right init packet after them, with a wrong checksum", host.init(init_packet(data, 8, 1, 0x00010902, checksum=0x1234)), "100201")
    host.control("03")
    host.packet(data[:18])
    r.equal("18 bytes of an image", host.answer(), "100303")
    host.control("04")
    r.equal("validation of what is not whole", host.answer(), "100402")
    r.equal("an image with another checksum", host.send(data)[-1], "100301")
    host.control("04")
    r.equal("is found out", host.answer(), "100405")
    host.control("05")
    r.check("and never started: MetaBoot stays", host.gone() and host.find("MetaBoot") and host.return_to_bootloader(), "MetaBoot", host.get("Name"))
    r.equal("the right one", host.load(data, init_packet(data, 8, 1, 0x00010902)), WHOLE)
    r.check("more than was announced is refused, and nothing is started then", host.packet(bytes(4))[0] == "ok" and host.answer() == "100304", "100304", "")
    r.check("06 and all again", host.reset() and host.find("MetaBoot") and host.return_to_bootloader() and host.load(data, init_packet(data, 8, 1, 0x00010902)) == WHOLE, WHOLE, "")
    r.check("is done", host.activate() and host.text("2a26") == "1.9.2", "1.9.2", host.text("2a26"))


def sessions(s, r):
    """A notify session that is left open is armed again on the control point."""
    for number, stops in ((5, False), (6, True)):
        host = s.board(number)
        host.notify(NOTIFY)
        if stops:
            host.notify(NOTIFY, on=False)
        host.jump()
        host.connect()
        answer = host.control("07")
        r.check(f"board {number}: a session that was {'stopped is not' if stops else 'left open is'} armed on the control point",
                answer == REFUSED if stops else answer[0] == "ok", REFUSED if stops else "ok", answer)
        host.notify(CONTROL)
        host.reset()


def small_buffer(s, r):
    """A host that is too fast is told so, and helps itself."""
    data = image(2000)
    packet = init_packet(data, version=0x00010903)
    host = s.board(7)
    host.enter()
    s.fault("dfu-buffer 7 4")
    r.check("a window of ten overruns a buffer of four", "100306" in host.load(data, packet, 10), "100306", "")
    host.reset()
    r.check("MetaBoot again", host.find("MetaBoot") and host.return_to_bootloader(), "MetaBoot", host.get("Name"))
    r.equal("a window of four does not", host.load(data, packet, 4), WHOLE)
    r.check("and it is done", host.activate() and host.text("2a26") == "1.9.3", "1.9.3", host.text("2a26"))


def chain(s, r):
    """An R with an old bootloader: the application is refused until two bootloaders are there."""
    data = image(2000)
    host = s.board(1)
    host.enter()
    r.equal("an old bootloader", (host.text("2a26"), host.load(data, init_packet(data, version=0x00010703))), ("0.3.3", ["100101", "100206"]))
    for version, text in ((0x00000400, "0.4.0"), (0x00000500, "0.5.0")):
        host.reset()
        host.find("MetaBoot")
        host.return_to_bootloader()
        answers = [host.start(bootloader=len(data), kind="02"), host.init(init_packet(data, version=version)), host.send(data)[-1]]
        host.control("04")
        r.equal(f"bootloader {text}", answers + [host.answer()], WHOLE)
        host.control("05")
        r.check(f"is MetaBoot {text}", host.gone() and host.find("MetaBoot") and host.return_to_bootloader() and host.text("2a26") == text, text, host.text("2a26"))
    r.equal("the application now", host.load(data, init_packet(data, version=0x00010703)), WHOLE)
    r.check("runs", host.activate() and host.text("2a26") == "1.7.3", "1.7.3", host.text("2a26"))


def next_address(s, r):
    """The bootloader is at the address behind the board's."""
    data = image(800, b"\0" + b"1.9.4\0")
    host = s.board(1)
    there = Host(s.bus, host.path[:-2] + "02")
    host.write(COMMAND, b"\xfe\x02", "command")
    r.check("MetaBoot is found at the next address", host.gone() and there.find("MetaBoot") and there.return_to_bootloader(), there.path, sorted(s.bus.objects()))
    r.equal("an image that names its own version", there.load(data, init_packet(data)), WHOLE)
    there.control("05")
    r.check("the application is at its own address again", there.gone() and host.find("MetaWear", wait=30) and host.connect() and host.text("2a26") == "1.9.4", "1.9.4", host.text("2a26"))


def rate(s, r, milliseconds):
    """Six packets each way in an event: a window of ten takes three events."""
    data = image(4000)
    host = s.board(1)
    host.enter()
    host.start(application=len(data))
    host.init(init_packet(data, version=0x00010905))
    started = time.monotonic()
    host.send(data)
    took, bound = time.monotonic() - started, len(data) / 200 * 3 * milliseconds / 1000
    r.check(f"at {milliseconds} ms {len(data)} bytes take what the link allows", 0.95 * bound < took < 3 * bound + 2, f"at least {bound:.2f} s", f"{took:.2f} s")


def foreign(s, r):
    """Somebody else's host updates a board that is in its bootloader."""
    host = s.board(1)
    r.check("into the bootloader", host.jump(), "MetaBoot", host.get("Name"))
    data = image(8000)
    with tempfile.TemporaryDirectory() as directory:
        package = os.path.join(directory, "firmware.zip")
        write_package(package, data, init_packet(data, 8, 1, 0x00010906))
        done = subprocess.run([program(PACKAGE, "nrf-ota"), "--device", "C0:FF:EE:00:00:01", package], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=300, env={**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": s.address})
    r.check(f"{PACKAGE} is done", done.returncode == 0, "status 0", done.stdout)
    r.check("the board runs what it sent", host.find("MetaWear", wait=30) and host.connect() and host.text("2a26") == "1.9.6", "1.9.6", host.text("2a26"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    parser.add_argument("--nrf-ota", action="store_true", help="only have nrf-ota update a board")
    options = parser.parse_args()
    binary = os.path.abspath(options.binary)
    end_cleanly_on_signals()
    DBusGMainLoop(set_as_default=True)
    r = Report()
    if options.nrf_ota:
        with simulator(binary, 1) as s:
            foreign(s, r)
        return r.finish()

    def run(step, s, *arguments):
        try:
            step(s, r, *arguments)
        except Exception as problem:
            r.check(f"{step.__name__} runs to its end", False, "no exception", f"{type(problem).__name__}: {problem}")
    with simulator(binary, 7) as s:
        for step in (shape, update, broken, wrong, sessions, small_buffer):
            run(step, s)
    with simulator(binary, 1, models="r") as s:
        run(chain, s)
    with simulator(binary, 1, bootloader="interval=15ms,next-address") as s:
        run(next_address, s)
    for milliseconds in (15, 50):
        with simulator(binary, 1, bootloader=f"interval={milliseconds}ms") as s:
            run(rate, s, milliseconds)
    return r.finish()


if __name__ == "__main__":
    sys.exit(main())
