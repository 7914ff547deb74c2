"""A minimal MetaMotion, byte for byte, written from the protocol reference alone.

It knows no D-Bus: `write` takes what a host wrote to the command characteristic, `send` hands out what the
board notifies. Its samples are recognisable: x counts samples, y is the board's number, z is 1 g.
"""
import math
import struct
import time

from fake_air import Air
from fake_logging import Log
from fake_registers import TRUTH, Faults, Registers
from fake_slots import Slots

TICK_S = 48 / 32768  # log tick, protocol reference 16.7

COMMON = {
    0x01: "0000", 0x02: "0000", 0x04: "01000003 0102", 0x05: "000103030303 01", 0x07: "0000", 0x08: "0000",
    0x09: "00001c", 0x0A: "00001c", 0x0B: "0002 08 802b0000", 0x0C: "000008", 0x0D: "0001", 0x0F: "000108",
    0x11: "0003", 0x12: "0000", 0x13: "0001", 0x14: "0000", 0x15: "0001", 0x19: "0000 0300060002000100",
    0xFE: "0002",
}
MODULES = {  # protocol reference 3.3, columns of the vendor's test boards; RL without BMP280 channel (section 10)
    "r": {**COMMON, 0x03: "0101"},
    "rl": {**COMMON, 0x03: "0102", 0x04: "0100 000301", 0x12: None, 0x14: None},
    "s": {**COMMON, 0x02: "00010300", 0x03: "0400", 0x05: "0002030303030303 01", 0x0B: "0003 08 0000fb03 0002",
          0x0F: "00020800", 0x11: "000a0700", 0x13: "0100", 0x15: "0002", 0x19: "0003 0300060002000100",
          0xFE: "000503"},
}
RATES = [0.78125, 1.5625, 3.125, 6.25, 12.5, 25, 50, 100, 200, 400, 800, 1600]
SCALES_160 = {0x03: 16384, 0x05: 8192, 0x08: 4096, 0x0C: 2048}
SCALES_270 = {0: 16384, 1: 8192, 2: 4096, 3: 2048}


