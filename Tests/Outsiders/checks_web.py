"""What may be read and commanded over HTTP, by whom, and whether it is the same as over MQTT."""
import json
import os
import re
import subprocess
import time

from bench import Client, until

TOKEN = "6f1d6d7b9a52bc3d70d95061f1ceaf2e"


class Stream:
    """Reads an event stream until it has what is awaited."""

    def __init__(self, web, query="", more=""):
        self.connection, self.text = web.connect(20), b""
        self.connection.sendall(f"GET /api/stream{query} HTTP/1.1\r\nHost: localhost\r\n{more}\r\n".encode())
        self.head = self.until(b":\n\n").partition(b"\r\n\r\n")[0].decode("latin-1")

    def until(self, mark, limit=20):
        end = time.monotonic() + limit
        while mark not in self.text and time.monotonic() < end:
            try:
                piece = self.connection.recv(65536)
            except OSError:
                break
            if not piece: break
            self.text += piece
        return self.text

    def events(self, kind=None):
        """(kind, topic, payload) of all that has come; sizes of chunks stand between them."""
        found = re.findall(rb"event: (\w+)\n(?:\r?\n?[0-9a-f]+\r\n)?data: (\{.*\})\n", self.text)
        return [(k.decode(), v["topic"], v["payload"]) for k, d in found for v in [json.loads(d)] if kind in (None, k.decode())]

    def wait(self, condition, limit=20):
        end = time.monotonic() + limit
        self.connection.settimeout(0.5)
        while time.monotonic() < end:
            found = next((e for e in self.events() if condition(e)), None)
            if found: return found
            try:
                piece = self.connection.recv(65536)
                if not piece: return None
                self.text += piece
            except TimeoutError:
                pass
        return None

    def close(self):
        self.connection.close()


