#!/usr/bin/python3
"""Five hundred commands to a hundred boards at once, while all of them stream: none lost, none doubled, and how long they took.

A fake BlueZ with four adapters below `metafleet run`, an MQTT client above it, both written from the contract alone; on the same machine, so the
times hold their work as well. Ends with a table and `N passed, M failed`; the times are told, not judged.
"""
import json
import statistics
import sys
import time

from bench import Bench, Client, measure, until

FINAL = ("done", "failed", "unknown")


class CrowdBench(Bench):
    """Boards with one stream each, on as many adapters as so many links take; nothing else is configured."""
    rate = 12.5

    def start_fake(self, *extra):
        super().start_fake("--adapters", str(-(-self.count // 25)), *extra)

    def start_client(self):
        # One that took and judged every live sample as well would measure itself.
        self.client = Client(self.port, None, topics=[f"{self.base}/board/+/{what}" for what in ("state", "reply/+", "record/+")])
        self.client.client.max_inflight_messages_set(1000)  # at once, not twenty at a time
        self.client.start().subscribed.wait(10)

    def write_config(self, extra=""):
        return self.configure(f"""gateway: {{ id: {self.gateway} }}
profiles:
  moving:
    stream: {{ acceleration: {{ rate_hz: {self.rate}, range_g: 4 }} }}
{extra}""", lambda n: "profile: moving")


def replies(b, mark):
    """Of each command: when its replies came, and what they said."""
    found = {}
    for moment, topic, payload, *_ in b.client.since(mark):
        if topic.endswith("/reply/haptic"):
            reply = json.loads(payload)
            found.setdefault(reply["id"], []).append((moment, reply))
    return found


def crowd(b, r, options):
    b.start()
    b.wait_streaming(240)
    missing = b.wait_samples(60, range(1, b.count + 1), b.client.mark())
    if not r.check(f"{b.count} boards stream", not missing, "all", f"{len(missing)} do not"):
        return None
    wanted = [(n, f"crowd-{k}-{n}") for k in range(options.commands // b.count) for n in range(1, b.count + 1)]
    mark, before, sent = b.client.mark(), b.do("now"), {}
    for n, name in wanted:
        sent[name] = time.time()
        b.client.client.publish(b.topic(n, "cmd", "haptic"), json.dumps({"id": name, "args": {"pulse_ms": 1}}), qos=1)

    def finals():
        return {name: [(t, x) for t, x in all if x["stage"] in FINAL] for name, all in replies(b, mark).items()}
    until(60, lambda: sum(map(bool, finals().values())) >= len(wanted), 0.5)
    ended = finals()
    r.check("each command ended, once", all(len(ended.get(name, ())) == 1 for _, name in wanted), "one final reply each",
            [name for _, name in wanted if len(ended.get(name, ())) != 1][:5])
    codes = [x.get("code", x["stage"]) for all in ended.values() for _, x in all]
    r.check("each was done", codes.count("done") == len(wanted), "done", {code: codes.count(code) for code in set(codes)})
    pulses = [[w[1] for w in b.do("writes", board=n, since=before)].count("0801f8010000") for n in range(1, b.count + 1)]
    r.check("each board pulsed once for each command", pulses == [options.commands // b.count] * b.count, "as many each", pulses)
    batches = {m[1] for m in b.client.since(mark) if m[1].endswith("/record/acceleration")}
    r.check("meanwhile all boards streamed", b.wait_samples(30, range(1, b.count + 1), mark) == [], "record batches of all", len(batches))

    took = sorted((ended[name][0][0] - sent[name]) * 1000 for _, name in wanted if ended.get(name))
    if len(took) < 2:
        return None
    cuts = statistics.quantiles(took, n=100)
    print(f"{len(wanted)} commands to {b.count} boards that stream at {b.rate} Hz, sent within {max(sent.values()) - min(sent.values()):.1f} s; "
          "from sending to the final reply:")
    print(f"  median {cuts[49]:.0f} ms, 95th percentile {cuts[94]:.0f} ms, slowest {took[-1]:.0f} ms")
    return {"median_ms": cuts[49], "p95_ms": cuts[94], "slowest_ms": took[-1]}


if __name__ == "__main__":
    sys.exit(measure(__doc__, CrowdBench, 100, crowd, ("commands", 500, None)))
