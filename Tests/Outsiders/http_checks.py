#!/usr/bin/python3
"""Judges what `metafleet run` serves over HTTP: metrics against the documents on MQTT, and how it takes bad company.

A fake BlueZ and a broker below, a client of bare sockets above; the parser of Prometheus' text format is our own. With --prometheus a real
Prometheus scrapes it as well, with the files of dashboards/prometheus, and answers every query of dashboards and rules; its promtool judges page and files.
"""
import argparse
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import time

import checks_web
from bench import Bench, Report, end_cleanly_on_signals, free_port, until
from prometheus_queries import dashboard_queries

PAGES = ("/metrics", "/healthz", "/readyz", "/status", "/style.css")
EVIL = "<img src=x onerror=alert(1)>"
# Contract: at most so many boards have series of their own, and the page is no larger, and no slower, than this.
MOST_BOARDS, MOST_BYTES, MOST_SECONDS = 1000, 2_000_000, 5


class Web:
    """Requests to one address, each on a connection of its own."""

    def __init__(self, port):
        self.port = port

    def connect(self, timeout=10):
        return socket.create_connection(("127.0.0.1", self.port), timeout)

    @staticmethod
    def read(connection, limit=50_000_000):
        """All there is until the other end closes."""
        data = b""
        try:
            while len(data) < limit:
                piece = connection.recv(65536)
                if not piece:
                    break
                data += piece
        except OSError:
            pass
        return data

    def raw(self, data, timeout=10):
        with self.connect(timeout) as connection:
            try:
                connection.sendall(data)
            except OSError:
                pass  # it may have answered and closed in the middle
            return self.read(connection)

    def ask(self, path, host="localhost", method="GET", more=""):
        """Status, headers with names in lower case, body."""
        return parsed(self.raw(f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n".encode()))

    def status(self, *arguments, **options):
        return self.ask(*arguments, **options)[0]


def parsed(answer):
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    match = re.fullmatch(r"HTTP/1\.[01] (\d{3}) .*", first)
    if not match:
        return 0, {}, body
    return int(match[1]), {k.lower(): v.strip() for k, v in (line.split(":", 1) for line in lines if ":" in line)}, body


# Prometheus' text format 0.0.4.

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
SAMPLE = re.compile(rf"({NAME})(?:\{{(.*)\}})? (\S+)")
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)')


def labels_of(text):
    found, position = {}, 0
    while position < len(text):
        match = LABEL.match(text, position)
        if not match or match[1] in found:
            return None
        found[match[1]] = re.sub(r'\\(.)', lambda m: "\n" if m[1] == "n" else m[1], match[2])
        position = match.end()
    return found


def exposition(text):
    """Families {name: (kind, {labels: value})}, and what is wrong with the text."""
    families, wrong, now = {}, [], None
    if not text.endswith("\n"):
        wrong.append("no line break at the end")
    for line in text.split("\n")[:-1]:
        if line.startswith("# HELP "):
            name = line.split(" ", 3)[2]
            if name in families: wrong.append(f"{name} twice")
            if len(line.split(" ", 3)) < 4: wrong.append(f"{name} without help")
            families[name], now = [None, {}], name
        elif line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            if name != now or families[name][1]: wrong.append(f"TYPE of {name} is not behind its HELP")
            if kind not in ("counter", "gauge", "histogram"): wrong.append(f"{name} is a {kind}")
            families.setdefault(name, [None, {}])[0] = kind
        else:
            match = SAMPLE.fullmatch(line)
            labels = labels_of(match[2] or "") if match else None
            if labels is None:
                wrong.append(f"not a sample: {line[:100]}")
                continue
            try:
                value = float(match[3])
            except ValueError:
                wrong.append(f"not a number: {line[:100]}")
                continue
            kind = families.get(now, [None])[0]
            parts = {f"{now}_bucket", f"{now}_sum", f"{now}_count"} if kind == "histogram" else {now}
            if match[1] not in parts: wrong.append(f"{match[1]} stands below {now}")
            key = (match[1], tuple(sorted(labels.items())))
            if now is None: continue
            if key in families[now][1]: wrong.append(f"{key} twice")
            families[now][1][key] = value
    for name, (kind, samples) in families.items():
        if kind is None or not samples: wrong.append(f"{name} has no type or no sample")
        if (kind == "counter") != name.endswith("_total"): wrong.append(f"{name} is a {kind}")
        if kind == "counter" and min(samples.values(), default=0) < 0: wrong.append(f"{name} is below 0")
        if kind == "histogram": wrong += histogram(name, samples)
    return families, wrong


def histogram(name, samples):
    buckets = sorted((float(dict(labels)["le"]), value) for (part, labels), value in samples.items() if part == name + "_bucket")
    counts, total, count = [v for _, v in buckets], samples.get((name + "_sum", ())), samples.get((name + "_count", ()))
    wrong = []
    if not buckets or buckets[-1][0] != float("inf") or buckets[-1][1] != count: wrong.append(f"{name}: +Inf is not the count")
    if counts != sorted(counts): wrong.append(f"{name}: buckets fall")
    if total is None or total < 0: wrong.append(f"{name}: sum {total}")
    # Each value lies between the bounds of its bucket.
    least = sum((c - p) * low for (low, p), (_, c) in zip([(0, 0)] + buckets, buckets) if c > p)
    if total is not None and total < least - 1e-6: wrong.append(f"{name}: sum {total} is less than its buckets allow ({least})")
    return wrong


def exposed(field):
    """The name on /metrics of a field of health, without what makes it a counter (contract 1.6)."""
    field = field.removesuffix("_total")
    for short, full in (("_s", "_seconds"), ("_ms", "_seconds"), ("_pct", "_ratio")):
        if field.endswith(short):
            return "metafleet_" + field[:-len(short)] + full
    return "metafleet_" + field


class HTTPBench(Bench):
    """A gateway that serves on a port of its own, with a board whose name is meant to do harm."""

    def __init__(self, binary, listed=None, **options):
        super().__init__(binary, **options)
        self.web = Web(free_port())
        self.listed = listed or self.count

    def configure(self, sections, board):
        path = super().configure(sections, board)
        with open(path) as f:
            text = f.read()
        token = self.path("http-token")
        with open(token, "w", opener=lambda name, flags: os.open(name, flags, 0o600)) as f:
            f.write(checks_web.TOKEN + "\n")
        text = text.replace("http: { listen: none }", f'http: {{ listen: "127.0.0.1:{self.web.port}", hosts: [gateway.example.com], token_file: "{token}" }}')
        text = text.replace("name: Board 1,", f'name: "{EVIL}",')
        for n in range(self.count + 1, self.listed + 1):
            text += f'  - {{ address: "C2:00:00:00:{n // 256:02X}:{n % 256:02X}", name: Absent {n} }}\n'
        with open(path, "w") as f:
            f.write(text)
        return path

    def metrics(self):
        status, headers, body = self.web.ask("/metrics")
        return exposition(body.decode()) + (status, headers)

    def resident(self):
        with open(f"/proc/{self.daemon.popen.pid}/status") as f:
            return next(int(line.split()[1]) / 1024 for line in f if line.startswith("VmRSS"))


def readiness(b, r):
    until(30, lambda: attempt(b.web, "/readyz") == 200, 0.2)
    status, _, body = b.web.ask("/readyz")
    r.check("/readyz says 200 once all is up", status == 200, 200, (status, body))
    r.check("/healthz says 200", b.web.status("/healthz") == 200)


def agreement(b, r):
    """The page, between two health documents, of which the later is to come; and beside the documents of boards."""
    before = b.client.last(b.gateway_topic("health"))
    families, wrong, status, headers = b.metrics()
    r.equal("metrics: status and type", (status, headers.get("content-type")), (200, "text/plain; version=0.0.4; charset=utf-8"))
    r.check("metrics: the text is as the format wants it", not wrong, "nothing wrong", wrong[:5])

    def compare(earlier, later):
        problems = []
        for field in before:
            if field in ("ts_ms", "gw", "storage"): continue
            gauge, counter = families.get(exposed(field)), families.get(exposed(field) + "_total")
            found = gauge or counter
            if not found or gauge and counter:
                problems.append(f"{field} is there {2 if gauge and counter else 0} times")
                continue
            value = found[1].get(((exposed(field) + "_total") if counter else exposed(field), ()))
            if counter and not earlier[field] - 1e-6 <= value <= later[field] + 1e-6:
                problems.append(f"{field}: {earlier[field]} then {value} then {later[field]}")
            if field in ("boards_admitted", "boards_connected", "slots_used", "slots_total", "storage_ok", "bluetooth_ok", "clock_synced") \
                    and value not in (earlier[field], later[field]):
                problems.append(f"{field}: {earlier[field]} or {later[field]}, but {value}")
        return problems
    condition = families.get("metafleet_storage_condition", (None, {}))[1]
    r.equal("metrics: the disk's condition is that of health", [dict(k[1])["condition"] for k, v in condition.items() if v == 1], [before["storage"]])

    def boards():
        families = b.metrics()[0]

        def of(name, board):
            return families.get(f"metafleet_board_{name}", (None, {}))[1].get((f"metafleet_board_{name}", (("board", board),)))
        problems = []
        for n, board in enumerate(b.ids, 1):
            info, state = b.client.last(b.topic(n, "info")) or {}, b.client.last(b.topic(n, "state")) or {}
            found = [dict(k[1]) for k in families["metafleet_board_info"][1] if ("board", board) in k[1]]
            wanted = {"board": board, "name": info.get("name"), "model": info.get("model"), "fw": state.get("fw"), "site": info.get("site") or "lab", "gateway": b.gateway}
            if found != [wanted]: problems.append((found, wanted))
            if of("in_maintenance", board) != ("maintenance_until_ms" in state): problems.append((board, "in_maintenance", state.get("maintenance_until_ms")))
            if of("connected", board) != (state.get("link") == "streaming"): problems.append((board, "connected", state.get("link")))
            for gauge, field, scale in (("rssi_dbm", "rssi_dbm", 1), ("battery_ratio", "battery_pct", 100), ("battery_volts", "battery_mv", 1000),
                                        ("samples_lost_last_day", "samples_lost_24h", 1)):
                value = of(gauge, board)
                if field in state and (value is None or abs(value * scale - state[field]) > 1e-6): problems.append((board, gauge, value, state[field]))
        attention = sum(families["metafleet_board_needs_attention"][1].values())
        if [attention] != list(families["metafleet_boards_troubled"][1].values()): problems.append(("needs_attention", attention))
        return problems
    left = boards()
    end = time.monotonic() + 10
    while left and time.monotonic() < end:
        time.sleep(0.5)
        left = boards()
    r.check("metrics: boards are as their documents say", not left, "no difference", left[:3])
    return before, compare


def histograms(b, r):
    families = b.metrics()[0]

    def count(name):
        return families.get(f"metafleet_{name}", (None, {}))[1].get((f"metafleet_{name}_count", ()), 0)
    published = families["metafleet_samples_published_total"][1][("metafleet_samples_published_total", ())]
    r.check("metrics: the ages of samples are those of published ones", 0 < count("sample_age_seconds") <= published * 1.05 + 500, f"about {published}", count("sample_age_seconds"))
    r.check("metrics: commits are timed", count("commit_time_seconds") > 5, "more than 5", count("commit_time_seconds"))
    r.check("metrics: the command is timed", count("command_time_seconds") >= 1, "1", count("command_time_seconds"))


def manners(b, r):
    web = b.web
    for host, wanted in (("localhost", 200), (f"127.0.0.1:{web.port}", 200), ("[::1]:80", 200), ("gateway.example.com", 200), ("GATEWAY.local.", 200),
                         ("evil.example.com", 421), ("localhost.evil.com", 421), ("127.0.0.1.evil.com", 421), (".local", 421), ("localhost:99999", 421), ("", 421)):
        for path in ("/metrics", "/nothing"):
            r.equal(f"Host {host!r}, {path}", web.status(path, host=host), 404 if wanted == 200 and path == "/nothing" else wanted)
    r.equal("no Host", parsed(web.raw(b"GET /metrics HTTP/1.1\r\n\r\n"))[0], 400)
    r.equal("two of Host", parsed(web.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n"))[0], 400)
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "get"):
        r.equal(f"{method} is refused", web.status("/", method=method, more="Content-Length: 0\r\n"), 405)
    r.equal("a body is refused", web.status("/", more="Content-Length: 5\r\n"), 413)
    r.equal("chunks are refused", web.status("/", more="Transfer-Encoding: chunked\r\n"), 413)
    for path in ("/metrics%00x", "/%6detrics", "//metrics", "/../etc/passwd", "/metrics/"):
        r.equal(f"{path} is no page", web.status(path), 404)
    for path in PAGES:
        status, headers, body = web.ask(path)
        again = web.ask(path, method="HEAD")
        r.check(f"HEAD {path} is GET without its body", again[0] == status and again[2] == b"" and int(again[1]["content-length"]) > 0, status, again)
        r.check(f"{path} is protected", "default-src 'none'" in headers.get("content-security-policy", "") and "unsafe" not in headers["content-security-policy"]
                and headers.get("x-content-type-options") == "nosniff" and headers.get("cache-control") == "no-store", "CSP, nosniff, no-store", headers)
    status, headers, body = web.ask("/")
    policy = headers.get("content-security-policy", "")
    r.check("the page loads what is ours and nothing else", status == 200 and "default-src 'none'; script-src 'self'" in policy and "unsafe" not in policy
            and headers.get("cache-control") == "no-cache" and "access-control-allow-origin" not in headers, "CSP", headers)
    r.equal("the page comes once", web.status("/", more=f"If-None-Match: {headers.get('etag')}\r\n"), 304)
    r.check("nothing stands in the page that runs", not re.search(rb"<script(?![^>]*\ssrc=)|javascript:|\son\w+\s*=|<style|\sstyle=", body), "none", body[:300])
    page = web.ask("/status")[2].decode()
    r.check("the status page escapes names", EVIL not in page and "&lt;img src=x onerror=alert(1)&gt;" in page, "escaped", page[:300])
    r.check("the status page has no script", not re.search(r"<script|javascript:|\son\w+\s*=", page.replace("onerror=alert(1)&gt;", "")), "none", page[:300])


def limits(b, r):
    web = b.web
    with web.connect(20) as connection:
        try:
            connection.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"x" * 3_000_000 + b"\r\n\r\n")
        except OSError:
            pass
        answer = Web.read(connection)
    r.check("a header of 3 MB is refused", parsed(answer)[0] in (0, 431), "431, or the end", answer[:80])
    # Whoever stops where it is refused reads the answer.
    with web.connect() as connection:
        connection.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nX-Long: ")
        try:
            for _ in range(64):
                connection.sendall(b"x" * 1024)
                time.sleep(0.002)
                connection.settimeout(0.001)
                try:
                    if connection.recv(1, socket.MSG_PEEK): break
                except (TimeoutError, BlockingIOError):
                    pass
                connection.settimeout(10)
        except OSError:
            pass
        connection.settimeout(10)
        r.equal("whoever stops then reads 431", parsed(Web.read(connection))[0], 431)
    halves = []
    for _ in range(300):
        try:
            half = web.connect(2)
            half.sendall(b"GET / HTTP/1.1\r\nHost: local")
            halves.append(half)
        except OSError:
            break
    served = until(8, lambda: attempt(web, "/healthz") == 200, 0.2)
    r.check("300 half-open connections are over after some seconds", served, "served again", "not served")
    for half in halves: half.close()
    answer = web.raw(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 5)
    r.check("of requests in a row the first is answered, and the connection ends", answer.count(b"HTTP/1.1 200") == 1, 1, answer.count(b"HTTP/1.1"))
    slow = web.connect()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    slow.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
    began = time.monotonic()
    r.check("a slow reader holds up nobody", all(web.status(p) == 200 for p in PAGES) and time.monotonic() - began < 10)
    slow.close()


def attempt(web, path):
    try:
        return parsed(web.raw(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode(), 2))[0]
    except OSError:
        return 0


def fuzz(b, r, seconds, seed):
    """Requests bent at random, some left open; the same for the same seed."""
    chance, web, end, sent, odd = random.Random(seed), b.web, time.monotonic() + seconds, 0, []
    mark, before = b.client.mark(), b.resident()
    pieces = [b"GET", b"HEAD", b"POST", b" ", b"/metrics", b"/", b"/healthz", b"/readyz", b"?a=b", b"%", b"\0", b" HTTP/1.1", b" HTTP/1.0", b" HTTP/9.9", b"\r\n", b"\n", b"\r",
              b"Host: localhost", b"Host:", b"Host: evil", b"Content-Length: -1", b"Content-Length: 99999999999999999999", b"Transfer-Encoding: chunked", b"Connection: keep-alive",
              b"Expect: 100-continue", b"Upgrade: h2c", b"Range: bytes=0-", b": ", b"Cookie: a=b; c", b"X: " + b"y" * 9000, b"\xff\xfe", b"\r\n\r\n"]
    left = []
    while time.monotonic() < end:
        data = b"".join(chance.choice(pieces) for _ in range(chance.randrange(1, 24)))
        if chance.random() < 0.5:
            data = bytearray(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nUser-Agent: x\r\n\r\n")
            for _ in range(chance.randrange(0, 4)): data[chance.randrange(len(data))] = chance.randrange(256)
        # What has no end holds one of few places for seconds: most has one.
        if chance.random() < 0.95: data += b"\r\n\r\n"
        try:
            connection = web.connect(5)
            connection.sendall(bytes(data))
            sent += 1
            if chance.random() < 0.03:
                left.append(connection)
                while len(left) > 8: left.pop(0).close()
                continue
            connection.settimeout(0.2)
            answer = Web.read(connection)
            if answer and not answer.startswith(b"HTTP/1."): odd.append(answer[:60])
            connection.close()
        except OSError:
            pass
    for connection in left: connection.close()
    after = b.resident()
    print(f"# {sent} requests in {seconds} s, seed {seed}: {before:.0f} MB before, {after:.0f} MB after")
    r.check("fuzzing: whatever is answered is HTTP", not odd, "HTTP/1.", odd[:3])
    r.check("fuzzing: the gateway lives", b.daemon.popen.poll() is None, "alive", b.daemon.popen.poll())
    r.check("fuzzing: memory is bounded", after - before < 30, "less than 30 MB more", f"{after - before:.0f} MB")
    missing = b.wait_samples(10, range(1, b.count + 1), mark)
    gaps = [m[1] for m in b.client.since(mark) if m[1].endswith("/event/data-gap")]
    r.check("fuzzing: all boards go on, without a gap", not missing and not gaps, "samples of all", (missing, gaps[:3]))
    r.equal("fuzzing: served as before", [attempt(web, p) for p in PAGES], [200] * len(PAGES))


def broker_away(b, r):
    b.broker.end()
    status, _, body = until(15, lambda: (lambda a: a if a[0] == 503 else None)(b.web.ask("/readyz"))) or (0, {}, b"")
    r.check("without a broker /readyz says 503 and which part", status == 503 and body.startswith(b"broker: "), "503, broker", (status, body))
    r.check("and /healthz goes on", b.web.status("/healthz") == 200)
    checks_web.without_broker(b, r)
    value = until(10, lambda: b.metrics()[0]["metafleet_broker_connected"][1][("metafleet_broker_connected", ())] == 0)
    r.check("and /metrics says so", value)
    b.start_broker()
    r.check("with it /readyz says 200 again", until(70, lambda: b.web.status("/readyz") == 200), 200)


def crowd(binary, r, keep):
    """Two thousand boards that are never heard."""
    b = HTTPBench(binary, boards=1, listed=2000, keep=keep)
    try:
        b.start()
        ready = until(60, lambda: attempt(b.web, "/readyz") == 200 and b.metrics()[0].get("metafleet_boards_admitted", (0, {}))[1].get(("metafleet_boards_admitted", ())) == 2000, 0.5)
        r.check("2000 boards are taken up", ready)
        time.sleep(1.1)  # a page of that age is made anew
        began = time.monotonic()
        status, _, body = b.web.ask("/metrics")
        took = time.monotonic() - began
        families, wrong = exposition(body.decode())
        print(f"# 2000 boards: {len(body)} bytes in {took:.2f} s")
        r.check("2000 boards: the page is sound and bounded", status == 200 and not wrong and len(body) <= MOST_BYTES and took <= MOST_SECONDS,
                f"{MOST_BYTES} bytes, {MOST_SECONDS} s", (status, wrong[:3], len(body), took))
        r.equal("2000 boards: so many have series of their own", len(families["metafleet_board_info"][1]), MOST_BOARDS)
        r.equal("2000 boards: the others are counted", families["metafleet_boards_not_listed"][1][("metafleet_boards_not_listed", ())], 2000 - MOST_BOARDS)
    finally:
        b.close()


def promtool(b, r):
    tool = shutil.which("promtool")
    if not tool:
        return
    done = subprocess.run([tool, "check", "metrics"], input=b.web.ask("/metrics")[2], capture_output=True)
    r.check("promtool check metrics finds nothing", done.returncode == 0 and not done.stderr, "nothing", done.stdout + done.stderr)


class LoggingBench(HTTPBench):
    """The last board logs and is visited instead of streaming."""

    def configure(self, sections, board):
        sections += "  recorder:\n    log: { acceleration: { rate_hz: 12.5, range_g: 4 } }\n    visit: { every: 10s, jitter: 0% }\n"
        return super().configure(sections, lambda n: "profile: recorder, groups: [lab]" if n == self.count else board(n))


def prometheus(binary, r, keep):
    b = LoggingBench(binary, boards=4, keep=keep)
    try:
        dashboard_queries(b, r)
    finally:
        b.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    parser.add_argument("--seed", type=int, default=29)
    parser.add_argument("--for", type=float, default=20, dest="seconds", help="how long to fuzz, in seconds")
    parser.add_argument("--prometheus", action="store_true", help="a real Prometheus as well, and the queries of dashboards and rules; it and promtool must be installed")
    parser.add_argument("--keep", action="store_true", help="leave logs and state behind")
    options = parser.parse_args()
    end_cleanly_on_signals()
    r, binary = Report(), os.path.abspath(options.binary)
    b = HTTPBench(binary, boards=6, keep=options.keep)
    try:
        b.start()
        readiness(b, r)
        r.equal("boards that do not stream", b.wait_streaming(60), [])
        b.client.publish(b.topic(1, "cmd", "identify"), {"id": "http-1"})
        r.check("the command is done", b.client.wait(20, b.topic(1, "reply", "identify"), lambda v: v["stage"] in ("done", "failed")))
        before, compare = agreement(b, r)
        histograms(b, r)
        promtool(b, r)
        manners(b, r)
        for step in (checks_web.same, checks_web.commands, checks_web.live, checks_web.handed_on): step(b, r)
        limits(b, r)
        fuzz(b, r, options.seconds, options.seed)
        after = b.client.wait(35, b.gateway_topic("health"), lambda v: v["ts_ms"] > before["ts_ms"])
        problems = compare(before, after) if after else ["no second document"]
        r.check("metrics: every number of health, with a value between the documents around it", not problems, "no difference", problems[:5])
        broker_away(b, r)
        checks_web.guesses(b, r)
    finally:
        b.close()
    crowd(binary, r, options.keep)
    if options.prometheus: prometheus(binary, r, options.keep)
    return r.finish()


if __name__ == "__main__":
    sys.exit(main())
