"""What `metafleet events` tells afterwards, and a log that nobody reads or that sixty boards fill."""
import fcntl
import json
import os
import signal
import subprocess
import time

from bench import Bench, Process, until
from checks_commands import ask

# Lines of a start with sixty boards, most of which are of the gateway itself.
QUIET = 30


def observed(b):
    """Event ids as the broker gave them to an observer, by their time: of those with one stamp in any order."""
    events = {}
    for _, topic, payload, _, retained, _ in b.client.since(0):
        levels = topic.split("/")
        if "event" in levels[-2:-1] and payload and not retained:
            value = json.loads(payload)
            events[value["event_id"]] = value["ts_ms"]
    return in_order((stamp, name) for name, stamp in events.items())


def in_order(pairs):
    return sorted(pairs)


def listed(b, *arguments):
    run = subprocess.run([b.binary, "events", "--json", "--limit", "100000", "--config", b.path("metafleet.yaml"), *arguments],
                         capture_output=True, text=True, timeout=20)
    if run.returncode:
        raise RuntimeError(f"events: {run.returncode} {run.stderr}")
    return [json.loads(line) for line in run.stdout.splitlines()]


def identities(values):
    return [(v["ts_ms"], v["event_id"]) for v in values if "event_id" in v]


def compare(b, r, when):
    """The history has what the observer saw, each once and in order. Events go on: it has all that was seen before it was asked, and nothing that is
    not seen afterwards, once what was under way is there."""
    def look():
        before, values = observed(b), identities(listed(b))
        return before, values, observed(b)

    agree = lambda before, values, after: set(before) <= set(values) <= set(after) and len(set(values)) == len(values)
    before, values, after = until(10, lambda: (lambda seen: seen if agree(*seen) else None)(look()), 0.5) or look()
    r.check(f"{when}: events lists what an observer saw, each once", agree(before, values, after), "each once",
            [sorted(set(before) - set(values)), sorted(set(values) - set(after)), len(values) - len(set(values))])
    r.check(f"{when}: in the order of time", [s for s, _ in values] == sorted(s for s, _ in values), "sorted", values[:9])


def history(binary, r, keep):
    b = Bench(binary, boards=4, keep=keep)
    try:
        b.start()
        missing = b.wait_streaming(60)
        r.check("events: the fleet streams", not missing, "all", missing)
        with open(b.path("followed"), "wb") as output:
            Process("follow", [b.binary, "events", "--json", "--follow", "--limit", "100000", "--config", b.path("metafleet.yaml")],
                    b.path("follow.log"), stdout=output)
        mark = b.client.mark()
        for n in (1, 2):
            b.do("drop", board=n)
        seen = [b.client.wait(10, b.topic(1, "event", "link-lost"), mark=mark)]
        b.do("reboot", board=3)
        seen.append(b.client.wait(20, b.topic(3, "event", "reset"), mark=mark))
        b.do("power", on=False)
        seen.append(b.client.wait(20, b.gateway_topic("event", "adapter"), lambda v: v["event_type"] == "returned", mark))
        r.check("events: an observer sees a lost link, a reset and an adapter that is back", all(seen), "all", seen)
        b.wait_streaming(30)
        _, final = ask(b, 4, "led", {"id": "seen", "args": {"color": "green"}}, 15)
        r.equal("events: a command is done", final.get("stage"), "done")
        kinds = {v["kind"] for v in listed(b)}
        r.check("events: of boards, adapters, the gateway and commands",
                {"link-lost", "reset", "adapter", "process", "command"} <= kinds, "all kinds", kinds)
        ends = [v for v in listed(b, "--type", "command") if v["id"] == "seen"]
        r.check("events: the command's end is there once, with what came of it",
                len(ends) == 1 and ends[0]["event_type"] == "done" and ends[0]["verb"] == "led", "done", ends)
        of_board = listed(b, "--board", "Board 1")
        r.check("events of one board are about it alone", of_board and all(v["board"] == b.ids[0] for v in of_board), b.ids[0], of_board[:3])
        compare(b, r, "running")
        before = listed(b)
        b.daemon.end(signal.SIGKILL)
        r.equal("killed: nothing is missing", listed(b)[:len(before)], before)
        b.start_daemon()
        b.client.wait(20, b.gateway_topic("event", "process"), lambda v: v["event_type"] == "started", b.client.mark())
        b.wait_streaming(60)
        compare(b, r, "after a kill and a start")

        def followed():
            with open(b.path("followed")) as text:
                return [json.loads(line) for line in text.read().splitlines() if line.endswith("}")]
        until(10, lambda: len(followed()) >= len(listed(b)), 0.5)
        r.equal("whoever followed saw the same, each once, across the kill", in_order(identities(followed())), in_order(identities(listed(b))))
        wrong = subprocess.run([b.binary, "events", "--board", "Bord 1", "--config", b.path("metafleet.yaml")], capture_output=True, text=True)
        r.check("events: a board that is not known is refused with the one that was meant",
                wrong.returncode == 64 and "did you mean Board 1?" in wrong.stderr, "64", wrong.stderr)
        wide = subprocess.run(["script", "-qec", f"stty cols 80; {b.binary} events --config {b.path('metafleet.yaml')}", "/dev/null"],
                              capture_output=True, text=True).stdout.splitlines()
        r.check("events: a line fits eighty columns", wide and max(len(plain(line)) for line in wide) <= 80, "80", [w for w in wide if len(plain(w)) > 80][:3])
    finally:
        b.close()


