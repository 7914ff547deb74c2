"""Faults of radio, bus, broker and process; bounds from the fault matrix."""
import json
import os
import signal
import subprocess
import time

from bench import Bench, Client, until
from checks_commands import ask, wrote, FINAL

FAILED = "org.bluez.Error.Failed"


def back(b, r, what, boards, bound, mark=None):
    missing = b.wait_samples(bound, boards, b.client.mark() if mark is None else mark)
    late = b.wait_streaming(5, boards)
    r.check(f"{what}: samples again within {bound} s and state says streaming", not missing and not late, "all back",
            f"no samples {missing}, not streaming {late}: {[b.client.last(b.topic(n, 'state')) for n in (missing or late)[:2]]}")


def drop_in_sight(b, boards):
    """Drops the link of each board when its state has been told one to three seconds ago: a state told less than a second ago
    hides an absence that is shorter, at most one a second (contract 1.3), and the batteries are read every five seconds."""
    waiting, mark = set(boards), b.client.mark()

    def look():
        for n in sorted(waiting):
            told = b.client.since(mark, b.topic(n, "state"))
            if told and 1.2 < time.time() - told[-1][0] < 3:
                b.do("drop", board=n)
                waiting.discard(n)
        return not waiting
    until(15, look, 0.1)


def link_drop(b, r):
    mark = b.client.mark()
    drop_in_sight(b, (1, 2, 3, 4))
    left = [b.client.wait(5, b.topic(n, "state"), lambda v: v["link"] != "streaming", mark) for n in (1, 2, 3, 4)]
    r.check("link drop: state says so within 5 s", all(left), "not streaming", left)
    event = b.client.wait(5, b.topic(1, "event", "link-lost"), mark=mark)
    r.check("link drop: event link-lost", event and event["event_type"] == "lost", "lost", event)
    time.sleep(0.5)
    back(b, r, "link drop", [1, 2, 3, 4], 20)
    gap = b.client.wait(5, b.topic(1, "event", "data-gap"), mark=mark)
    r.check("link drop: event data-gap of the stream (I12)", gap and gap["event_type"] == "stream", "data-gap", gap)


def swallowed_replies(b, r):
    """F03: Connect never answers, with and without the property flipping."""
    b.do("swallow", board=5, kind="flips")
    b.do("swallow", board=6, kind="dead")
    b.do("drop", board=5)
    b.do("drop", board=6)
    time.sleep(0.3)
    back(b, r, "F03 swallowed Connect reply, link up all the same", [5], 25)
    back(b, r, "F03 swallowed Connect reply, no link", [6], 45)
    missing = b.wait_samples(3, [x for x in range(1, b.count + 1) if x not in (5, 6)], b.client.mark())
    r.equal("F03: the others stream on", missing, [])


def connect_errors(b, r):
    """F01, F02, and the signal that bluetoothd forgets."""
    b.do("connect-error", board=7, error=[FAILED, "le-connection-abort-by-local"], times=4)
    b.do("connect-error", board=8, error=["org.bluez.Error.InProgress", "In Progress"], times=2)
    b.do("connect-error", board=9, error=[FAILED, "Operation already in progress"], times=2)
    b.do("silent-connected", board=10, times=2)
    for n in (7, 8, 9, 10):
        b.do("drop", board=n)
    time.sleep(0.3)
    back(b, r, "missing Connected signal", [10], 20)
    back(b, r, "F02 four aborts in a row", [7], 30)
    back(b, r, "F01 InProgress", [8], 30)
    back(b, r, "F01 already in progress", [9], 30)


def notify_handles(b, r):
    """F08: the handle is held by somebody else."""
    b.do("acquire-error", board=11, error=["org.bluez.Error.InProgress", "In Progress"], times=1)
    b.do("acquire-error", board=12, error=["org.bluez.Error.InProgress", "In Progress"], times=3)
    b.do("acquire-error", board=13, error=["org.bluez.Error.NotPermitted", "Notify acquired"], times=1)
    for n in (11, 12, 13):
        b.do("drop", board=n)
    mark = b.client.mark()
    time.sleep(0.3)
    back(b, r, "F08 InProgress once", [11], 20)
    back(b, r, "F08 InProgress always: falls back to StartNotify", [12], 25)
    busy = b.client.wait(15, b.topic(13, "state"), lambda v: any(
        w in v.get("reason", "") for w in ("elsewhere", "another", "other client", "held by")), mark)
    r.check("F08 NotPermitted: state tells a person that another client holds the board", busy, "busy elsewhere", b.client.last(b.topic(13, "state")))
    back(b, r, "F08 NotPermitted once", [13], 60)


