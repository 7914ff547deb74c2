"""What lies between a fake board's sensors and its host: packets in clumps, late, twice or not at all; a sensor with a speed of its own."""
import random
import time

SAMPLES = {(3, 4), (3, 5), (3, 0x1C), (0x13, 4), (0x13, 5), (0x13, 7)}


class Air:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.clump = 0.0  # packets leave at multiples of it
        self.loss = self.twice = 0.0  # shares of packets
        self.speed = 1.0  # of the sensor, of what it was set to
        self.until = 0.0  # nothing leaves before
        self.holds = False  # what does not leave is kept, not lost
        self.waiting = []  # (when it leaves, packet)
        self.taken = []  # (number of the sample, when it was taken, by the wall clock)

    def order(self, request):
        for name in ("clump", "loss", "twice", "speed"):
            if name in request:
                setattr(self, name, float(request[name]))
        if "pause" in request:
            self.until, self.holds = time.monotonic() + request["pause"], request.get("holds", False)

    def took(self, number, due):
        self.taken.append((number, due - time.monotonic() + time.time()))

    def carry(self, packet, send):
        if (packet[0], packet[1]) not in SAMPLES:
            return send(packet)
        now = time.monotonic()
        if now < self.until and not self.holds or self.random.random() < self.loss:
            return
        leaves = max(now, self.until)
        if self.clump:
            leaves = (leaves // self.clump + 1) * self.clump
        self.waiting.append((leaves, packet))
        if self.random.random() < self.twice:
            # At once, or shortly before the next one.
            self.waiting.append((leaves + self.random.choice((0.001, 0.02)), packet))
        self.tick(now, send)

    def tick(self, now, send):
        while self.waiting and self.waiting[0][0] <= now:
            send(self.waiting.pop(0)[1])
