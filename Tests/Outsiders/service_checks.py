#!/usr/bin/python3
"""Judges `metafleet run` as a service manager sees it: what it says to systemd's watchdog while it is idle, stopped or stuck, and how it ends when nobody
reads its log. Nothing is around it: no bus, no broker.
"""
import argparse
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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    options = parser.parse_args()
    end_cleanly_on_signals()
    r = Report()
    binary = os.path.abspath(options.binary)
    directory = tempfile.mkdtemp(prefix="service-")
    try:
        for check in (watchdog, unread):
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
