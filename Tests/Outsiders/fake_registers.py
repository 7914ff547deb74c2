"""Registers of the sensors that the minimal MetaMotion has beside accelerometer and gyroscope (protocol reference 10, 21 to 26), and what
goes wrong with registers: writes that are lost although the link goes on, reads that nobody answers, answers that are cut off.

What the sensors measure never changes, so that a value which differs was scaled by another register than the board holds.
"""
import math
import struct
import time

CONFIGURATION = {  # what a register holds after a reset; other than what the checks ask for, so that a lost write shows
    (0x04, 2): b"", (0x12, 3): "2c00", (0x12, 4): "0000", (0x14, 1): "00", (0x14, 2): "0003", (0x15, 1): "00", (0x15, 3): "00",
    (0x15, 4): "0000", (0x16, 2): "01", (0x19, 1): "00", (0x19, 2): "0013", (0x03, 8): b"", (0x03, 0x0A): "00141414",
}
BLOCKS = {0: "8800", 1: "05e0aa38", 2: "05e09030", 3: "fa00", 7: "000e0000", 8: "0500ee060400c800"}  # of the BMI270, 9.4
MASKS = [(0x15, 2), (0x19, 3), (0x03, 6), (0x03, 7)]
MAGNETOMETER = [10, 2, 6, 8, 15, 20, 25, 30]              # Hz by code
STANDBY = [0.5, 62.5, 125, 250, 500, 1000, 2000, 4000]    # ms, BMP280
CONVERSION = [None, 5.5, 7.5, 11.5, 19.5, 37.5]           # ms, by the pressure's oversampling
LIGHT = [50, 100, 200, 500, 1000, 2000]                   # ms
FUSION = {1: 100, 2: 100, 3: 25, 4: 50}                   # Hz by mode
TRUTH = dict(pressure=101325, light_mlx=123456, humidity=45, thermistor=21.5, field=(20, -10, 40), gyro=100)


class Faults:
    """Counts how often what is to go wrong, and keeps what became of every write to a register of which some are lost."""

    def __init__(self):
        self.counts = {"lose": {}, "dumb": {}, "cut": {}}
        self.history = []  # (wall time, "lost" or "kept", written)
        self.watched = set()

    def order(self, kind, module, register, count):
        self.counts[kind][(module, register)] = count
        if kind == "lose":
            self.watched.add((module, register))

    def happens(self, kind, module, register):
        left = self.counts[kind].get((module, register), 0)
        if left:
            self.counts[kind][(module, register)] = left - 1
        return left > 0

    def loses(self, packet, changes=True):
        """Whether a write is lost. One that changes nothing is not: nobody could tell."""
        place = (packet[0], packet[1])
        lost = changes and self.happens("lose", *place)
        if place in self.watched:
            self.history.append((time.time(), "lost" if lost else "kept", bytes(packet).hex()))
        return lost


