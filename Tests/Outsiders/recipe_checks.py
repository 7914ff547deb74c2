#!/usr/bin/python3
"""Plays recipes on simulated boards of each model, by commands over MQTT alone, and asks for all that the vendor's SDKs do with a board, item by item: what
the boards did is in their simulator's recording, what came of it in the topics. deploy/docs/sdk-coverage.md is the list."""
import argparse
import os
import sys
import threading
import time
import traceback

import recipes
import sdk_list
from bench import end_cleanly_on_signals, until
from recipe_bench import Played, RecipeBench, SafeReport

THREE = ["s", "rl", "r"]


def guarded(board, work):
    """A judge that stumbles has failed, and the others go on."""
    began = time.monotonic()
    try:
        work(board)
        print(f"# {board.model}: {work.__name__} {time.monotonic() - began:.1f} s", flush=True)
    except Exception:
        board.r.check(f"{board.model}: {work.__name__}", False, "no exception", traceback.format_exc())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    parser.add_argument("--only", default="", help="recipes, with commas between, or: list")
    parser.add_argument("--keep", action="store_true", help="leave logs and state behind")
    options = parser.parse_args()
    end_cleanly_on_signals()
    r, began = SafeReport(), time.monotonic()
    chosen = [x for x in recipes.ALL if not options.only or x.__name__ in options.only.split(",")]
    whole = not options.only or options.only == "list"
    # Three boards that play recipes, six that are asked for the list, and one with humidity.
    work = [(m, chosen) for m in THREE] + ([(m, [x]) for x in (sdk_list.inside, sdk_list.sensors) for m in THREE] + [("rh", [sdk_list.humidity])] if whole else [])
    models = [m for m, _ in work]
    bench = RecipeBench(os.path.abspath(options.binary), models, options.keep)
    try:
        first = bench.start()
        r.equal("there are boards of all models", [x["model"] for x in first.get("boards", [])], models)
        boards = [Played(bench, r, n, m) for n, m in enumerate(models, 1)]
        r.check("all boards are connected", until(60, lambda: all(b.online() for b in boards)), "online")
        threads = [threading.Thread(target=lambda b=b, w=w: [guarded(b, x) for x in w]) for b, (_, w) in zip(boards, work)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
    finally:
        bench.close()
    print(f"# {time.monotonic() - began:.0f} s")
    return r.finish()


if __name__ == "__main__":
    sys.exit(main())
