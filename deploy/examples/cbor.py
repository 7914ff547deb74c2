#!/usr/bin/python3
"""Prints every batch of the lane `cbor` as JSON; the gateway publishes it with `lanes: { encodings: [json, cbor] }`.

    ./cbor.py acceleration
"""
import json
import struct
import sys

from broker import listen

if len(sys.argv) != 2:
    sys.exit(__doc__)


def decode(data, at=0):
    """As much of CBOR (RFC 8949) as a batch has: the value at a place, and the place behind it."""
    kind, size, at = data[at] >> 5, data[at] & 31, at + 1
    width = 1 << (size - 24) if size >= 24 else 0
    argument, at = data[at:at + width], at + width
    if kind == 7:  # false and true; numbers with a fraction
        return (struct.unpack({2: ">e", 4: ">f", 8: ">d"}[width], argument)[0] if width else size == 21), at
    number = int.from_bytes(argument, "big") if width else size
    if kind in (0, 1):
        return (number if kind == 0 else -1 - number), at
    if kind == 3:
        return data[at:at + number].decode(), at + number
    items = []
    for _ in range(number * (1 if kind == 4 else 2)):  # a list; a map is keys and values in turn
        item, at = decode(data, at)
        items.append(item)
    return (items if kind == 4 else dict(zip(items[::2], items[1::2]))), at


def show(message):
    print(json.dumps(decode(message.payload)[0]), flush=True)


listen([f"metafleet/board/+/cbor/{sys.argv[1]}"], show).loop_forever()
