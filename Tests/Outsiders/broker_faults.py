#!/usr/bin/python3
"""A proxy that misbehaves between the daemon and a real mosquitto: connections that are cut, swallowed, taken and never
answered, that nobody acknowledges; another client of the same id, subscriptions that are refused, passwords that change,
certificates that are wrong. What is published must come through without a hole, and what is wrong must be said."""
import argparse
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time

import paho.mqtt.client as mqtt

from bench import Bench, Client, Process, Report, end_cleanly_on_signals, free_port, until
from fault_proxy import Proxy

KEEPALIVE = 5
FINAL = ("done", "failed", "refused", "expired", "unknown", "cancelled")


class Gateway:
    """A daemon without boards, with a broker of its own, for what takes its time."""

    def __init__(self, b, name, mqtt):
        self.b, self.name = b, name
        self.file = b.path(f"{name}.yaml")
        os.mkdir(b.path(name), 0o700)
        with open(self.file, "w") as f:
            f.write(f"gateway: {{ id: {name} }}\nmqtt: {mqtt}\nstorage: {{ directory: {b.path(name)}, min_free: 1MB }}\nhttp: {{ listen: none }}\n")
        self.process = Process(name, [b.binary, "run", "--config", self.file], b.path(f"{name}.log"),
                               stdout=subprocess.DEVNULL,
                               env={**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={b.path('no-bus')}"})

    def move(self, mqtt):
        """Another section `mqtt`, and a reload."""
        with open(self.file) as f:
            lines = [f"mqtt: {mqtt}\n" if line.startswith("mqtt:") else line for line in f]
        with open(self.file, "w") as f:
            f.writelines(lines)
        self.process.popen.send_signal(signal.SIGHUP)

    def log(self):
        with open(self.b.path(f"{self.name}.log")) as f:
            return f.read()


def mosquitto(b, name, lines, address="127.0.0.1"):
    port = free_port()
    with open(b.path(f"{name}.conf"), "w") as f:
        f.write(f"listener {port} {address}\npersistence false\nuser root\n{lines}\n")
    process = Process(name, ["mosquitto", "-c", b.path(f"{name}.conf")], b.path(f"{name}.broker.log"))
    time.sleep(0.5)
    return port, process


def password(b, r):
    """F254: the broker has another password, then the gateway's file; nobody restarts anything."""
    users, secret = b.path("users"), b.path("secret")

    def set_password(text):
        subprocess.run(["mosquitto_passwd", "-c", "-b", users, "gateway", text], check=True, capture_output=True)

    def write(text):
        with open(f"{secret}.new", "w", opener=lambda p, f: os.open(p, f, 0o600)) as f:
            f.write(text)
        os.rename(f"{secret}.new", secret)
    set_password("first")
    write("\ufefffirst\r\n")
    port, broker = mosquitto(b, "guarded", f"allow_anonymous false\npassword_file {users}")
    gateway = Gateway(b, "secretive", f"{{ host: 127.0.0.1, port: {port}, username: gateway, password_file: {secret} }}")
    up = until(15, lambda: gateway.log().count("connected to the broker"))
    r.check("F253 a password behind a byte order mark and before CRLF is the password", up, "connected", gateway.log()[-600:])
    write("")
    said = until(45, lambda: "is empty" in gateway.log())
    r.check("F254 an empty password file is said within a minute", said, "is empty", gateway.log()[-600:])
    r.equal("F254 and costs no connection", gateway.log().count("connection to the broker lost"), 0)
    set_password("second")
    write("second\n")
    broker.popen.send_signal(signal.SIGHUP)
    again = until(60, lambda: gateway.log().count("connected to the broker") >= 2)
    r.check("F254 another password is used within a minute, without a restart", again, "connected twice", gateway.log()[-800:])
    gateway.process.end()


def addresses(b, r):
    """F61: a name that nobody knows when the gateway starts; then a broker that has an address of IPv6 alone."""
    gateway = Gateway(b, "lost", "{ host: nowhere.invalid, connect_timeout: 3s }")
    said = until(20, lambda: "the broker cannot be reached" in gateway.log())
    r.check("F61 a name that nobody knows is said, and waited for", said and gateway.process.popen.poll() is None, "a line of the log", gateway.log()[-500:])
    if not os.path.exists("/proc/net/if_inet6") or "lo" not in open("/proc/net/if_inet6").read():
        print("# this computer has no IPv6, so that no broker can have it alone", flush=True)
        return gateway.process.end()
    port, _ = mosquitto(b, "six", "allow_anonymous true", "::1")
    gateway.move(f"{{ host: '[::1]:{port}', connect_timeout: 3s }}")
    written = [gateway, Gateway(b, "written", f"{{ host: '::1', port: {port}, connect_timeout: 3s }}")]
    for gateway, how in zip(written, ("with its port", "and port")):
        up = until(15, lambda: "connected to the broker" in gateway.log())
        r.check(f"F61 a broker with IPv6 alone is reached by its address {how}", up, "connected", gateway.log()[-500:])
        gateway.process.end()


def acknowledgements(b, r):
    """F64: the broker takes everything and pings, and its acknowledgements get lost."""
    port, _ = mosquitto(b, "open", "allow_anonymous true")
    proxy = Proxy(port)
    proxy.drop_acknowledgements = True
    gateway = Gateway(b, "unheard", f"{{ host: 127.0.0.1, port: {proxy.port}, keepalive: {KEEPALIVE}s }}")
    until(15, lambda: proxy.connects)
    began = time.monotonic()
    noticed = until(90, lambda: len(proxy.connects) > 1)
    took = time.monotonic() - began
    r.check("F64 acknowledgements that stop are noticed within 90 s, not before 50", noticed and 50 < took, "50 to 90 s", f"{took:.0f} s")
    r.check("F64 and said", "acknowledges none" in gateway.log(), "a line of the log", gateway.log()[-500:])
    proxy.drop_acknowledgements = False
    gateway.process.end()
    proxy.close()


def late(b, r):
    """F73: whatever goes either way comes two seconds later, in pieces of a few bytes."""
    port, _ = mosquitto(b, "far", "allow_anonymous true")
    proxy = Proxy(port)
    proxy.late = (2, 41)
    gateway = Gateway(b, "remote", f"{{ host: 127.0.0.1, port: {proxy.port}, keepalive: {2 * KEEPALIVE}s }}")
    began = time.monotonic()
    up = until(60, lambda: "connected to the broker" in gateway.log())
    r.check("F73 two seconds each way, in pieces: the gateway connects", up, "within 60 s", gateway.log()[-600:])
    print(f"# after {time.monotonic() - began:.0f} s", flush=True)
    observer = Client(port, None, "far-observer", persistent=False).start()
    observer.subscribed.wait(10)
    for number in range(3):
        mark, topic = observer.mark(), "metafleet/gateway/remote"
        observer.publish(f"{topic}/cmd/replay", {"id": f"f-73-{number}", "args": {"from_ms": 1, "to_ms": 2}})
        final = observer.wait(20, f"{topic}/reply/replay", lambda v, n=number: v.get("id") == f"f-73-{n}" and v.get("stage") in FINAL, mark)
        r.equal(f"F73 request {number + 1} is answered", (final or {}).get("stage"), "done")
    r.equal("F73 and no time-out ends the connection", len(proxy.connects), 1)
    observer.stop()
    gateway.process.end()
    proxy.close()


def certificates(b, r):
    """F255: six causes, six sentences."""
    place = b.path("tls")
    os.mkdir(place)
    script = """cd "$1"; exec 2> /dev/null
key="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
openssl req -x509 $key -keyout a.key -out a.pem -subj "/CN=House authority"
openssl req -x509 $key -keyout other.key -out other.pem -subj "/CN=Somebody else"
openssl req $key -keyout b.key -out b.csr -subj "/CN=b"
echo subjectAltName=DNS:localhost > ext; : > index.txt
printf '%s\\n' '[ca]' default_ca=d '[d]' new_certs_dir=. database=index.txt rand_serial=yes default_md=sha256 unique_subject=no policy=p \\
  '[p]' commonName=supplied > ca.cnf
sign() { openssl ca -batch -config ca.cnf -cert a.pem -keyfile a.key -in b.csr -extfile ext -startdate $1 -enddate $2 -notext -out $3; }
sign 20200101000000Z 21000101000000Z good.pem; sign 20200101000000Z 20200303000000Z expired.pem; sign 21000101000000Z 21000202000000Z early.pem"""
    subprocess.run(["sh", "-c", script, "sh", place], check=True)
    lines = "allow_anonymous true\ncafile {0}/a.pem\ncertfile {0}/{1}.pem\nkeyfile {0}/b.key"
    ports = {name: mosquitto(b, f"tls-{name}", lines.format(place, name))[0] for name in ("good", "expired", "early")}
    ports["plain"] = mosquitto(b, "tls-plain", "allow_anonymous true")[0]
    sentences, nothing = {}, b.path("nothing.yaml")
    with open(nothing, "w") as f:
        f.write("mqtt: {}\n")
    for what, host, port, options, words in [
            ("expired", "localhost", "expired", ["--ca", f"{place}/a.pem"], ["expired on 2020-03-03"]),
            ("not yet valid", "localhost", "early", ["--ca", f"{place}/a.pem"], ["valid from 2100-01-01", "clock"]),
            ("another name", "127.0.0.1", "good", ["--ca", f"{place}/a.pem"], ["for localhost", "not for 127.0.0.1"]),
            ("unknown authority", "localhost", "good", ["--ca", f"{place}/other.pem"], ["House authority", "mqtt.tls.ca"]),
            ("no TLS there", "localhost", "plain", ["--ca", f"{place}/a.pem"], ["does not speak TLS", "8883"]),
            ("TLS there", "localhost", "good", ["--no-tls"], ["speaks TLS on this port"])]:
        began = time.monotonic()
        got = subprocess.run([b.binary, "boards", "--host", host, "--port", str(ports[port]), *options], capture_output=True,
                             text=True, timeout=30, env={**os.environ, "METAFLEET_CONFIG": nothing})
        took = time.monotonic() - began
        sentences[what] = got.stderr
        r.check(f"F255 {what}: cause and remedy", got.returncode and all(w in got.stderr for w in words), words, got.stderr)
        r.check(f"F255 {what}: within 10 s", took < 10, "10 s", f"{took:.1f}")
    r.equal("F255 six sentences", len(set(sentences.values())), 6)


def reload(b, mqtt, proxy):
    """Another section `mqtt`, obeyed at once."""
    with open(b.path("metafleet.yaml")) as f:
        rest = f.read().split("\n", 1)[1]
    with open(b.path("metafleet.yaml"), "w") as f:
        f.write(f"mqtt: {{ host: 127.0.0.1, port: {proxy.port}, {mqtt} }}\n{rest}")
    b.daemon.popen.send_signal(signal.SIGHUP)


def streams(b, seconds):
    """Whether every board's record lane goes on."""
    mark = b.client.mark()
    return all(b.client.wait(seconds, b.topic(n, "record", "acceleration"), mark=mark) for n in range(1, b.count + 1))


def holes(b):
    return {k: v for k, v in b.judge.problems.items() if "hole" in k or "session starts" in k}


def slow_subscriber(b, r):
    """F71: a broker that keeps one message for a subscriber who takes two seconds over each; what it dropped shows in the numbers
    of samples, and a replay brings it."""
    lane = f"{b.base}/board/+/record/acceleration"
    port, broker = mosquitto(b, "tiny", "allow_anonymous true\nmax_queued_messages 1\nmax_inflight_messages 1\nconnection feed\n"
                             f"address 127.0.0.1:{b.port}\ntopic {lane} in 1\ntry_private false")
    batches, dawdling, begun = [], threading.Event(), int(time.time() * 1000) - 1000
    dawdling.set()

    def take(client, userdata, message):
        batches.append(json.loads(message.payload))
        if dawdling.is_set():
            time.sleep(2)
    consumer = mqtt.Client(client_id="dawdler", protocol=mqtt.MQTTv5)
    consumer.on_connect = lambda client, *_: client.subscribe(lane, 1)
    consumer.on_message = take
    consumer.connect("127.0.0.1", port)
    consumer.loop_start()

    def missing(of):
        """The numbers of samples that lie between those that came, by board and session."""
        runs = {}
        for batch in of:
            runs.setdefault((batch["board"], batch["session"]), set()).update(range(batch["seq"], batch["seq"] + batch["count"]))
        return {(key, number) for key, numbers in runs.items() for number in set(range(min(numbers), max(numbers))) - numbers}
    seen = until(15, lambda: len(batches) > 4 and missing(list(batches)))
    dawdling.clear()
    lost = missing(list(batches))
    r.check("F71 what a broker drops shows in the numbers of samples", seen and lost, "holes", f"{len(batches)} batches")
    consumer.loop_stop()
    consumer.disconnect()
    broker.end()
    mark = b.client.mark()
    b.client.publish(b.gateway_topic("cmd", "replay"), {"id": "f-71", "args": {"from_ms": begun, "to_ms": int(time.time() * 1000), "lanes": ["record"]}})
    final = b.client.wait(10, b.gateway_topic("reply", "replay"), lambda v: v.get("id") == "f-71" and v.get("stage") in FINAL, mark)
    r.equal("F71 the replay is done", (final or {}).get("stage"), "done")
    again = [json.loads(m[2]) for m in b.client.since(mark) if m[1].endswith("/record/acceleration") and ("replay", "1") in (getattr(m[5], "UserProperty", None) or [])]
    r.equal("F71 and fills every hole", missing(list(batches) + again) & lost, set())


def with_boards(b, r, luck):
    proxy = Proxy(b.port)
    b.start(daemon=False)
    quick = f"keepalive: {KEEPALIVE}s, connect_timeout: 3s"
    with open(b.path("metafleet.yaml")) as f:
        text = f.read().split("\n", 1)[1]
    with open(b.path("metafleet.yaml"), "w") as f:
        f.write(f"mqtt: {{ host: 127.0.0.1, port: {proxy.port}, {quick} }}\n{text}")
    b.start_daemon()
    r.check("all boards stream", streams(b, 40), "batches", open(b.path("daemon.log")).read()[-800:])

    # F73: a slow line is a line.
    proxy.bytes_per_second = 60_000
    count = len(proxy.connects)
    time.sleep(6)
    r.equal("F73 a slow line is kept", len(proxy.connects), count)
    proxy.bytes_per_second = None
    slow_subscriber(b, r)

    # F64, F250: cut again and again, in the middle of anything.
    count = len(proxy.connects)
    end = time.monotonic() + 12
    while time.monotonic() < end:
        proxy.cut_after = luck.randrange(1, 12_000)
        proxy.reset()
        time.sleep(luck.uniform(0.5, 2))
    proxy.cut_after = None
    proxy.reset()
    attempts = len(proxy.connects) - count
    r.check("F250 connections that end at once are few", attempts <= 8, "8 in 12 s at most", attempts)
    reload(b, f"{quick}, client_id: metafleet-renamed", proxy)
    back = until(5, lambda: proxy.connects[-1][1] == "metafleet-renamed")
    r.check("F251 a reload connects anew at once, under another client id", back, "within 5 s", proxy.connects[-3:])
    r.check("F64 streams go on", streams(b, 15), "batches", "")

    # F62: nothing comes through any more, and nobody says so.
    count = len(proxy.connects)
    began = time.monotonic()
    proxy.swallow()
    noticed = until(3 * KEEPALIVE, lambda: len(proxy.connects) > count)
    took = time.monotonic() - began
    r.check("F62 a half-open connection is noticed within two keep-alives", noticed and took < 2 * KEEPALIVE + 5, "in time", f"{took:.0f} s")
    r.check("F62 streams go on", streams(b, 40), "batches", open(b.path("daemon.log")).read()[-600:])

    # F63: taken, and never answered.
    proxy.silent = True
    proxy.reset()
    time.sleep(5)
    proxy.silent = False
    proxy.reset()
    reload(b, f"{quick}, client_id: metafleet-again", proxy)
    r.check("F63 behind a listener that never answered streams go on", streams(b, 15), "batches", open(b.path("daemon.log")).read()[-600:])

    # F252: one subscription is refused.
    proxy.refuse = {f"{b.base}/gateway/{b.gateway}/cmd/#"}
    mark = b.client.mark()
    reload(b, f"{quick}, client_id: metafleet-refused", proxy)
    info = b.client.wait(15, b.gateway_topic("info"), lambda v: v.get("refused_subscriptions"), mark)
    r.equal("F252 a refused subscription is named in info", (info or {}).get("refused_subscriptions"), list(proxy.refuse))
    r.check("F252 and all else goes on", streams(b, 15), "batches", "")
    proxy.refuse = set()
    mark = b.client.mark()
    reload(b, f"{quick}, client_id: metafleet-granted", proxy)
    info = b.client.wait(15, b.gateway_topic("info"), lambda v: "refused_subscriptions" not in v, mark)
    r.check("F252 its grant is noticed", info, "no refused_subscriptions", b.client.last(b.gateway_topic("info")))

    # F70: another client has our id, and comes back at once whenever it is put out.
    count = len(proxy.connects)
    over = threading.Event()

    def other():
        while not over.is_set():
            rival = subprocess.Popen(["mosquitto_sub", "-p", str(b.port), "-i", "metafleet-granted", "-V", "5", "-t", "nothing"],
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while rival.poll() is None and not over.is_set():
                time.sleep(0.1)
            rival.kill()
            rival.wait()
    mark, said = b.client.mark(), os.path.getsize(b.path("daemon.log"))
    rival = threading.Thread(target=other, daemon=True)
    rival.start()
    time.sleep(15)
    attempts = len(proxy.connects) - count
    r.check("F70 no ping-pong with another client of our id", attempts <= 5, "5 in 15 s at most", attempts)
    with open(b.path("daemon.log")) as f:
        f.seek(said)
        r.check("F70 said, with the client id", "most likely another client" in f.read(), "a line of the log", "")
    over.set()
    rival.join()
    reload(b, f"{quick}, client_id: metafleet-own", proxy)
    told = b.client.wait(15, b.gateway_topic("event", "broker-lost"), lambda v: v["event_type"] == "taken-over", mark)
    r.check("F70 the event says that it was taken over", told, "taken-over", [m[2] for m in b.client.since(mark, b.gateway_topic("event", "broker-lost"))])
    r.check("F251 streams go on under an id of our own", streams(b, 15), "batches", "")
    time.sleep(2)
    r.equal("F64 whatever happened, no record is lost", holes(b), {})
    b.daemon.end()
    r.equal("the daemon ends in order", b.daemon.popen.returncode, 0)
    proxy.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--keep", action="store_true", help="keep the working directory")
    options = parser.parse_args()
    end_cleanly_on_signals()
    seed = options.seed if options.seed is not None else int(time.time())
    print(f"# seed {seed}", flush=True)
    r = Report()
    b = Bench(os.path.abspath(options.binary), boards=3, models="s,r", keep=options.keep)
    outcome = {}

    def beside(work):
        """An exception ends a thread as an end does: only what returns has come to its end."""
        try:
            work(b, r)
            outcome[work] = "its end"
        except Exception as e:
            outcome[work] = repr(e)
    works = (password, addresses, acknowledgements, late, certificates)
    side = [threading.Thread(target=beside, args=(work,), daemon=True) for work in works]
    try:
        for thread in side:
            thread.start()
        with_boards(b, r, random.Random(seed))
        for thread, work in zip(side, works):
            thread.join(100)
            r.equal(f"{work.__name__}, which went on beside it, came to its end", outcome.get(work, "it goes on"), "its end")
    finally:
        b.close()
    return r.finish()


if __name__ == "__main__":
    sys.exit(main())
