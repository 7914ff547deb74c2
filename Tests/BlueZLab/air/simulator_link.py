"""A board that another program plays (framing: README.md, "Boards from another program")."""
import asyncio
import struct
import uuid

from behaviour import Behaviour
from airlog import log


class SimulatorLink(Behaviour):
    """Relays one board to an external simulator over a Unix stream socket."""
    HELLO, CONNECTED, DISCONNECTED, WRITE, READ, SUBSCRIBE, MTU = 1, 2, 3, 4, 5, 6, 7
    T_NOTIFY, T_READ_REPLY, T_DISCONNECT, T_ADVERTISE, T_SHAPE = 0x81, 0x82, 0x83, 0x84, 0x85

    def __init__(self, path):
        self.path, self.writer, self.reads, self.next_id = path, None, {}, 1

    async def start(self):
        self.task = asyncio.get_running_loop().create_task(self.run())

    async def run(self):
        while True:
            try:
                reader, self.writer = await asyncio.open_unix_connection(self.path)
            except OSError:
                await asyncio.sleep(0.05)
                continue
            b = self.board
            log(1, f"board {b.index}: simulator attached")
            b.shape()
            self.send(self.HELLO, struct.pack(">BH", 1, b.index) + b.address_bytes + b.name.encode())
            b.on_air = True
            try:
                while True:
                    n = struct.unpack(">I", await reader.readexactly(4))[0]
                    if not 1 <= n <= 65536:
                        raise ValueError(f"frame length {n}")
                    self.frame(await reader.readexactly(n))
            except (asyncio.IncompleteReadError, OSError, ValueError) as e:
                log(1, f"board {b.index}: simulator gone: {e!r}")
            self.writer.close()
            self.writer, b.on_air = None, False
            for f in self.reads.values():
                if not f.done():
                    f.set_result((0x0E, b""))
            self.reads.clear()
            b.vanish(0x08)

    def send(self, kind, payload=b""):
        if self.writer:
            self.writer.write(struct.pack(">IB", 1 + len(payload), kind) + payload)

    def frame(self, data):
        kind, p = data[0], data[1:]
        if kind == self.T_NOTIFY and len(p) >= 16:
            self.board.notify(uuid.UUID(bytes=p[:16]), p[16:])
        elif kind == self.T_READ_REPLY and len(p) >= 5:
            f = self.reads.pop(struct.unpack_from(">I", p)[0], None)
            if f and not f.done():
                f.set_result((p[4], p[5:]))
        elif kind == self.T_DISCONNECT:
            reason = p[0] if p else 0x13
            (self.board.vanish if reason == 0x08 else self.board.drop)(reason)
        elif kind == self.T_ADVERTISE and p:
            self.board.on_air = bool(p[0])
        elif kind == self.T_SHAPE and len(p) >= 10:
            self.board.shape(*self.shape(p))
        else:
            raise ValueError(f"unknown frame 0x{kind:02x}")

    @staticmethod
    def shape(p):
        """Address, MTU, name and services of a board that is something else now."""
        address, mtu, length = p[:6], struct.unpack_from(">H", p, 6)[0], p[8]
        name, at = p[9:9 + length].decode(), 9 + length
        services = []
        at += 1
        for _ in range(p[at - 1]):
            count, characteristics = p[at + 16], []
            for n in range(at + 17, at + 17 + 17 * count, 17):
                characteristics.append((uuid.UUID(bytes=p[n:n + 16]), p[n + 16]))
            services.append((uuid.UUID(bytes=p[at:at + 16]), characteristics))
            at += 17 + 17 * count
        return address, mtu, name, services

    def connected(self, peer):
        self.send(self.CONNECTED, peer)

    def disconnected(self, reason):
        self.send(self.DISCONNECTED, bytes([reason]))

    def mtu(self, value):
        self.send(self.MTU, struct.pack(">H", value))

    def write(self, char, data, with_response):
        self.send(self.WRITE, char.bytes + bytes([1 if with_response else 0]) + data)

    def subscribe(self, char, bits):
        self.send(self.SUBSCRIBE, char.bytes + bytes([bits]))

    async def read(self, char):
        if self.writer is None:
            return 0, self.board.static_value(char)[1]
        rid, self.next_id = self.next_id, (self.next_id + 1) & 0xFFFFFFFF
        f = self.reads[rid] = asyncio.get_running_loop().create_future()
        self.send(self.READ, struct.pack(">I", rid) + char.bytes)
        status, value = await f
        return (0, self.board.static_value(char)[1]) if status == 0xFF else (status, value)
