#!/usr/bin/python3
"""Kills `metafleet run` with -9 in the laboratory, above a real kernel and bluetoothd, and judges what the next one
makes of the links. Run by Tests/BlueZLab/outsiders."""
import os
import signal
import subprocess
import sys
import time

import dbus

import checks_contract
from bench import Bench, judge, until

AGAIN_S = 20  # fault matrix, F09
# Seconds after the start: while it scans, while some boards connect, while it interviews, while some stream.
EARLY = [0.2, 0.5, 0.8, 1.2, 1.7, 2.5]


class LabBench(Bench):
    """The laboratory's system bus, bluetoothd and boards instead of fakes."""

    def __init__(self, binary, keep):
        boards = int(os.environ["BLUEZ_LAB_BOARDS"])
        super().__init__(binary, boards=boards, keep=keep)
        self.ids = [f"c0ffee{n:06x}" for n in range(1, boards + 1)]
        self.judge.boards = set(self.ids)
        self.bus_address = os.environ["DBUS_SYSTEM_BUS_ADDRESS"]
        self.bluez = dbus.SystemBus()
        self.crashes = 0

    def start_bus(self): pass

    def start_fake(self): pass

    def linked(self):
        """How many boards bluetoothd holds connected. Starts it where it crashed, as a service manager would.

        5.66 does when the client goes that has an AcquireNotify in flight (deploy/docs/reference/bluez.md).
        """
        if not self.bluez.name_has_owner("org.bluez"):
            self.crashes += 1
            print("# bluetoothd has crashed; started again", flush=True)
            subprocess.run(["bluez-labctl", "start-bluetoothd"], stdin=subprocess.DEVNULL, check=True)
        manager = dbus.Interface(self.bluez.get_object("org.bluez", "/"), "org.freedesktop.DBus.ObjectManager")
        return sum(bool(i.get("org.bluez.Device1", {}).get("Connected")) for i in manager.GetManagedObjects().values())


def kill(b, r, when):
    """Kills it, starts it again, and judges."""
    birth = (b.client.last(b.gateway_topic("availability")) or {}).get("birth", 0)
    b.daemon.end(signal.SIGKILL)
    death = time.time() * 1000
    linked, everyone = b.linked(), range(1, b.count + 1)
    what = f"F09 kill -9 {when}, {linked} links up"
    mark, began = b.client.mark(), time.monotonic()
    b.start_daemon()
    missing = b.wait_samples(AGAIN_S, everyone, mark)
    took = time.monotonic() - began
    late = b.wait_streaming(max(0, AGAIN_S - took), everyone)
    r.check(f"{what}: samples of all boards within {AGAIN_S} s", not missing and not late, "all back",
            f"no samples {missing}, not streaming {late}: {[b.client.last(b.topic(n, 'state')) for n in (missing or late)[:3]]}")
    print(f"# {what}: samples of all boards after {took:.1f} s", flush=True)
    r.equal(f"{what}: bluetoothd holds a link to each board", b.linked(), b.count)
    online = b.client.wait(5, b.gateway_topic("availability"), lambda v: v["state"] == "online", mark)
    b.judge.killed(death)
    r.check(f"{what}: a higher birth number", online and online["birth"] > birth, f"more than {birth}", online)


def settled(b, r):
    """Nothing that was taken over falls over later."""
    mark = b.client.mark()
    time.sleep(60)
    lost = [n for n in range(1, b.count + 1) if b.client.since(mark, b.topic(n, "event", "link-lost"))]
    r.equal("a minute later: no link was lost since", lost, [])
    missing = b.wait_samples(10, range(1, b.count + 1), b.client.mark())
    r.equal("a minute later: all boards stream", (missing, b.wait_streaming(5)), ([], []))


def stop(b, r):
    code = b.daemon.end(signal.SIGTERM, wait=25)
    r.equal("F75 clean stop after all that: exit status", code, 0)
    r.equal("F75 clean stop after all that: no link is left", until(10, lambda: b.linked() == 0), True)


def play(b, r):
    b.start()
    r.equal("all boards stream within 60 s of the first start", b.wait_streaming(60), [])
    kill(b, r, "while streaming")
    for delay in EARLY:
        b.daemon.end(signal.SIGTERM, wait=25)
        b.start_daemon()
        time.sleep(delay)
        kill(b, r, f"{delay} s after the start")
    settled(b, r)
    stop(b, r)
    print(f"# bluetoothd crashed {b.crashes} times in {1 + len(EARLY)} kills", flush=True)
    checks_contract.verdict(b, r)


if __name__ == "__main__":
    sys.exit(judge(__doc__, LabBench, play, tail=60))
