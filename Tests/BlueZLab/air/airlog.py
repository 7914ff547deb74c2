"""The radio's log, on standard error."""
import sys
import time

level = 1


def log(importance, *parts):
    if importance <= level:
        print(f"[air {time.monotonic():9.3f}]", *parts, file=sys.stderr, flush=True)