def plain(line):
    """Without colours and the end of the line."""
    out, skip = "", False
    for character in line.rstrip("\r\n"):
        if character == "\x1b":
            skip = True
        elif not skip:
            out += character
        elif character == "m":
            skip = False
    return out


def full_pipe():
    """The ends of a pipe that takes nothing more."""
    reading, writing = os.pipe()
    flags = fcntl.fcntl(writing, fcntl.F_GETFL)
    fcntl.fcntl(writing, fcntl.F_SETFL, flags | os.O_NONBLOCK)
    try:
        while True:
            os.write(writing, b"\0" * 4096)
    except BlockingIOError:
        pass
    fcntl.fcntl(writing, fcntl.F_SETFL, flags)
    return reading, writing


def stopped_reader(binary, r, keep):
    """Nobody reads the log: the gateway works, and ends when it is asked to."""
    b = Bench(binary, boards=4, keep=keep)
    reading, writing = full_pipe()
    daemon = None
    try:
        b.start(daemon=False)
        b.write_config("log: { level: debug }\n")
        daemon = subprocess.Popen([b.binary, "run", "--config", b.path("metafleet.yaml")], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=writing, env={**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": b.bus_address})
        missing = b.wait_streaming(60)
        r.check("a log that nobody reads: the fleet streams", not missing, "all", missing)
        for _ in range(3):
            b.do("drop", board=1)
            b.wait_streaming(20, [1])
        began = time.monotonic()
        daemon.send_signal(signal.SIGTERM)
        try:
            status = daemon.wait(20)
        except subprocess.TimeoutExpired:
            status = "still running"
        r.equal("a log that nobody reads: SIGTERM ends the daemon within 20 s", status, 0)
        print(f"# it took {time.monotonic() - began:.1f} s", flush=True)
        offline = b.client.wait(5, b.gateway_topic("availability"), lambda v: v["state"] == "offline")
        r.check("a log that nobody reads: the end is a clean one", offline and offline.get("reason") == "stopped", "stopped", offline)
    finally:
        if daemon and daemon.poll() is None:
            daemon.kill()
            daemon.wait()
        os.close(reading)
        os.close(writing)
        b.close()


class Crowded(Bench):
    def start_fake(self, *extra):
        super().start_fake("--adapters", "3", *extra)


def quiet_log(binary, r, keep):
    """Sixty boards that come, go and come again are a few lines; each is whole, and one says how many there are."""
    b = Crowded(binary, boards=60, keep=keep)
    try:
        b.start()
        missing = b.wait_streaming(120)
        r.check("sixty boards stream", not missing, "all", missing)
        until(10, lambda: "60 of 60 boards connected" in open(b.path("daemon.log")).read(), 0.5)
        mark = b.client.mark()
        for n in range(1, 61):
            b.do("drop", board=n)
        until(10, lambda: all(b.client.since(mark, b.topic(n, "event", "link-lost")) for n in range(1, 61)), 0.2)
        b.wait_streaming(60)
        lines = open(b.path("daemon.log")).read().splitlines()
        r.check("the log of sixty boards says that all are connected", any("60 of 60 boards connected" in line for line in lines), "60 of 60", lines)
        r.check(f"the log of sixty boards has at most {QUIET} lines", len(lines) <= QUIET, QUIET, f"{len(lines)}: {lines}")
        start = "\n".join(lines)
        for what in ("MetaFleet ", b.path("metafleet.yaml"), b.path("state"), f"127.0.0.1:{b.port}", "adapter", "60 in the configuration file"):
            r.check(f"the log says at its start: {what.strip()}", what in start, what, lines[:9])
    finally:
        b.close()


ALONE = [history, stopped_reader, quiet_log]