def late_services(b, r):
    """F05."""
    b.do("services", board=14, delay=4)
    b.do("services", board=15, delay="never")
    since = b.do("now")
    b.do("drop", board=14)
    b.do("drop", board=15)
    time.sleep(0.3)
    back(b, r, "F05 services after 4 s", [14], 25)
    calls = until(14, lambda: [c[3] for c in b.do("calls", since=since) if c[2].endswith("00_0F") and c[3] in ("Disconnect", "RemoveDevice")], 0.2)
    r.check("F05 services never: dropped after 10 s", calls, "Disconnect", calls)
    b.do("services", board=14, delay=None)
    b.do("services", board=15, delay=None)
    back(b, r, "F05 services never, then cured", [15], 40)


def vanishing(b, r):
    """F07: the object goes, and only a scan brings it back."""
    b.do("vanish", board=16)
    time.sleep(0.3)
    back(b, r, "F07 device object vanishes", [16], 30)


def adapter_off(b, r):
    """F18."""
    mark = b.client.mark()
    b.do("refuse-power", on=True)
    b.do("power", on=False)
    doc = b.client.wait(10, b.gateway_topic("adapter", "001a7dda7113"), lambda v: v["state"] == "blocked", mark)
    r.check("F18 adapter off and refusing: document says blocked", doc, "blocked", b.client.last(b.gateway_topic("adapter", "001a7dda7113")))
    lost = b.client.wait(5, b.topic(1, "state"), lambda v: v["link"] != "streaming", mark)
    r.check("F18: boards are not streaming within 5 s", lost, "not streaming", b.client.last(b.topic(1, "state")))
    b.do("refuse-power", on=False)
    back(b, r, "F18 switch released (recheck 30 s)", range(1, b.count + 1), 60)
    mark = b.client.mark()
    b.do("power", on=False)
    time.sleep(0.5)
    back(b, r, "F18 switched off by hand: one power-on attempt", range(1, b.count + 1), 45)


def bluetoothd(b, r, how):
    mark = b.client.mark()
    b.do(how)
    lost = [n for n in range(1, b.count + 1) if not b.client.wait(5, b.topic(n, "state"), lambda v: v["link"] != "streaming", mark)]
    r.equal(f"F10 bluetoothd {how}: every link lost is published within 5 s", lost, [])
    event = b.client.wait(5, b.gateway_topic("event", "bluetooth"), lambda v: v["event_type"] == "lost", mark)
    r.check(f"F10 bluetoothd {how}: event", event, "bluetooth lost", event)
    reasons = {(b.client.last(b.topic(n, "availability")) or {}).get("state") for n in range(1, b.count + 1)}
    print(f"# availability while bluetoothd is away: {[b.client.last(b.topic(1, 'availability'))]} {reasons}")
    b.do("start")
    time.sleep(0.2)
    back(b, r, f"F10 bluetoothd {how} and back", range(1, b.count + 1), 30)


def bluetoothd_killed(b, r):
    bluetoothd(b, r, "kill")


def bluetoothd_stopped(b, r):
    bluetoothd(b, r, "stop")


def garbage(b, r):
    """F56: a few bad frames are survived on the link; a flood of them is not trusted."""
    n = 18
    link = b.client.mark()
    for frame in ("", "03", "0304ff", "ffffffff", "04810099" * 5, "0380" + "00" * 18):
        if frame:
            b.do("send", board=n, hex=frame)
    time.sleep(1)
    r.check("F56 five bad frames: the link is kept", not b.client.since(link, b.topic(n, "event", "link-lost")), "link kept", "link-lost")
    back(b, r, "F56 five bad frames: streams on", [n], 5)


def mute_board(b, r):
    """F28: nothing comes back any more."""
    b.do("mute", board=19, on=True)
    mark = b.client.mark()
    started = time.monotonic()
    left = b.client.wait(60, b.topic(19, "state"), lambda v: v["link"] != "streaming", mark)
    took = time.monotonic() - started
    r.check("F28 mute board: polls time out after 5 s, once repeated, then the link is given up", left and took < 25,
            "not streaming within 25 s", f"{took:.0f} s: {b.client.last(b.topic(19, 'state'))}")
    print(f"# events of the mute board: {[m[2].decode() for m in b.client.since(mark) if m[1].startswith(b.topic(19, 'event'))]}")
    b.do("mute", board=19, on=False)
    back(b, r, "F28 mute board, cured", [19], 60)


