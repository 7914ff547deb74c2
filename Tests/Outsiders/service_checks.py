#!/usr/bin/python3
"""Judges `metafleet run` as a service manager sees it: what it says to systemd's watchdog while it is idle, stopped or stuck, and how it ends when nobody
reads its log; and as members of its group do, who read its archive. Nothing is around it: no bus, no broker.
"""
import argparse
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from bench import Process, Report, die_with_parent, end_cleanly_on_signals, free_port

LIMIT = 4  # seconds that systemd would wait
# Stands between SQLite and the kernel: while the file $STUCK is there, locks of the database are waited for.
SHIM = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
static int passed(int file, int command, void *argument) {
  if (command == F_SETLK || command == F_SETLKW) {
    const char *flag = getenv("STUCK");
    while (flag && access(flag, F_OK) == 0) usleep(50000);
  }
  return syscall(SYS_fcntl, file, command, argument);
}
#define BODY { va_list all; va_start(all, command); void *argument = va_arg(all, void *); va_end(all); return passed(file, command, argument); }
int fcntl(int file, int command, ...) BODY
int fcntl64(int file, int command, ...) BODY
"""


class Service:
    """The daemon, started as systemd would."""

    def __init__(self, binary, directory, **environment):
        self.directory = directory
        os.makedirs(self.path("state"), exist_ok=True)
        with open(self.path("metafleet.yaml"), "w") as file:
            file.write(f"mqtt: {{ host: 127.0.0.1, port: {free_port()} }}\nstorage: {{ directory: {self.path('state')}, min_free: 1MB }}\n"
                       "http: { listen: none }\nlog: { level: debug }\nboards: []\n")
        self.binary = binary
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        if os.path.exists(self.path("notify")):
            os.remove(self.path("notify"))
        self.socket.bind(self.path("notify"))
        self.environment = {**os.environ, "NOTIFY_SOCKET": self.path("notify"), "WATCHDOG_USEC": str(LIMIT * 1_000_000),
                            "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={self.path('no-bus')}", **environment}
        self.words = []

    def path(self, name):
        return os.path.join(self.directory, name)

    def start(self, errors=None):
        command = [self.binary, "run", "--config", self.path("metafleet.yaml")]
        if errors is None:
            self.process = Process("service", command, self.path("log"), env=self.environment).popen
        else:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=errors, stdout=errors, env=self.environment, preexec_fn=die_with_parent)

    def listen(self, seconds):
        """What it says within so many seconds."""
        said, end = [], time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.socket], [], [], left)[0]:
                return said
            said.append(self.socket.recv(4096).decode())

    def stop(self, seconds=25):
        """The exit status; None where it does not end."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None


def feeds(said):
    return sum("WATCHDOG=1" in words for words in said)


def watchdog(binary, directory, r):
    shim = os.path.join(directory, "shim.so")
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", shim, "-x", "c", "-"], input=SHIM, text=True, check=True)
    stuck = os.path.join(directory, "stuck")
    s = Service(binary, directory, LD_PRELOAD=shim, STUCK=stuck)
    s.start()
    first = s.listen(LIMIT * 3)
    r.check("it says that it is ready", any("READY=1" in words for words in first), "READY=1", first)
    r.check("an idle one goes on, three times in the time that systemd waits", feeds(first) >= 6, "6 in three times the limit", first)
    open(stuck, "w").close()
    s.listen(LIMIT)
    r.equal("one whose disk is stuck does not say that it goes on", feeds(s.listen(LIMIT)), 0)
    os.remove(stuck)
    r.check("and does again when the disk is back", feeds(s.listen(LIMIT)) >= 1)
    s.process.send_signal(signal.SIGSTOP)
    s.listen(0.5)
    r.equal("one that is stopped says nothing", s.listen(LIMIT), [])
    s.process.send_signal(signal.SIGCONT)
    r.check("and goes on afterwards", feeds(s.listen(LIMIT)) >= 1)
    r.equal("it ends in order", s.stop(), 0)
    r.check("and says so", any("STOPPING=1" in words for words in s.listen(0.1)))
    s.socket.close()
    other = Service(binary, directory, WATCHDOG_PID="1")
    other.start()
    said = other.listen(LIMIT)
    r.check("what is asked of another process is not answered", feeds(said) == 0 and said, "READY=1 alone", said)
    r.equal("it ends in order, too", other.stop(), 0)
    other.socket.close()


