"""A TCP proxy between a client and an MQTT broker that misbehaves on request: cuts, swallows, slows down, slices, delays, stays silent,
drops acknowledgements, refuses subscriptions. It reads MQTT only as far as that needs."""
import queue
import socket
import threading
import time

PUBACK, SUBSCRIBE, SUBACK = 4, 8, 9
CONNECT = 1


def integer(data, at):
    """A variable byte integer (MQTT 5, 1.5.5): its value and where it ends; None where it is not all there."""
    value = shift = 0
    while at < len(data):
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at
    return None


class Packets:
    """Whole packets out of a stream of bytes."""

    def __init__(self):
        self.rest = b""

    def take(self, data):
        self.rest += data
        while len(self.rest) > 1:
            length = integer(self.rest, 1)
            if not length or len(self.rest) < length[0] + length[1]:
                return
            packet, self.rest = self.rest[:length[0] + length[1]], self.rest[length[0] + length[1]:]
            yield packet, length[1]


class Late:
    """A socket whose bytes leave so many seconds later, in pieces of so many bytes, each a packet of its own."""

    def __init__(self, sink, seconds, size):
        self.sink, self.seconds, self.size = sink, seconds, size
        self.queue = queue.SimpleQueue()
        sink.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=self.run, daemon=True).start()

    def sendall(self, data):
        self.queue.put((time.monotonic() + self.seconds, data))

    def close(self):
        self.queue.put((0, None))

    def run(self):
        while True:
            due, data = self.queue.get()
            if data is None:
                return
            time.sleep(max(0, due - time.monotonic()))
            try:
                for start in range(0, len(data), self.size):
                    self.sink.sendall(data[start:start + self.size])
            except OSError:
                return


class Proxy:
    def __init__(self, port):
        self.broker = port
        self.cut_after = None       # bytes of the client, then the connection is reset
        self.silent = False         # connections are taken, and nobody answers
        self.refuse = set()         # filters that are not granted
        self.drop_acknowledgements = False
        self.bytes_per_second = None
        self.late = None            # of connections from now on: seconds each way, and the bytes of a piece
        self.connects = []          # when each CONNECT came, and its client id
        self.open = []
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=16)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        if self.silent:
            with self.lock:
                self.open.append((client, client, {}))
            return
        try:
            broker = socket.create_connection(("127.0.0.1", self.broker), 5)
            broker.settimeout(None)
        except OSError:
            client.close()
            return
        asked = {}  # filters by packet identifier, and whether the connection is dead
        with self.lock:
            self.open.append((client, broker, asked))
        threading.Thread(target=self.pump, args=(broker, client, self.down, asked), daemon=True).start()
        self.pump(client, broker, self.up, asked)

    def pump(self, source, sink, change, asked):
        packets, passed = Packets(), 0
        out_of = Late(sink, *self.late) if self.late else None
        try:
            while True:
                data = source.recv(16384)
                if "dead" in asked:
                    return
                if not data:
                    break
                out = b"".join(change(p, at, asked) for p, at in packets.take(data))
                limit = self.cut_after
                if limit is not None and change == self.up and passed + len(out) > limit:
                    sink.sendall(out[:max(0, limit - passed)])
                    source.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
                    break
                passed += len(out)
                self.send(out_of or sink, out)
        except OSError:
            pass
        if out_of:
            out_of.close()
        if "dead" in asked:
            return
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()

    def send(self, sink, data):
        rate = self.bytes_per_second
        if not rate:
            return sink.sendall(data)
        for start in range(0, len(data), 512):
            sink.sendall(data[start:start + 512])
            time.sleep(len(data[start:start + 512]) / rate)

    def up(self, packet, at, asked):
        kind = packet[0] >> 4
        # The gateway tries TLS where a line breaks at once: no such bytes are packets, whatever they look like.
        if not asked.setdefault("is MQTT", packet[0] == CONNECT << 4):
            return packet
        if packet[0] == CONNECT << 4:
            self.connects.append((time.monotonic(), self.client_id(packet, at)))
        if kind == SUBSCRIBE:
            properties, start = integer(packet, at + 2)
            start += properties
            size = int.from_bytes(packet[start:start + 2], "big")
            asked[packet[at:at + 2]] = packet[start + 2:start + 2 + size].decode()
        return packet

    def down(self, packet, at, asked):
        kind = packet[0] >> 4
        if kind == PUBACK and self.drop_acknowledgements:
            return b""
        if kind == SUBACK and asked.get(packet[at:at + 2]) in self.refuse:
            return packet[:-1] + b"\x87"
        return packet

    @staticmethod
    def client_id(packet, at):
        at += 10  # MQTT, 5, flags, keep-alive
        properties, at = integer(packet, at)
        at += properties
        size = int.from_bytes(packet[at:at + 2], "big")
        return packet[at + 2:at + 2 + size].decode()

    def swallow(self):
        """Of the connections that are there nothing comes through any more, in either direction."""
        with self.lock:
            for _, _, asked in self.open:
                asked["dead"] = True

    def reset(self):
        """All connections that are there end as by a reset."""
        with self.lock:
            connections, self.open = self.open, []
        for client, broker, _ in connections:
            for end in (client, broker):
                try:
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
                    end.shutdown(socket.SHUT_RDWR)
                    end.close()
                except OSError:
                    pass

    def close(self):
        self.listener.close()
        self.reset()
