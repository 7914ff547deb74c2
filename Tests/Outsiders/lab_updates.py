#!/usr/bin/python3
"""Firmware over the air in the laboratory, above a real kernel and bluetoothd: boards get it while others stream, links are lost on the way, and
`metafleet run` is killed with -9 at every stage, after which the next one rescues the board. Run by Tests/BlueZLab/updates."""
import json
import os
import signal
import sys
import time

import checks_contract
from bench import judge, until
from checks_commands import FINAL, ask, good_order
from dfu_host import image, init_packet, write_package
from lab_checks import LabBench

SIZE = 8000
CUT, WHOLE = range(1, 6), range(1, 4)  # boards whose links are lost (see Tests/BlueZLab/updates), and boards whose are not
AGAIN = [2, 3]  # a bootloader that is still in the transfer that broke off refuses the next one, and is reset
LIMIT_S = 300  # of the guest's time: an update, with those before it on the same adapter


class UpdateBench(LabBench):
    """An index and its packages in a directory, so that nothing is asked of any network."""
    releases = []

    def write_config(self, extra=""):
        return self.configure(f"""gateway: {{ id: {self.gateway}, site: lab }}
firmware: {{ index: {self.path('releases')} }}
lanes: {{ live: {{ rate_hz: 1 }} }}
profiles:
  moving: {{ stream: {{ acceleration: {{ rate_hz: 12.5, range_g: 4 }} }} }}
""", lambda n: "profile: moving, groups: [lab]")

    def release(self, version):
        """A build for every model, with all before it."""
        self.releases.append(version)
        number = int.from_bytes(bytes([0, *(int(part) for part in version.split("."))]), "big")
        data = image(SIZE)
        index = {}
        for hardware, model in (("0.1", "8"), ("0.4", "5")):
            folder = self.path(os.path.join("releases", hardware, model, "vanilla", version))
            os.makedirs(folder)
            write_package(os.path.join(folder, "firmware.zip"), data, init_packet(data, int(model), version=number))
            index[hardware] = {model: {"vanilla": {v: {"filename": "firmware.zip", "required-bootloader": "0.4"} for v in self.releases}}}
        with open(self.path("releases/info2.json"), "w") as f:
            json.dump(index, f)

    def order(self, n, version):
        """Has a board updated; the id of the order."""
        order = f"fw-{n}-{version}"
        self.client.publish(self.topic(n, "cmd", "firmware-update"), {"id": order, "args": {"confirm": self.ids[n - 1], "version": version}})
        return order

    def final(self, n, order, mark, wait=LIMIT_S):
        return self.client.wait(wait, self.topic(n, "reply", "firmware-update"), lambda v: v["id"] == order and v["stage"] in FINAL, mark) or {}

    def replies(self, n, order, mark):
        return [v for v in (json.loads(m[2]) for m in self.client.since(mark, self.topic(n, "reply", "firmware-update"))) if v["id"] == order]


def undisturbed(b, r, what, boards, mark):
    """U7: the others have streamed from then on without a break."""
    lost = [n for n in boards for kind in ("link-lost", "data-gap", "stream-rate") if b.client.since(mark, b.topic(n, "event", kind))]
    r.equal(f"{what}: no other board lost its link or a sample", lost, [])
    broken = []
    for n in boards:
        batches = [json.loads(m[2]) for m in b.client.since(mark, b.topic(n, "record", "acceleration"))]
        whole = [(x["session"], x["seq"] + len(x["samples"])) for x in batches[:-1]] == [(x["session"], x["seq"]) for x in batches[1:]]
        if not batches or not whole:
            broken.append((n, len(batches)))
    r.equal(f"{what}: each of {len(boards)} others has streamed on, sample by sample", broken, [])


def states_firmware(b, boards):
    return [b.client.last(b.topic(n, "state")).get("fw") for n in boards]


