#!/usr/bin/env python3
"""Serves Sources/Web/Page with a fake building behind it, so that the page can be looked at without a gateway.

  Tests/Outsiders/page_server.py                      twenty boards, with trouble and hostile names
  Tests/Outsiders/page_server.py --boards 500         a large fleet, ten samples a second and stream
  Tests/Outsiders/page_server.py --empty              a gateway without boards
  Tests/Outsiders/page_server.py --silent --broker    nothing known yet, and the broker is down

It prints the address with the token in its fragment.
"""
import argparse
import hashlib
import json
import os
import queue
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from page_commands import Commands
from page_fleet import GATEWAY, ROOT, Fleet, stimuli

PAGE = os.path.join(ROOT, "Sources", "Web", "Page")
TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript"}
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
          "base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
TOKEN = "demo-token"


class Streams:
    """Readers of the event stream: documents, events and replies in order, of live samples the newest of each topic."""

    def __init__(self):
        self.lock, self.readers = threading.Lock(), []

    def say(self, kind, topic, payload):
        with self.lock:
            for reader in self.readers:
                reader.take(kind, topic, payload)

    def add(self, boards):
        reader = Reader(boards)
        with self.lock:
            self.readers.append(reader)
        return reader

    def remove(self, reader):
        with self.lock:
            self.readers.remove(reader)


class Reader:
    def __init__(self, boards):
        self.boards, self.waiting, self.live, self.lock = boards, queue.Queue(5000), {}, threading.Lock()

    def take(self, kind, topic, payload):
        text = f"event: {kind}\ndata: {json.dumps({'topic': topic, 'payload': payload})}\n\n"
        if kind != "live":
            try:
                self.waiting.put_nowait(text)
            except queue.Full:
                pass
        elif topic.split("/")[1] in self.boards:
            with self.lock:
                self.live[topic] = text

    def next(self):
        """What is there, or a comment when nothing came for long."""
        began = time.time()
        while time.time() - began < 15:
            parts = []
            while not self.waiting.empty():
                parts.append(self.waiting.get())
            with self.lock:
                parts += self.live.values()
                self.live = {}
            if parts:
                return "".join(parts)
            time.sleep(0.02)
        return ": still here\n\n"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, status, body, kind="application/json", **headers):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Type": f"{kind}; charset=utf-8", "Content-Length": str(len(data)), "Content-Security-Policy": POLICY,
                            "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store", **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def is_allowed(self):
        if self.headers.get("Authorization") == f"Bearer {self.server.token}" or self.server.token is None:
            return True
        self.send(401, {"error": "the token is missing or wrong"})
        return False

    def do_GET(self):
        url = urlsplit(self.path)
        query = {k: v[0] for k, v in parse_qs(url.query).items()}
        fleet, path = self.server.fleet, url.path
        if path == "/readyz":
            return self.send(503, b"broker: it is not connected; the gateway's log says why\n", "text/plain") if self.server.brokerless else self.send(200, b"ready\n", "text/plain")
        if not path.startswith("/api/"):
            return self.file(path)
        if not self.is_allowed():
            return None
        if path == "/api/documents":
            with fleet.lock:
                return self.send(200, dict(fleet.documents), X_MetaFleet_Gateway=GATEWAY)
        if path == "/api/verbs":
            return self.send(200, fleet.verbs + fleet.stimuli)
        if path == "/api/sessions":
            return self.send(200, fleet.sessions(query.get("board")))
        if path == "/api/events":
            with fleet.lock:
                return self.send(200, [e for e in fleet.past if e.get("board") == query.get("board")][:int(query.get("limit", 100))])
        if path == "/api/stream":
            return self.stream(set(query.get("live", "").split(",")))
        parts = path.split("/")
        if len(parts) == 5 and parts[2] == "session":
            return self.session(parts[3], parts[4], query)
        return self.send(404, {"error": "there is no such path"})

    def session(self, session, what, query):
        fleet = self.server.fleet
        if not any(entry["session"] == session for entry in fleet.sessions()):
            return self.send(404, {"error": "there is no such session"})
        if what == "plot":
            return self.send(200, fleet.plot(session, query["stream"], float(query.get("from_ms", 0)), float(query.get("to_ms", 0)), min(2000, int(query.get("buckets", 500)))))
        body = "ts_us,ax_g\n1,0.5\n" if what.endswith("csv") else '{"ts_us":1,"ax_g":0.5}\n'
        return self.send(200, body.encode(), "text/csv" if what.endswith("csv") else "application/x-ndjson", Content_Disposition=f'attachment; filename="{session}.{what[8:]}"')

    def stream(self, boards):
        reader = self.server.streams.add(boards)
        try:
            self.send_response(200)
            for name, value in (("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"), ("Connection", "close")):
                self.send_header(name, value)
            self.end_headers()
            self.close_connection = True
            while True:
                self.wfile.write(reader.next().encode())
                self.wfile.flush()
        except OSError:
            pass
        finally:
            self.server.streams.remove(reader)

    def file(self, path):
        name = "index.html" if path == "/" else path[1:]
        place = os.path.join(PAGE, name)
        if "/" in name or name.rsplit(".", 1)[-1] not in TYPES or not os.path.isfile(place):
            return self.send(404, {"error": "there is no such page"})
        with open(place, "rb") as file:
            data = file.read()
        tag = f'"{hashlib.sha256(data).hexdigest()[:16]}"'
        if self.headers.get("If-None-Match") == tag:
            self.send_response(304)
            self.send_header("ETag", tag)
            self.end_headers()
            return None
        return self.send(200, data, TYPES[name.rsplit(".", 1)[-1]], ETag=tag, Cache_Control="no-cache")

    def do_POST(self):
        size = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(min(size, 65_536))
        if self.path != "/api/command":
            return self.send(404, {"error": "there is no such path"})
        if self.headers.get("Content-Type") != "application/json" or self.headers.get("X-MetaFleet") != "1":
            return self.send(415, {"error": "a command is JSON, with the header X-MetaFleet"})
        if not self.is_allowed():
            return None
        request = json.loads(body)
        if self.server.fleet.stimuli and request["topic"] == "simulator/do":
            return self.send(200, {"answers": self.server.commands.simulate(request["payload"]["lines"])})
        verb = request["topic"].split("/")[-1]
        if any(known["verb"] == verb and not known["http"] for known in self.server.fleet.verbs):
            return self.send(403, {"error": f"{verb} is not allowed by the gateway's file"})
        self.server.commands.take(request["topic"], request["payload"])
        return self.send(202, {"id": request["payload"]["id"]})


