"""The built-in board."""
import asyncio
import struct

from behaviour import Behaviour
from gatt import COMMAND, NOTIFY


class DefaultBoard(Behaviour):
    """Small MetaWear-flavoured board, enough to exercise a client.

    Besides the module/battery/accelerometer replies it knows one lab-only
    register, module 0x7E (never used by a board):
      7E 01 <bytes>            echo: notifies 7E 01 <bytes>
      7E 02 <u32 count> [u8 size] [u16 rate]
                               flood: <count> notifications 7E 02 <u32 index> pad...
                               (default size 20; rate in 1/s, 0 = flat out)
      7E 03 <u16 ms> <u8 why>  drop the link after ms with HCI reason why
      7E 04                    notifies 7E 04 <u32 writes seen> <u32 write bytes>
    """
    MODULES = {0x01: (0, 0), 0x02: (0, 0), 0x03: (4, 0), 0x04: (1, 0), 0x05: (0, 2),
               0x06: (0, 0), 0x07: (0, 0), 0x08: (0, 0), 0x09: (0, 3), 0x0A: (0, 0),
               0x0B: (0, 3), 0x0C: (0, 0), 0x0D: (0, 1), 0x0F: (0, 1), 0x11: (0, 6),
               0x12: (0, 0), 0x13: (0, 1), 0x15: (0, 1), 0x18: (0, 0), 0x19: (0, 3),
               0xFE: (0, 6)}
    ODR = {6: 25, 7: 50, 8: 100, 9: 200, 10: 400, 11: 800, 12: 1600}

    def __init__(self):
        self._clear()

    def _clear(self):
        self.rate, self.running, self.interrupt, self.streaming = 100.0, False, False, None
        self.writes = self.write_bytes = 0

    def say(self, *data):
        self.board.notify(NOTIFY, bytes(data))

    def write(self, char, data, with_response):
        self.writes += 1
        self.write_bytes += len(data)
        if char != COMMAND or len(data) < 2:
            return
        module, register, rest = data[0], data[1], data[2:]
        if module == 0x7E:
            return self.lab(register, rest)
        if register == 0x80:
            info = self.MODULES.get(module)
            return self.say(module, 0x80, *(info or ()))
        if (module, register) == (0x11, 0x8C):
            return self.say(0x11, 0x8C, 93, 0x10, 0x10)
        if module == 0x03:
            return self.accelerometer(register, rest)
        if module == 0xFE and register in (0x01, 0x06):
            return self.board.drop(0x13)
        if register & 0x80:
            self.say(module, register, *rest)

    def accelerometer(self, register, rest):
        if register == 0x01 and rest:
            self.running = bool(rest[0])
        elif register == 0x02 and rest:
            self.interrupt = bool(rest[0])
        elif register == 0x03 and rest:
            self.rate = float(self.ODR.get(rest[0] & 0x0F, 100))
        if self.running and self.interrupt and self.streaming is None:
            self.streaming = asyncio.get_running_loop().create_task(self.stream())
        elif not (self.running and self.interrupt):
            self.stop_stream()

    def stop_stream(self):
        if self.streaming:
            self.streaming.cancel()
            self.streaming = None

    async def stream(self):
        loop, n, start = asyncio.get_running_loop(), 0, asyncio.get_running_loop().time()
        while True:
            self.say(0x03, 0x04, *struct.pack("<hhh", n % 1000, -(n % 1000), 16384 >> 1))
            n += 1
            await asyncio.sleep(max(0.0, start + n / self.rate - loop.time()))

    def lab(self, register, rest):
        loop = asyncio.get_running_loop()
        if register == 0x01:
            self.say(0x7E, 0x01, *rest)
        elif register == 0x02 and len(rest) >= 4:
            count = struct.unpack_from("<I", rest)[0]
            size = rest[4] if len(rest) > 4 else 20
            rate = struct.unpack_from("<H", rest, 5)[0] if len(rest) >= 7 else 0
            self.flooding = loop.create_task(self.flood(count, size, rate))
        elif register == 0x03 and len(rest) >= 3:
            ms, why = struct.unpack_from("<HB", rest)
            loop.call_later(ms / 1000, self.board.drop, why)
        elif register == 0x04:
            self.say(0x7E, 0x04, *struct.pack("<II", self.writes, self.write_bytes))

    async def flood(self, count, size, rate):
        loop, start = asyncio.get_running_loop(), asyncio.get_running_loop().time()
        pad = bytes(max(0, size - 6))
        for n in range(count):
            self.board.notify(NOTIFY, b"\x7e\x02" + struct.pack("<I", n) + pad)
            if rate:
                await asyncio.sleep(max(0.0, start + (n + 1) / rate - loop.time()))
            elif n % 16 == 15:
                await self.board.air.drain()

    def disconnected(self, reason):
        self.stop_stream()
        self._clear()
