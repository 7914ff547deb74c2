#!/usr/bin/python3
"""Carries every sample into an InfluxDB 1.x; the gateway publishes lines for it with `lanes: { encodings: [json, lp] }`.

    ./influx.py 'http://localhost:8086/write?db=fleet&precision=u' spool.db

Nothing is lost: QoS 1 and a session that the broker keeps; a message is acknowledged when it is in the spool on disk, and
leaves that when InfluxDB has taken it. What comes twice is the same points twice, and InfluxDB keeps one of each.
"""
import sqlite3
import sys
import threading
import time
import urllib.error
import urllib.request

from broker import listen

if len(sys.argv) != 3:
    sys.exit(__doc__)
url, path = sys.argv[1:]
spool, lock = sqlite3.connect(path, check_same_thread=False), threading.Lock()
spool.execute("CREATE TABLE IF NOT EXISTS waiting (lines BLOB)")


def keep(message):
    with lock, spool:
        spool.execute("INSERT INTO waiting VALUES (?)", (message.payload,))


listen(["metafleet/board/+/lp/+"], keep, session="influx-example").loop_start()
while True:
    with lock:
        batch = spool.execute("SELECT rowid, lines FROM waiting ORDER BY rowid LIMIT 100").fetchall()
    try:
        if batch:
            urllib.request.urlopen(urllib.request.Request(url, b"".join(lines for _, lines in batch)), timeout=10).close()
            with lock, spool:
                spool.execute("DELETE FROM waiting WHERE rowid <= ?", (batch[-1][0],))
    except OSError as error:  # away, slow, or it refuses: kept, and tried again
        print(f"{error} {error.read().decode() if isinstance(error, urllib.error.HTTPError) else ''}", file=sys.stderr, flush=True)
        time.sleep(5)
    if len(batch) < 100:
        time.sleep(0.5)