def update(b, r, what, version, boards, attempts):
    """Several at once, which have to take turns on the one adapter. `attempts`: how many transfers that may take."""
    b.release(version)
    mark = b.client.mark()
    ask(b, boards[0], "firmware-check", {"id": f"check-{version}", "args": {"refresh": True}})
    orders = {n: b.order(n, version) for n in boards}
    for n, order in orders.items():
        final = b.final(n, order, mark)
        data = final.get("data", {})
        r.check(f"{what}, board {n}: done, by what its application says", (final.get("stage"), data.get("to"), final.get("evidence")) == ("done", version, "readback")
                and data.get("attempts") in attempts, (version, attempts), final)
        r.check(f"{what}, board {n}: accepted, sent, one final reply", good_order(b.replies(n, order, mark)), "in order", b.replies(n, order, mark))
        seen = {json.loads(m[2]).get("stage") for m in b.client.since(mark, b.topic(n, "firmware")) if m[2]}
        r.check(f"{what}, board {n}: its stages are published", {"entering-bootloader", "sending", "idle"} <= seen, "stages", seen)
    missing = b.wait_samples(60, boards, b.client.mark())
    # Live samples do not wait for the disk, as states do.
    until(10, lambda: states_firmware(b, boards) == [version] * len(boards), 0.2)
    r.equal(f"{what}: all stream again, as new firmware", (missing, states_firmware(b, boards)), ([], [version] * len(boards)))
    undisturbed(b, r, what, [n for n in range(1, b.count + 1) if n not in boards], mark)


# What the retained document says of the board when the gateway is killed, and what the order comes to: what was accepted and not begun is carried
# out by the next gateway; what was begun goes on, too, but nobody can tell any more that it was this order that did it.
STAGES = [
    ("while it is fetched", "done", lambda v: v.get("stage") == "fetching"),
    ("while it enters its bootloader", "unknown", lambda v: v.get("stage") == "entering-bootloader"),
    ("before the first byte", "unknown", lambda v: v.get("stage") == "sending"),
    ("in the middle of the image", "unknown", lambda v: v.get("stage") == "sending" and v.get("update_percentage", 0) >= 40),
    ("while it restarts", "unknown", lambda v: v.get("stage") == "verifying"),
]


def killed(b, r, number, when, end, stage):
    """Kills the daemon at a stage, and sees what becomes of the board and of the order."""
    version, board, what = f"2.0.{number}", 1 + number % 2, f"F273 killed {when}"
    b.release(version)
    ask(b, board, "firmware-check", {"id": f"check-{version}", "args": {"refresh": True}})
    mark = b.client.mark()
    order = b.order(board, version)
    reached = b.client.wait(120, b.topic(board, "firmware"), stage, mark)
    b.daemon.end(signal.SIGKILL)
    death, again = time.time() * 1000, b.client.mark()
    r.check(f"{what}: it was", reached, "that stage", b.client.last(b.topic(board, "firmware")))
    b.linked()
    b.start_daemon()
    told = b.client.wait(LIMIT_S, b.topic(board, "event", "firmware"), lambda v: v["event_type"] in ("updated", "rescued", "failed"), again) or {}
    r.check(f"{what}: the board has what it was to get, and that is told", told.get("event_type") in ("updated", "rescued")
            and told["latest_version"] == version, "updated or rescued", told)
    b.final(board, order, mark, 10)
    r.check(f"{what}: the order ends once, {end}", [v["stage"] for v in b.replies(board, order, mark) if v["stage"] in FINAL] == [end], end,
            b.replies(board, order, mark))
    late = b.wait_streaming(60) or b.wait_samples(60, range(1, b.count + 1), b.client.mark())
    r.equal(f"{what}: all boards stream again", (late, (b.client.last(b.topic(board, "state")) or {}).get("fw")), ([], version))
    document = b.client.last(b.topic(board, "firmware")) or {}
    r.equal(f"{what}: nothing is left of it", (document.get("stage"), document.get("installed_version"), document.get("in_progress")), ("idle", version, False))
    b.judge.killed(death)


def play(b, r):
    b.release("1.7.3")
    b.start()
    r.equal("all boards stream within 60 s", b.wait_streaming(60), [])
    began = time.monotonic()
    update(b, r, "D01 links are lost on the way", "1.8.0", list(CUT), AGAIN)
    print(f"# {time.monotonic() - began:.0f} s", flush=True)
    update(b, r, "F53 three boards, and five others stream", "1.9.0", list(WHOLE), [1])
    print(f"# {time.monotonic() - began:.0f} s", flush=True)
    for number, (when, end, stage) in enumerate(STAGES):
        killed(b, r, number, when, end, stage)
        print(f"# {time.monotonic() - began:.0f} s", flush=True)
    print(f"# bluetoothd crashed {b.crashes} times in {len(STAGES)} kills", flush=True)
    r.equal("F75 clean stop after all that: exit status", b.daemon.end(signal.SIGTERM, wait=25), 0)
    checks_contract.verdict(b, r)


if __name__ == "__main__":
    sys.exit(judge(__doc__, UpdateBench, play, tail=80))
