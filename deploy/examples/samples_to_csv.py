#!/usr/bin/python3
"""Writes every sample of a stream to a file of its own: microseconds since 1970, board, number, fields.

    ./samples_to_csv.py acceleration samples.csv
"""
import csv
import json
import sys

from broker import listen

if len(sys.argv) != 3:
    sys.exit(__doc__)
stream, path = sys.argv[1:]
output = open(path, "x", newline="")  # an existing file is not overwritten
table, fields, seen = csv.writer(output), [], set()


def write(message):
    batch = json.loads(message.payload)
    if batch["batch_id"] in seen:  # QoS 1 may bring a batch twice, with the same id
        return
    seen.add(batch["batch_id"])
    if not fields:
        fields.extend(key for key in batch["samples"][0] if key != "ts_us")
        table.writerow(["ts_us", "board", "seq", *fields])
    for number, sample in enumerate(batch["samples"], batch["seq"]):
        table.writerow([sample["ts_us"], batch["board"], number, *(sample[key] for key in fields)])
    output.flush()


# What is streamed and what was logged; while this program is away, the broker keeps it under the session's name.
lanes = [f"metafleet/board/+/{lane}/{stream}" for lane in ("record", "log")]
listen(lanes, write, session=f"csv-{stream}").loop_forever()
