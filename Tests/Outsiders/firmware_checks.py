#!/usr/bin/python3
"""Judges checks for newer firmware from outside: an index that is unreachable, slow, no index, cut off, changed, in a circle, huge, or of a server
that nobody knows has a sentence of its own each, and the last good index stays in effect. Nothing is asked of the vendor's server."""
import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile

import checks_contract
from bench import Bench, Report, die_with_parent, end_cleanly_on_signals, until
from checks_commands import ask
from firmware_server import Authority, Server, answer, endless, mute, redirect

INDEX = "/releases/info2.json"


def index(newest):
    """As the vendor writes it, with what is odd about theirs: bootloaders that require themselves or each other, a preview, an entry without a
    file, a version that is none, and a key that nobody knows."""
    file = {"filename": "firmware.zip", "required-bootloader": "0.5"}
    return {
        "0.1": {"8": {"vanilla": {"1.7.3": file, newest: {**file, "min-ios-version": "99.0"}, "1.10.0-beta": file, "2.0.0": {}, "latest": file},
                      "bootloader": {"0.4": {"filename": "bl.zip", "required-bootloader": "0.4"},
                                     "0.5": {"filename": "bl.zip", "required-bootloader": "0.6"},
                                     "0.6": {"filename": "bl.zip", "required-bootloader": "0.5"}}}},
        "0.4": {"5": {"vanilla": {"1.7.3": file}, "128": {"9.0.0": file}}}}


