"""The log of the minimal MetaMotion: loggers write entries down, a read-out hands them out page by page (protocol
reference 16), and a ledger that the host never sees remembers every entry that ever was, and when.

What no source says differs from board to board (reference 41), so that a host meets all of it.
"""
import os
import random
import signal
import struct
import time

CAPACITY = {"s": 0x03FB0000, "r": 11136, "rl": 11136}


class Log:
    def __init__(self, board):
        self.board = board
        self.entries = []    # (nine bytes, host time), oldest first, in flash
        self.gathered = []   # in the memory of boards that write whole pages (MetaMotion S)
        self.ledger = []     # every entry that was not lost with the power
        self.lost = 0        # with the power
        self.violations = []
        self.frozen = False
        self.circular = 0
        self.recycled = 0
        # Answers to open questions, by the board's number.
        n = board.number
        self.page = 512 if board.is_s else (64, 100, 512)[n % 3]
        self.keeps = n % 4 == 1            # confirmed pages stay until the log is cleared (row F33)
        self.hidden = 0                    # records that the length counts and nobody gets
        self.page_last = n % 3 == 2        # the last page's notice comes behind the last progress
        self.trailing = n % 5 == 3         # entries come behind "nothing left"
        self.stale = n % 4 == 2            # an empty log counts one entry after it was cleared
        self.wall = time.time() - time.monotonic()
        self.twice = 0                     # packets of entries that are sent twice from now on, at once or some later
        self.late = []                     # packets that come once more
        self.doubled = 0
        self.kill = None                   # (pid, point, delay): who dies when that happens
        self.boot()

    def boot(self):
        self.logging = 0
        self.lost += len(self.gathered)
        if self.gathered:
            del self.ledger[-len(self.gathered):]
        self.gathered = []
        self.stale_now = False
        self.end()

    def end(self):
        self.out = None      # entries of this read-out that are still to be sent
        self.sent = []       # of the page at hand
        self.waiting = self.ended = False
        self.every = self.since = 0

    disconnected = end

    # -- the board's side --------------------------------------------------------------------------------------------
    def feed(self, module, register, index, data):
        """A signal came out: loggers of it write their four bytes down."""
        if not self.logging or self.frozen:
            return
        now = time.monotonic()
        tick = int((now - self.board.booted) * 32768 / 48) & 0xFFFFFFFF
        for slot, logger in sorted(self.board.slots.loggers.items()):
            source, byte = logger[:3], logger[3]
            if source != bytes([module, register, index]):
                continue
            piece = data[byte & 0x1F:][:(byte >> 5 & 3) + 1]
            entry = struct.pack("<BI", self.board.reset_uid << 5 | slot, tick) + piece.ljust(4, b"\0")
            self.store((entry, now + self.wall))

    def store(self, entry):
        held = self.gathered if self.board.is_s else self.entries
        if len(self.entries) + len(self.gathered) >= CAPACITY[self.board.model]:
            return
        held.append(entry)
        self.ledger.append(entry)
        if self.board.is_s and len(held) == 512:
            self.flush()

    def flush(self):
        self.entries += self.gathered
        self.gathered = []

    def length(self):
        return len(self.entries) + self.hidden + (self.stale_now and not self.entries)

    def tick(self):
        """Sends what a few milliseconds allow."""
        for _ in range(8):
            if self.out is None or self.waiting or self.ended:
                return
            self.packet()

    def packet(self):
        room = self.page - len(self.sent)
        some, self.out = self.out[:min(2, room)], self.out[min(2, room):]
        self.sent += some
        self.since += len(some)
        full, self.ended = len(self.sent) == self.page, not self.out and len(self.sent) < self.page
        self.waiting = full or self.ended
        say = [(7, b"".join(e for e, _ in some), "entries")] if some else []
        page = [(0x0D, b"", "page")] if self.waiting else []
        due = self.waiting if self.every == 0 else self.since >= self.every
        left = [(8, struct.pack("<I", len(self.out)), "left")] if due or self.ended else []
        if left: self.since = 0
        if self.ended and self.trailing: order = left + say + page
        elif self.page_last: order = say + left + page
        else: order = say + page + left
        for register, data, point in order:
            if (0x0B, register) in self.board.subscribed:
                self.board.notify(0x0B, register, data)
                if register == 7: self.repeat(data)
                elif register == 0x0D: self.late = []
            self.reached(point)

    def repeat(self, data):
        """Some packets come twice: every other one a few packets later."""
        for wait, late in self.late:
            if wait == 0: self.board.notify(0x0B, 7, late)
        self.late = [(wait - 1, late) for wait, late in self.late if wait > 0]
        if self.twice and len(self.sent) % 38 == 0 and len(self.sent) + 12 < self.page and len(self.out) > 12:
            self.twice -= 1
            self.doubled += len(data) // 9
            if self.twice % 2: self.late.append((2, data))
            else: self.board.notify(0x0B, 7, data)

    def damage(self, random, count):
        """Wrong ticks, and now and then a wrong reset, of so many entries in a row. The ledger knows the true ones."""
        held = self.entries if len(self.entries) > 60 else self.gathered
        if len(held) < 40 + count or not self.logging: return 0
        first = random.randrange(20, len(held) - count - 10)
        for place in range(first, first + count):
            entry, moment = held[place]
            head = entry[0] ^ (random.choice((0, 0, 0x20, 0x80)))
            held[place] = (bytes([head]) + struct.pack("<I", random.getrandbits(32)) + entry[5:], moment)
        return count

    def confirm(self):
        self.reached("confirm")
        if not self.waiting:
            return
        self.waiting = False
        if not self.keeps:
            del self.entries[:len(self.sent)]
            self.recycled += 1
        self.sent = []

    # -- the host's side ---------------------------------------------------------------------------------------------
    def read(self, register, payload):
        reply = lambda data: self.board.notify(0x0B, 0x80 | register, data) or True
        if register == 1: return reply(bytes([self.logging]))
        if register == 5:
            reply(struct.pack("<I", self.length()))
            return self.reached("length")
        if register == 0x0B: return reply(bytes([self.circular]))
        if register == 0x0C: return reply(struct.pack("<H", self.recycled & 0xFFFF))
        return False

    def set(self, register, payload):
        """True when the write was for the log."""
        if register == 1 and len(payload) == 1:
            self.logging = payload[0]
            self.reached("start" if payload[0] else "stop")
        elif register == 6 and len(payload) == 8:
            if self.logging: return True
            count, every = struct.unpack("<II", payload)
            self.end()
            self.out, self.every = self.entries[:count], every
            self.ended = not self.out
            self.reached("read-out")
        elif register == 9 and len(payload) == 4:
            if self.logging: return True
            del self.entries[:struct.unpack("<I", payload)[0]]
            self.gathered = []
            self.stale_now = self.stale
            self.end()
            self.reached("drop")
            self.board.notify(0x0B, 0x0D) if (0x0B, 0x0D) in self.board.subscribed else None
            self.reached("dropped")
        elif register == 0x0B and len(payload) == 1: self.circular = payload[0]
        elif register == 0x0E and not payload: self.confirm()
        elif register == 0x10 and payload == b"\x01":
            if self.logging: self.violations.append("flushed while logging")
            if not self.board.is_s: self.violations.append("flush on a board below revision 3")
            self.flush()
        else: return False
        return True

    # -- the onlooker's side -----------------------------------------------------------------------------------------
    POINTS = "stop length read-out entries page confirm left drop dropped start".split()

    def reached(self, point):
        """A named point of the download: whoever is to die there dies, at once or a moment later."""
        if self.kill and self.kill[1] == point:
            (pid, _, delay), self.kill = self.kill, None
            if delay: time.sleep(delay)  # the whole radio waits, the host does not
            try: os.kill(pid, signal.SIGKILL)
            except ProcessLookupError: pass
        return True

    def command(self, request):
        what = request["do"]
        if what == "log-kill": self.kill = (request["pid"], request["point"], request.get("delay", 0))
        elif what == "log-armed": return self.kill is not None
        elif what == "log-disarm": self.kill = None
        elif what == "log-freeze": self.frozen = request["on"]
        elif what == "log-foreign": self.board.slots.loggers[request["slot"]] = bytes.fromhex(request["hex"])
        elif what == "log-twice": self.twice = request["count"]
        elif what == "log-damage": return self.damage(random.Random(request["seed"]), request["count"])
        elif what == "log-jump": self.board.booted -= request["seconds"]
        elif what == "log-doubled": return self.doubled
        elif what == "log-hide": self.hidden = request["count"]
        elif what == "log-state":
            return dict(logging=self.logging, flash=len(self.entries), gathered=len(self.gathered), lost=self.lost,
                        total=len(self.ledger), violations=self.violations, circular=self.circular,
                        loggers={str(k): v.hex() for k, v in self.board.slots.loggers.items()})
        elif what == "log-ledger": return [[e.hex(), t] for e, t in self.ledger[request.get("since", 0):]]
        else: raise ValueError(f"unknown command {what}")
