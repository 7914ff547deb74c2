"""One board: advertisement, attribute server, state of its link."""
import asyncio
import collections
import struct

from gatt import BOARD, U, DEVICE_INFO_VALUES, att_uuid, board_table
from airlog import log


def ad(kind, data):
    return bytes([len(data) + 1, kind]) + data


class Board:
    def __init__(self, air, index, behaviour, name, mtu):
        self.air, self.index, self.behaviour = air, index, behaviour
        behaviour.board = self
        # static random address: two top bits set
        self.usual = bytes.fromhex(f"C0FFEE0000{index + 1:02X}"), mtu, name, BOARD
        self.on_air, self.serial = False, 0
        self.rssi = -50 - 3 * (index % 8)
        self.next_shape = None
        self._reset_link()
        self.shape()

    def shape(self, address=None, mtu=None, name=None, services=None):
        """What the board is from now on, or when its link is gone; without arguments what it was at first."""
        if self.handle is not None:
            self.next_shape = address, mtu, name, services
            return
        self.next_shape = None
        if address is None:
            address, mtu, name, services = self.usual
        self.address_bytes, self.max_mtu, self.name = address, mtu, name
        self.address = ":".join(f"{b:02X}" for b in address)
        self.wire_address = address[::-1]
        self.table = board_table(services)
        self.adv = ad(0x01, b"\x06") + ad(0x07, services[0][0].bytes[::-1])
        self.scan_rsp = ad(0x09, name.encode()) + ad(0xFF, struct.pack("<H", 0x067E) + bytes([self.index]))

    def rssi_at(self, number):
        """As controller `number` receives it: a second one receives every other board well."""
        return self.rssi if number == 0 else -45 if self.index % 2 else -90

    def _reset_link(self):
        self.handle = None
        self.att_mtu = 23
        self.cccd = {}
        self.prepared = []
        self.rx = bytearray()
        self.busy = asyncio.Lock()
        self.seq_confirm = None
        self.notified = self.unsubscribed = 0

    def static_value(self, char):
        v = {U(0x2A00): self.name.encode(), U(0x2A01): b"\0\0",
             U(0x2A04): struct.pack("<HHHH", 6, 24, 0, 400),
             U(0x2A25): f"{0x0AB000 + self.index:06X}".encode(),
             U(0x2A19): b"\x5d", **DEVICE_INFO_VALUES}.get(char)
        return (0, v) if v is not None else (0x0A, b"")

    def link_up(self, handle, peer):
        self._reset_link()
        self.handle, self.serial = handle, self.serial + 1
        log(1, f"board {self.index}: connected handle {handle}")
        self.behaviour.connected(peer)

    def link_down(self, reason):
        log(1, f"board {self.index}: disconnected reason 0x{reason:02x} "
               f"(notified {self.notified}, not subscribed {self.unsubscribed})")
        self._reset_link()
        if self.next_shape:
            self.shape(*self.next_shape)
        self.behaviour.disconnected(reason)

    def drop(self, reason=0x13):
        """The board ends the link: the host sees reason at once."""
        if self.handle is not None:
            self.air.end_link(self, reason)

    vanish = drop

    def notify(self, char, data):
        if self.handle is None:
            return False
        bits = self.cccd.get(char, 0)
        if not bits & 3:
            self.unsubscribed += 1
            return False
        a = self.table.by_char.get(char)
        if a is None:
            return False
        self.notified += 1
        self.send_att(struct.pack("<BH", 0x1B if bits & 1 else 0x1D, a.handle) + data[:self.att_mtu - 3])
        return True

    def send_att(self, pdu):
        self.air.to_host(self, struct.pack("<HH", len(pdu), 4) + pdu)

    def acl(self, start, data):
        if start:
            self.rx = bytearray(data)
        else:
            self.rx += data
        if len(self.rx) < 4:
            return
        length, cid = struct.unpack_from("<HH", self.rx)
        if len(self.rx) < 4 + length:
            return
        pdu, self.rx = bytes(self.rx[4:4 + length]), bytearray()
        if cid == 4 and pdu:
            if pdu[0] == 0x52:
                self.write_command(pdu)
            else:
                asyncio.get_running_loop().create_task(self.request(self.handle, pdu))
        elif cid == 5 and len(pdu) >= 4:      # LE signalling: reject what asks
            if pdu[0] in (0x14, 0x12, 0x17):
                self.air.to_host(self, struct.pack("<HHBBHH", 6, 5, 0x01, pdu[1], 2, 0))
        elif cid == 6 and pdu:                # SMP: pairing not supported
            if pdu[0] in (0x01, 0x0B):
                self.air.to_host(self, struct.pack("<HHBB", 2, 6, 0x05, 0x05))

    async def request(self, handle, pdu):
        async with self.busy:
            if self.handle != handle:
                return
            log(3, f"board {self.index} <- {pdu.hex()}")
            try:
                reply = await self.answer(pdu)
            except (struct.error, IndexError):
                reply = self.error(pdu[0], 0, 0x04)
            if reply and self.handle == handle:
                log(3, f"board {self.index} -> {reply.hex()}")
                self.send_att(reply)

    @staticmethod
    def error(op, handle, code):
        return struct.pack("<BBHB", 0x01, op, handle, code)

    async def value_of(self, a):
        if a.cccd_of is not None:
            return 0, struct.pack("<H", self.cccd.get(a.cccd_of, 0))
        if a.char is None:
            return 0, a.value
        if not a.readable:
            return 0x02, b""
        return await self.behaviour.read(a.char)

    def write_command(self, pdu):
        h = struct.unpack_from("<H", pdu, 1)[0]
        for a in self.table.range(h, h):
            if a.no_response:
                self.behaviour.write(a.char, pdu[3:], False)

    def do_write(self, a, data):
        if a.cccd_of is not None:
            if len(data) != 2:
                return 0x0D
            self.cccd[a.cccd_of] = data[0] & 3
            log(2, f"board {self.index}: subscribe {a.cccd_of} = {data[0]}")
            self.behaviour.subscribe(a.cccd_of, data[0] & 3)
            return 0
        if not a.writable:
            return 0x03
        self.behaviour.write(a.char, data, True)
        return 0

    async def answer(self, pdu):
        op, mtu = pdu[0], self.att_mtu
        if op == 0x02:                                    # exchange MTU
            self.att_mtu = max(23, min(struct.unpack_from("<H", pdu, 1)[0], self.max_mtu))
            self.behaviour.mtu(self.att_mtu)
            return struct.pack("<BH", 0x03, self.max_mtu)
        if op == 0x04:                                    # find information
            start, end = struct.unpack_from("<HH", pdu, 1)
            out, size = b"", None
            for a in self.table.range(start, end):
                u = att_uuid(a.type)
                if size not in (None, len(u)) or len(out) + 2 + len(u) > mtu - 2:
                    break
                size = len(u)
                out += struct.pack("<H", a.handle) + u
            return bytes([0x05, 1 if size == 2 else 2]) + out if out else self.error(op, start, 0x0A)
        if op == 0x06:                                    # find by type value
            start, end, kind = struct.unpack_from("<HHH", pdu, 1)
            out = b"".join(struct.pack("<HH", a.handle, a.end) for a in self.table.range(start, end)
                           if a.type == U(kind) and a.value == pdu[7:])
            return b"\x07" + out[:(mtu - 1) // 4 * 4] if out else self.error(op, start, 0x0A)
        if op in (0x08, 0x10):                            # read by type / by group type
            start, end = struct.unpack_from("<HH", pdu, 1)
            want, out, size, fail = pdu[5:], b"", None, 0x0A
            for a in self.table.range(start, end):
                if att_uuid(a.type) != want:
                    continue
                status, v = await self.value_of(a)
                if status:
                    fail = status if not out else fail
                    break
                head = struct.pack("<HH", a.handle, a.end) if op == 0x10 else struct.pack("<H", a.handle)
                item = head + v[:mtu - 2 - len(head)]
                if size not in (None, len(item)) or len(out) + len(item) > mtu - 2:
                    break
                size = len(item)
                out += item
            return bytes([op + 1, size]) + out if out else self.error(op, start, fail)
        if op in (0x0A, 0x0C):                            # read / read blob
            h = struct.unpack_from("<H", pdu, 1)[0]
            off = struct.unpack_from("<H", pdu, 3)[0] if op == 0x0C else 0
            found = self.table.range(h, h)
            if not found:
                return self.error(op, h, 0x01)
            status, v = await self.value_of(found[0])
            if not status and off > len(v):
                status = 0x07
            return self.error(op, h, status) if status else bytes([op + 1]) + v[off:off + mtu - 1]
        if op == 0x12:                                    # write request
            h = struct.unpack_from("<H", pdu, 1)[0]
            found = self.table.range(h, h)
            status = self.do_write(found[0], pdu[3:]) if found else 0x01
            return self.error(op, h, status) if status else b"\x13"
        if op == 0x16:                                    # prepare write
            h = struct.unpack_from("<H", pdu, 1)[0]
            if not self.table.range(h, h) or not self.table.range(h, h)[0].writable:
                return self.error(op, h, 0x03)
            self.prepared.append((h, pdu[5:]))
            return b"\x17" + pdu[1:]
        if op == 0x18:                                    # execute write
            parts, self.prepared = self.prepared, []
            if pdu[1]:
                whole = collections.OrderedDict()
                for h, part in parts:
                    whole[h] = whole.get(h, b"") + part
                for h, data in whole.items():
                    self.do_write(self.table.range(h, h)[0], data)
            return b"\x19"
        if op == 0x1E:                                    # confirmation
            return None
        return None if op & 0x40 else self.error(op, 0, 0x06)
