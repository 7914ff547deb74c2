#!/usr/bin/python3
"""Judges `metafleet run` from outside: a fake BlueZ below it, an MQTT client above it, the documents between."""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

import checks_alarms
import checks_commands
import checks_contract
import checks_doctor
import checks_encodings
import checks_events
import checks_examples
import checks_faults
import checks_gone
import checks_homeassistant
import checks_kept_streams
import checks_kills
import checks_oddities
import checks_plans
import checks_programs
import checks_radio
import checks_recordings
import checks_reference
import checks_registers
import checks_repeats
import checks_retained
import checks_storage
import checks_time
import checks_upkeep
from bench import Bench, Report, die_with_parent, end_cleanly_on_signals


def fleet(binary, r, keep):
    """A fleet of 20 that runs through everything in one life."""
    b = Bench(binary, keep=keep)
    try:
        b.start()
        steps = [checks_contract.quiet_fleet, checks_contract.events, checks_contract.retained_tree, checks_commands.verbs,
                 checks_commands.streams, checks_commands.refusals, checks_commands.retained_commands, checks_commands.once,
                 checks_commands.batches, checks_commands.comfort, checks_programs.outputs, checks_programs.buses, checks_programs.lists, checks_programs.chains, checks_programs.programs, checks_programs.settings, checks_commands.life, checks_commands.gateway_verbs,
                 *checks_upkeep.ALL, *checks_faults.LIVE]
        for step in steps:
            run(step, b, r)
        run(checks_faults.clean_stop, b, r)
        # Behind the stop: to go through all that was published takes seconds, and what came meanwhile would be late.
        checks_contract.verdict(b, r)
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


# Each has a gateway of its own. They wait more than they work, so that two lines of them, about as long, run beside the fleet.
LINES = [
    checks_faults.ALONE + checks_repeats.ALONE + checks_kills.ALONE + checks_radio.ALONE + checks_events.ALONE + checks_registers.ALONE
    + checks_oddities.ALONE + checks_time.ALONE,
    checks_storage.ALONE + checks_encodings.ALONE + checks_homeassistant.ALONE + checks_plans.ALONE + checks_gone.ALONE + checks_doctor.ALONE
    + checks_alarms.ALONE + checks_kept_streams.ALONE + checks_recordings.ALONE + checks_examples.ALONE + checks_reference.ALONE + checks_retained.ALONE,
]
ALONE = [check for line in LINES for check in line]


def alone(checks, binary, r, keep):
    for check in checks:
        print(f"# {check.__name__}", flush=True)
        began = time.monotonic()
        check(binary, r, keep)
        print(f"# {check.__name__} took {time.monotonic() - began:.0f} s", flush=True)


def beside(checks, binary, keep):
    """Begins them in a process of their own; returns what waits for it and takes in what it found."""
    output = tempfile.TemporaryFile("w+")
    command = [sys.executable, __file__, "--binary", binary, "--only", ",".join(c.__name__ for c in checks)] + ["--keep"] * keep
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, preexec_fn=die_with_parent)

    def finish(r):
        process.wait()
        output.seek(0)
        *lines, last = output.read().splitlines() or [""]
        print("\n".join(lines), flush=True)
        found = re.fullmatch(r"(\d+) passed, (\d+) failed", last)
        if r.check("the checks beside run to their end", found, "a count", last):
            r.passed, r.failed = r.passed + int(found[1]), r.failed + int(found[2])
    return finish


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
        modules = (
            checks_alarms, checks_contract, checks_commands, checks_doctor, checks_encodings, checks_events, checks_examples, checks_faults, checks_gone, checks_homeassistant, checks_kept_streams,
            checks_kills, checks_oddities, checks_plans, checks_programs, checks_radio, checks_recordings, checks_reference, checks_registers, checks_repeats, checks_retained, checks_storage, checks_time,
            checks_upkeep)
        known = {f.__name__: f for m in modules for f in vars(m).values() if callable(f)}
        wanted = options.only.split(",")
        unknown = [w for w in wanted if w not in known]
        if unknown:
            parser.error(f"no check is named {', '.join(unknown)}: --only takes names of functions of checks_*.py")
        live = [known[w] for w in wanted if known[w] not in ALONE]
        b = Bench(binary, keep=options.keep)
        try:
            alone([s for s in ALONE if s.__name__ in wanted], binary, r, options.keep)
            if live:
                b.start()
                b.wait_streaming(60)
                for step in live:
                    run(step, b, r)
                checks_contract.verdict(b, r)
        finally:
            b.close()
    else:
        others = [beside(line, binary, options.keep) for line in LINES]
        fleet(binary, r, options.keep)
        for finish in others:
            finish(r)
    return r.finish()


if __name__ == "__main__":
    sys.exit(main())