class Registers:
    """Sensors that are there on every board; whether a model has one its information replies say."""

    def __init__(self, board):
        self.board, self.spoil = board, {}
        self.turn = [math.sqrt(0.5), 0, 0, math.sqrt(0.5)], [90, 0, 0, 90]  # how it lies: quaternion; heading, pitch, roll and yaw
        self.boot()

    def boot(self):
        self.held = {k: bytes.fromhex(v) if isinstance(v, str) else {} for k, v in CONFIGURATION.items()}
        self.held[0x03, 8] = {k: bytes.fromhex(v) for k, v in BLOCKS.items()}
        self.held.update({k: 0 for k in MASKS})
        self.due = {}

    def set(self, module, register, payload):
        """True when the write was for one of these registers."""
        place = (module, register)
        if place in MASKS and len(payload) == 2:
            self.held[place] = (self.held[place] | payload[0]) & ~payload[1] & 0xFF
        elif isinstance(self.held.get(place), dict) and payload:  # several blocks behind one register
            self.held[place][payload[0]] = bytes(payload[1:])
        elif isinstance(self.held.get(place), bytes) and len(payload) == len(self.held[place]):
            self.held[place] = bytes(payload)
        else:
            return False
        return True

    def read(self, module, register, payload):
        """What the answer carries, or None."""
        held = self.held.get((module, register))
        if isinstance(held, int): return bytes([held])
        if isinstance(held, dict): return bytes(payload[:1]) + held[payload[0]] if payload and payload[0] in held else None
        if held is not None: return held
        if (module, register) == (0x16, 1): return struct.pack("<I", TRUTH["humidity"] * 1024)
        if (module, register) == (0x12, 1): return struct.pack("<I", TRUTH["pressure"] * 256)
        return None

    def changes(self, packet):
        """Whether a write would leave its register other than it is."""
        module, register, payload = packet[0], packet[1], bytes(packet[2:])
        board, held = self.board, self.held.get((module, register))
        if (module, register) == (0x0B, 1): held = bytes([board.log.logging])
        elif module in (0x03, 0x13) and register in (1, 2, 3):
            sensor = board.accelerometer if module == 0x03 else board.gyroscope
            held = {1: bytes([sensor["power"]]), 2: sensor["mask"], 3: bytes(sensor["config"])}[register]
        if isinstance(held, int) and len(payload) == 2: return (held | payload[0]) & ~payload[1] & 0xFF != held
        if isinstance(held, dict) and payload: return held.get(payload[0]) != payload[1:]
        return held != payload if isinstance(held, bytes) else True

    # -- what they measure -------------------------------------------------------------------------------------------
    def periods(self):
        """Seconds from one sample to the next of what runs."""
        h = self.held
        if h[0x15, 2] & 1 and h[0x15, 1] == b"\1": yield 0x15, 1 / MAGNETOMETER[h[0x15, 3][0] & 7]
        if h[0x14, 1] == b"\1": yield 0x14, LIGHT[min(h[0x14, 2][1] & 7, 5)] / 1000
        conversion = CONVERSION[min(h[0x12, 3][0] >> 2 & 7, 5)]
        if h[0x12, 4][0] == 1 and conversion: yield 0x12, (conversion + STANDBY[h[0x12, 3][1] >> 5]) / 1000
        if h[0x19, 1] == b"\1" and h[0x19, 2][0] in FUSION and self.board.accelerometer["power"]: yield 0x19, 1 / FUSION[h[0x19, 2][0]]

    def tick(self, now):
        running = dict(self.periods())
        self.due = {m: self.due.get(m, now + p) for m, p in running.items()}
        for module, period in running.items():
            self.due[module] = max(self.due[module], now - 1)
            while self.due[module] <= now:
                self.due[module] += period
                for register, data in self.sample(module):
                    if (module, register) in self.board.subscribed:
                        self.board.notify(module, register, data)

    def sample(self, module):
        if module == 0x15: yield 5, struct.pack("<hhh", *(16 * x for x in TRUTH["field"]))
        elif module == 0x14: yield 3, struct.pack("<I", TRUTH["light_mlx"])
        elif module == 0x12:
            yield 1, struct.pack("<I", TRUTH["pressure"] * 256)
            if self.held[0x12, 4][1] == 1: yield 2, struct.pack("<i", 100 * 256)
        elif module == 0x19:
            mask = self.held[0x19, 3]
            if mask & 0x01:
                # The fusion takes the sensor's counts as its own register of ranges says, whatever the sensor's says.
                thought = 2 << (self.held[0x19, 2][1] & 0x0F)
                yield 4, struct.pack("<fffB", 0, 0, 1000 * thought * self.board.scale() / 32768, 3)
            if mask & 0x08: yield 7, self.quaternion()
            if mask & 0x10: yield 8, struct.pack("<ffff", *self.turn[1])
            if mask & 0x20: yield 9, struct.pack("<fff", 0, 0, 9.80665)
            if mask & 0x40: yield 10, struct.pack("<fff", 0, 0, 0.25)

    def quaternion(self):
        left = self.spoil.get("quaternion", 0)
        if left:
            self.spoil["quaternion"] = left - 1
            return struct.pack("<ffff", *([0] * 4 if left % 2 else [math.nan] * 4))
        return struct.pack("<ffff", *self.turn[0])
