#!/usr/bin/python3
"""Judges `metafleet explain` from outside: what is wrong is seeded one by one in a fleet that is well, and each time asked
for: the cause, the exit status, what is said of a board that has nothing; and once more when it is over."""
import argparse
import json
import os
import re
import signal
import subprocess
import sys
import time

from bench import Bench, Report, end_cleanly_on_signals, until

E = "org.bluez.Error."
WELL = 20  # a board that nothing is done to, alone
ABSENT = "c10d0e0f00ee"  # listed, and nowhere
STRANGE = "c10d0e0f00ff"  # in no file
# Codes that leave the exit status at 0.
NOTICES = {"next-visit", "no-live-sample", "storage-slow", "streams-not-kept", "database-replaced", "config-error", "clock-unset", "firmware-check-failing",
           "firmware-old", "in-rollout", "not-in-sync", "broker-refused"}
# Nobody is sent to do this while other boards stream.
DRASTIC = re.compile(r"systemctl (re)?start bluetooth|rfkill|plug one in|bluetoothctl power on")


class Fleet(Bench):
    """Twenty boards that stream; what is wrong for good with some of them stands in the file."""
    broken = ""

    def write_config(self, extra=""):
        special = {6: "profile: moving, enabled: false", 7: "profile: moving, serial: NOBODY", 8: "profile: lacking", 9: "profile: idle"}
        path = self.configure(f"""gateway: {{ id: {self.gateway} }}
schedules: {{ firmware_check: never }}
profiles:
  moving: {{ availability_window: 10s, stream: {{ acceleration: {{ rate_hz: 50, range_g: 4 }} }} }}
  lacking: {{ stream: {{ acceleration: {{ rate_hz: 50 }}, humidity: {{ every: 5s }} }} }}
  idle: {{ button: true }}
{extra}{self.broken}""", lambda n: special.get(n, "profile: moving"))
        with open(path, "a") as f:
            f.write("  - { address: \"C1:0D:0E:0F:00:EE\", name: Absent, profile: moving }\n")
        return path

    def start_broker(self):
        self.permit()
        self.broker_options = f"acl_file {self.path('acl')}\n"
        super().start_broker()

    def permit(self, *refused):
        """What the broker lets through; of a running one after a signal."""
        with open(self.path("acl"), "w") as f:
            f.write("topic readwrite #\n" + "".join(f"topic deny {topic}\n" for topic in refused))
        if self.broker:
            self.broker.popen.send_signal(signal.SIGHUP)

    def explain(self, board):
        """The answer and the exit status."""
        run = subprocess.run([self.binary, "explain", self.ids[board - 1] if isinstance(board, int) else board, "--json", "--host", "127.0.0.1",
                              "--port", str(self.port)], capture_output=True, timeout=60)
        try:
            answer = json.loads(run.stdout)
        except ValueError:
            answer = {"causes": [], "error": (run.stdout + run.stderr).decode()}
        return answer, run.returncode


def codes(answer):
    return [c["code"] for c in answer["causes"]]


def sane(answer, status):
    """What holds of every answer; returns what does not."""
    wrong = []
    if not isinstance(answer.get("ok"), bool) or (status == 0) != answer["ok"]: wrong.append(f"ok {answer.get('ok')} with status {status}")
    if status not in (0, 1): wrong.append(f"status {status}")
    if status == 1 and not set(codes(answer)) - {"clock-unset"}: wrong.append("status 1 without a cause")
    if status == 0 and set(codes(answer)) - NOTICES: wrong.append(f"status 0 with {codes(answer)}")
    for cause in answer["causes"]:
        if "BlueZ says" in cause["text"] and E not in cause["text"].split("BlueZ says")[1]: wrong.append(cause["text"])
    return wrong


def expect(b, r, what, board, code, status=1, reason=None, seconds=20, others=True):
    """Asks until the cause is told, and says how the answer and that of a board that is well were."""
    last = {}

    def told():
        last["answer"], last["status"] = b.explain(board)
        cause = next((c for c in last["answer"]["causes"] if c["code"] == code), None)
        return cause if cause and last["status"] == status and reason in (None, cause.get("reason_code")) else None
    cause = until(seconds, told, 0.3)
    r.check(f"{what}: {code}{f' ({reason})' if reason else ''}, status {status}", cause, code, last)
    main = [c for c in codes(last["answer"]) if c not in NOTICES or c == code]
    r.check(f"{what}: it comes first", main[:1] == [code], code, last)
    r.equal(f"{what}: the answer agrees with itself", sane(last["answer"], last["status"]), [])
    if others:
        advice = " ".join(c["text"] for c in last["answer"]["causes"])
        r.check(f"{what}: nobody is to restart what works for others", not DRASTIC.search(advice), "no such advice", advice)
        answer, status = b.explain(WELL)
        r.check(f"{what}: a board beside it is well", status == 0 and sane(answer, status) == [], "status 0", answer)


def over(b, r, what, boards, seconds=10):
    """Once the boards stream again nothing is left of it within so long."""
    missing = b.wait_streaming(60, boards)
    r.equal(f"{what}, over: boards stream", missing, [])
    for board in boards:
        last = {}

        def fine():
            last["answer"], last["status"] = b.explain(board)
            return last["status"] == 0
        r.check(f"{what}, over: status 0", until(seconds, fine, 0.3) and sane(last["answer"], last["status"]) == [], "0", last)


