#!/usr/bin/python3
"""The same with the durable lane: live samples capped at 10 Hz with QoS 0, batches through an SQLite outbox that is
synced before QoS 1 publishing and marked after the acknowledgement: durable.py PORT DATABASE"""
import asyncio
import sqlite3
import sys

from boards import Twin


class Durable(Twin):
    live_period = 100_000

    def __init__(self, port, path):
        super().__init__(port)
        self.database = sqlite3.connect(path, isolation_level=None)
        self.database.execute("PRAGMA journal_mode=WAL")
        self.database.execute("PRAGMA synchronous=FULL")
        self.database.execute("CREATE TABLE outbox (id INTEGER PRIMARY KEY, topic TEXT, payload BLOB, samples INT, delivered INT)")
        self.pending, self.confirmed, self.under_way, self.last = [], [], {}, 0
        self.client.on_publish = self.acknowledged
        self.loop.call_later(0.25, self.beat)

    def batch(self, board, payload, count):
        self.pending.append((board.record_topic, payload, count))

    def acknowledged(self, client, userdata, mid):
        found = self.under_way.pop(mid, None)
        if found:
            self.confirmed.append((found[0],))
            self.published += found[1]

    def beat(self):
        """Four commits a second: what is new goes in, what was acknowledged is marked."""
        self.loop.call_later(0.25, self.beat)
        new, self.pending = self.pending, []
        confirmed, self.confirmed = self.confirmed, []
        if not new and not confirmed:
            return
        rows = []
        self.database.execute("BEGIN")
        for topic, payload, count in new:
            self.last += 1
            rows.append((self.last, topic, payload, count))
        self.database.executemany("INSERT INTO outbox VALUES (?, ?, ?, ?, 0)", rows)
        self.database.executemany("UPDATE outbox SET delivered = 1 WHERE id = ?", confirmed)
        self.database.execute("COMMIT")
        for number, topic, payload, count in rows:
            self.under_way[self.client.publish(topic, payload, 1).mid] = (number, count)

    async def drained(self):
        while self.pending or self.confirmed or self.under_way:
            await asyncio.sleep(0.05)


Durable(int(sys.argv[1]), sys.argv[2]).run()
