#!/usr/bin/python3
"""What a fleet costs the gateway while it needs nothing: boards log on their own flash, none is connected, all are heard now and then.

A fake BlueZ that finds each board again every 10.5 seconds, as the real one does, below `metafleet run`. Ends with the share of a core that the
gateway took, from the kernel's count of its processor time, and `N passed, M failed`; the share is told, not judged.
"""
import functools
import os
import sys
import time

from bench import Client, measure, until
from log_bench import LogBench


class IdleBench(LogBench):
    """Boards with memory for weeks, set up once and then left alone for a day."""
    visit = "every: 1d, jitter: 0%"
    rate = 12.5

    def start_fake(self, *extra):
        super().start_fake("--adapters", str(-(-self.count // 100)), *extra)

    def start_client(self):
        self.client = Client(self.port, None, topics=[f"{self.base}/board/+/state"])
        self.client.start().subscribed.wait(10)

    def spent(self):
        """Processor seconds of the gateway, by the kernel's count."""
        with open(f"/proc/{self.daemon.popen.pid}/stat") as f:
            fields = f.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def connected(self):
        return sum(device["connected"] for device in self.do("status"))


def idle(b, r, options):
    b.start(daemon=False)
    b.freeze()  # who writes samples down is none of the gateway's business
    b.start_daemon()
    missing = set(range(1, b.count + 1))

    def look():
        missing.difference_update([n for n in missing if b.state_of(n)["logging"]])
        return not missing and b.connected() == 0
    until(1200, look, 10)
    r.equal("boards that do not log", sorted(missing), [])
    time.sleep(20)  # what the set-up left to do
    before, start = b.spent(), time.monotonic()
    time.sleep(options.seconds)
    share = (b.spent() - before) / (time.monotonic() - start)
    r.equal("boards connected at the end", b.connected(), 0)
    print(f"{b.count} boards log, none connected: {share:.2%} of a core")
    return {"share": share, "boards": b.count}


if __name__ == "__main__":
    sys.exit(measure(__doc__, functools.partial(IdleBench, models="s", scale=1.0), 500, idle, ("seconds", 60, "how long it is watched")))
