#!/usr/bin/python3
"""Makes a gateway connect to its broker anew, thousands of times, by reloads of its file and by resets of the line, and holds memory and open
descriptors behind it against those after the first fifth (fault F99)."""
import argparse
import os
import sys
import time

from bench import Bench, Report, end_cleanly_on_signals, until
from broker_faults import Gateway, mosquitto
from fault_proxy import Proxy

# What a measurement swings by: five in a hundred, and pages that the allocator has just taken.
SHARE, PAGES = 1.05, 2 << 20


def measured(pid):
    """Resident bytes and open descriptors."""
    with open(f"/proc/{pid}/status") as f:
        resident = next(int(line.split()[1]) * 1024 for line in f if line.startswith("VmRSS"))
    return resident, len(os.listdir(f"/proc/{pid}/fd"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    parser.add_argument("--times", type=int, default=10_000)
    parser.add_argument("--keep", action="store_true", help="keep the working directory")
    options = parser.parse_args()
    end_cleanly_on_signals()
    r, b = Report(), Bench(os.path.abspath(options.binary), boards=1, keep=options.keep)
    proxy = None
    try:
        port, _ = mosquitto(b, "open", "allow_anonymous true")
        proxy = Proxy(port)
        gateway = Gateway(b, "restless", f"{{ host: 127.0.0.1, port: {proxy.port} }}")
        pid = gateway.process.popen.pid
        r.check("connected", until(20, lambda: proxy.connects), "once", gateway.log()[-500:])
        warm, late = None, 0
        for turn in range(options.times):
            if turn == options.times // 5: warm = measured(pid)
            count = len(proxy.connects)
            # Now and then the line breaks first, so that the reload finds no connection.
            if turn % 5 == 4: proxy.reset()
            gateway.move(f"{{ host: 127.0.0.1, port: {proxy.port}, client_id: metafleet-{turn % 2} }}")
            if not until(10, lambda: len(proxy.connects) > count, 0.002): late += 1
        r.equal("every reload connected anew", late, 0)
        time.sleep(10)
        resident, descriptors = measured(pid)
        r.check("F99 no descriptor stays behind", descriptors <= warm[1] + 2, warm[1], descriptors)
        r.check("F99 no memory stays behind", resident <= warm[0] * SHARE + PAGES, f"{warm[0] >> 10} kB, and 5 %", f"{resident >> 10} kB")
        print(f"# {len(proxy.connects)} connections, {warm[0] >> 10} kB and {warm[1]} descriptors, then {resident >> 10} kB and {descriptors}", flush=True)
        gateway.process.end()
        r.equal("the daemon ends in order", gateway.process.popen.returncode, 0)
    finally:
        if proxy: proxy.close()
        b.close()
    return r.finish()


if __name__ == "__main__":
    sys.exit(main())
