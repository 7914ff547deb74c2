#!/usr/bin/python3
"""Prints a value as it is measured: the board, seconds since 1970, the value. At most ten a second come on the live lane.

    ./watch.py acceleration az_g                             of every board
    ./watch.py temperature-die temperature_c c0ffee000001    of one
"""
import json
import sys

from broker import listen

if len(sys.argv) not in (3, 4):
    sys.exit(__doc__)
stream, field = sys.argv[1:3]
board = sys.argv[3] if len(sys.argv) > 3 else "+"


def show(message):
    sample = json.loads(message.payload)
    print(sample["board"], sample["ts_ms"] / 1000, sample[field], flush=True)


listen([f"metafleet/board/{board}/live/{stream}"], show).loop_forever()
