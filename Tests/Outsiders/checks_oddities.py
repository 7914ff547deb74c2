"""Boards that say what cannot be, answer half, send what nobody knows, do not do what they are told, or belong to somebody else as well."""
import json
import math
import time

from bench import Bench, until
from checks_commands import ask
from checks_registers import documents

ALWAYS = 1_000_000
STRANGER = ["030401", "03020100", "030101", "0b020304ff60", "0b020304ff24", "09020304ffa001000000", "0c02e8030000ffff00", "0c0300", "0b0101"]


class OddBench(Bench):
    """Boards 1 to 3 move, 4 fuses, 5 wants nothing; battery is read every second."""

    def __init__(self, binary, keep=False):
        super().__init__(binary, boards=8, models="rl,s,r,s,r,rl,s,r", keep=keep)

    def write_config(self, extra=""):
        return self.configure(f"""gateway: {{ id: {self.gateway} }}
schedules: {{ battery: 1s }}
profiles:
  moving:
    stream: {{ acceleration: {{ rate_hz: 50, range_g: 4 }}, temperature-die: {{ every: 1s }} }}
  fused:
    stream: {{ quaternion: {{ mode: imuplus }} }}
  idle: {{}}
{extra}""", lambda n: f"profile: {'fused' if n == 4 else 'idle' if n >= 5 else 'moving'}")


def impossible_values(b, r):
    """A battery of 255 % and quaternions of length 0 or NaN are left out and told once; what follows is good again."""
    mark = b.client.mark()
    b.do("battery", board=1, charge=255, mv=4000)
    b.do("spoil", board=4, value="quaternion", count=60)
    told = b.client.wait(20, b.topic(4, "event", "data-quality"), lambda v: v["event_type"] == "impossible-value", mark)
    r.check("quaternions that cannot be: told", told and told.get("stream") == "quaternion", "data-quality", told)
    b.client.wait(6, b.topic(1, "event", "data-quality"), lambda v: v["event_type"] == "impossible-value", mark)
    time.sleep(3)
    samples = [s for x in documents(b, 4, "record", "quaternion") for s in x["samples"]]
    lengths = [math.sqrt(sum(s.get(k, 0) ** 2 for k in ("qw", "qx", "qy", "qz"))) for s in samples]
    r.check("quaternions that cannot be: none is published", samples and all(abs(x - 1) < 0.01 for x in lengths), "length 1", [x for x in lengths if abs(x - 1) >= 0.01][:3])
    r.equal("quaternions that cannot be: the link lives", [json.loads(m[2]) for m in b.client.since(mark, b.topic(4, "event", "link-lost"))], [])
    seen = {v.get("battery_pct") for lane in (("state",), ("live", "battery"), ("record", "battery")) for v in documents(b, 1, *lane)}
    r.check("a battery of 255 %: is not published", not any(x is not None and not 0 <= x <= 100 for x in seen), "0 to 100", seen)
    _, final = ask(b, 1, "read", {"id": "odd-battery", "args": {"what": "battery"}})
    r.check("a battery of 255 %: read does not say it", (final.get("data") or {}).get("battery_pct", 0) <= 100, "no 255", final)
    b.do("battery", board=1, charge=77, mv=4000)
    good = b.client.wait(10, b.topic(1, "state"), lambda v: v.get("battery_pct") == 77)
    r.check("a battery that is itself again: is published", good, 77, b.client.last(b.topic(1, "state")))


def half_answers(b, r):
    """A temperature answer of one byte fails that read; the acceleration beside it goes on."""
    mark = b.client.mark()
    b.do("cut", board=2, module=4, register=1, count=ALWAYS)
    b.do("dumb", board=3, module=4, register=1, count=ALWAYS)
    time.sleep(14)
    for n, what in ((2, "one-byte temperatures"), (3, "unanswered temperatures")):
        r.equal(f"{what}: the link lives", [json.loads(m[2]) for m in b.client.since(mark, b.topic(n, "event", "link-lost"))], [])
        samples = sum(len(json.loads(m[2])["samples"]) for m in b.client.since(mark, b.topic(n, "record", "acceleration")))
        r.check(f"{what}: the acceleration goes on", samples > 14 * 50 * 0.85, "about 700", samples)
    b.do("cut", board=2, module=4, register=1, count=0)
    b.do("dumb", board=3, module=4, register=1, count=0)


def unknown_notifications(b, r):
    """Five well-formed notifications a second that nobody knows end no link."""
    mark = b.client.mark()
    for number in range(60):
        b.do("send", board=1, hex=("033e010203", "133d07", "2a010001", "113c0506", "6f020a0b0c0d")[number % 5])
        time.sleep(0.2)
    r.equal("unknown notifications: the link lives", [json.loads(m[2]) for m in b.client.since(mark, b.topic(1, "event", "link-lost"))], [])
    samples = sum(len(json.loads(m[2])["samples"]) for m in b.client.since(mark, b.topic(1, "record", "acceleration")))
    r.check("unknown notifications: the acceleration goes on", samples > 12 * 50 * 0.85, "about 600", samples)


