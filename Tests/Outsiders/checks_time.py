"""The right time, and the right amount: samples over a bad link, held against when the fake board's sensor took them.

The first axis of every sample is its number, so that what is missing, comes twice or has the time of another is seen."""
import time

from bench import Bench, until
from checks_registers import documents

SECONDS = 40
STEP = 2 / 32768 * 2  # g of one count at 4 g


# What is wrong, how it is streamed, and the air's orders.
AIR = [
    ("clumps of 70 ms", "100 on", dict(clump=0.07)),
    ("clumps of 130 ms, unpacked", "25 off", dict(clump=0.13)),
    ("4 % lost one by one", "50 on", dict(loss=0.04)),
    ("3 % lost, unpacked", "12.5 off", dict(loss=0.03)),
    ("2.6 % slow", "100 on", dict(speed=0.974)),
    ("a third slow", "50 on", dict(speed=0.67)),
    ("5 % twice", "100 on", dict(twice=0.05)),
    ("a pause that loses", "100 on", {}),
    ("a pause that holds back", "50 on", {}),
    ("18 % fast", "50 on", dict(speed=1.18)),
]
PAUSES = {8: dict(pause=3.3), 9: dict(pause=2.2, holds=True)}


class AirBench(Bench):
    """Boards by what is wrong with their links; see AIR."""
    boards = len(AIR)

    def __init__(self, binary, keep=False):
        super().__init__(binary, boards=self.boards, models="s,rl,r", keep=keep)
        self.named = {rate: f"rate-{i}" for i, rate in enumerate(sorted({air[1] for air in AIR}))}

    def profiles(self):
        return "".join(f"  {name}:\n    stream: {{ acceleration: {{ rate_hz: {rate.split()[0]}, range_g: 4, packed: {rate.split()[1]} }} }}\n"
                       for rate, name in self.named.items())

    def profile(self, n):
        return self.named[AIR[n - 1][1]]

    def write_config(self, extra=""):
        return self.configure(f"""gateway: {{ id: {self.gateway} }}
profiles:
{self.profiles()}
{extra}""", lambda n: f"profile: {self.profile(n)}")

    def worsen(self):
        for n, (_, _, air) in enumerate(AIR, 1):
            if air:
                self.do("air", board=n, **air)


def samples_of(b, n):
    """(number, stamp in s, stated error in s, gap before) of every sample, in the order of the record lane; and the batches."""
    batches = [x for x in documents(b, n, "record", "acceleration")]
    found = []
    for x in batches:
        for i, s in enumerate(x["samples"]):
            number = round(s["ax_g"] / STEP)
            found.append((number, s["ts_us"] / 1e6, x["clock"]["err_ms"] / 1e3, x["gap_before"] if i == 0 else 0))
    return found, batches


def judge(b, r, n, what, rate, air):
    samples, batches = samples_of(b, n)
    truth = dict(map(tuple, b.do("taken", board=n)))
    r.check(f"{what}: samples come", len(samples) > 200, "hundreds", len(samples))
    known = [s for s in samples if s[0] in truth]
    r.equal(f"{what}: every value is one that the sensor took", len(known), len(samples))
    steps = list(zip(samples, samples[1:]))
    r.equal(f"{what}: stamps strictly increase", [(x[1], y[1]) for x, y in steps if not y[1] > x[1]][:3], [])
    r.equal(f"{what}: no sample twice", len({s[0] for s in samples}), len(samples))
    period = 1 / (float(rate.split()[0]) * air.get("speed", 1))
    even = [(x, y) for x, y in steps if y[0] == x[0] + 1 and x[1] > samples[0][1] + 5]
    uneven = [(x[0], y[1] - x[1]) for x, y in even if abs(y[1] - x[1] - period) > 0.2 * period]
    r.check(f"{what}: steps within 20 % of the period", len(uneven) * 200 <= len(even), f"{period:.4f}", uneven[:5])
    wrong = [(s[0], s[1] - truth[s[0]]) for s in known if abs(s[1] - truth[s[0]]) > s[2] + 0.02]
    r.check(f"{what}: true time inside the stated error", len(wrong) * 1000 <= len(known), "all but one in a thousand", wrong[:5])
    missing = sum(y[0] - x[0] - 1 for x, y in steps)
    told = sum(s[3] for s in samples[1:])
    r.check(f"{what}: as many missing as told", abs(missing - told) <= max(0.01 * missing, 0), missing, told)
    misplaced = [(x[0], y[0] - x[0] - 1, y[3]) for x, y in steps if y[0] - x[0] - 1 != y[3]]
    r.check(f"{what}: told where they are missing", len(misplaced) <= 0.01 * max(missing, 1), "none", misplaced[:5])
    gaps = [x for x in documents(b, n, "event", "data-gap") if x["stream"] == "acceleration"]
    r.equal(f"{what}: every gap has its event", sum(x["count"] for x in gaps), told)
    at = {(round(x[1] * 1000), round(y[1] * 1000)) for x, y in steps if y[3]}
    off = [x for x in gaps if not any(abs(x["from_ms"] - f) <= 1 and abs(x["to_ms"] - t) <= 1 for f, t in at)]
    r.equal(f"{what}: with the stamps around it", off, [])


def troubles(b, r):
    """What is lastingly wrong stands in the state."""
    for n, code in ((3, "samples-missing"), (6, "sensor-slow"), (7, "packets-doubled"), (10, "sensor-fast")):
        state = until(12, lambda: (lambda s: s if s.get("stream_reason_code") else None)(b.client.last(b.topic(n, "state")) or {})) or {}
        r.equal(f"{AIR[n - 1][0]}: a lasting reason", state.get("stream_reason_code"), code)
        r.check(f"{AIR[n - 1][0]}: which names the stream", state.get("stream_reason", "").startswith("acceleration: "), "acceleration", state)
        kinds = {x["event_type"] for x in documents(b, n, "event", "stream-rate")}
        r.check(f"{AIR[n - 1][0]}: an event", len(kinds) == 1, "one kind", kinds)
    for n in (1, 2, 5):
        r.equal(f"{AIR[n - 1][0]}: nothing is wrong", (b.client.last(b.topic(n, "state")) or {}).get("stream_reason_code"), None)


def right_time(binary, r, keep):
    b = AirBench(binary, keep)
    try:
        b.start(daemon=False)
        b.worsen()
        b.start_daemon()
        r.equal("all boards stream", b.wait_streaming(30), [])
        time.sleep(SECONDS / 2)
        for n, pause in PAUSES.items():
            b.do("air", board=n, **pause)
        time.sleep(SECONDS / 2)
        troubles(b, r)
        b.daemon.end()
        time.sleep(1)
        for n, (what, rate, air) in enumerate(AIR, 1):
            judge(b, r, n, what, rate, air)
    finally:
        b.close()


ALONE = [right_time]
