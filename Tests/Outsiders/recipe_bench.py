"""Simulated boards, a broker and a gateway, and what the boards did by their own recording: what `recipe_checks.py` plays with."""
import json
import os
import re
import subprocess
import threading
import time

from bench import Bench, Client, Process, Report, until

FINAL = ("done", "failed", "unknown")
DO, DONE = "metafleet/simulator/do", "metafleet/simulator/done"


class SafeReport(Report):
    """One for several threads: a line is printed whole, and counted."""
    lock = threading.Lock()

    def check(self, *what):
        with self.lock:
            return super().check(*what)


class Recording:
    """What `metafleet simulate --recording` writes, by board, as it comes; what sensors measure is left out."""
    SAMPLES = re.compile('"measured"|"fired":"(fusion|accelerometer)","register":([4-9]|10|28)\\b')

    def __init__(self, path):
        self.path, self.boards, self.condition = path, {}, threading.Condition()
        threading.Thread(target=self.follow, daemon=True).start()

    def follow(self):
        until(30, lambda: os.path.exists(self.path))
        with open(self.path) as file:
            rest = ""
            while True:
                text = file.read()
                if not text:
                    time.sleep(0.02)
                    continue
                lines = (rest + text).split("\n")
                rest = lines.pop()
                entries = [json.loads(x) for x in lines if x and not self.SAMPLES.search(x)]
                with self.condition:
                    for entry in entries:
                        for board in entry.get("boards") or [entry.get("board")]:
                            self.boards.setdefault(board, []).append(entry)
                    self.condition.notify_all()

    def mark(self, board):
        with self.condition:
            return len(self.boards.get(board, []))

    def since(self, board, mark, test=lambda entry: True):
        with self.condition:
            return [x for x in self.boards.get(board, [])[mark:] if test(x)]

    def wait(self, seconds, board, mark, test, count=1):
        """The entries behind `mark` that pass, once there are `count` of them; fewer when the time is over."""
        end = time.monotonic() + seconds
        with self.condition:
            while True:
                found = [x for x in self.boards.get(board, [])[mark:] if test(x)]
                left = end - time.monotonic()
                if len(found) >= count or left <= 0: return found
                self.condition.wait(left)


class RecipeBench(Bench):
    """The product's own simulator below the gateway, instead of a BlueZ of ours."""

    def __init__(self, binary, models, keep=False):
        super().__init__(binary, boards=len(models), models=",".join(models), keep=keep)
        self.ids = [f"c0ffee00{n:04x}" for n in range(1, len(models) + 1)]

    def start(self):
        os.mkdir(self.path("state"))
        self.start_broker()
        self.client = Client(self.port, None, persistent=False).start()
        self.client.subscribed.wait(10)
        self.simulator = Process("simulator", [self.binary, "simulate", "--boards", str(self.count), "--models", self.models, "--json", "--mqtt", "--host", "127.0.0.1",
                                               "--port", str(self.port), "--recording", self.path("recording.jsonl")], self.path("simulator.log"), stdout=subprocess.PIPE)
        first = json.loads(self.simulator.popen.stdout.readline() or b"{}")
        self.bus_address = first.get("bus")
        # What is done to boards is taken from the recording; nobody may fill the pipe.
        threading.Thread(target=lambda: [None for _ in self.simulator.popen.stdout], daemon=True).start()
        self.recording = Recording(self.path("recording.jsonl"))
        self.configure("""gateway: { id: outsider, site: lab }
commands: { per_min: 6000, allow: [{ verbs: ["*", raw] }] }
schedules: { battery: 1h }
profiles: { idle: {} }
""", lambda n: "profile: idle")
        self.start_daemon()
        return first


class Played:
    """One board of the bench: what is asked of it, done to it, and seen of it."""

    def __init__(self, bench, report, number, model):
        self.bench, self.r, self.number, self.model, self.id = bench, report, number, model, bench.ids[number - 1]
        self.client, self.recording, self.asked = bench.client, bench.recording, 0

    def topic(self, *rest):
        return self.bench.topic(self.number, *rest)

    def ask(self, verb, args=None, wait=60):
        """The final reply."""
        self.asked += 1
        mark, name = self.client.mark(), f"{self.id}-{self.asked}"
        self.client.publish(self.topic("cmd", verb), json.dumps({"id": name, "args": args or {}}))
        return self.client.wait(wait, self.topic("reply", verb), lambda v: v.get("id") == name and v.get("stage") in FINAL, mark) or {}

    def does(self, what, verb, args=None, evidence=None, test=lambda data: True):
        """The data of an answer that has to be done, by this evidence, and to pass."""
        final = self.ask(verb, args)
        good = final.get("stage") == "done" and evidence in (None, final.get("evidence")) and test(final.get("data") or {})
        self.r.check(f"{self.model}: {what}", good, f"{verb} {json.dumps(args)} done, {evidence}", final)
        return final.get("data") or {}

    def refuses(self, what, verb, args, code, words):
        final = self.ask(verb, args)
        self.r.check(f"{self.model}: {what}", final.get("code") == code and words in final.get("message", ""), f"{code}: {words}", final)

    def play(self, line):
        """What somebody does with the board; `{}` in the line stands for it."""
        self.asked += 1
        mark, name, line = self.client.mark(), f"{self.id}-{self.asked}", line.format(self.number)
        self.client.publish(DO, json.dumps({"id": name, "lines": line}))
        answer = self.client.wait(30, DONE, lambda v: v.get("id") == name, mark)
        if not (answer and answer["ok"]): self.r.check(f"{self.model}: {line}", False, "carried out", answer)

    def press(self, times=1):
        for _ in range(times):
            self.play("press {}")
            self.play("release {}")

    def mark(self):
        return self.recording.mark(self.id)

    def shows(self, mark, test, count=1, wait=30):
        """What the recording has of the board behind `mark`."""
        return self.recording.wait(wait, self.id, mark, test, count)

    def sees(self, topic, test=lambda v: True, mark=0, wait=30):
        return self.client.wait(wait, self.topic(*topic), test, mark)

    def documents(self, mark, *topic):
        return [json.loads(m[2]) for m in self.client.since(mark, self.topic(*topic)) if m[2]]

    def samples(self, mark, *topic):
        return [s for batch in self.documents(mark, *topic) for s in batch["samples"]]

    def online(self):
        return (self.client.last(self.topic("availability")) or {}).get("state") == "online"

    def leave(self):
        """Nobody reaches the board any more; what the recording has from then on happens without a link."""
        mark = self.mark()
        self.play("vanish {}")
        down = self.shows(mark, lambda x: x.get("link") == "down")
        if not down: self.r.check(f"{self.model}: the link is down", False, "down", self.recording.since(self.id, mark))
        return self.mark()

    def come_back(self):
        """The gateway waits longer and longer for a board that it loses so often; a command is a reason not to."""
        self.play("heal {} vanish")
        until(60, lambda: self.ask("read", {"what": "mac"}).get("stage") == "done")

    def tidy(self):
        """Nothing of ours or of anybody else's is left on the board."""
        for verb in ("event-remove", "timer-remove", "processor-remove"):
            self.does(f"{verb} takes all that was made", verb, {"all": True, "foreign": True})


def led(*colours):
    """The LED is this now; none of them is dark."""
    return lambda x: x.get("led") == list(colours)


def motor(seconds):
    return lambda x: "motor_pct" in x and abs(x["for_s"] - seconds) < 1e-6


def fired(module, register=None, index=None):
    return lambda x: x.get("fired") == module and register in (None, x["register"]) and index in (None, x.get("index"))
