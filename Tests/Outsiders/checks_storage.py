"""A disk that fills up, and a reader that locks the database, judged from outside: every hole in `seq` is explained."""
import json
import os
import random
import sqlite3
import subprocess
import time

from bench import Bench

SECONDS = 25
# What may befall the disk, and what health says of it then.
WANTED = {"fill": ("full", "low"), "lock": ("locked",), "read": ("full", "low")}


def mount(path):
    """Whether a file system of 4 MiB lies at `path` now."""
    os.makedirs(path, exist_ok=True)
    return os.geteuid() == 0 and subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "none", path],
                                                capture_output=True).returncode == 0


def holes(messages):
    """Holes in the numbers of every session, those that no `data-gap` tells, and samples that `gap_before` tells."""
    batches, gaps = {}, {}
    for _, topic, payload, *_ in messages:
        levels = topic.split("/")
        if len(levels) < 5 or not payload:
            continue
        if levels[3] == "record":
            value = json.loads(payload)
            batches.setdefault((levels[2], levels[4], value["session"]), {})[value["seq"]] = value
        elif levels[3:5] == ["event", "data-gap"]:
            value = json.loads(payload)
            gaps.setdefault((levels[2], value["stream"]), []).append(value)
    unexplained, told = [], 0
    for (board, stream, session), by_number in batches.items():
        expected = 0
        for number in sorted(by_number):
            value = by_number[number]
            told += max(0, value["gap_before"])
            missing = number - expected
            if missing > 0 and not any(g["count"] >= missing for g in gaps.get((board, stream), [])):
                unexplained.append(f"{board} {stream}: {missing} samples before {number}")
            if missing < 0:
                unexplained.append(f"{board} {stream}: {-missing} numbers twice at {number}")
            expected = number + value["count"]
    return unexplained, told


def begin(fault, state):
    """Makes the trouble; returns what ends it. `read` locks nothing, but keeps the write-ahead log from being folded: it fills the disk."""
    if fault == "fill":
        filler = os.path.join(state, "filler")
        try:
            with open(filler, "wb", buffering=0) as f:
                while True:
                    f.write(b"x" * 4096)
        except OSError:
            pass
        return lambda: os.unlink(filler)
    other = sqlite3.connect(os.path.join(state, "metafleet.sqlite"), timeout=5, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE" if fault == "lock" else "BEGIN")
    other.execute("SELECT count(*) FROM outbox").fetchall()
    return lambda: (other.execute("ROLLBACK"), other.close())


def storage(binary, r, keep):
    """Fills the disk, locks the database and reads it at length at random moments while a fleet streams and is commanded."""
    seed = int(os.environ.get("STORAGE_SEED", random.randrange(1 << 32)))
    print(f"# storage: seed {seed}", flush=True)
    draw = random.Random(seed)
    b = Bench(binary, boards=20, keep=keep)
    state = b.path("state")
    is_mounted = False
    try:
        is_mounted = mount(state)
        if not is_mounted:
            print("# storage: skipped, a file system of 4 MiB cannot be mounted here (it takes root)", flush=True)
            return
        b.start_bus(), b.start_fake(), b.start_broker(), b.start_client(), b.write_config(), b.start_daemon()
        r.check("storage: the boards stream from a disk of 4 MiB", not b.wait_streaming(30), "all", b.streaming())
        end, asked = time.monotonic() + SECONDS, []
        faults = draw.sample(list(WANTED), k=len(WANTED))
        while faults or time.monotonic() < end:
            mark, fault = b.client.mark(), faults.pop() if faults else draw.choice(list(WANTED))
            over = begin(fault, state)
            id = f"storage-{len(asked)}"
            board = draw.randrange(b.count) + 1
            b.client.publish(b.topic(board, "cmd", "led"), {"id": id, "args": {"state": "ON"}})
            health = b.client.wait(30 if fault == "read" else 8, b.gateway_topic("health"), lambda v: v.get("storage") in WANTED[fault], mark)
            r.check(f"storage: health says at once that the disk is in trouble ({fault})", health is not None, WANTED[fault],
                    (b.client.last(b.gateway_topic("health")) or {}).get("storage"))
            answer = b.client.wait(8, b.topic(board, "reply", "led"),
                                   lambda v: v.get("id") == id and v.get("stage") in ("done", "failed", "unknown"), mark)
            asked.append(id)
            r.check(f"storage: a command is answered meanwhile ({fault})", answer is not None, "a final answer", answer)
            # Seven seconds of a lock are more than SQLite's own patience and ours.
            time.sleep(draw.choice([draw.uniform(0, 2), draw.uniform(7, 9)]))
            mark = b.client.mark()
            over()
            well = b.client.wait(30, b.gateway_topic("health"), lambda v: v.get("storage") == "ok", mark)
            r.check(f"storage: all is well within 30 s ({fault})", well is not None, "ok",
                    (b.client.last(b.gateway_topic("health")) or {}).get("storage"))
            r.equal(f"storage: samples come again ({fault})", b.wait_samples(15, range(1, b.count + 1), b.client.mark()), [])
        time.sleep(3)
        unexplained, told = holes(b.client.since(0))
        r.equal("storage: every hole in seq is explained", unexplained, [])
        print(f"# storage: {told} samples told by gap_before", flush=True)
    finally:
        b.close()
        if is_mounted:
            subprocess.run(["umount", "-l", state], capture_output=True)


ALONE = [storage]