def broker_outage(b, r):
    """F60: the broker stops, comes back; no record is lost."""
    sessions = {k: v[-1] for k, v in b.judge.sessions.items() if k[1] == "acceleration"}
    births = list(b.judge.births)
    b.broker.end()
    time.sleep(6)
    b.start_broker()
    r.check("F60 broker: observer is back", until(20, b.client.connected.is_set), "connected", "")
    mark = b.client.mark()
    back(b, r, "F60 broker back", range(1, b.count + 1), 30, mark)
    birth = b.client.wait(10, b.gateway_topic("availability"), lambda v: v["state"] == "online" and v.get("reason") == "reconnected" and v["birth"] > births[-1], 0)
    r.check("F60 broker back: birth with reason reconnected, one higher (contract 1.6)", birth and birth["birth"] == births[-1] + 1,
            f"reconnected, {births[-1] + 1}", b.client.last(b.gateway_topic("availability")))
    time.sleep(6)
    same = {k: v[-1] for k, v in b.judge.sessions.items() if k[1] == "acceleration"}
    r.equal("F60 broker outage does not touch the sessions", {k: v for k, v in same.items() if sessions.get(k) != v}, {})
    holes = {k: v for k, v in b.judge.problems.items() if "hole" in k or "session starts" in k}
    r.equal("F60 broker outage: no record is lost (sequence has no hole)", holes, {})
    restored = b.client.wait(10, b.gateway_topic("event", "broker-restored"), mark=0) or b.client.wait(1, b.gateway_topic("event", "broker-lost"))
    r.check("F60 broker outage: told after the fact", restored and restored.get("outage_s", 0) > 3, "broker-restored with outage_s", restored)


def broker_wiped(b, r):
    """F67, F68: killed, memory lost, retained tree rebuilt."""
    b.client.stop()
    b.broker.end(signal.SIGKILL)
    for name in os.listdir(b.directory):
        if name.startswith("mosquitto.db"):
            os.unlink(b.path(name))
    b.start_broker()
    wanted = {b.topic(n, lane) for n in range(1, len(b.ids) + 1) for lane in ("info", "availability", "state")}
    wanted |= {b.gateway_topic(lane) for lane in ("availability", "info", "health", "alarms", "adapter/001a7dda7113")}
    began, early = time.time(), Client(b.port, None, "outsider-wiped", ("metafleet/#",), persistent=False).start()
    until(10, lambda: wanted <= {m[1] for m in early.since(0)}, 0.2)
    missing = wanted - {m[1] for m in early.since(0)}
    late = Client(b.port, None, "outsider-late", ("metafleet/#",), persistent=False).start()
    until(10, lambda: wanted <= {m[1] for m in late.since(0) if m[4]}, 0.2)
    missing |= wanted - {m[1] for m in late.since(0) if m[4]}
    came = [sum(m[4] and int(m[0] - began) == second for m in early.since(0)) for second in range(10)]
    early.stop()
    late.stop()
    r.check("F68 broker wiped: whole retained tree within 10 s", not missing, "nothing missing", f"{sorted(missing)}; came each second: {came}")
    b.judge.next_seq.clear()  # what was published while we were away is not ours to count
    b.judge.blind_until = time.time() + 10
    b.client = Client(b.port, b.judge).start()
    b.client.subscribed.wait(10)
    replies, final = ask(b, 2, "read", {"id": f"wiped-{time.time():.0f}", "args": {"what": "battery"}})
    r.equal("F68 broker wiped: commands are subscribed again", final.get("stage"), "done")


def late_will(b, r):
    """F69: an old will over our birth is re-asserted within 5 s."""
    birth = b.client.last(b.gateway_topic("availability"))
    mark = b.client.mark()
    b.client.publish(b.gateway_topic("availability"), {"state": "offline", "birth": max(0, birth["birth"] - 1)}, retain=True)
    again = b.client.wait(5, b.gateway_topic("availability"), lambda v: v["state"] == "online", mark)
    r.check("F69 late will: re-asserted within 5 s", again and again["birth"] >= birth["birth"], "online", b.client.last(b.gateway_topic("availability")))


