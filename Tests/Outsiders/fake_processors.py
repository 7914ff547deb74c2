"""What a board computes in its processor slots, for a few types (protocol reference 14, 2.3)."""
import math
import struct


class Processors:
    def __init__(self, held, notify):
        """`held`: the slots with what created them; `notify` sends to the host."""
        self.held, self.notify = held, notify
        self.loud, self.heard = False, set()  # 09 03 01 for all, 09 07 id 01 for each: both are needed
        self.kept = {}

    def forget(self, slot):
        self.heard.discard(slot)
        self.kept.pop(slot, None)

    def feed(self, module, register, index, data):
        """A signal fired: whatever is chained to it computes, and what comes out is a signal again."""
        for slot, made in sorted(self.held.items()):
            if tuple(made[:3]) != (module, register, index):
                continue
            out = self.compute(slot, made[4], made[5:], self.cut(made[3], data))
            if out is None:
                continue
            if self.loud and slot in self.heard:
                self.notify(9, 3, slot, out[:17])
            self.feed(9, 3, slot, out)

    @staticmethod
    def cut(slice_byte, data):
        """Offset in bits 0-4, length less one in bits 5-7; longer signals are taken whole."""
        offset, length = slice_byte & 0x1F, (slice_byte >> 5) + 1
        return data if len(data) > 8 and offset == 0 else data[offset:offset + length]

    def compute(self, slot, kind, config, data):
        if kind == 0x01 and config[0] == 0:  # passthrough, all
            return data
        if kind == 0x02 and config[0] >> 4 & 7 == 1:  # counter, wraps at its width
            size = (config[0] & 3) + 1
            value = (int.from_bytes(self.kept.get(slot, b"")[:4], "little") + 1) % (1 << 8 * size)
            self.kept[slot] = value.to_bytes(4, "little")
            return self.kept[slot][:size]
        if kind == 0x07:  # combiner
            width, channels, signed = (config[0] >> 2 & 3) + 1, (config[0] >> 4 & 7) + 1, bool(config[0] >> 7)
            parts = [int.from_bytes(data[i * width:(i + 1) * width], "little", signed=signed) for i in range(channels)]
            squares = sum(p * p for p in parts)
            value = math.isqrt(squares if config[1] == 1 else squares // channels)
            return struct.pack("<I", value)[:(config[0] & 3) + 1]
        return None
