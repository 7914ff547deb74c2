"""Private bus, fake BlueZ, mosquitto, the daemon and an MQTT client, all bounded and all cleaned up."""
import argparse
import ctypes
import json
import os
import pickle
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import paho.mqtt.client as mqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.subscribeoptions import SubscribeOptions

from judge import Judge
from pulse import TOPIC as PULSE

HERE = os.path.dirname(os.path.abspath(__file__))


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def until(seconds, condition, step=0.02):
    """The first true value of `condition` within `seconds`, else its last value."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value or time.monotonic() > end:
            return value
        time.sleep(step)


class Report:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, what, ok, expected="", got=""):
        if ok:
            self.passed += 1
            print(f"ok {what}", flush=True)
        else:
            self.failed += 1
            print(f"FAIL {what}: expected {expected or 'true'} got {str(got)[:1500]}", flush=True)
        return bool(ok)

    def equal(self, what, got, expected):
        return self.check(what, got == expected, repr(expected), repr(got))

    def finish(self):
        print(f"{self.passed} passed, {self.failed} failed", flush=True)
        return 1 if self.failed else 0


LIBC = ctypes.CDLL(None)


def in_a_copy(lock, work):
    """What `work` returns, worked out by a copy of this process that is made while `lock` is held.

    A thread that calculates for seconds starves the one that receives: each of its reads waits for the interpreter, and
    its messages are late in the judge's eyes (5 s were seen on a busy machine)."""
    reading, writing = os.pipe()
    with lock:
        child = os.fork()
        if child == 0:
            try:
                answer = pickle.dumps((work(), None))
            except Exception as error:
                answer = pickle.dumps((None, f"{type(error).__name__}: {error}"))
            with open(writing, "wb") as pipe:
                pipe.write(answer)
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    if not answer:
        raise ChildProcessError("the copy of this process ended without an answer")
    result, error = pickle.loads(answer)
    if error:
        raise ChildProcessError(error)
    return result


def die_with_parent():
    LIBC.prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: even if we are killed outright, nothing stays behind


def end_cleanly_on_signals():
    """SIGTERM and SIGINT unwind, so that directories are removed as well."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda n, _: sys.exit(128 + n))


class Process:
    """A child in its own group that never outlives us."""
    everyone = []

    def __init__(self, name, command, log, **options):
        self.name, self.log = name, log
        self.output = open(log, "ab")
        self.popen = subprocess.Popen(command, stderr=self.output, start_new_session=True,
                                      preexec_fn=die_with_parent, **options)
        Process.everyone.append(self)

    def end(self, number=signal.SIGTERM, wait=10):
        if self.popen.poll() is None:
            self.popen.send_signal(number)
            try:
                self.popen.wait(wait)
            except subprocess.TimeoutExpired:
                self.popen.kill()
                self.popen.wait(5)
        # What it had started: a shell script that is ended leaves its pipeline running.
        try:
            os.killpg(self.popen.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        return self.popen.returncode


class Client:
    """An MQTT 5 client that keeps everything it sees, as published."""

    def __init__(self, port, judge, name="outsider-observer", topics=("#",), persistent=True):
        self.judge, self.topics, self.messages = judge, topics, []
        self.lock, self.connected = threading.Condition(), threading.Event()
        self.subscribed = threading.Event()
        self.client = mqtt.Client(client_id=name, protocol=mqtt.MQTTv5)
        self.client.on_connect, self.client.on_message = self.on_connect, self.on_message
        self.client.on_subscribe = lambda *_: self.subscribed.set()
        self.client.on_disconnect = lambda *_: self.connected.clear()
        self.client.reconnect_delay_set(1, 1)
        properties = Properties(PacketTypes.CONNECT)
        properties.SessionExpiryInterval = 3600 if persistent else 0
        self.options = dict(host="127.0.0.1", port=port, keepalive=10, properties=properties,
                            clean_start=not persistent)

    def start(self):
        self.client.connect_async(**{k: v for k, v in self.options.items() if k not in ("clean_start", "properties")},
                                  clean_start=self.options["clean_start"], properties=self.options["properties"])
        self.client.loop_start()
        return self

    def on_connect(self, client, userdata, flags, reason, properties):
        client.subscribe([(t, SubscribeOptions(qos=2, retainAsPublished=True)) for t in self.topics])
        self.connected.set()

    def on_message(self, client, userdata, message):
        now = time.time()
        if message.topic == PULSE:
            if self.judge: self.judge.pulse = (now, now - float(message.payload))
            return
        entry = (now, message.topic, bytes(message.payload), message.qos, bool(message.retain), message.properties)
        with self.lock:
            self.messages.append(entry)
            if self.judge:
                try:
                    self.judge.message(message.topic, bytes(message.payload), message.qos, message.retain, now)
                except Exception as error:
                    self.judge.say("judge", f"{type(error).__name__}: {error} at {message.topic} {bytes(message.payload)[:200]}")
            self.lock.notify_all()

    def mark(self):
        with self.lock:
            return len(self.messages)

    def since(self, mark, topic=None):
        with self.lock:
            return [m for m in self.messages[mark:] if topic is None or m[1] == topic]

    def wait(self, seconds, topic, test=lambda v: True, mark=0):
        """The first object on `topic` after `mark` that passes `test`, else None."""
        end = time.monotonic() + seconds
        with self.lock:
            position = mark
            while True:
                while position < len(self.messages):
                    m = self.messages[position]
                    position += 1
                    if m[1] == topic and m[2]:
                        try:
                            value = json.loads(m[2])
                        except ValueError:
                            continue
                        if test(value):
                            return value
                left = end - time.monotonic()
                if left <= 0:
                    return None
                self.lock.wait(left)

    def last(self, topic):
        with self.lock:
            for m in reversed(self.messages):
                if m[1] == topic:
                    try:
                        return json.loads(m[2]) if m[2] else {}
                    except ValueError:
                        return None
        return None

    def publish(self, topic, payload, qos=1, retain=False, **properties):
        p = None
        if properties:
            p = Properties(PacketTypes.PUBLISH)
            for key, value in properties.items():
                setattr(p, key, value)
        if isinstance(payload, (dict, list)):
            payload = json.dumps(payload)
        info = self.client.publish(topic, payload, qos=qos, retain=retain, properties=p)
        info.wait_for_publish(10)

    def stop(self):
        self.client.disconnect()
        self.client.loop_stop()


class Bench:
    def __init__(self, binary, boards=20, models="s,rl,r", scale=0.1, persistence=True, keep=False):
        self.binary, self.count, self.models, self.scale = binary, boards, models, scale
        self.keep = keep
        self.directory = tempfile.mkdtemp(prefix="outsiders-")
        self.persistence = persistence
        self.broker_options = ""
        self.port, self.base, self.gateway = free_port(), "metafleet", "outsider"
        self.ids = [f"c10d0e0f{n:04x}" for n in range(1, boards + 1)]
        model_list = models.split(",")
        self.board_models = [model_list[(n - 1) % len(model_list)] for n in range(1, boards + 1)]
        self.judge = Judge(self.gateway, self.base, self.ids)
        self.referred = 0  # so many messages were held to the reference of topics
        self.daemon = self.fake = self.broker = self.bus = self.client = None

    def path(self, name):
        return os.path.join(self.directory, name)

    def start_bus(self):
        config = self.path("bus.conf")
        with open(config, "w") as f:
            f.write(f"""<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path={self.path('bus.sock')}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