def restart_gaps(b, mark, restart, death):
    """Boards whose acceleration does not tell what a kill cost: at the first sample of the next session, to the millisecond."""
    wrong = []
    for n in range(1, b.count + 1):
        batches = [json.loads(m[2]) for m in b.client.since(mark, b.topic(n, "record", "acceleration"))]
        old = max((v for v in batches if v["samples"][0]["ts_us"] < death * 1000), key=lambda v: v["samples"][-1]["ts_us"], default=None)
        new = [v for v in batches if old and v["session"] != old["session"] and v["samples"][0]["ts_us"] > old["samples"][-1]["ts_us"]]
        gaps = [json.loads(m[2]) for m in b.client.since(restart, b.topic(n, "event", "data-gap"))]
        gaps = [g for g in gaps if g["stream"] == "acceleration" and g["reason"] == "gateway-restart"]
        # The rate is known, so that the number is.
        lost = round((new[0]["samples"][0]["ts_us"] - old["samples"][-1]["ts_us"]) * new[0]["config"]["rate_hz"] / 1e6) - 1 if old and new else 0
        if not old or not new or abs(new[0]["gap_before"] - lost) > 1 or len(gaps) != 1 or gaps[0]["count"] != new[0]["gap_before"] or gaps[0]["session"] != old["session"] or \
                abs(gaps[0]["from_ms"] - old["samples"][-1]["ts_us"] // 1000) > 1 or abs(gaps[0]["to_ms"] - new[0]["samples"][0]["ts_us"] // 1000) > 1:
            wrong.append((n, old and (old["session"], old["samples"][-1]["ts_us"]), new[:1] and (new[0]["gap_before"], new[0]["samples"][0]["ts_us"]), gaps))
    return wrong


def killed(b, r):
    """F09, F81, F82: kill -9 while streaming and with commands in flight."""
    before = b.client.mark()
    b.wait_samples(20, range(1, b.count + 1), before)
    done_before = {"id": "kill-done", "args": {"color": "green"}}
    _, first = ask(b, 4, "led", done_before)
    b.do("mute", board=1, on=True)
    b.do("mute", board=2, on=True)
    mark, now = b.client.mark(), b.do("now")
    b.client.publish(b.topic(1, "cmd", "led"), {"id": "kill-led", "args": {"color": "blue"}})
    b.client.publish(b.topic(2, "cmd", "identify"), {"id": "kill-identify"})
    until(3, lambda: wrote(b, 1, now, "0203") and wrote(b, 2, now, "0203"))
    time.sleep(0.3)
    birth = (b.client.last(b.gateway_topic("availability")) or {}).get("birth", 0)
    death = time.time() * 1000
    b.daemon.end(signal.SIGKILL)
    will = b.client.wait(30, b.gateway_topic("availability"), lambda v: v["state"] == "offline", mark)
    r.check("kill -9: the will is published with the same birth number", will and will["birth"] == birth and set(will) == {"state", "birth"}, {"state": "offline", "birth": birth}, will)
    b.do("mute", board=1, on=False)
    b.do("mute", board=2, on=False)
    linked = sum(s["connected"] for s in b.do("status"))
    restart, calls = b.client.mark(), b.do("now")
    b.start_daemon()
    back(b, r, f"F09 kill -9 with {linked} links up, restarted", range(1, b.count + 1), 20, restart)
    online = b.client.wait(5, b.gateway_topic("availability"), lambda v: v["state"] == "online", restart)
    r.check("kill -9: next birth number is one higher", online and online["birth"] == birth + 1, birth + 1, online)
    for n, verb, id in ((1, "led", "kill-led"), (2, "identify", "kill-identify")):
        b.client.wait(60, b.topic(n, "reply", verb), lambda v: v["id"] == id and v["stage"] in FINAL, mark)
        time.sleep(0.5)
        # One that the broker had, and the gateway had not noted yet, comes again as it was: QoS 1.
        payloads = {m[2] for m in b.client.since(mark, b.topic(n, "reply", verb))}
        finals = [reply for reply in map(json.loads, payloads) if reply["id"] == id and reply["stage"] in FINAL]
        r.check(f"F82 kill -9 with {verb} in flight: exactly one final reply, unknown or proven", len(finals) == 1 and (finals[0]["stage"] == "unknown" or
                finals[0].get("evidence") == "readback" or finals[0]["ts_ms"] < death), "unknown", finals)
    # One that still waited for a poll of the mute board may run after the restart; none may run twice.
    ran = {n: len(wrote(b, n, now, kind)) for n, kind in ((1, "0203"), (2, "0801"), (4, "0203"))}
    r.check("F81 kill -9: no command ran again", ran[1] <= 1 and ran[2] <= 1 and ran[4] == 0, "at most one led, one identify", ran)
    again = b.client.mark()
    b.client.publish(b.topic(4, "cmd", "led"), done_before)
    repeat = b.client.wait(5, b.topic(4, "reply", "led"), lambda v: v["id"] == "kill-done", again) or {}
    r.equal("F81 repeat after the restart: the stored reply", repeat, {**first, "duplicate": True})
    b.client.publish(b.topic(2, "cmd", "identify"), {"id": "kill-identify"})
    repeat = b.client.wait(5, b.topic(2, "reply", "identify"), lambda v: v["id"] == "kill-identify", again) or {}
    r.check("F81 repeat of the command in flight: never run again", repeat.get("duplicate") is True and repeat.get("stage") in FINAL, "duplicate final", repeat)
    until(15, lambda: not restart_gaps(b, before, restart, death), 0.5)
    r.equal("F136 kill -9: what was in memory is a gap, from the last sample that was published", restart_gaps(b, before, restart, death), [])
    b.judge.killed(death)
    disconnects = [c for c in b.do("calls", since=calls) if c[3] == "Disconnect"]
    print(f"# after the restart: {len(disconnects)} Disconnect calls, {linked} links were up")


def clean_stop(b, r):
    """F75."""
    mark = b.client.mark()
    started = time.monotonic()
    code = b.daemon.end(signal.SIGTERM, wait=25)
    took = time.monotonic() - started
    r.check("SIGTERM: exit 0 within 20 s", code == 0 and took < 20, "0", f"{code} after {took:.1f} s")
    offline = b.client.wait(5, b.gateway_topic("availability"), lambda v: v["state"] == "offline", mark) or {}
    r.equal("SIGTERM: gateway offline/stopped", (offline.get("state"), offline.get("reason")), ("offline", "stopped"))
    states = {((b.client.last(b.topic(n, "availability")) or {}).get("state"), (b.client.last(b.topic(n, "availability")) or {}).get("reason")) for n in range(1, b.count + 1)}
    r.equal("SIGTERM: boards unknown/gateway-stopped", states, {("unknown", "gateway-stopped")})
    links = [s["board"] for s in until(5, lambda: (lambda s: s if not any(x["connected"] for x in s) else None)(b.do("status"))) or b.do("status") if s["connected"]]
    r.equal("SIGTERM: links are closed", links, [])


def absent_world(binary, r, keep):
    """F11, F100: no broker, no bluetoothd, no bus at start."""
    b = Bench(binary, boards=4, keep=keep)
    try:
        os.mkdir(b.path("state"))
        b.start_bus()
        b.start_fake("--absent-at-start")
        b.write_config()
        b.start_daemon()
        time.sleep(3)
        r.equal("F100 no broker, no bluetoothd: the daemon stays up", b.daemon.popen.poll(), None)
        b.start_broker()
        b.start_client()
        online = b.client.wait(15, b.gateway_topic("availability"), lambda v: v["state"] == "online")
        r.check("F61 broker appears: joined within 15 s", online, "online", online)
        health = b.client.wait(10, b.gateway_topic("health"))
        r.check("F11 bluetoothd absent: health says so", health and health["bluetooth_ok"] == 0, "bluetooth_ok 0", health)
        for n in (1, 2):
            doc = b.client.wait(5, b.topic(n, "availability")) or {}
            r.equal(f"F11 bluetoothd absent: availability of board {n}", doc.get("state"), "unknown")
        b.do("start")
        back(b, r, "F11 bluetoothd appears (10 s, and the time to connect)", range(1, 5), 20)
        b.do("kill")
        b.do("hang-listing", on=True)
        b.do("start")
        time.sleep(10)
        replies, final = ask(b, 1, "led", {"id": "hang", "args": {"color": "red"}, "expires_ms": int(time.time() * 1000) + 3000}, wait=10)
        r.check("F11 bluetoothd never answers the listing: the daemon still answers commands", final.get("stage") == "failed", "failed/unreachable", replies)
        b.do("hang-listing", on=False)
        back(b, r, "F11 listing answers again", range(1, 5), 30)
        dead = b.client.mark()
        b.bus.end(signal.SIGKILL)
        lost = b.client.wait(6, b.topic(1, "state"), lambda v: v["link"] != "streaming", dead)
        r.check("F12 the bus dies: links are lost within 5 s", lost, "not streaming", b.client.last(b.topic(1, "state")))
        b.fake.end()
        os.unlink(b.path("bus.sock"))
        b.start_bus()
        b.start_fake()
        back(b, r, "F12 a new bus on the same address", range(1, 5), 45)
        from checks_contract import verdict
        verdict(b, r, "absent world")
    finally:
        b.close()


def old_subscriptions(binary, r, keep):
    """F55, protocol 2.3: what an earlier session left streaming is switched off within 5 s; strangers are left alone."""
    b = Bench(binary, boards=4, keep=keep)
    try:
        b.start(daemon=False)
        b.do("foreign", board=1)
        b.start_daemon()
        b.wait_streaming(30)
        time.sleep(5)
        status = b.do("status", board=1)[0]
        wanted = [[1, 1], [3, 5 if b.board_models[0] == "s" else 28]]
        r.check("F55 left-over subscriptions are switched off", [x for x in status["subscribed"] if x not in wanted] == [], wanted, status["subscribed"])
    finally:
        b.close()


def processes(binary, r, keep):
    """Exit statuses of contract 8."""
    b = Bench(binary, boards=2, keep=keep)
    try:
        b.start()
        b.wait_streaming(30)
        second = subprocess.run([binary, "run", "--config", b.path("metafleet.yaml")], capture_output=True, timeout=30, env={**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": b.bus_address})
        r.equal("second daemon on one state directory: exit 73", second.returncode, 73)
        with open(b.path("bad.yaml"), "w") as f:
            f.write("gateway: { id: x }\nmqtt:\n  hots: localhost\nboards:\n  - { address: nonsense }\n")
        bad = subprocess.run([binary, "run", "--config", b.path("bad.yaml")], capture_output=True, timeout=30)
        text = (bad.stderr + bad.stdout).decode()
        r.check("bad configuration: exit 78, all problems with line", bad.returncode == 78 and ":3:" in text and ":5:" in text and "hots" in text, "78, lines 3 and 5", (bad.returncode, text))
        none = subprocess.run([binary, "run", "--config", b.path("none.yaml")], capture_output=True, timeout=30)
        r.equal("no configuration file: exit 78", none.returncode, 78)
        usage = subprocess.run([binary, "run", "--nonsense"], capture_output=True, timeout=30)
        r.equal("unknown option: exit 64", usage.returncode, 64)
        env = {**os.environ, "METAFLEET_MQTT_PORT": str(b.port), "METAFLEET_MQTT_HOST": "127.0.0.1"}
        send = subprocess.run([binary, "send", b.ids[0], "led", "color=green", "--json"], capture_output=True, timeout=60, env=env)
        lines = [json.loads(x) for x in send.stdout.decode().splitlines()]
        r.check("send: exit 0, stages as JSON lines", send.returncode == 0 and lines and lines[-1].get("stage") == "done", "done", (send.returncode, lines, send.stderr))
        send = subprocess.run([binary, "send", b.ids[0], "led", "color=beige", "--unchecked"], capture_output=True, timeout=60, env=env)
        r.equal("send of a refused command: exit 1", send.returncode, 1)
        send = subprocess.run([binary, "send", b.ids[0], "led", "color=beige"], capture_output=True, timeout=60, env=env)
        r.check("send of a misspelt one: exit 64, and why", send.returncode == 64 and b"Nothing was sent" in send.stderr, "64", (send.returncode, send.stderr))
        send = subprocess.run([binary, "send", "nobody", "led", "color=green"], capture_output=True, timeout=60, env=env)
        r.equal("send to an unknown board: exit 64", send.returncode, 64)
        b.daemon.popen.send_signal(signal.SIGINT)
        r.equal("SIGINT: exit 0", b.daemon.end(signal.SIGCONT, wait=20), 0)
    finally:
        b.close()


# A connection has worked for a minute before the next attempt is a quick one again: between the two faults of the broker come others.
LIVE = [link_drop, swallowed_replies, connect_errors, notify_handles, late_services, vanishing, garbage, late_will, killed,
        broker_outage, mute_board, bluetoothd_killed, bluetoothd_stopped, adapter_off, broker_wiped]
ALONE = [absent_world, old_subscriptions, processes]
