"""A board's bootloader, Nordic's legacy DFU, written from the description of the protocol alone. It knows no transport: `control` and `packet` take
what a host wrote, `notify` hands out what the control point says, `leave` is called when the board leaves the link."""
import binascii
import struct

SUCCESS, INVALID_STATE, NOT_SUPPORTED, TOO_LARGE, CHECKSUM, FAILED = range(1, 7)
START, INIT, IMAGE, VALIDATE, ACTIVATE, RESET, SIZE, RECEIPTS = range(1, 9)
APPLICATION = 4
VERSION = "0.5.0"
ROOM = 0x60000
ERASE_S = 0.3  # whatever the size


class Bootloader:
    """From one start to the next; a link that is lost changes nothing."""

    def __init__(self, device, has_application, notify, leave, cut=None):
        self.device, self.has_application, self.notify, self.leave = device, has_application, notify, leave
        self.cut = cut  # percent of an image at which the link is lost, once; None: never
        self.expects, self.size, self.erased_at = None, None, None
        self.init, self.is_described, self.image, self.is_valid = b"", False, b"", False
        self.receipts, self.packets, self.total = 0, 0, 0
        self.transfers = 0

    def answer(self, request, status, rest=b""):
        self.notify(bytes([0x10, request, status]) + rest)

    def control(self, data, now):
        request, rest = data[0], data[1:]
        if request == START:
            if not rest: return self.answer(START, FAILED)
            self.expects = "sizes"
        elif request == INIT:
            if not rest: return self.answer(INIT, FAILED)
            if rest[0] == 0: self.expects = "init"
            else: self.describe()
        elif request == RECEIPTS:
            if len(rest) < 2: return self.answer(RECEIPTS, NOT_SUPPORTED)
            self.receipts, self.packets = struct.unpack_from("<H", rest)[0], 0
        elif request == IMAGE: self.expects = "image"
        elif request == VALIDATE: self.validate()
        elif request == ACTIVATE: self.activate()
        elif request == RESET: self.leave("bootloader" if not self.has_application else "application")
        elif request == SIZE: self.answer(SIZE, SUCCESS, struct.pack("<I", self.total))
        else: self.answer(request, NOT_SUPPORTED)

    def packet(self, data, now):
        if self.expects == "sizes": self.announce(data, now)
        elif self.expects == "init": self.init += data + bytes(-len(data) % 4)
        elif self.expects == "image": self.take(data)

    def announce(self, data, now):
        self.expects = None
        if len(data) != 12: return self.answer(START, NOT_SUPPORTED)
        soft_device, bootloader, application = struct.unpack("<III", data)
        if soft_device or bootloader or not application or application % 4: return self.answer(START, NOT_SUPPORTED)
        if application > ROOM: return self.answer(START, TOO_LARGE)
        if self.size is not None: return self.answer(START, INVALID_STATE)
        # One bank: the old application is gone from here on.
        self.size, self.erased_at, self.has_application = application, now + ERASE_S, False
        self.transfers += 1

    def tick(self, now):
        if self.erased_at is not None and now >= self.erased_at:
            self.erased_at = None
            self.answer(START, SUCCESS)

    def describe(self):
        if self.size is None or self.image: return self.answer(INIT, INVALID_STATE)
        packet, self.init = self.init[:14], b""
        if len(packet) < 14: return self.answer(INIT, FAILED)
        device, revision, version, soft_devices, soft_device, crc = struct.unpack("<HHIHHH", packet)
        if device not in (0xFFFF, self.device) or soft_devices != 1: return self.answer(INIT, FAILED)
        self.version, self.crc, self.is_described = version, crc, True
        self.answer(INIT, SUCCESS)

    def is_cut(self):
        """The link is lost here, and what is behind it does not happen."""
        if self.cut is None or len(self.image) * 100 < self.cut * self.size: return False
        self.cut = None
        self.leave("link")
        return True

    def take(self, data):
        if not self.is_described: return self.answer(IMAGE, INVALID_STATE)
        if not self.image and self.is_cut(): return
        if len(data) % 4 or not data: return self.answer(IMAGE, NOT_SUPPORTED)
        if len(self.image) + len(data) > self.size: return self.answer(IMAGE, TOO_LARGE)
        self.image += data
        self.total += len(data)
        self.packets += 1
        if self.is_cut(): return
        if len(self.image) == self.size: return self.answer(IMAGE, SUCCESS)
        if self.receipts and self.packets == self.receipts:
            self.packets = 0
            self.notify(b"\x11" + struct.pack("<I", self.total))

    def validate(self):
        if self.size is None or len(self.image) < self.size: return self.answer(VALIDATE, INVALID_STATE)
        self.is_valid = binascii.crc_hqx(self.image, 0xFFFF) == self.crc
        self.answer(VALIDATE, SUCCESS if self.is_valid else CHECKSUM)

    def activate(self):
        if not self.is_valid: return self.leave("bootloader" if not self.has_application else "application")
        self.leave(".".join(str(self.version >> shift & 0xFF) for shift in (16, 8, 0)))
