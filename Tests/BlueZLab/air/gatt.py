"""UUIDs, and the attribute table of a board."""
import struct
import uuid

BASE = uuid.UUID("00000000-0000-1000-8000-00805f9b34fb")


def U(value):
    """16-bit int or UUID text -> uuid.UUID"""
    if isinstance(value, int):
        return uuid.UUID(int=BASE.int | (value << 96))
    return uuid.UUID(value)


def att_uuid(u):
    """uuid.UUID -> ATT wire form (2 or 16 bytes, little endian)"""
    if u.int & ~(0xFFFF << 96) == BASE.int:
        return struct.pack("<H", (u.int >> 96) & 0xFFFF)
    return u.bytes[::-1]


METAWEAR = U("326A9000-85CB-9195-D9DD-464CFBBAE75A")
COMMAND = U("326A9001-85CB-9195-D9DD-464CFBBAE75A")
NOTIFY = U("326A9006-85CB-9195-D9DD-464CFBBAE75A")
DEVICE_INFO, BATTERY = U(0x180A), U(0x180F)

P_READ, P_WRITE_CMD, P_WRITE, P_NOTIFY, P_INDICATE = 0x02, 0x04, 0x08, 0x10, 0x20

DEVICE_INFO_VALUES = {
    U(0x2A24): b"5",
    U(0x2A27): b"0.4",
    U(0x2A26): b"1.5.0",
    U(0x2A29): b"MbientLab Inc",
}


class Attribute:
    __slots__ = ("handle", "type", "value", "char", "end", "cccd_of", "readable", "writable", "no_response")

    def __init__(self, handle, type_, value=b"", readable=True):
        self.handle, self.type, self.value = handle, type_, value
        self.char = None          # uuid of the characteristic whose value this is
        self.end = handle         # last handle of a service
        self.cccd_of = None       # uuid of the characteristic this CCCD governs
        self.readable, self.writable, self.no_response = readable, False, False


class GattTable:
    def __init__(self):
        self.attrs = []
        self.by_char = {}

    def _add(self, *args, **kw):
        a = Attribute(len(self.attrs) + 1, *args, **kw)
        self.attrs.append(a)
        return a

    def service(self, u, characteristics):
        s = self._add(U(0x2800), att_uuid(u))
        for cu, props in characteristics:
            decl = self._add(U(0x2803))
            val = self._add(cu, readable=bool(props & P_READ))
            val.char, val.writable = cu, bool(props & P_WRITE)
            val.no_response = bool(props & P_WRITE_CMD)
            decl.value = struct.pack("<BH", props, val.handle) + att_uuid(cu)
            self.by_char[cu] = val
            if props & (P_NOTIFY | P_INDICATE):
                c = self._add(U(0x2902))
                c.cccd_of, c.writable = cu, True
        s.end = len(self.attrs)

    def range(self, start, end):
        return self.attrs[max(start, 1) - 1:end]


BOARD = [(METAWEAR, [(COMMAND, P_WRITE | P_WRITE_CMD), (NOTIFY, P_NOTIFY)]),
         (DEVICE_INFO, [(U(x), P_READ) for x in (0x2A29, 0x2A24, 0x2A25, 0x2A27, 0x2A26)]),
         (BATTERY, [(U(0x2A19), P_READ | P_NOTIFY)])]


def board_table(services=BOARD):
    t = GattTable()
    t.service(U(0x1800), [(U(0x2A00), P_READ), (U(0x2A01), P_READ), (U(0x2A04), P_READ)])
    t.service(U(0x1801), [(U(0x2A05), P_INDICATE)])
    for u, characteristics in services:
        t.service(u, characteristics)
    return t
