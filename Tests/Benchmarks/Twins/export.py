"""Writes the archive of logs as CSV with what Python brings: sqlite3, struct and csv. The same columns and rows."""
import csv
import datetime
import json
import resource
import sqlite3
import struct
import sys

directory, output = sys.argv[1], sys.argv[2]
START = 1_763_671_000_000_000
ENTRY = struct.Struct("<BIhh")

usage = resource.getrusage(resource.RUSAGE_SELF)
before = usage.ru_utime + usage.ru_stime
database = sqlite3.connect(f"file:{directory}/metafleet.sqlite?mode=ro", uri=True)
samples = 0
with open(output, "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["time", "error_ms", "clock", "board", "session", "boot", "stream", "seq", "ax_g", "ay_g", "az_g"])
    for number, session, board, boot in database.execute("SELECT number, id, board, boot FROM log_session").fetchall():
        first = None
        for (entries,) in database.execute("SELECT entries FROM log_page WHERE session = ? ORDER BY position", (number,)):
            for head, tick, low, high in ENTRY.iter_unpack(entries):
                if head & 31 == 0:
                    first = (low / 8192, high / 8192)
                elif first:
                    time = datetime.datetime.fromtimestamp((START + tick * 48_000_000 // 32_768) / 1e6, datetime.timezone.utc)
                    writer.writerow([time.isoformat(), 20.0, "board-tick", board, session, boot, "acceleration", samples,
                                     round(first[0], 5), round(first[1], 5), round(low / 8192, 5)])
                    samples += 1
                    first = None
usage = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({"samples": samples, "cpu_s": usage.ru_utime + usage.ru_stime - before, "resident": usage.ru_maxrss * 1024}))
