"""A bench whose boards log on their own flash, and what must come of it: every entry once, in order, at its time."""
import json
import struct
import time

from bench import Bench, until

SCALE = 8192  # counts per g at 4 g (protocol reference 7)


class LogBench(Bench):
    """Boards with profile `recorder`: acceleration logged, visited every few seconds."""
    visit = "every: 3s, jitter: 0%"
    rate = 100
    clear = "complete"
    whole = ()    # boards that were never read out while they logged
    keepers = ()  # boards whose logs only commands bring home

    def write_config(self, extra=""):
        return self.configure(f"""gateway: {{ id: {self.gateway} }}
profiles:
  recorder:
    log: {{ acceleration: {{ rate_hz: {self.rate}, range_g: 4 }} }}
    visit: {{ {self.visit}, clear: {self.clear} }}
  keeper:
    log: {{ acceleration: {{ rate_hz: {self.rate}, range_g: 4 }} }}
    visit: {{ {self.visit}, download: false }}
{extra}""", lambda n: f"profile: {'keeper' if n in self.keepers else 'recorder'}")

    def state_of(self, n):
        return self.do("log-state", board=n)

    def logging(self):
        return [n for n in range(1, self.count + 1) if self.state_of(n)["logging"]]

    def freeze(self, on=True):
        for n in range(1, self.count + 1):
            self.do("log-freeze", board=n, on=on)

    # -- what the boards wrote down ------------------------------------------------------------------------------------
    def written(self, n):
        """Samples by the board's own ledger: (raw x, y, z; host time when it was taken)."""
        parts, samples = {}, []
        for text, moment in self.do("log-ledger", board=n):
            entry = bytes.fromhex(text)
            parts.setdefault(entry[0] & 0x1F, []).append((entry, moment))
            first, second = (parts.setdefault(k, []) for k in sorted(self.slots_of(n)))
            while first and second:
                (a, at), (b, _) = first.pop(0), second.pop(0)
                samples.append((*struct.unpack("<hhh", a[5:9] + b[5:7]), at))
        return samples

    def slots_of(self, n):
        """The two loggers of acceleration."""
        return sorted(int(k) for k in self.state_of(n)["loggers"])[:2]

    # -- what subscribers got ------------------------------------------------------------------------------------------
    def batches(self, n, stream="acceleration"):
        """Batches of the log lane, each once, and what is wrong with them."""
        seen, order, wrong = {}, [], []
        for _, topic, payload, *_ in self.client.since(0, self.topic(n, "log", stream)):
            batch = json.loads(payload)
            known = seen.get(batch["batch_id"])
            if known is not None:
                if known != payload: wrong.append(f"{batch['batch_id']} came twice with other bytes")
                continue
            seen[batch["batch_id"]] = payload
            order.append(batch)
        expected = {}
        for batch in order:
            s = batch["session"]
            if batch["seq"] != expected.get(s, 0):
                wrong.append(f"session {s}: seq {batch['seq']} instead of {expected.get(s, 0)}")
            expected[s] = batch["seq"] + batch["count"]
            if batch["count"] != len(batch["samples"]) or batch["origin"] != "flash":
                wrong.append(f"{batch['batch_id']}: count or origin")
        return order, wrong

    def received(self, n):
        order, wrong = self.batches(n)
        samples = [(round(s["ax_g"] * SCALE), round(s["ay_g"] * SCALE), round(s["az_g"] * SCALE),
                    s["ts_us"] / 1e6, batch["clock"]) for batch in order for s in batch["samples"]]
        return samples, wrong


def complete(b, r, seconds=60, what="", reset=(), slack_ms=0):
    """Holds what came against what was written down, once nothing is on its way any more. Boards that were `reset` may have
    lost what was not in flash yet, which is told as a gap. The gateway's clock may differ from ours by `slack_ms`."""
    b.freeze()
    totals = {n: len(b.written(n)) for n in range(1, b.count + 1)}
    until(seconds, lambda: all(len(b.received(n)[0]) >= totals[n] for n in totals), 0.5)
    time.sleep(1)  # whatever comes too often comes now
    for n in totals:
        written, (received, wrong) = b.written(n), b.received(n)
        r.equal(f"{what}board {n}: batches are numbered without holes, repeats are the same bytes", wrong, [])
        difference = next((i for i, (w, g) in enumerate(zip(written, received)) if w[:3] != g[:3]), None)
        r.check(f"{what}board {n}: every entry once and in order", [w[:3] for w in written] == [g[:3] for g in received],
                f"{len(written)} samples", f"{len(received)}, first difference at {difference}; {b.state_of(n)}")
        off = [abs(g[3] - w[3]) * 1000 - g[4].get("err_ms", 1e12) - slack_ms for w, g in zip(written, received)]
        late = sum(x > 0 for x in off)
        r.check(f"{what}board {n}: times are inside their stated errors", late <= len(off) / 1000, "99.9 %",
                f"{late} of {len(off)} outside, worst by {max(off or [0]):.1f} ms; {received[0][4] if received else None}")
        stated = sorted(g[4].get("err_ms", 1e12) for g in received)
        r.check(f"{what}board {n}: stated errors are useful", not stated or stated[len(stated) // 2] < 500, "below 500 ms",
                stated[len(stated) // 2] if stated else None)
        r.equal(f"{what}board {n}: nothing forbidden was asked of the log", b.state_of(n)["violations"], [])
        if n in reset: continue
        # But for what it did not log while it was read out.
        r.equal(f"{what}board {n}: no gap", [x["gap_before"] for x in b.batches(n)[0] if x["gap_before"] and not (x["seq"] == 0 and n not in b.whole)], [])
        stamps = [s["ts_us"] for x in b.batches(n)[0] for s in x["samples"]]
        r.check(f"{what}board {n}: stamps strictly increase", all(x < y for x, y in zip(stamps, stamps[1:])), "each later",
                next(((i, x, y) for i, (x, y) in enumerate(zip(stamps, stamps[1:])) if x >= y), None))