def stubborn_light(b, r):
    """An LED that blinks on although it was told to stop: nobody says done."""
    n = 5
    _, final = ask(b, n, "led", {"id": "odd-led-1", "args": {"color": "red", "pattern": "blink"}})
    r.equal("a light that obeys: done", final.get("stage"), "done")
    b.do("lose", board=n, module=2, register=2, count=ALWAYS)
    for number, args in enumerate(({"state": "OFF"}, {"state": "STOP"})):
        replies, final = ask(b, n, "led", {"id": f"odd-led-2-{number}", "args": args})
        if final.get("code") == "invalid":
            continue
        still = b.do("status", board=n)[0]["playing"]
        r.check(f"a light that blinks on, {args}: not done", not still or final.get("stage") != "done", "failed or unknown", replies)
    b.do("lose", board=n, module=2, register=2, count=0)


def equal_chains(b, r):
    """Two chains of equal content, the new name before the old: both are ours, and what is removed is gone from its slot."""
    n = 6
    for name in ("zeta", "alpha"):
        replies, final = ask(b, n, "processor-create", {"id": f"odd-{name}", "args": {"name": name, "from": "switch", "chain": ["counter"]}})
        r.equal(f"equal chains: {name} is made", (final.get("stage"), final.get("evidence")), ("done", "readback"))
    held = lambda: b.do("slots", board=n)["9"]
    r.equal("equal chains: two slots", len(held()), 2)
    config = until(6, lambda: (lambda c: c if {"zeta", "alpha"} <= set(c.get("reported", {}).get("process", {})) else None)(b.client.last(b.topic(n, "config")) or {}))
    r.check("equal chains: none is foreign", config and config["foreign"] == [] and config["in_sync"], "in sync", b.client.last(b.topic(n, "config")))
    replies, final = ask(b, n, "processor-remove", {"id": "odd-remove-1", "args": {"name": "zeta"}})
    r.check("equal chains: the one is removed, the other stays", final.get("stage") == "done" and len(held()) == 1, "done, one slot", (replies, held()))
    b.do("lose", board=n, module=9, register=6, count=ALWAYS)
    replies, final = ask(b, n, "processor-remove", {"id": "odd-remove-2", "args": {"name": "alpha"}})
    r.check("a removal that is lost: not done", final.get("stage") in ("failed", "unknown") and len(held()) == 1, "failed or unknown", (replies, held()))
    b.do("lose", board=n, module=9, register=6, count=0)


def strangers_board(b, r):
    """On a board where another host streams and logs, nothing stops by our coming (decisions; fault F105)."""
    for n in (7, 8):
        until(20, lambda: (b.client.last(b.topic(n, "availability")) or {}).get("state") == "online")
        time.sleep(1)
        first = b.do("log-state", board=n)
        time.sleep(5)
        later, status, slots = b.do("log-state", board=n), b.do("status", board=n)[0], b.do("slots", board=n)
        r.check(f"another's recording, board {n}: the log is on and grows", later["logging"] == 1 and later["total"] > first["total"] + 100, "growing", (first, later))
        r.equal(f"another's recording, board {n}: its loggers stay", sorted(later["loggers"].values()), ["0304ff24", "0304ff60"])
        r.check(f"another's recording, board {n}: its sensor runs", status["accelerometer"] == 1, 1, status)
        r.equal(f"another's recording, board {n}: its processor and timer stay", (len(slots["9"]), len(slots["12"])), (1, 1))
        touched = [w[1] for w in b.do("writes", board=n) if not int(w[1][2:4], 16) & 0x80 and (w[1][:4] in ("0301", "0302", "0303", "0b01", "0b03", "0b09", "0b0a", "0b0e", "0906", "0908", "0a04", "0a05", "0c04", "0c05"))]
        r.equal(f"another's recording, board {n}: nothing that stops it is written", touched, [])
        told = b.client.wait(3, b.topic(n, "event", "unknown-logger"))
        r.check(f"another's recording, board {n}: unknown-logger is told", told, "unknown-logger", [m[1] for m in b.client.since(0) if m[1].startswith(b.topic(n, "event"))])


def oddities(binary, r, keep):
    b = OddBench(binary, keep)
    try:
        b.start(daemon=False)
        for n in (7, 8):
            b.do("host", board=n, packets=STRANGER)
        b.start_daemon()
        b.wait_streaming(30, [1, 2, 3, 4])
        for step in (strangers_board, impossible_values, half_answers, unknown_notifications, stubborn_light, equal_chains):
            started = time.monotonic()
            try:
                step(b, r)
            except Exception as error:
                r.check(f"{step.__name__} runs to its end", False, "no exception", f"{type(error).__name__}: {error}")
            print(f"# {step.__name__} took {time.monotonic() - started:.0f} s", flush=True)
    finally:
        b.close()


ALONE = [oddities]
