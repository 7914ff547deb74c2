"""The LE-only HCI controller behind /dev/vhci, and the air between it and the boards."""
import asyncio
import collections
import os
import struct
import time

from airlog import log


def octets(*bits):
    out = bytearray(64)
    for octet, bit in bits:
        out[octet] |= 1 << bit
    return bytes(out)


SUPPORTED_COMMANDS = octets(
    (0, 5), (2, 7), (5, 6), (5, 7), (10, 5), (14, 3), (14, 5), (15, 1), (15, 5),
    *[(25, b) for b in (0, 1, 2, 4, 5, 6, 7)], *[(26, b) for b in range(8)],
    *[(27, b) for b in (0, 1, 2, 3, 4, 5, 7)], (28, 3), (33, 6), (33, 7), (34, 0), (35, 3))
LE_FEATURES = bytes([0x2E, 0, 0, 0, 0, 0, 0, 0])   # conn-param req, ext reject, feature xchg, DLE
FIRST_ADDRESS = 0x001A7DDA7113
ACL_MTU, ACL_COUNT = 251, 32
MAX_LINKS = 20


class Air:
    """One controller, and what of the air is before it; all controllers have the same boards."""

    def __init__(self, options, boards=(), number=0):
        self.options = options
        self.number, self.address = number, FIRST_ADDRESS + number
        self.boards = list(boards)
        self.tasks = []
        self.links = {}                # connection handle -> board
        self.pending = None            # LE Create Connection parameters
        self.scanning = self.active_scan = self.filter_dup = False
        self.scan_policy = 0
        self.accept_list = set()
        self.seen = {}                 # board -> when last reported since the scan began
        self.out = collections.deque()
        self.events = {}
        self.fd = None
        self.drained = asyncio.Event()
        self.drained.set()
        self.commands = 0

    def open(self):
        self.fd = os.open("/dev/vhci", os.O_RDWR | os.O_NONBLOCK)
        os.write(self.fd, b"\xff\x00")
        asyncio.get_running_loop().add_reader(self.fd, self.readable)

    def scan(self):
        """Boards advertise before this controller from now on."""
        self.tasks = [asyncio.create_task(self.advertise(b)) for b in self.boards]

    def close(self):
        """The adapter is pulled out: the kernel forgets it, and links over it are lost."""
        for task in self.tasks:
            task.cancel()
        asyncio.get_running_loop().remove_reader(self.fd)
        os.close(self.fd)
        self.fd = None
        for board in list(self.links.values()):
            self.links.pop(board.handle)
            board.link_down(0x08)

    def readable(self):
        for _ in range(32):
            try:
                p = os.read(self.fd, 4096)
            except BlockingIOError:
                return
            if not p:
                return
            self.packet(p)

    def send(self, packet):
        if self.fd is None:
            return
        try:
            os.write(self.fd, packet)
        except OSError as e:
            log(0, f"vhci write failed: {e}")

    async def drain(self):
        await asyncio.sleep(0)
        while self.out:
            await asyncio.sleep(0.001)

    def packet(self, p):
        if p[0] == 0x01:
            op, n = struct.unpack_from("<HB", p, 1)
            self.command(op, p[4:4 + n])
        elif p[0] == 0x02:
            hf, n = struct.unpack_from("<HH", p, 1)
            handle = hf & 0x0FFF
            board = self.links.get(handle)
            if board is None:
                return
            self.after_interval(board, self.acl_in, board, handle, (hf >> 12) & 3 != 1, p[5:5 + n])
        elif p[0] == 0xFF:
            log(1, f"controller is hci{p[2] | p[3] << 8}")

    def acl_in(self, board, handle, start, data):
        if self.links.get(handle) is not board:
            return
        self.event(0x13, struct.pack("<BHH", 1, handle, 1))
        board.acl(start, data)

    # With --interval-ms 0 packets pass at once. Otherwise each link has
    # connection events that far apart, each moving at most --per-event
    # packets in each direction.
    def after_interval(self, board, fn, *args):
        if not self.options.interval_ms:
            return fn(*args)
        self.pace(board, 0, fn, args)

    def pace(self, board, direction, fn, args):
        queues = self.events.get(board.index)
        if queues is None:
            queues = self.events[board.index] = (collections.deque(), collections.deque())
            asyncio.get_running_loop().call_later(self.options.interval_ms / 1000, self.connection_event, board)
        queues[direction].append((fn, args))

    def connection_event(self, board):
        queues = self.events.get(board.index)
        if queues is None:
            return
        if board.handle is None or not (queues[0] or queues[1]):
            del self.events[board.index]
            return
        for q in queues:
            for _ in range(min(len(q), self.options.per_event)):
                fn, args = q.popleft()
                fn(*args)
        asyncio.get_running_loop().call_later(self.options.interval_ms / 1000, self.connection_event, board)

    def to_host(self, board, l2cap):
        if self.options.interval_ms:
            self.pace(board, 1, self.to_host_now, (board, board.handle, l2cap))
        else:
            self.to_host_now(board, board.handle, l2cap)

    def to_host_now(self, board, handle, l2cap):
        if handle is None or board.handle != handle:
            return
        first = True
        while l2cap:
            part, l2cap = l2cap[:ACL_MTU], l2cap[ACL_MTU:]
            self.send(struct.pack("<BHH", 0x02, handle | (0x2000 if first else 0x1000), len(part)) + part)
            first = False

    def event(self, code, params):
        self.send(bytes([0x04, code, len(params)]) + params)

    def complete(self, op, params=b"\0"):
        self.event(0x0E, struct.pack("<BH", 1, op) + params)

    def status(self, op, status=0):
        self.event(0x0F, struct.pack("<BBH", status, 1, op))

    def new_handle(self):
        h = 0x40
        while h in self.links:
            h += 1
        return h

    def connection_complete(self, status, board=None, params=None):
        interval = latency = timeout = handle = 0
        kind, addr = 0, bytes(6)
        if params:
            kind, addr = params["kind"], params["addr"]
            interval, latency, timeout = params["interval"], params["latency"], params["timeout"]
        if board:
            handle = self.new_handle()
            kind, addr = 1, board.wire_address
        self.event(0x3E, struct.pack("<BBHBB6sHHHB", 0x01, status, handle, 0, kind, addr,
                                     interval, latency, timeout, 0))
        if board:
            self.links[handle] = board
            board.air = self
            board.link_up(handle, self.address.to_bytes(6, "big"))

    def end_link(self, board, reason):
        handle = board.handle
        self.links.pop(handle, None)
        self.events.pop(board.index, None)
        self.event(0x05, struct.pack("<BHB", 0, handle, reason))
        board.link_down(reason)

    async def advertise(self, board):
        period = self.options.adv_ms / 1000
        await asyncio.sleep(period * (board.index + 1) / (len(self.boards) + 1))
        while True:
            if board.on_air and board.handle is None:
                self.advertisement(board)
            await asyncio.sleep(period)

    def advertisement(self, board):
        p = self.pending
        if p and (p["addr"] == board.wire_address and p["kind"] == 1 if not p["list"]
                  else (1, board.wire_address) in self.accept_list):
            if len(self.links) < MAX_LINKS:
                self.pending = None
                self.connection_complete(0, board, p)
                return
        if not self.scanning:
            return
        if self.scan_policy & 1 and (1, board.wire_address) not in self.accept_list:
            return
        if self.filter_dup:
            now, forget = time.monotonic(), self.options.dup_ms / 1000
            if board.index in self.seen and not (forget and now - self.seen[board.index] >= forget):
                return
            self.seen[board.index] = now
        self.report(0x00, board, board.adv)
        if self.active_scan:
            self.report(0x04, board, board.scan_rsp)

    def report(self, kind, board, data):
        self.event(0x3E, struct.pack("<BBBB6sB", 0x02, 1, kind, 1, board.wire_address, len(data))
                   + data + struct.pack("<b", board.rssi_at(self.number)))

    def command(self, op, p):
        log(3, f"cmd {op:04x} {p.hex()}")
        f = getattr(self, f"c_{op:04x}", None)
        if f:
            f(op, p)
        elif op in PLAIN_OK:
            self.complete(op)
        elif op in PLAIN_VALUE:
            self.complete(op, b"\0" + PLAIN_VALUE[op])
        else:
            log(1, f"unknown HCI command {op:04x} {p.hex()}")
            self.complete(op, b"\x01")

    def c_0c03(self, op, p):                                  # reset
        for board in list(self.links.values()):
            self.links.pop(board.handle)
            self.events.pop(board.index, None)
            board.link_down(0x08)
        self.pending, self.scanning = None, False
        self.accept_list.clear()
        self.complete(op)

    def c_1009(self, op, p):                                  # read address
        self.complete(op, b"\0" + self.address.to_bytes(6, "little"))

    def c_0406(self, op, p):                                  # disconnect
        handle, reason = struct.unpack_from("<HB", p)
        board = self.links.get(handle)
        if board is None:
            return self.status(op, 0x02)
        self.status(op)
        self.links.pop(handle)
        self.events.pop(board.index, None)
        self.event(0x05, struct.pack("<BHB", 0, handle, 0x16))
        board.link_down(reason)

    def c_041d(self, op, p):                                  # read remote version
        self.status(op)
        self.event(0x0C, struct.pack("<B", 0) + p[:2] + struct.pack("<BHH", 9, 0x0059, 0x0100))

    def c_1405(self, op, p):                                  # read RSSI
        board = self.links.get(struct.unpack_from("<H", p)[0])
        self.complete(op, bytes([0 if board else 2]) + p[:2] + struct.pack("<b", board.rssi_at(self.number) if board else 0))

    def c_200b(self, op, p):                                  # scan parameters
        self.active_scan, self.scan_policy = bool(p[0]), p[6]
        self.complete(op)

    def c_200c(self, op, p):                                  # scan enable
        self.scanning, self.filter_dup = bool(p[0]), bool(p[1])
        self.seen.clear()
        log(2, f"scan {'on' if self.scanning else 'off'} active={self.active_scan} "
               f"policy={self.scan_policy} filter_dup={self.filter_dup}")
        self.complete(op)

    def c_200d(self, op, p):                                  # create connection
        if self.pending:
            return self.status(op, 0x0C)
        _, _, use_list, kind, addr, _, imin, imax, latency, timeout, _, _ = struct.unpack("<HHBB6sBHHHHHH", p)
        self.pending = dict(list=use_list, kind=kind, addr=addr, interval=imax, latency=latency, timeout=timeout)
        self.status(op)

    def c_200e(self, op, p):                                  # create connection cancel
        if not self.pending:
            return self.complete(op, b"\x0c")
        params, self.pending = self.pending, None
        self.complete(op)
        self.connection_complete(0x02, None, params)

    def c_2010(self, op, p):                                  # clear accept list
        self.accept_list.clear()
        self.complete(op)

    def c_2011(self, op, p):                                  # add to accept list
        self.accept_list.add((p[0], bytes(p[1:7])))
        self.complete(op)

    def c_2012(self, op, p):                                  # remove from accept list
        self.accept_list.discard((p[0], bytes(p[1:7])))
        self.complete(op)

    def c_2013(self, op, p):                                  # connection update
        handle, imin, imax, latency, timeout = struct.unpack_from("<HHHHH", p)
        if handle not in self.links:
            return self.status(op, 0x02)
        self.status(op)
        self.event(0x3E, struct.pack("<BBHHHH", 0x03, 0, handle, imax, latency, timeout))

    def c_2015(self, op, p):                                  # read channel map
        self.complete(op, b"\0" + p[:2] + b"\xff\xff\xff\xff\x1f")

    def c_2016(self, op, p):                                  # read remote features
        handle = struct.unpack_from("<H", p)[0]
        if handle not in self.links:
            return self.status(op, 0x02)
        self.status(op)
        board, serial = self.links[handle], self.links[handle].serial

        def reply():
            if board.handle == handle and board.serial == serial:
                self.event(0x3E, struct.pack("<BBH", 0x04, 0, handle) + LE_FEATURES)
        # On the air this exchange takes a connection event or two. At 0 the kernel reports
        # the link and the ATT channel at the same instant (deploy/docs/reference/bluez.md, "Missing Connected").
        if self.options.feature_ms:
            asyncio.get_running_loop().call_later(self.options.feature_ms / 1000, reply)
        else:
            reply()

    def c_2018(self, op, p):                                  # random number
        self.complete(op, b"\0" + os.urandom(8))

    def c_2022(self, op, p):                                  # set data length
        self.complete(op, b"\0" + p[:2])

    def c_1004(self, op, p):                                  # extended features page
        page = p[0]
        self.complete(op, struct.pack("<BBB", 0, page, 1) + (LMP_FEATURES if page == 0 else bytes(8)))


LMP_FEATURES = bytes([0, 0, 0, 0, 0x60, 0, 0, 0x80])          # LE only; extended features
PLAIN_OK = {0x0C01, 0x0C63, 0x2001, 0x2005, 0x2006, 0x2008, 0x2009, 0x200A, 0x2014, 0x2024,
            0x0C13, 0x0C24, 0x0C1A, 0x2029, 0x202D, 0x202E}
PLAIN_VALUE = {
    0x1001: struct.pack("<BHBHH", 9, 0, 9, 0x000A, 0),        # version 5.0, CSR's company id
    0x1002: SUPPORTED_COMMANDS,
    0x1003: LMP_FEATURES,
    0x1005: struct.pack("<HBHH", 0, 0, 0, 0),
    0x2002: struct.pack("<HB", ACL_MTU, ACL_COUNT),
    0x2003: LE_FEATURES,
    0x2007: b"\0",
    0x200F: bytes([16]),
    0x201C: bytes.fromhex("ffff3fffff030000"),
    0x2023: struct.pack("<HH", 27, 328),
    0x202F: struct.pack("<HHHH", 251, 2120, 251, 2120),
}
