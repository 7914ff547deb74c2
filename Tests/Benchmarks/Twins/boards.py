"""What both Python twins share: boards behind inherited sockets, an event loop, paho on it, and the bill at the end."""
import asyncio
import json
import os
import resource
import socket
import struct
import time

import paho.mqtt.client as paho

FIRST, READY = 100, 99
UNPACK = struct.Struct("<9h").unpack_from
SPAN_US = 250_000
SCALE = 8192.0  # counts per g at 4 g


def processor():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


class Client:
    """paho without its thread: on the event loop, as its documentation shows."""

    def __init__(self, loop, port, name):
        self.loop = loop
        self.client = paho.Client(client_id=name, protocol=paho.MQTTv5)
        self.client.max_inflight_messages_set(100)
        self.client.on_socket_open = lambda c, u, s: loop.add_reader(s, c.loop_read)
        self.client.on_socket_close = lambda c, u, s: loop.remove_reader(s)
        self.client.on_socket_register_write = lambda c, u, s: loop.add_writer(s, c.loop_write)
        self.client.on_socket_unregister_write = lambda c, u, s: loop.remove_writer(s)
        self.client.connect("127.0.0.1", port)
        self.client.socket().setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)


class Board:
    """One board: packets in, batches out."""

    def __init__(self, twin, number):
        self.twin, self.number = twin, number
        self.id = f"c0ffee00{number + 1:04x}"
        self.socket = socket.socket(fileno=FIRST + number)
        self.socket.setblocking(False)
        self.samples, self.first, self.sequence = [], 0, 0
        self.record_topic = f"bench/board/{self.id}/record/acceleration"
        self.live_topic = f"bench/board/{self.id}/live/acceleration"
        self.live_due = 0

    def readable(self):
        packet = self.socket.recv(1024)
        if not packet:
            self.twin.loop.remove_reader(self.socket)
            self.flush()
            return self.twin.ended()
        if packet[0] != 0x03 or packet[1] != 0x1C or len(packet) != 20:
            return
        now = time.time_ns() // 1000
        v = UNPACK(packet, 2)
        for i in (0, 3, 6):
            # The three samples end at the arrival, 10 ms apart.
            stamp = now - (6 - i) * 3333
            if self.samples and (stamp - self.first > SPAN_US or len(self.samples) >= 500):
                self.flush()
            if not self.samples:
                self.first = stamp
            sample = {"ts_us": stamp, "ax_g": round(v[i] / SCALE, 5), "ay_g": round(v[i + 1] / SCALE, 5),
                      "az_g": round(v[i + 2] / SCALE, 5)}
            self.samples.append(sample)
            if self.twin.live_period and stamp >= self.live_due:
                self.live_due = stamp + self.twin.live_period
                self.live(sample)
        self.twin.received += 3

    def live(self, sample):
        self.twin.client.publish(self.live_topic, json.dumps({
            "ts_ms": sample["ts_us"] // 1000, "ax_g": sample["ax_g"], "ay_g": sample["ay_g"], "az_g": sample["az_g"],
            "seq": self.sequence + len(self.samples) - 1, "board": self.id, "stream": "acceleration", "gw": "bench",
        }, separators=(",", ":")), 0)

    def flush(self):
        if not self.samples:
            return
        count = len(self.samples)
        payload = json.dumps({
            "v": 1, "board": self.id, "stream": "acceleration", "gw": "bench", "origin": "stream",
            "session": self.twin.session, "boot": 1, "seq": self.sequence, "count": count, "gap_before": 0,
            "batch_id": f"{self.twin.session}.acceleration.{self.sequence}",
            "clock": {"source": "arrival", "err_ms": 100}, "samples": self.samples}, separators=(",", ":"))
        self.sequence += count
        self.samples = []
        self.twin.batch(self, payload, count)


class Twin:
    """A program of its kind; `batch` says what becomes of a finished one."""

    live_period = 0

    def __init__(self, port):
        self.loop = asyncio.new_event_loop()
        self.session = "01JDB8ZKQ4N8W2M6T5V7X9Z1AB"
        self.received = self.published = 0
        self.client = Client(self.loop, port, "twin").client
        self.boards = [Board(self, n) for n in range(int(os.environ["BENCH_BOARDS"]))]
        self.open = len(self.boards)
        self.finished = self.loop.create_future()

    def ended(self):
        self.open -= 1
        if self.open == 0:
            self.finished.set_result(None)

    async def drained(self):
        """Until everything has left."""

    async def work(self):
        await asyncio.sleep(0.5)
        for board in self.boards:
            self.loop.add_reader(board.socket, board.readable)
        start, clock = processor(), time.monotonic()
        os.write(READY, b"r")
        await self.finished
        await self.drained()
        used, wall = processor() - start, time.monotonic() - clock
        self.client.publish("bench/end", b"", 1)
        await asyncio.sleep(0.3)
        print(json.dumps({"cpu_s": used, "wall_s": wall, "samples": self.received, "published": self.published}))

    def run(self):
        self.loop.run_until_complete(self.work())
