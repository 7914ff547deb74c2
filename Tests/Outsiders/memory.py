#!/usr/bin/python3
"""How much memory the gateway takes while all of a fleet is connected and streams its temperature.

A fake BlueZ with an adapter for every 25 boards below `metafleet run`. Ends with the resident memory by the kernel's count, what of it is the
gateway's own, and `N passed, M failed`; the amounts are told, not judged.
"""
import functools
import sys
import time

from bench import measure, until
from crowd import CrowdBench


class MemoryBench(CrowdBench):
    """Boards that say little, so that what is held for each of them shows, and not what is under way."""

    def write_config(self, extra=""):
        return self.configure(f"""gateway: {{ id: {self.gateway} }}
profiles:
  quiet:
    stream: {{ temperature-die: {{ every: 10s }} }}
{extra}""", lambda n: "profile: quiet")

    def resident(self):
        """Resident MB: all of it, and the part that no file backs."""
        with open(f"/proc/{self.daemon.popen.pid}/status") as f:
            fields = dict(line.split(":", 1) for line in f)
        return [int(fields[name].split()[0]) / 1024 for name in ("VmRSS", "RssAnon")]


def memory(b, r, options):
    b.start()
    until(600, lambda: len(b.streaming()) == b.count, 5)
    r.equal("boards that stream", len(b.streaming()), b.count)
    time.sleep(30)  # what connecting left to do
    resident, own = b.resident()
    print(f"{b.count} boards connected: {resident:.0f} MB resident, {own:.0f} MB of it not of a file")
    return {"boards": b.count, "resident_mb": resident, "own_mb": own}


if __name__ == "__main__":
    sys.exit(measure(__doc__, functools.partial(MemoryBench, models="s"), 500, memory))