<allow user="*"/></policy></busconfig>""")
        self.bus = Process("bus", ["dbus-daemon", f"--config-file={config}", "--nofork", "--nopidfile"], self.path("bus.log"))
        until(5, lambda: os.path.exists(self.path("bus.sock")))
        self.bus_address = f"unix:path={self.path('bus.sock')}"

    def start_fake(self, *extra):
        self.fake = Process("fake", ["/usr/bin/python3", os.path.join(HERE, "fake_bluez.py"), "--bus", self.bus_address,
                                     "--boards", str(self.count), "--models", self.models, "--scale", str(self.scale),
                                     *extra], self.path("fake.log"), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.fake.popen.stdout.readline()

    def do(self, what, board=None, **arguments):
        request = {"do": what, **arguments}
        if board is not None:
            request["board"] = board
        self.fake.popen.stdin.write(json.dumps(request).encode() + b"\n")
        self.fake.popen.stdin.flush()
        answer = json.loads(self.fake.popen.stdout.readline())
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["ok"]

    def start_broker(self):
        with open(self.path("mosquitto.conf"), "w") as f:
            f.write(f"listener {self.port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 100000\n"
                    f"max_inflight_messages 100\nset_tcp_nodelay true\nlog_type error\nlog_type warning\n{self.broker_options}")
            if self.persistence:
                f.write(f"persistence true\npersistence_location {self.directory}/\n")
            if os.geteuid() == 0:
                f.write("user root\n")
        self.broker = Process("broker", ["mosquitto", "-c", self.path("mosquitto.conf")], self.path("broker.log"))

        def up():
            try:
                socket.create_connection(("127.0.0.1", self.port), 0.2).close()
                return True
            except OSError:
                return False
        until(5, up)

    def start_client(self):
        self.client = Client(self.port, self.judge).start()
        self.client.subscribed.wait(10)
        self.pulse = Process("pulse", [sys.executable, "-B", os.path.join(HERE, "pulse.py"), str(self.port)], self.path("pulse.log"), stdin=subprocess.DEVNULL)

    def configure(self, sections, board):
        """Writes the configuration: what all benches need, `sections` as they stand, and each board as `board(number)` says."""
        with open(self.path("metafleet.yaml"), "w") as f:
            f.write(f"""mqtt: {{ host: 127.0.0.1, port: {self.port} }}
