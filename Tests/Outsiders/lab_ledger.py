#!/usr/bin/python3
"""In the laboratory's guest: looks at what a power cut left of the gateway's database, starts the gateway, and writes down what it is seen to
have committed, line by line, into a directory of the host, which no power cut of the guest reaches. Run by power_cuts.py."""
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time

DATABASE = "metafleet.sqlite"
WAITING = "SELECT id, topic, payload FROM outbox JOIN outbox_payload USING (id) WHERE is_retained = 0 AND id > ? ORDER BY id"
# What a final reply looks like is not the onlooker's business: whether there is one is.
COMMANDS = "SELECT topic, id, final_reply IS NOT NULL FROM command"


class Lines:
    """A file of the host: what is written is there when `write` returns."""

    def __init__(self, path):
        self.file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def write(self, **line):
        os.write(self.file, json.dumps(line).encode() + b"\n")


def opened(path):
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=2)


def row(number, topic, payload):
    return [number, topic, hashlib.sha256(payload).hexdigest()]


def look(state, lines):
    """What is there before anybody opens it: of a copy, as to open it is to recover it."""
    files = [name for name in os.listdir(state) if name.startswith(DATABASE) and not name.endswith("-shm")]
    if DATABASE not in files:
        return lines.write(kind="found", integrity="ok", outbox=[], commands=[], new=True)
    folder = "/run/copy"
    os.makedirs(folder)
    for name in files:
        shutil.copyfile(os.path.join(state, name), os.path.join(folder, name))
    database = sqlite3.connect(os.path.join(folder, DATABASE))
    integrity = "; ".join(x[0] for x in database.execute("PRAGMA integrity_check"))
    tables = {x[0] for x in database.execute("SELECT name FROM sqlite_master")}
    outbox, commands = [], []
    if "outbox" in tables:
        outbox = [row(*x) for x in database.execute(WAITING.replace("is_retained = 0", "is_retained = 0 AND state IN (0, 2)"), (0,))]
    if "command" in tables:
        commands = [list(x) for x in database.execute(COMMANDS)]
    database.close()
    shutil.rmtree(folder)
    lines.write(kind="found", integrity=integrity, outbox=outbox, commands=commands, new=False)


def follow(path, gateway, lines):
    """Every row that waits for the broker, once it is committed, until the gateway ends."""
    highest = 0
    while gateway.poll() is None:
        time.sleep(0.05)
        try:
            database = opened(path)
            try:
                found = database.execute(WAITING, (highest,)).fetchall()
            finally:
                database.close()
        except sqlite3.Error:
            continue  # it is starting; the next look sees what there is
        for number, topic, payload in found:
            highest = number
        if found:
            lines.write(kind="committed", rows=[row(*x) for x in found])


def main():
    directory, turn, state, *command = sys.argv[1:]
    lines = Lines(os.path.join(directory, f"ledger.{turn}"))
    look(state, lines)
    with open(os.path.join(directory, "daemon.log"), "ab", buffering=0) as log:
        gateway = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    follow(os.path.join(state, DATABASE), gateway, lines)
    lines.write(kind="ended", status=gateway.returncode)
    sys.exit(gateway.returncode & 0xFF)


if __name__ == "__main__":
    main()