class Board:
    def __init__(self, number, model, address):
        self.number, self.model, self.address = number, model, address
        self.name = "MetaWear"
        self.serial = f"{0x055B00 + number:06X}"
        self.hardware, self.firmware = "0.4" if model != "s" else "0.1", "1.7.3"
        self.model_number = "8" if model == "s" else "5"
        self.charge, self.millivolts = 80 + number % 20, 4000 + number
        self.reset_uid = 5
        self.muted = False
        self.deaf = False  # takes writes, does nothing with them
        self.writes = []  # (monotonic time, bytes, "command"/"request")
        self.send = lambda packet: None
        self.air = Air(number)
        self.drop_link = lambda: None
        self.reboot_wanted = lambda: None
        self.information = None  # module → hex, instead of the model's
        self.slots = Slots(self.notify)
        self.log = Log(self)
        self.faults, self.registers = Faults(), Registers(self)
        self.swing = None    # seconds of a period, where it swings
        self.steady = False  # measures 1 g on z and nothing else, and turns by a known rate
        self.boot()

    # state that a reset clears (protocol reference 38, items 3 and 11)
    def boot(self):
        self.booted = time.monotonic()
        self.subscribed = set()  # (module, register)
        self.led, self.led_playing, self.led_cleared = {}, 0, 0
        self.pressed = 0
        self.cause = 0
        self.accelerometer = dict(power=0, mask=0, config=bytes.fromhex("a802" if self.is_s else "2803"))
        self.gyroscope = dict(power=0, mask=0, config=bytes.fromhex("2800"))
        self.counter = {3: 0, 0x13: 0}
        self.pending = {3: [], 0x13: []}
        self.due = {3: None, 0x13: None}
        self.power = 0  # settings are volatile (protocol 20)
        self.key = bytes(4)
        self.reset_on_disconnect = False
        self.slots.boot()
        self.log.boot()
        self.registers.boot()

    @property
    def is_s(self):
        return self.model == "s"

    def modules(self, module):
        text = (self.information or MODULES[self.model]).get(module)
        return bytes.fromhex(text) if text else b""

    def be(self, firmware, modules):
        """Other firmware, and what its modules say: "0x03" → hex behind the header."""
        self.firmware, self.information = firmware, {int(k, 16): v for k, v in modules.items()}

    def notify(self, *data):
        packet = b"".join(x if isinstance(x, (bytes, bytearray)) else bytes([x]) for x in data)
        if packet[1] & 0x80 and self.faults.happens("cut", packet[0], packet[1] & 0x3F):
            packet = packet[:3] if len(packet) > 3 else packet[:2]
        if not self.muted:
            self.air.carry(packet, self.send)

    # -- host to board -------------------------------------------------------------------------------------
    def write(self, packet, kind):
        self.writes.append((time.monotonic(), bytes(packet), kind))
        if self.deaf or not 2 <= len(packet) <= 20:
            return
        module, register, payload = packet[0], packet[1], packet[2:]
        if register & 0x80:
            if register & 0x40:
                # A silent read answers nobody; loggers hear it.
                if (module, register & 0x3F) == (0x04, 1) and len(payload) == 1:
                    self.log.feed(4, 0xC1, payload[0], struct.pack("<h", round(self.temperature(payload[0]) * 8)))
                return
            if not self.faults.happens("dumb", module, register & 0x3F):
                self.read(module, register & 0x3F, payload)
        elif not self.faults.loses(packet, self.registers.changes(packet)):
            self.set(module, register, payload)

    def read(self, module, register, payload):
        reply = lambda *data: self.notify(module, 0x80 | register, *data)
        if register == 0:
            return reply(self.modules(module))
        if self.slots.read(module, register, payload) or module == 0x0B and self.log.read(register, payload):
            return
        known = self.registers.read(module, register, payload)
        if known is not None:
            return reply(known)
        key = (module, register)
        if key == (0x01, 1): reply(self.pressed)
        elif key == (0x02, 1): reply(self.led_playing)
        elif key == (0x02, 2): reply(self.led_cleared)
        elif key == (0x02, 3) and len(payload) == 1 and payload[0] in self.led: reply(self.led[payload[0]])
        elif module in (3, 0x13):
            sensor = self.accelerometer if module == 3 else self.gyroscope
            if register == 2: reply(sensor["mask"])
            elif register == 3: reply(sensor["config"])
            elif register == 1: reply(sensor["power"])
            elif register == 4 and module == 3: reply(self.vector(3))
            elif register == 0x1A and module == 3: reply(struct.pack("<H", self.counter[3] & 0xFFFF))
        elif key == (0x04, 1) and len(payload) == 1 and payload[0] < len(self.modules(4)) - 2:
            reply(payload[0], struct.pack("<h", round(self.temperature(payload[0]) * 8)))
        elif key == (0x0B, 4):
            reply(struct.pack("<IB", int((time.monotonic() - self.booted) / TICK_S) & 0xFFFFFFFF, self.reset_uid))
        elif key == (0x0D, 1) and len(payload) == 4:  # a device whose registers hold their own numbers
            reply(payload[2], bytes((payload[1] + n) & 0xFF for n in range(payload[3])))
        elif key == (0x0D, 2) and len(payload) > 5:  # one that answers the bits it was sent upside down, then ones
            reply(payload[5] >> 4, (bytes(x ^ 0xFF for x in payload[6:]) + b"\xff" * 16)[:(payload[5] & 0x0F) + 1])
        elif key == (0x11, 1): reply(self.name.encode())
        elif key == (0x11, 3): reply(self.power)
        elif key == (0x11, 0x0B): reply(1, bytes.fromhex(self.address.replace(":", ""))[::-1])
        elif key == (0x11, 0x0C): reply(self.charge, struct.pack("<H", self.millivolts))
        elif key == (0x11, 0x11) and self.is_s: reply(0)
        elif key == (0x11, 0x12) and self.is_s: reply(0)
        elif key == (0xFE, 4): reply(self.key)
        elif key == (0xFE, 0x0B): reply(bytes([self.cause, 0, 0, 0]))

    def set(self, module, register, payload):
        if self.slots.set(module, register, payload) or module == 0x0B and self.log.set(register, payload):
            return
        if self.registers.set(module, register, payload):
            return
        one = len(payload) == 1
        if module == 0x02:
            if register == 1 and one: self.led_playing = payload[0]
            elif register == 2 and one:
                self.led_playing, self.led_cleared = 0, payload[0]
                if payload[0] == 1: self.led = {}
            elif register == 3 and len(payload) == 15 and payload[0] < 3: self.led[payload[0]] = bytes(payload)
        elif module in (3, 0x13):
            sensor = self.accelerometer if module == 3 else self.gyroscope
            if register == 1 and one: sensor["power"] = payload[0]
            elif register == 2 and len(payload) == 2:
                sensor["mask"] = (sensor["mask"] | payload[0]) & ~payload[1] & 0xFF
            elif register == 3 and len(payload) == 2: sensor["config"] = bytes(payload)
            elif one: self.subscribe(module, register, payload[0])
            if not (sensor["power"] and sensor["mask"] & 1):
                self.due[module], self.pending[module] = None, []
            elif self.due[module] is None:
                self.due[module] = time.monotonic()
        elif module == 0x11 and register == 3 and one: self.power = payload[0]
        elif module == 0x11 and register == 1: self.name = bytes(payload).decode("latin-1")
        elif module == 0xFE:
            if register == 1: self.reboot(2)
            elif register == 5: self.reset_on_disconnect = True
            elif register == 6: self.drop_link()
            elif register == 4 and len(payload) == 4: self.key = bytes(payload)
        elif one: self.subscribe(module, register, payload[0])

    def subscribe(self, module, register, on):
        (self.subscribed.add if on else self.subscribed.discard)((module, register))

    def reboot(self, cause):
        self.reset_uid = (self.reset_uid + 1) % 8
        self.boot()
        self.cause = 4 if cause == 2 else 0  # bit 2: software
        self.reboot_wanted()

    def disconnected(self):
        self.slots.disconnected()
        self.log.disconnected()
        if self.reset_on_disconnect:
            self.reboot(2)

    # -- what the board measures ---------------------------------------------------------------------------
    def temperature(self, channel):
        if self.steady and self.modules(4)[2 + channel] == 1:  # an external thermistor floats until its pins are set
            return TRUTH["thermistor"] if channel in self.registers.held[4, 2] else -50
        return 20 + self.number * 0.125 + channel

    def press(self, state):
        self.pressed = state
        self.slots.processors.feed(1, 1, 0xFF, bytes([state]))
        for packet in self.slots.reactions(1, 1, 0xFF):
            self.set(packet[0], packet[1], packet[2:])
        if (1, 1) in self.subscribed:
            self.notify(1, 1, state)

    def scale(self):
        table = SCALES_270 if self.is_s else SCALES_160
        return table.get(self.accelerometer["config"][1] & 0x0F, 8192)

    def vector(self, module):
        z = self.scale() - 1 if self.scale() == 32768 else self.scale()
        if self.steady:
            turn = round(TRUTH["gyro"] * 16.4 * (1 << (self.gyroscope["config"][1] & 7)))
            return struct.pack("<hhh", 0, 0, min(z if module == 3 else turn, 0x7FFF))
        if self.swing:  # half a g to either side, a quarter of a period apart
            phase, half = 2 * math.pi * time.time() / self.swing, self.scale() / 2
            return struct.pack("<hhh", round(half * math.sin(phase)), round(half * math.cos(phase)), z)
        return struct.pack("<hhh", self.counter[module] % 0x4000, self.number * 8, z)

    def period(self, module):
        config = self.accelerometer["config"] if module == 3 else self.gyroscope["config"]
        code = config[0] & 0x0F
        if not 1 <= code <= 13:
            return None
        return 1 / (RATES[code - 1] if code <= 12 else 3200)

    def packed_register(self, module):
        if module == 3:
            return 5 if self.is_s else 0x1C
        return 5 if self.is_s else 7

    def tick(self, now):
        """Produces the samples that are due; called every few milliseconds."""
        self.log.tick()
        self.registers.tick(now)
        self.air.tick(now, self.send)
        for module in (3, 0x13):
            due, period = self.due[module], self.period(module)
            if due is None or period is None:
                continue
            if now - due > 1:
                due = now - 1  # a process that slept does not flood
            while due <= now:
                if module == 3:
                    self.air.took(self.counter[3], due)
                self.sample(module)
                due += period / self.air.speed
            self.due[module] = due

    def sample(self, module):
        data = self.vector(module)
        self.counter[module] += 1
        plain = 4 if module == 3 or self.is_s else 5
        self.slots.processors.feed(module, plain, 0xFF, data)
        self.log.feed(module, plain, 0xFF, data)
        packed = self.packed_register(module)
        if (module, plain) in self.subscribed:
            self.notify(module, plain, data)
        if (module, packed) in self.subscribed:
            self.pending[module].append(data)
            if len(self.pending[module]) == 3:
                self.notify(module, packed, b"".join(self.pending[module]))
                self.pending[module] = []