def serve(port=0, boards=20, rate=10, token=TOKEN, empty=False, silent=False, brokerless=False, simulated=False):
    """A server that runs on threads of its own; `server_port` says where."""
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    server.streams, server.token, server.brokerless = Streams(), token, brokerless
    server.fleet = Fleet(boards, server.streams.say, rate, empty, silent)
    server.fleet.stimuli = stimuli() if simulated else []
    server.commands = Commands(server.fleet)

    def move():
        turn = 0
        while True:
            time.sleep(1 / rate)
            turn += 1
            server.fleet.live()
            if turn % (4 * rate) == 0:
                server.fleet.trouble()

    for work in (server.serve_forever, move):
        threading.Thread(target=work, daemon=True).start()
    return server


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=28080)
    parser.add_argument("--boards", type=int, default=20)
    parser.add_argument("--rate", type=int, default=10, help="live samples a second of each stream")
    parser.add_argument("--open", action="store_true", help="ask for no token")
    parser.add_argument("--empty", action="store_true", help="a gateway without boards")
    parser.add_argument("--silent", action="store_true", help="no gateway has said anything yet")
    parser.add_argument("--broker", action="store_true", help="the broker is down")
    parser.add_argument("--simulated", action="store_true", help="boards can be pressed and shaken, as in the demo")
    options = parser.parse_args()
    server = serve(options.port, options.boards, options.rate, None if options.open else TOKEN, options.empty, options.silent, options.broker, options.simulated)
    print(f"http://127.0.0.1:{server.server_port}/" + ("" if options.open else f"#token={TOKEN}"), flush=True)
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