def unread(binary, directory, r):
    """Its log goes into a pipe that is full, and that nobody reads."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    try:
        while True:
            os.write(writer, b"x" * 4096)
    except BlockingIOError:
        pass
    os.set_blocking(writer, True)
    s = Service(binary, directory)
    s.start(errors=writer)
    r.check("F218 with a log that nobody reads it works", any("READY=1" in words for words in s.listen(30)[:1]))
    r.check("F218 and goes on", feeds(s.listen(LIMIT)) >= 1)
    r.equal("F218 and ends when it is asked to", s.stop(), 0)
    s.socket.close()
    os.close(reader)
    os.close(writer)


def members(binary, directory, r):
    """The archive is the gateway's user's alone; members of its group have the gateway read it."""
    if os.geteuid() != 0:
        print("  the archive for members of a group: not judged, for that takes other users, and so root")
        return
    owner, group, member, stranger = 64_990, 64_991, 64_992, 64_993
    os.chmod(os.path.dirname(directory), 0o755)
    os.chmod(directory, 0o755)
    s = Service(binary, directory)
    program = shutil.copy(binary, s.path("metafleet"))
    os.chmod(s.path("state"), 0o700)
    os.chown(s.path("state"), owner, group)
    os.mkdir(s.path("run"))
    os.chown(s.path("run"), owner, group)
    environment = {**s.environment, "RUNTIME_DIRECTORY": s.path("run")}
    os.chmod(s.path("notify"), 0o777)

    def ask(user, *words, groups=(), **more):
        variables = {"HOME": "/nowhere", "PATH": os.environ["PATH"], "RUNTIME_DIRECTORY": s.path("run"), **more}
        done = subprocess.run([program, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60, user=user,
                              group=user, extra_groups=list(groups), env=variables, cwd=directory)
        return done.returncode, done.stdout, done.stderr

    if ask(member, "--version")[0] != 0:
        print("  the archive for members of a group: not judged, for other users cannot run the program here: its libraries are not for them")
        s.socket.close()
        return

    daemon = subprocess.Popen([program, "run", "--config", s.path("metafleet.yaml")], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=open(s.path("log"), "w"), user=owner, group=group, extra_groups=[], env=environment, cwd=directory)
    s.process = daemon
    try:
        r.check("F249 a gateway with a user of its own works", any("READY=1" in words for words in s.listen(30)[:1]))
        socket_path = s.path("run/archive.sock")
        until = time.monotonic() + 20
        while not os.path.exists(socket_path) and time.monotonic() < until:
            time.sleep(0.05)
        about = os.stat(socket_path)
        r.equal("F249 its socket is for its group", (oct(about.st_mode & 0o777), about.st_uid, about.st_gid), ("0o660", owner, group))
        status, output, errors = ask(member, "events", "--json", groups=[group])
        r.check("F249 a member of the group reads what happened", status == 0 and '"kind"' in output, "0, and events", (status, output, errors))
        by_root = subprocess.run([program, "events", "--json", "--config", s.path("metafleet.yaml")], stdout=subprocess.PIPE, text=True, env=s.environment).stdout
        r.equal("F249 which is what root reads from the files", output, by_root)
        for words in (["sessions"], ["audit"], ["verify"]):
            status, output, errors = ask(member, *words, groups=[group])
            plain = subprocess.run([program, *words, "--config", s.path("metafleet.yaml")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=s.environment)
            r.equal(f"F249 metafleet {words[0]} says the same to both", (status, output, errors), (plain.returncode, plain.stdout, plain.stderr))
        # The file in the usual place asks for what systemd gives the service alone.
        os.makedirs(s.path("home/metafleet"))
        with open(s.path("home/metafleet/metafleet.yaml"), "w") as file:
            file.write("mqtt: { host: 127.0.0.1, username: a, password_file: credential:mqtt-password }\nboards: []\n")
        status, output, errors = ask(member, "events", "--json", groups=[group], XDG_CONFIG_HOME=s.path("home"))
        r.check("F249 also where the file is one that only the service can read whole", status == 0 and output == by_root, "0, and events", (status, output, errors))
        status, output, errors = ask(member, "export", "nowhere", "--output", s.path("state/hidden.csv"), groups=[group])
        r.check("F249 a member writes no file where he may not", status == 73 and not os.path.exists(s.path("state/hidden.csv")), 73, (status, errors))
        os.mkdir(s.path("own"))
        os.chown(s.path("own"), member, member)
        status, output, errors = ask(member, "export", "nowhere", "--output", s.path("own/a.csv"), groups=[group])
        r.check("F249 what cannot be exported is said, and leaves no file", status == 64 and os.listdir(s.path("own")) == [], 64, (status, errors))
        for words in (["sessions", "--config", s.path("metafleet.yaml")], ["events", "--config", "/etc/shadow"]):
            status, output, errors = ask(member, *words, groups=[group])
            r.check(f"F249 {' '.join(words[:2])} asks for no archive but the gateway's", status == 77 and "--config" in errors and not output, 77, (status, errors))
        for words in (["events"], ["sessions"], ["export", "x"], ["verify"], ["audit"]):
            status, output, errors = ask(stranger, *words)
            r.check(f"F249 a stranger is told how he may: {words[0]}", status == 77 and "adduser" in errors and not output, 77, (status, errors))
        # Completion of a shell asks the broker, and ends its process by itself after two seconds: never the gateway's.
        asked = json.dumps({"arguments": ["---completion", "events", "--", "--board", "3", "0", "x"], "environment": {}})
        with socket.socket(socket.AF_UNIX) as bare, open(os.devnull, "w") as nothing:
            bare.connect(socket_path)
            socket.send_fds(bare, [f"{asked}\n".encode()], [nothing.fileno(), nothing.fileno()])
            bare.settimeout(20)
            answer = json.loads(bare.recv(4096))
        time.sleep(3)
        r.check("F249 nothing but the five commands is looked at, and the gateway lives", answer.get("status") == 64 and daemon.poll() is None,
                (64, None), (answer, daemon.poll()))
        follower = subprocess.Popen([program, "events", "--follow"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, user=member, group=member, extra_groups=[group],
                                    env={"HOME": "/nowhere", "PATH": os.environ["PATH"], "RUNTIME_DIRECTORY": s.path("run")}, cwd=directory)
        r.check("F249 one that goes on tells what was", b"TIME" in follower.stdout.readline())
        follower.send_signal(signal.SIGINT)
        follower.wait(20)
        follower.stdout.read()
        r.check("F249 and ends with whoever asked", children_end(daemon.pid), "no child of the gateway", "a child is left")
        r.equal("F249 it ends in order, and its socket goes", (s.stop(), os.path.exists(socket_path)), (0, False))
        status, output, errors = ask(member, "events", groups=[group], STATE_DIRECTORY=s.path("state"))
        r.check("F249 without a gateway, that is said", status == 77 and "does not run" in errors, 77, (status, errors))
    finally:
        if daemon.poll() is None:
            daemon.kill()
        s.socket.close()


def children_end(process, seconds=20):
    """Whether a process has no child any more, within so many seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = []
        for thread in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{thread}/children") as file:
                found += file.read().split()
        if not found:
            return True
        time.sleep(0.05)
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    options = parser.parse_args()
    end_cleanly_on_signals()
    r = Report()
    binary = os.path.abspath(options.binary)
    directory = tempfile.mkdtemp(prefix="service-")
    try:
        for check in (watchdog, unread, members):
            place = os.path.join(directory, check.__name__)
            os.mkdir(place)
            check(binary, place, r)
    finally:
        for process in Process.everyone:
            process.end()
            process.output.close()
        shutil.rmtree(directory, ignore_errors=True)
    return r.finish()


if __name__ == "__main__":
    sys.exit(main())