def lasting(b, r):
    """What the file says, and what is asked of boards that cannot do it."""
    expect(b, r, "in no file", STRANGE, "not-admitted", seconds=2)
    expect(b, r, "enabled: false", 6, "disabled", reason="disabled")
    expect(b, r, "another serial number", 7, "identity-mismatch", reason="identity-mismatch")
    expect(b, r, "a sensor that is not there", 8, "not-in-sync", reason="setup-unsupported")
    expect(b, r, "nothing desired", 9, "profile-empty")


def boards(b, r):
    """Boards of which each has something else, at once."""
    for n, order in ((1, {"do": "absent", "on": True}), (2, {"do": "acquire-error", "error": [E + "NotPermitted", "Notify acquired"], "times": 99}),
                     (3, {"do": "connect-error", "error": [E + "Failed", "le-connection-abort-by-local"], "times": 99})):
        b.do(order.pop("do"), board=n, **order)
        b.do("drop", board=n)
    b.do("air", board=4, pause=600)
    b.do("air", board=5, loss=0.4)
    b.client.publish(b.topic(10, "cmd", "disconnect"), {"id": "hold", "args": {"hold_s": 20}})
    expect(b, r, "disconnected on request", 10, "held", reason="held")
    expect(b, r, "another program", 2, "busy-elsewhere", reason="busy-elsewhere")
    expect(b, r, "refused", 3, "connect-failing", reason="refused")
    expect(b, r, "out of range", 1, "silent-since", seconds=40)
    expect(b, r, "a silent sensor", 4, "stream-silent", reason="stream-silent", seconds=40)
    expect(b, r, "a slow connection", 5, "stream-rate", reason="samples-missing", seconds=40)
    expect(b, r, "listed and nowhere", ABSENT, "not-seen", seconds=30)
    b.do("absent", board=1, on=False)
    b.do("acquire-error", board=2, error=["", ""], times=0)
    b.do("connect-error", board=3, error=["", ""], times=0)
    b.do("air", board=4, pause=0)
    b.do("air", board=5, loss=0)


def gateway(b, r):
    """What its owner does to the gateway."""
    b.permit(b.topic(11, "record", "acceleration"))
    expect(b, r, "a topic that the broker refuses", 11, "broker-refused")
    b.permit()
    b.broken = "nonsense: true\n"
    b.write_config()
    b.daemon.popen.send_signal(signal.SIGHUP)
    expect(b, r, "a file with errors", 12, "config-error", status=0)
    b.broken = ""
    b.write_config()
    b.daemon.popen.send_signal(signal.SIGHUP)
    gone = until(10, lambda: "config-error" not in codes(b.explain(12)[0]), 0.3)
    r.check("a file with errors, over: nothing is left", gone, "no config-error", b.explain(12))
    over(b, r, "a topic that the broker refuses", [11])
    b.client.publish(b.gateway_topic("cmd", "drain"), {"id": "drain"})
    expect(b, r, "drained", WELL, "drained", reason="drained", others=False)
    b.client.publish(b.gateway_topic("cmd", "drain"), {"id": "resume", "args": {"resume": True}})
    over(b, r, "drained", [WELL])


def radio(b, r):
    """What happens to Bluetooth as a whole."""
    b.do("refuse-power", on=True)
    b.do("power", on=False)
    expect(b, r, "the adapter is off", WELL, "adapter-down", others=False)
    b.do("refuse-power", on=False)
    b.do("power", on=True)
    over(b, r, "the adapter is off", [WELL])
    b.do("pull-out", adapter=0)
    expect(b, r, "the adapter is gone", WELL, "adapter-down", others=False)
    b.do("plug-in", adapter=0, name="hci3")
    over(b, r, "the adapter is gone", [WELL])
    b.do("kill")
    expect(b, r, "bluetoothd is gone", WELL, "bluetooth-down", others=False)
    b.do("start")
    over(b, r, "bluetoothd is gone", [WELL])


def dead(b, r):
    b.daemon.end(signal.SIGKILL)
    expect(b, r, "the gateway is dead", WELL, "gateway-stopped", seconds=40, others=False)
    b.start_daemon()
    over(b, r, "the gateway is dead", [WELL])


def play(binary, r, keep):
    b = Fleet(binary, keep=keep)
    try:
        b.start()
        expect(b, r, "the gateway has just started", ABSENT, "starting", others=False)
        r.equal("twenty boards come up", b.wait_streaming(40, [n for n in range(1, 21) if n not in (6, 7, 8, 9)]), [])
        for step in (lasting, boards, gateway):
            timed(step, b, r)
        # By now all that was seeded is over.
        over(b, r, "boards", [1, 2, 3, 4, 10])
        over(b, r, "a slow connection", [5], seconds=45)
        for step in (radio, dead):
            timed(step, b, r)
    finally:
        b.close()


def timed(step, b, r):
    began = time.monotonic()
    step(b, r)
    print(f"# {step.__name__} took {time.monotonic() - began:.0f} s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    parser.add_argument("--keep", action="store_true", help="leave logs and state behind")
    options = parser.parse_args()
    end_cleanly_on_signals()
    r = Report()
    play(os.path.abspath(options.binary), r, options.keep)
    return r.finish()


if __name__ == "__main__":
    sys.exit(main())