storage: {{ directory: {self.path('state')}, min_free: 1MB }}
http: {{ listen: none }}
{sections}boards:
""")
            for n, id in enumerate(self.ids, 1):
                address = ":".join(id[i:i + 2] for i in range(0, 12, 2)).upper()
                f.write(f"  - {{ address: \"{address}\", name: Board {n}, {board(n)} }}\n")
        return self.path("metafleet.yaml")

    def write_config(self, extra=""):
        return self.configure(f"""gateway: {{ id: {self.gateway}, site: lab }}
schedules: {{ battery: 5s }}
profiles:
  moving:
    stream: {{ acceleration: {{ rate_hz: 50, range_g: 4 }}, temperature-die: {{ every: 1s }} }}
  fast:
    stream: {{ acceleration: {{ rate_hz: 100, range_g: 8, packed: on }} }}
  loose:
    stream: {{ acceleration: {{ rate_hz: 25, range_g: 2, packed: off }}, temperature-thermistor: {{ every: 2s }} }}
    settings: {{ tx_dbm: -4 }}
{extra}""", lambda n: f"profile: {('loose', 'moving', 'fast', 'moving')[n % 4]}, groups: [lab]")

    def start_daemon(self):
        self.judge.restarted = time.time()
        self.daemon = Process("daemon", [self.binary, "run", "--config", self.path("metafleet.yaml")],
                              self.path("daemon.log"), stdout=open(self.path("daemon.out"), "ab"),
                              env={**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": self.bus_address})

    def start(self, daemon=True):
        os.mkdir(self.path("state"))
        self.start_bus()
        self.start_fake()
        self.start_broker()
        self.start_client()
        self.write_config()
        if daemon:
            self.start_daemon()

    def topic(self, n, *rest):
        return "/".join([self.base, "board", self.ids[n - 1], *rest])

    def gateway_topic(self, *rest):
        return "/".join([self.base, "gateway", self.gateway, *rest])

    def streaming(self, boards=None):
        """Which of `boards` say `streaming` now."""
        return [n for n in boards or range(1, self.count + 1)
                if (self.client.last(self.topic(n, "state")) or {}).get("link") == "streaming"]

    def tool(self, *words, port=None, wait=60):
        """Exit status, output and complaints of a command, which talks to the broker of the bench, or of `port`."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith("METAFLEET") and k != "SUDO_USER"}
        environment.update(METAFLEET_MQTT_HOST="127.0.0.1", METAFLEET_MQTT_PORT=str(port or self.port))
        ending = subprocess.run([self.binary, *words], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                timeout=wait)
        return ending.returncode, ending.stdout, ending.stderr

    def wait_streaming(self, seconds, boards=None):
        boards = list(boards or range(1, self.count + 1))
        until(seconds, lambda: len(self.streaming(boards)) == len(boards), 0.1)
        return sorted(set(boards) - set(self.streaming(boards)))

    def wait_samples(self, seconds, boards, mark, stream="acceleration"):
        """Boards of `boards` without a new record batch after `mark`."""
        missing = set(boards)

        def look():
            seen = {m[1] for m in self.client.since(mark)}
            missing.difference_update([n for n in missing if self.topic(n, "record", stream) in seen])
            return not missing
        until(seconds, look, 0.1)
        return sorted(missing)

    def close(self):
        if self.client:
            self.client.stop()
        for process in reversed(Process.everyone):
            process.end(wait=5)
            process.output.close()
        Process.everyone.clear()
        if self.keep:
            print(f"# kept {self.directory}", file=sys.stderr)
        else:
            shutil.rmtree(self.directory, ignore_errors=True)


def judge(text, make, play, tail=0):
    """The main program of a judge: `play` does its work with the bench that `make` makes, and notes what it finds. Where something failed, the last
    `tail` lines of the daemon's log follow. Returns the exit status."""
    parser = argparse.ArgumentParser(description=text)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    parser.add_argument("--keep", action="store_true", help="leave logs and state behind")
    options = parser.parse_args()
    end_cleanly_on_signals()
    r = Report()
    b = make(os.path.abspath(options.binary), options.keep)
    try:
        play(b, r)
    finally:
        if tail and r.failed:
            with open(b.path("daemon.log"), errors="replace") as log:
                print("".join(log.readlines()[-tail:]), file=sys.stderr)
        b.close()
    return r.finish()


def measure(text, make, boards, work, *numbers):
    """The main program of what measures the gateway and judges only that it did its work. `work` starts the bench of so many boards that `make`
    makes, prints what it found and returns it by name; `numbers` are further options: name, default, help."""
    parser = argparse.ArgumentParser(description=text)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    for name, default, about in (("boards", boards, None), *numbers):
        parser.add_argument(f"--{name}", type=int, default=default, help=about)
    parser.add_argument("--json", action="store_true", help="what was measured once more, as the last line")
    parser.add_argument("--keep", action="store_true", help="leave logs and state behind")
    options = parser.parse_args()
    end_cleanly_on_signals()
    r, told = Report(), None
    b = make(os.path.abspath(options.binary), boards=options.boards, keep=options.keep)
    try:
        told = work(b, r, options)
    finally:
        b.close()
    status = r.finish()
    if options.json:
        print(json.dumps(told or {}))
    return status
