#!/usr/bin/python3
"""Judges `metafleet run` from outside: a fake BlueZ below it, an MQTT client above it, the documents between."""
import argparse
import os
import sys
import time

import checks_commands
import checks_contract
import checks_faults
import checks_kills
import checks_oddities
import checks_programs
import checks_registers
import checks_repeats
import checks_storage
import checks_upkeep
from bench import Bench, Report, end_cleanly_on_signals


def fleet(binary, r, keep):
    """A fleet of 20 that runs through everything in one life."""
    b = Bench(binary, keep=keep)
    try:
        b.start()
        steps = [checks_contract.quiet_fleet, checks_contract.events, checks_contract.retained_tree, checks_commands.verbs,
                 checks_commands.streams, checks_commands.refusals, checks_commands.retained_commands, checks_commands.once,
                 checks_commands.comfort, checks_programs.outputs, checks_programs.buses, checks_programs.lists, checks_programs.chains, checks_programs.programs, checks_programs.settings, checks_commands.life, checks_commands.gateway_verbs,
                 *checks_upkeep.ALL, *checks_faults.LIVE]
        for step in steps:
            run(step, b, r)
        checks_contract.verdict(b, r)
        run(checks_faults.clean_stop, b, r)
        checks_contract.verdict(b, r, "after the stop")
    finally:
        b.close()


def run(step, b, r):
    started = time.monotonic()
    print(f"# {step.__name__}", flush=True)
    try:
        step(b, r)
    except Exception as error:
        r.check(f"{step.__name__} runs to its end", False, "no exception", f"{type(error).__name__}: {error}")
    print(f"# {step.__name__} took {time.monotonic() - started:.0f} s", flush=True)


# Each has a gateway of its own.
ALONE = [check for module in (checks_faults, checks_repeats, checks_kills, checks_storage, checks_registers, checks_oddities) for check in module.ALONE]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    parser.add_argument("--only", help="comma separated names of checks, which are functions of checks_*.py")
    parser.add_argument("--keep", action="store_true", help="leave logs and state behind")
    options = parser.parse_args()
    end_cleanly_on_signals()
    r = Report()
    binary = os.path.abspath(options.binary)
    if options.only:
        modules = (checks_contract, checks_commands, checks_programs, checks_repeats, checks_kills, checks_storage, checks_upkeep, checks_faults, checks_registers, checks_oddities)
        known = {f.__name__: f for m in modules for f in vars(m).values() if callable(f)}
        wanted = options.only.split(",")
        unknown = [w for w in wanted if w not in known]
        if unknown:
            parser.error(f"no check is named {', '.join(unknown)}: --only takes names of functions of checks_*.py")
        alone = [s for s in ALONE if s.__name__ in wanted]
        live = [known[w] for w in wanted if known[w] not in alone]
        b = Bench(binary, keep=options.keep)
        try:
            for step in alone:
                step(binary, r, options.keep)
            if live:
                b.start()
                b.wait_streaming(60)
                for step in live:
                    run(step, b, r)
                checks_contract.verdict(b, r)
        finally:
            b.close()
    else:
        fleet(binary, r, options.keep)
        for step in ALONE:
            print(f"# {step.__name__}", flush=True)
            began = time.monotonic()
            step(binary, r, options.keep)
            print(f"# {step.__name__} took {time.monotonic() - began:.0f} s", flush=True)
    return r.finish()


if __name__ == "__main__":
    sys.exit(main())
