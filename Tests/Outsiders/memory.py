#!/usr/bin/python3
"""How much memory the gateway takes while all of a fleet is connected and streams its temperature.

A fake BlueZ with an adapter for every 25 boards below `metafleet run`. Ends with the resident memory by the kernel's count, what of it is the
gateway's own, and `N passed, M failed`; the amounts are told, not judged.
"""
import argparse
import json
import os
import sys
import time

from bench import Report, end_cleanly_on_signals, until
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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    parser.add_argument("--boards", type=int, default=500)
    parser.add_argument("--json", action="store_true", help="the amounts once more, as the last line")
    parser.add_argument("--keep", action="store_true", help="leave logs and state behind")
    options = parser.parse_args()
    end_cleanly_on_signals()
    r = Report()
    b = MemoryBench(os.path.abspath(options.binary), boards=options.boards, models="s", keep=options.keep)
    told = {}
    try:
        b.start()
        until(600, lambda: len(b.streaming()) == b.count, 5)
        r.equal("boards that stream", len(b.streaming()), b.count)
        time.sleep(30)  # what connecting left to do
        resident, own = b.resident()
        told = {"boards": b.count, "resident_mb": resident, "own_mb": own}
        print(f"{b.count} boards connected: {resident:.0f} MB resident, {own:.0f} MB of it not of a file")
    finally:
        b.close()
    status = r.finish()
    if options.json:
        print(json.dumps(told))
    return status


if __name__ == "__main__":
    sys.exit(main())
