"""Emulated Bluetooth LE radio (standard library only).

One process plays both sides of the air:

* an LE-only HCI controller behind /dev/vhci, which the guest kernel and
  bluetoothd see as hci0;
* N peripherals ("boards"), each with its own address, advertisement and ATT
  server, reached through that controller.

What a board answers comes from a Behaviour: DefaultBoard, or a simulator in any
language behind a Unix socket (SimulatorLink).
"""
import sys
sys.modules["ssl"] = None      # asyncio does without; loading it doubles the start-up time
import argparse
import asyncio
import signal

import airlog
from board import Board
from control import control
from controller import Air
from default_board import DefaultBoard
from simulator_link import SimulatorLink


async def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--boards", type=int, default=3)
    ap.add_argument("--name", default="MetaWear")
    ap.add_argument("--mtu", type=int, default=247)
    ap.add_argument("--adv-ms", type=float, default=100)
    ap.add_argument("--dup-ms", type=float, default=0,
                    help="duplicate filter forgets after this long (0: only when the scan restarts)")
    ap.add_argument("--feature-ms", type=float, default=20,
                    help="how long the feature exchange of a new link takes")
    ap.add_argument("--interval-ms", type=float, default=0)
    ap.add_argument("--per-event", type=int, default=6)
    ap.add_argument("--simulator", help="Unix socket a board simulator listens on")
    ap.add_argument("--control", default="/run/bluez-lab/control.sock")
    ap.add_argument("--ready", help="file to create once the controller is open")
    ap.add_argument("-v", action="count", default=0)
    options = ap.parse_args()
    airlog.level = 1 + options.v

    air = Air(options)
    for i in range(options.boards):
        behaviour = SimulatorLink(options.simulator) if options.simulator else DefaultBoard()
        air.boards.append(Board(air, i, behaviour, options.name, options.mtu))
    air.open()
    for b in air.boards:
        await b.behaviour.start()
    air.scan()
    await asyncio.start_unix_server(lambda r, w: control(air, r, w), options.control)
    if options.ready:
        open(options.ready, "w").close()
    stop = asyncio.Event()
    for s in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(s, stop.set)
    await stop.wait()


if __name__ == "__main__":
    asyncio.run(main())