def send(web, body, **headers):
    """A command; a header of None is left out. Status and what was answered."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    all = {"Content-Type": "application/json", "X-MetaFleet": "1", "Authorization": f"Bearer {TOKEN}", "Content-Length": str(len(data))}
    all.update({name.replace("_", "-"): value for name, value in headers.items()})
    lines = "".join(f"{name}: {value}\r\n" for name, value in all.items() if value is not None)
    answer = web.raw(f"POST /api/command HTTP/1.1\r\nHost: localhost\r\n{lines}\r\n".encode() + data)
    head, _, rest = answer.partition(b"\r\n\r\n")
    status = int(head.split(b" ")[1]) if head.startswith(b"HTTP/1.1 ") else 0
    try:
        return status, json.loads(rest)
    except ValueError:
        return status, rest


def documents(b):
    status, headers, body = b.web.ask("/api/documents")
    if headers.get("transfer-encoding"): raise ValueError("a page has a size")
    return status, json.loads(body)


def same(b, r):
    """What HTTP tells is what the broker retains."""
    def differences():
        late, retained = Client(b.port, None, "outsider-web", (b.base + "/#",), persistent=False).start(), {}
        late.subscribed.wait(10)
        time.sleep(1)
        _, said = documents(b)
        for message in late.since(0):
            if message[4] and message[2]: retained[message[1].removeprefix(b.base + "/")] = json.loads(message[2])
        late.stop()
        # Health and its like change by the second, and the broker's number of the birth is its own.
        wrong = [t for t in retained if t not in said] + [t for t in said if t not in retained]
        return wrong + [t for t in retained if t.endswith(("/info", "/config", "/led")) and said.get(t) != retained[t]]
    r.check("documents over HTTP are those that the broker retains", until(15, lambda: not differences(), 1), "no difference", differences()[:5])
    status, _, body = b.web.ask("/api/verbs")
    verbs = json.loads(body)
    r.check("verbs are listed with schemas", status == 200 and {"led", "identify", "sessions-delete"} <= {v["verb"] for v in verbs} and all("schema" in v for v in verbs))
    r.equal("each says whether it may be sent here", {v["verb"] for v in verbs if v["http"] is not True}, {"raw", "factory-reset", "firmware-update", "firmware-abort", "firmware-rollout", "rollout-resume", "bootloader"})
    r.equal("nothing is offered that can be done to simulated boards alone", [v["verb"] for v in verbs if v["for"] not in ("board", "group", "gateway")], [])
    events(b, r)
    status, _, body = b.web.ask("/api/sessions")
    r.check("sessions are an array", status == 200 and isinstance(json.loads(body), list), "array", (status, body[:100]))


def events(b, r):
    """The latest of a board, as the command lists them, the other way round."""
    def both():
        """Asked until nothing happens in between."""
        done = subprocess.run([b.binary, "events", "--board", b.ids[0], "--limit", "5", "--json", "--config", b.path("metafleet.yaml")], capture_output=True, text=True, timeout=60,
                              env={k: v for k, v in os.environ.items() if not k.startswith("METAFLEET_")})
        status, _, body = b.web.ask(f"/api/events?board={b.ids[0]}&limit=5")
        listed = [json.loads(line) for line in done.stdout.splitlines()][::-1]
        return (status, listed, json.loads(body)) if listed else None
    seen = until(15, lambda: (found := both()) and found[1] == found[2] and found, 0.5)
    r.check("events of a board are those that the command lists, the newest first", seen and seen[0] == 200, "the same", seen or both())
    status, _, body = b.web.ask("/api/events")
    r.check("events of the gateway are of no board", status == 200 and all(e.get("gw") == b.gateway for e in json.loads(body)), "the gateway's", (status, body[:200]))
    r.equal("events of nobody are refused", b.web.status("/api/events?board=pump"), 400)


def commands(b, r):
    topic, board = f"board/{b.ids[0]}/cmd/identify", b.ids[0]
    body = {"topic": topic, "payload": {"id": "web-1"}}
    for name, wanted, headers in (
            ("no token", 401, {"Authorization": None}), ("a token wrong by one byte", 401, {"Authorization": f"Bearer {TOKEN[:-1]}0"}),
            ("half a token", 401, {"Authorization": f"Bearer {TOKEN[:16]}"}), ("an empty token", 401, {"Authorization": "Bearer "}),
            ("no header of its own", 400, {"X_MetaFleet": None}), ("a form", 415, {"Content_Type": "application/x-www-form-urlencoded"}),
            ("text", 415, {"Content_Type": "text/plain"}), ("a page of somebody else", 403, {"Origin": "http://evil.example.com"}),
            ("no page at all", 403, {"Origin": "null"}), ("another port", 403, {"Origin": "http://localhost:1"}),
            ("a browser for somebody else", 403, {"Sec_Fetch_Site": "cross-site"}), ("the same site", 403, {"Sec_Fetch_Site": "same-site"})):
        # What is wrong with a token counts for its address, which may be wrong five times a minute.
        status, _ = send(b.web, body, **headers)
        r.equal(f"a command with {name}", status, wanted)
    r.equal("a command that is no JSON", send(b.web, b"{")[0], 400)
    r.equal("a command too large", send(b.web, b"x" * 70_000)[0], 413)
    r.equal("a command for nobody", send(b.web, {"topic": "board/c0ffee0fffff/cmd/identify", "payload": {"id": "web-0"}})[0], 404)
    r.equal("what is for simulated boards", send(b.web, {"topic": "simulator/do", "payload": {"lines": "press 1"}})[0], 404)
    r.equal("raw is not for pages", send(b.web, {"topic": f"board/{board}/cmd/raw", "payload": {"id": "web-raw", "args": {}}})[0], 403)
    stream = Stream(b.web)
    r.check("the stream is one", "200" in stream.head.split("\r\n")[0] and "text/event-stream" in stream.head, "text/event-stream", stream.head)
    status, answer = send(b.web, body, Origin="http://localhost", Sec_Fetch_Site="same-origin")
    r.equal("a command", (status, answer), (202, {"id": "web-1"}))
    final = stream.wait(lambda e: e[0] == "reply" and e[2]["id"] == "web-1" and e[2]["stage"] in ("done", "failed"))
    r.check("its answer comes on the stream", final and final[1] == f"board/{board}/reply/identify", "reply", final)
    told = b.client.wait(20, b.topic(1, "reply", "identify"), lambda v: v["id"] == "web-1" and v["stage"] in ("done", "failed"))
    r.check("and on the broker, the same", told and final and told == final[2], "the same", (told, final))
    stages = [e[2]["stage"] for e in stream.events("reply") if e[2]["id"] == "web-1"]
    r.equal("its stages", stages, ["accepted", "sent", "done"])
    r.equal("the same id again is the same command", send(b.web, body), (202, {"id": "web-1"}))
    again = stream.wait(lambda e: e[0] == "reply" and e[2]["id"] == "web-1" and "duplicate" in json.dumps(e[2]))
    r.check("which is not carried out twice", again, "a duplicate", [e[2] for e in stream.events("reply")][-2:])
    stream.close()
    _, trail, _ = b.tool("audit", "--json", "--config", b.path("metafleet.yaml"))
    rows = [json.loads(line) for line in trail.splitlines()]
    own = next((row for row in rows if row["id"] == "web-1"), {})
    r.equal("the audit trail says how it came", own.get("sender"), [{"name": "origin", "value": "http"}, {"name": "peer", "value": "127.0.0.1"}])


def live(b, r):
    stream = Stream(b.web, f"?live={b.ids[1]}")
    sample = stream.wait(lambda e: e[0] == "live")
    r.check("live samples of the board that is named", sample and sample[1].startswith(f"board/{b.ids[1]}/live/"), b.ids[1], sample)
    time.sleep(2)
    stream.until(b"never", 1)
    r.check("and of no other", {e[1].split("/")[1] for e in stream.events("live")} == {b.ids[1]}, b.ids[1], {e[1] for e in stream.events("live")})
    stream.close()
    streams = [Stream(b.web) for _ in range(16)]
    r.equal("sixteen watch", [s.head.split(" ")[1] for s in streams], ["200"] * 16)
    r.equal("the seventeenth does not", b.web.status("/api/stream"), 503)
    for stream in streams: stream.close()
    r.check("who has left makes room", until(10, lambda: opened(b.web)), "a stream")


def opened(web):
    connection = web.connect(5)
    connection.sendall(b"GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
    answer = connection.recv(100)
    connection.close()
    return answer.startswith(b"HTTP/1.1 200")


def handed_on(b, r):
    for header in ("Forwarded: for=127.0.0.1", "X-Forwarded-For: 127.0.0.1", "X-Forwarded-Host: localhost"):
        for path in ("/status", "/api/documents", "/api/stream", "/api/sessions", "/api/verbs"):
            r.equal(f"{path} handed on by {header.split(':')[0]}", b.web.status(path, more=header + "\r\n"), 401)
            if path != "/api/stream":
                r.equal(f"{path}, with the token", b.web.status(path, more=f"{header}\r\nAuthorization: Bearer {TOKEN}\r\n"), 200)
        r.check(f"no names on /metrics by {header.split(':')[0]}", b"Board 2" not in b.web.ask("/metrics", more=header + "\r\n")[2])


def guesses(b, r):
    """The last: this address may say no token any more for a minute."""
    statuses = [b.web.status("/api/verbs", more=f"Authorization: Bearer {'x' * n}\r\n") for n in range(100)]
    r.check("of a hundred wrong tokens few are looked at", set(statuses) <= {401, 429} and statuses.count(401) <= 5 and statuses[-1] == 429, "5 of 401", statuses[:8])
    r.equal("then not even the right one", b.web.status("/api/verbs", more=f"Authorization: Bearer {TOKEN}\r\n"), 429)
    r.equal("who says nothing reads on", b.web.status("/api/verbs"), 200)


def without_broker(b, r):
    """While there is none."""
    status, said = documents(b)
    r.check("documents without a broker", status == 200 and f"board/{b.ids[0]}/state" in said and f"gateway/{b.gateway}/info" in said, "all", (status, sorted(said)[:5]))
    stream = Stream(b.web, f"?live={b.ids[1]}")
    r.check("live samples without a broker", stream.wait(lambda e: e[0] == "live"))
    stream.close()
