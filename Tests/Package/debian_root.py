"""A bare Debian 12 in a folder, in which packages are tried; and what both judges of the package print and build."""
import os
import re
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))
# Debian's own bookkeeping, which every package changes.
NOT_OURS = re.compile(r"/(var/(lib/(dpkg|apt|systemd|ucf|man-db)|cache|log)|tmp|run|proc|dev|sys|root|debs|opt/swift)(/|$)|/etc/(passwd|group|shadow|gshadow)-?$"
                      r"|/etc/(\.pwd\.lock|ld\.so\.cache|subuid-?|subgid-?)$")


class Root:
    """A bare Debian below a folder; what runs there ends with the command that began it."""

    def __init__(self, path):
        self.path = path
        call(["debootstrap", "--variant=minbase", "bookworm", path])
        for name in ("/etc/apt/apt.conf.d", "/etc/resolv.conf"):
            if os.path.isdir(name):
                shutil.copytree(name, path + name, dirs_exist_ok=True)
            elif os.path.exists(name):
                shutil.copy(name, path + name)
        # minbase has no documents, and dpkg is told to leave ours out in many images.
        for name in os.listdir(path + "/etc/apt/apt.conf.d"):
            if "docker" in name:
                os.remove(f"{path}/etc/apt/apt.conf.d/{name}")
        with open(path + "/usr/sbin/policy-rc.d", "w") as policy:
            policy.write("#!/bin/sh\nexit 101\n")
        os.chmod(path + "/usr/sbin/policy-rc.d", 0o755)
        os.mkdir(path + "/debs")
        swift = shutil.which("swift")
        self.mounts = f"mount --make-rprivate / && mount -t proc proc {path}/proc && mount --rbind /dev {path}/dev"
        if swift:  # a program of a debug build has its libraries there
            toolchain = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(swift))))
            os.makedirs(path + "/opt/swift", exist_ok=True)
            self.mounts += f" && mount --bind {toolchain} {path}/opt/swift"

    def run(self, commands):
        """(status, output) of commands of a shell."""
        inside = f"{self.mounts} && exec chroot {self.path} /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive bash -c \"$0\""
        done = subprocess.run(["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", inside, commands],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        return done.returncode, done.stdout

    def files(self):
        """What lies there, but for Debian's own bookkeeping, and which users there are."""
        found = set()
        for folder, folders, names in os.walk(self.path):
            inner = folder[len(self.path):]
            folders[:] = [f for f in folders if not NOT_OURS.match(f"{inner}/{f}")]
            found.update(f"{inner}/{name}" for name in folders + names if not NOT_OURS.match(f"{inner}/{name}"))
        for name in ("passwd", "group"):
            found.update(f"{name}: {line.split(':')[0]}" for line in open(f"{self.path}/etc/{name}"))
        return found


def call(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, **options)
    if done.returncode:
        raise SystemExit(f"FAILED: {' '.join(command)}\n{done.stdout[-3000:]}")
    return done.stdout


class Report:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, what, holds, output=""):
        if holds:
            self.passed += 1
            print(f"ok {what}", flush=True)
        else:
            self.failed += 1
            print(f"FAIL {what}\n{str(output)[-3000:]}", flush=True)
        return bool(holds)


def build(binary, output, version=None):
    command = [os.path.join(REPOSITORY, "deploy/package"), "--output", output]
    command += ["--binary", binary] if binary else []
    command += ["--version", version] if version else []
    return call(command).strip().split("\n")[-1]