OLD, NEW = (json.dumps(index(v), indent=1).encode() for v in ("1.8.0", "1.9.0"))
MIXED = OLD[:OLD.index(b"1.8.0") + 3] + NEW[len(NEW) // 2:]  # the beginning of one and the end of the other


class FirmwareBench(Bench):
    """An S that is one version behind, an RL that is not and writes its hardware with an r, and one that no index lists."""
    directory_of_index = None

    def write_config(self, extra=""):
        return self.configure(f"""gateway: {{ id: {self.gateway}, site: lab }}
schedules: {{ firmware_check: 30d }}
firmware: {{ index: "{self.index}", ca: {self.authority}, directory: {self.kept} }}
profiles:
  moving:
    stream: {{ acceleration: {{ rate_hz: 12.5, range_g: 4 }} }}
""", lambda n: "profile: moving, groups: [lab]")

    def document(self, n, what="firmware"):
        return self.client.last(self.topic(n, what)) or {}


class Run:
    """`metafleet firmware …`, beside whatever else goes on."""

    def __init__(self, b, *arguments):
        self.popen = subprocess.Popen([b.binary, "firmware", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, text=True, preexec_fn=die_with_parent,
                                      env={**os.environ, "METAFLEET_MQTT_HOST": "127.0.0.1", "METAFLEET_MQTT_PORT": str(b.port)})

    def end(self, wait=30):
        try:
            self.output, self.errors = self.popen.communicate(timeout=wait)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            self.output, self.errors = self.popen.communicate()
        self.status = self.popen.returncode
        return self

    def __str__(self):
        return f"status {self.status}, output {self.output!r}, errors {self.errors!r}"


def tells(r, what, run, status, words):
    text = run.errors + run.output
    r.check(f"{what}: exit status {status}, {' … '.join(words)}", run.status == status and all(w in text for w in words), (status, words), run)


def listing(b, server, path=INDEX, authority=None):
    return Run(b, "list", "--index", server.address(path), "--ca", authority or b.authority)


# -- what is wrong with an index ---------------------------------------------------------------------------------------
def troubles(server, good, other, elsewhere):
    """Name, what the server does, and the words that tell cause and remedy (the last may be another one of the command line)."""
    def say(what):
        return lambda: server.files.update({INDEX: what})

    def certificate(context):
        def change():
            server.context = context
        return change
    page = answer(b"\n<!DOCTYPE html><html><body>Please log in</body></html>")
    huge = b'{"0.1": {' + b" " * (5 << 20)
    circle = lambda: server.files.update({INDEX: redirect("/a"), "/a": redirect("/b"), "/b": redirect("/a")})
    return [
        ("closed port", server.close, ["nobody answers there", "check the address"]),
        ("no such file", lambda: server.files.pop(INDEX), ["no such file (HTTP 404)", "check the address"]),
        ("server in trouble", say(answer(b"", "503 Service Unavailable")), ["in trouble (HTTP 503)", "tried again later"]),
        ("login wanted", say(answer(b"", "403 Forbidden")), ["refuses it (HTTP 403)", "check the address"]),
        ("a page", say(page), ["it is a web page and no index", "check that the address"]),
        ("nothing at all", say(answer(b"")), ["ends in the middle", "try again"]),
        ("cut off", say(answer(OLD[:-9])), ["ends in the middle", "try again"]),
        ("connection lost", say(answer(OLD[:-9], length=len(OLD))), ["ended the connection in the middle", "try again"]),
        ("changed while being read", say(answer(MIXED)), ["is no JSON", "try again"]),
        ("of another type", say(answer(b'{"0.1": {"8": []}}')), ["0.1/8 has to be an object", "check that the address"]),
        ("without builds", say(answer(b"{}")), ["lists no build", "check that the address"]),
        ("names that lead elsewhere", say(answer(b'{"..": {"8": {"vanilla": {"1.0": {"filename": "a"}}}}}')), ["no name of a folder", "check that"]),
        ("redirects to itself", say(redirect(server.address(INDEX))), ["more than 5 times", "check the address"]),
        ("redirects in a circle", circle, ["more than 5 times", "check the address"]),
        ("redirects to http", say(redirect(elsewhere.address(INDEX))), ["not https", "name an address of https"]),
        ("redirects to a file", say(redirect("file:///etc/hostname")), ["not https", "name an address of https"]),
        ("huge", say(answer(huge)), ["more than 4194304 bytes", "check the address"]),
        ("endless", say(endless), ["more than 4194304 bytes", "check the address"]),
        ("authority that nobody knows", certificate(other), ["nobody who is trusted here", "firmware.ca"]),
        ("another name", certificate(good["elsewhere"]), ["for another name", "check the address"]),
        ("no TLS", certificate(None), ["does not speak TLS", "check the port"]),
    ]


def repair(server, good, body):
    server.context, server.is_silent = good["here"], False
    server.files = {INDEX: answer(body)}
    if not server.listener:
        server.open()


def each_trouble(b, r, server, good, other, elsewhere):
    """The sentence, in the reply, in the retained document, in the gateway's event and at the command line; and the old index stays."""
    before = b.document(1)
    ca_text = lambda words: ["--ca" if w == "firmware.ca" else w for w in words]
    address, earlier = server.address(INDEX), None
    for number, (name, spoil, words) in enumerate(troubles(server, good, other, elsewhere)):
        repair(server, good, OLD)
        spoil()
        mark = b.client.mark()
        beside = Run(b, "list", "--index", address, "--ca", b.authority)
        replies, final = ask(b, 1, "firmware-check", {"id": f"spoilt-{number}", "args": {"refresh": True}})
        data = final.get("data", {})
        error = data.get("last_error", "")
        r.check(f"{name}: the reply says why, and what to do", final.get("stage") == "done" and address in error
                and all(w in error for w in words), words, replies)
        r.check(f"{name}: the old index stays in effect", data.get("latest_version") == "1.8.0" and data.get("index_ms") == before["index_ms"]
                and data.get("checked_ms", 0) > before["checked_ms"], f"1.8.0, index_ms {before['index_ms']}", data)
        told = until(5, lambda: b.document(1).get("last_error") == error and b.document(1))
        r.check(f"{name}: the document says the same", told and told["latest_version"] == "1.8.0", "1.8.0 and the sentence", b.document(1))
        if error == earlier:
            r.equal(f"{name}: the gateway has told it", b.client.since(mark, b.gateway_topic("event", "firmware")), [])
        else:
            event = b.client.wait(5, b.gateway_topic("event", "firmware"), mark=mark)
            r.check(f"{name}: the gateway tells it", event and event["event_type"] == "failed" and event["message"] == error, error, event)
        earlier = error
        tells(r, f"{name}: firmware list", beside.end(), 69, [address, *ca_text(words)])


def silence(b, r, server, good):
    """Who takes the connection and says nothing has fifteen seconds."""
    repair(server, good, OLD)
    server.is_silent = True
    beside = listing(b, server)
    replies, final = ask(b, 1, "firmware-check", {"id": "silent", "args": {"refresh": True}})
    data = final.get("data", {})
    r.check("silent: the reply says why, and what to do", all(w in data.get("last_error", "") for w in ("no connection within 15 s", "check the address")),
            "no connection within 15 s", replies)
    r.equal("silent: the old index stays in effect", data.get("latest_version"), "1.8.0")
    tells(r, "silent: firmware list", beside.end(), 69, ["no connection within 15 s", "check the address"])


# -- what is told of boards --------------------------------------------------------------------------------------------
def events(b, mark=0):
    return [json.loads(m[2]).get("latest_version") for n in range(1, b.count + 1) for m in b.client.since(mark, b.topic(n, "event", "firmware"))]


def first_check(b, r, server):
    for n, latest, hardware, listed in ((1, "1.8.0", "0.1", True), (2, "1.7.3", "0.4", True), (3, None, "0.9", False)):
        told = until(40, lambda: b.document(n).get("hardware_listed") is not None and b.document(n)) or {}
        r.equal(f"board {n}: what there is for it", [told.get(k) for k in ("installed_version", "latest_version", "hardware_revision", "hardware_listed",
                "build", "index")], ["1.7.3", latest, hardware, listed, "vanilla", server.address(INDEX)])
        r.check(f"board {n}: why nothing can be said, where that is so", ("last_error" in told) == (n == 3)
                and "hardware revision 0.9" in told.get("last_error", "hardware revision 0.9"), n == 3, told)
        info = until(10, lambda: "hardware_listed" in b.document(n, "info") and b.document(n, "info")) or {}
        r.equal(f"board {n}: info has the verdict of its hardware", (info.get("hw"), info.get("hardware_listed")), (hardware, listed))
    until(5, lambda: events(b))
    r.equal("a board that is behind is an event, and no other", events(b), ["1.8.0"])
    asked = len(server.asked)
    final = ask(b, 1, "firmware-check", {"id": "fresh"})[1]
    r.check("firmware-check answers from an index that is fresh", final.get("data", {}).get("latest_version") == "1.8.0" and len(server.asked) == asked,
            "1.8.0, nothing asked", (final, server.asked))
    run = Run(b, "check").end()
    lines = sorted(run.output.splitlines())
    r.check("firmware check: a sentence for each board", run.status == 0 and len(lines) == 3 and lines[0] == "Board 1 has firmware 1.7.3, and 1.8.0 is the newest for it."
            and lines[1] == "Board 2 has firmware 1.7.3, and there is nothing newer for it." and "Board 3 has firmware 1.7.3" in lines[2]
            and "lists no firmware for hardware revision 0.9" in lines[2], "three sentences", run)
    run = Run(b, "check", "Board 1", "--json").end()
    r.check("firmware check --json: the replies as they are", run.status == 0 and json.loads(run.output.splitlines()[-1])["data"]["latest_version"] == "1.8.0",
            "a reply", run)


def health(b, wait, test):
    return b.client.wait(wait, b.gateway_topic("health"), test, b.client.mark())


def recovery(b, r, server, good):
    repair(server, good, NEW)
    mark = b.client.mark()
    final = ask(b, 1, "firmware-check", {"id": "well", "args": {"refresh": True}})[1]
    data = final.get("data", {})
    r.check("a good index takes the place of the old one", data.get("latest_version") == "1.9.0" and "last_error" not in data, "1.9.0", final)
    event = b.client.wait(5, b.gateway_topic("event", "firmware"), mark=mark)
    r.equal("the gateway tells that checks go well again", (event or {}).get("event_type"), "recovered")
    until(5, lambda: "1.9.0" in events(b))
    r.equal("each build is announced once", events(b), ["1.8.0", "1.9.0"])


def restart(b, r, server, good):
    """A gateway that starts while its server is away goes by what it kept, and announces nothing twice."""
    repair(server, good, NEW)
    server.close()
    b.daemon.end()
    mark = b.client.mark()
    b.start_daemon()
    final = None
    for k in range(20):
        final = ask(b, 1, "firmware-check", {"id": f"again-{k}", "args": {"refresh": True}}, wait=2)[1]
        if final: break
    data = final.get("data", {})
    r.check("behind a start the kept index is in effect", data.get("latest_version") == "1.9.0" and "nobody answers there" in data.get("last_error", ""),
            "1.9.0", final)
    until(4, lambda: events(b, mark), 0.1)
    r.equal("behind a start nothing is announced again", events(b, mark), [])
    info = [json.loads(m[2]) for m in b.client.since(mark, b.topic(1, "info")) if m[2]]
    r.check("info says nothing else behind a start", all(i.get("hardware_listed") is True for i in info), "hardware_listed", info)


def forbidden():
    """A directory that cannot be made, by anybody."""
    return "/proc/metafleet-firmware" if os.geteuid() == 0 else "/metafleet-firmware"


def cache(b, r, server, good):
    """A directory that cannot be written: the index is used all the same."""
    repair(server, good, NEW)
    b.kept = forbidden()
    b.write_config()
    asked = len(server.asked)
    b.daemon.popen.send_signal(signal.SIGHUP)
    until(10, lambda: len(server.asked) > asked)
    replies, final = ask(b, 1, "firmware-check", {"id": "cache", "args": {"refresh": True}})
    data = final.get("data", {})
    r.check("a directory that cannot be written: the index is used, and the trouble told", data.get("latest_version") == "1.9.0"
            and all(w in data.get("last_error", "") for w in ("cannot be kept for the next start", b.kept)), "1.9.0, cannot be kept", replies)


# -- copies ------------------------------------------------------------------------------------------------------------
def mirrors(b, r, server, good, directory):
    repair(server, good, OLD)
    build, first = "0.1/8/vanilla/1.8.0/firmware.zip", b"PK" + bytes(range(256)) * 40
    paths = [f"/releases/{h}/{m}/{f}/{v}/{e['filename']}" for h, x in index("1.8.0").items() for m, y in x.items() for f, z in y.items()
             for v, e in z.items() if e and v != "latest"]
    server.files.update({p: answer(first) for p in paths})
    target = os.path.join(directory, "mirror")
    fill = lambda to=target: Run(b, "mirror", "--to", to, "--index", server.address(INDEX), "--ca", b.authority).end()
    content = lambda: open(os.path.join(target, build), "rb").read()
    run = fill()
    r.check("mirror: every file is copied", run.status == 0 and f"{len(paths)} new" in run.errors and content() == first, f"{len(paths)} new", run)
    r.equal("verify: all is as it was", Run(b, "verify", target).end().status, 0)
    listed = Run(b, "list", "--index", target).end()
    r.check("list: from a mirror, with what is odd", listed.status == 0 and "1.8.0" in listed.output and all(
        w in listed.errors for w in ("0.4/bl.zip requires itself", "0.5/bl.zip requires 0.6, which is newer than itself")), "requires itself", listed)
    server.files[f"/releases/{build}"] = answer(b"another one")
    tells(r, "mirror: a file that has changed is refused", fill(), 1, [build, "not what it was when it was first seen", "remove its line from firmware.lock"])
    r.equal("mirror: the old file stays", content(), first)
    server.files[f"/releases/{build}"] = answer(first[:-9], length=len(first))
    tells(r, "mirror: a file that is cut off", fill(), 1, [build, "ended the connection in the middle", "try again"])
    r.equal("mirror: the old file stays behind that, too", content(), first)
    server.files[f"/releases/{build}"] = redirect("http://127.0.0.1/firmware.zip")
    tells(r, "mirror: a file elsewhere", fill(), 1, [build, "not https"])
    server.files[INDEX] = answer(b"<html>")
    tells(r, "mirror: no index", fill(), 69, ["it is a web page and no index"])
    r.equal("mirror: the old index stays", json.load(open(os.path.join(target, "info2.json"))), index("1.8.0"))
    repair(server, good, OLD)
    server.files.update({p: answer(first) for p in paths})
    tells(r, "mirror: a directory that cannot be written", fill(forbidden()), 73, [forbidden(), "cannot be"])
    with open(os.path.join(target, build), "ab") as f:
        f.write(b"!")
    os.remove(os.path.join(target, "0.4/5/128/9.0.0/firmware.zip"))
    with open(os.path.join(target, "info2.json"), "wb") as f:
        f.write(OLD[:-9])
    tells(r, "verify: changed, gone, cut off", Run(b, "verify", target).end(), 1, [f"{build} is not what it was", "9.0.0/firmware.zip cannot be read",
          "info2.json: it ends in the middle", "fill the mirror anew", "3 problems"])
    tells(r, "verify: no mirror", Run(b, "verify", os.path.join(directory, "none")).end(), 73, ["none/info2.json cannot be read"])
    tells(r, "list: no mirror", Run(b, "list", "--index", os.path.join(directory, "none")).end(), 69, ["none/info2.json cannot be read"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    parser.add_argument("--keep", action="store_true", help="leave logs and state behind")
    options = parser.parse_args()
    end_cleanly_on_signals()
    r = Report()
    b = FirmwareBench(os.path.abspath(options.binary), boards=3, models="s,rl,rl", keep=options.keep)
    try:
        with tempfile.TemporaryDirectory(prefix="outsiders-firmware-") as directory:
            ours, theirs = Authority(directory, "ours"), Authority(directory, "theirs")
            good = {"here": ours.sign("here", "IP:127.0.0.1"), "elsewhere": ours.sign("elsewhere", "DNS:example.org")}
            other = theirs.sign("other", "IP:127.0.0.1")
            server, slow, plain = Server(good["here"]), Server(good["here"]), Server(None)
            slow.files[INDEX], plain.files[INDEX] = mute, answer(OLD)
            repair(server, good, OLD)
            b.index, b.authority, b.kept = server.address(INDEX), ours.file, os.path.join(b.directory, "kept")
            late = listing(b, slow)  # a minute, beside all others
            os.mkdir(b.path("state"))
            b.start_bus()
            b.start_fake()
            b.do("hardware", board=2, revision="r0.4")
            b.do("hardware", board=3, revision="r0.9")
            b.start_broker()
            b.start_client()
            b.write_config()
            b.start_daemon()
            first_check(b, r, server)
            each_trouble(b, r, server, good, other, plain)
            silence(b, r, server, good)
            told = health(b, 35, lambda v: v.get("firmware_check_ok") == 0)
            r.check("health: the check failed, one board is behind, the index has an age", told and told["boards_outdated"] == 1
                    and 0 < told["firmware_index_age_s"] < 300, "0, 1, seconds", told)
            recovery(b, r, server, good)
            restart(b, r, server, good)
            cache(b, r, server, good)
            mirrors(b, r, server, good, directory)
            tells(r, "slow: firmware list", late.end(70), 69, ["not done within 60 s", "try again"])
            b.wait_samples(10, [1], b.client.mark())
            checks_contract.verdict(b, r)
    finally:
        b.close()
    return r.finish()


if __name__ == "__main__":
    sys.exit(main())
