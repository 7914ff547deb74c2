"""What the page shows and does, held against the broker's documents, replies, the boards and the archive."""
import json
import re
import signal
import time

from bench import until
from page_bench import EVIL, IDLE, REFUSED, TOKEN

ROWS = """return [...document.querySelectorAll('tr[data-board]')].map((row) => [row.dataset.board, ...[...row.cells].map((cell) => cell.innerText)])"""
DEAD = r"ERR_CONNECTION_(REFUSED|RESET|CLOSED)|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_NETWORK"


def fleet(b, r, w):
    w.open(b.address())
    r.check("the page is live within seconds", w.sees(15, "live", "#status"), "live", w.text("#status"))
    r.check("the token does not stay in the address", TOKEN not in w.run("return location.href + document.referrer"))

    def differences():
        rows, wrong = {row[0]: row[1:] for row in w.run(ROWS)}, []
        if sorted(rows) != b.ids:
            return [f"rows {sorted(rows)}"]
        for n, id in enumerate(b.ids, 1):
            name, state, _, battery, signal, rate, lost, _, groups = rows[id]
            document, online = b.document(n, "state"), b.document(n, "availability").get("state") == "online"
            shown = lambda value, unit: f"{value} {unit}" if value is not None else "–"
            if name.split("\n")[0] != b.name(n): wrong.append((n, "name", name))
            if state.startswith("online") != online: wrong.append((n, "state", state, b.document(n, "availability")))
            if document.get("link") not in state: wrong.append((n, "link", state, document.get("link")))
            if battery != shown(document.get("battery_pct"), "%"): wrong.append((n, "battery", battery, document.get("battery_pct")))
            if signal != shown(document.get("rssi_dbm"), "dBm"): wrong.append((n, "signal", signal, document.get("rssi_dbm")))
            if lost != str(document.get("samples_lost_24h", "–")): wrong.append((n, "lost", lost, document.get("samples_lost_24h")))
            if n not in (REFUSED, IDLE) and not 40 <= float(rate.removesuffix("/s").replace("–", "0")) <= 63: wrong.append((n, "rate", rate))
            if groups.split() != ["lab", "odd" if n % 2 else "even"]: wrong.append((n, "groups", groups))
        return wrong
    until(20, lambda: not differences(), 0.3)
    r.equal("the fleet's rows are what the broker retains", differences(), [])
    rows = w.run(ROWS)
    reason = b.document(REFUSED, "state").get("reason", "")
    r.check("trouble comes first, with its sentence", rows[0][0] == b.ids[REFUSED - 1] and reason and reason in rows[0][3], reason, rows[0])
    online = sum(b.document(n, "availability").get("state") == "online" for n in range(1, b.count + 1))
    r.check("the totals are those of the rows", w.sees(5, f"{online} of {b.count} boards online", "#totals"), online, w.text("#totals"))
    hostile(b, r, w)
    w.fill("Find", "script")
    r.check("rows are found by words", until(5, lambda: [row[0] for row in w.run(ROWS)] == [b.ids[1]]), b.ids[1], w.run(ROWS))
    w.fill("Find", "")
    w.fill("Group", "even")
    r.check("rows are found by group", until(5, lambda: sorted(row[0] for row in w.run(ROWS)) == b.ids[1::2]), b.ids[1::2], w.run(ROWS))
    w.fill("Group", "")
    mark = b.client.mark()
    w.press("Explain Board 6", scope="main")
    told = b.end_of(b.topic(REFUSED, "reply", "explain"), mark)
    r.check("why a board is not there stands beside it", told.get("stage") == "done" and w.sees(10, told["data"]["summary"], f"tr[data-board='{b.ids[REFUSED - 1]}']"), told, w.run(ROWS)[0])


def hostile(b, r, w):
    """Names are text: nothing of them became a node, and nothing asks to be closed."""
    strange = w.run("return [...document.querySelectorAll('main img, main script, main iframe, main svg, main [onerror]')].map((node) => node.outerHTML)")
    r.equal("names that are meant to do harm make no nodes", strange, [])
    told = w.text("main")
    r.check("they stand there as text", all(name in told for name in EVIL.values()), EVIL, told[:600])


def commands(b, r, w):
    n = 1
    w.go(f"#/board/{b.ids[n - 1]}", EVIL[n])
    r.check("the name of a board is its heading and the window's title", w.text("h1") == EVIL[n] and EVIL[n] in w.run("return document.title"), EVIL[n], w.text("h1"))
    r.check("its live samples are drawn", until(15, lambda: coloured(w, "canvas.plot", 0) > 60, 0.3), "pixels of traces", coloured(w, "canvas.plot", 0))

    mark, since = b.client.mark(), b.do("now")
    w.press("Identify: flash and buzz", scope="main")
    told = b.end_of(b.topic(n, "reply", "identify"), mark)
    written = [packet for _, packet, _ in b.do("writes", board=n, since=since)]
    r.check("identify: the board flashes and buzzes", told.get("stage") == "done" and any(p.startswith("0201") for p in written) and any(p.startswith("08") for p in written), "writes to LED and motor", (told, written))
    r.check("identify: the page says that it is done", w.sees(10, "Done", "main .panel"), "Done", w.text("main .panel"))

    mark = b.client.mark()
    w.fill("Colour", "#ff8000")
    w.press("Set LED", scope="main")
    told = b.end_of(b.topic(n, "reply", "led"), mark)
    led = until(10, lambda: b.client.wait(1, b.topic(n, "led"), lambda v: v.get("color") == {"r": 255, "g": 128, "b": 0}, mark)) or {}
    board = b.status(n)
    r.check("LED: the retained document has the colour", told.get("stage") == "done" and led, "255, 128, 0", (told, b.document(n, "led")))
    r.check("LED: the board shows it", board["playing"] and led_of(board) == (31, 16, 0), (31, 16, 0), board)
    mark = b.client.mark()
    w.press("LED off", scope="main")
    r.check("LED off: the board's is off", b.end_of(b.topic(n, "reply", "led"), mark).get("stage") == "done" and not b.status(n)["playing"], "off", b.status(n))

    streams(b, r, w, n)
    w.driver.refresh()
    r.check("what happened before the page was opened stands there, with how commands ended", w.sees(20, "led done", "section[aria-labelledby=events-title]") and "stream-start done" in w.text("section[aria-labelledby=events-title]"),
            "led done", w.text("section[aria-labelledby=events-title]"))
    log(b, r, w)


def led_of(board):
    """Red, green and blue of what plays, 0 to 31, as the board was told."""
    def level(channel):
        text = board["led"].get(str(channel))
        return bytes.fromhex(text)[2] if text else 0
    return level(1), level(0), level(2)


def streams(b, r, w, n):
    mark = b.client.mark()
    w.fill("Stream", "angular-velocity", scope=".beside")
    w.fill("Rate (Hz)", "25", scope=".beside")
    w.press("Start stream", scope="main")
    told = b.end_of(b.topic(n, "reply", "stream-start"), mark)
    live = b.client.wait(15, b.topic(n, "live", "angular-velocity"), mark=mark)
    r.check("a stream is started, and its samples come", told.get("stage") == "done" and live, "samples", told)
    r.check("the board sends it", any(entry[0] == 0x13 for entry in b.status(n)["subscribed"]), "module 0x13", b.status(n)["subscribed"])
    r.check("and the page draws it", w.sees(15, "angular-velocity in", ".charts"), "a chart", w.text(".charts"))
    mark = b.client.mark()
    w.press("Stop angular-velocity", scope="main")
    told = b.end_of(b.topic(n, "reply", "stream-stop"), mark)
    r.check("a stream is stopped on the board", told.get("stage") == "done" and until(10, lambda: not any(entry[0] == 0x13 for entry in b.status(n)["subscribed"])), "not subscribed", (told, b.status(n)["subscribed"]))


def log(b, r, w):
    """The board that does nothing else logs, and what it logged is read out."""
    n = IDLE
    w.go(f"#/board/{b.ids[n - 1]}", b.name(n))
    w.press("Start logging", scope="main")
    r.check("a log of nothing is refused before it is sent", w.sees(5, "Choose at least one stream"), "a sentence", w.text(".beside")[:200])
    mark = b.client.mark()
    w.press("Choose what to log", scope="main")
    box = w.run("return [...document.querySelectorAll('details label.check')].find((label) => label.textContent.startsWith('acceleration,'))?.querySelector('input')")
    box.click()
    w.run("const field = arguments[0].closest('div').querySelector('select[name=rate_hz]'); field.value = '50'", box)
    w.press("Start logging", scope="main")
    told = b.end_of(b.topic(n, "reply", "log-start"), mark)
    state = b.do("log-state", board=n)
    r.check("log start: the board logs", told.get("stage") == "done" and state["logging"], "logging", (told, state))
    until(10, lambda: b.do("log-state", board=n)["total"] > 100, 0.2)
    mark = b.client.mark()
    w.press("Stop logging", scope="main")
    told = b.end_of(b.topic(n, "reply", "log-stop"), mark)
    r.check("log stop: the board does not log", told.get("stage") == "done" and not b.do("log-state", board=n)["logging"], "stopped", told)
    mark = b.client.mark()
    w.press("Download the log", scope="main")
    told = b.end_of(b.topic(n, "reply", "log-download"), mark, 60)
    r.check("log download: all of it is here", told.get("stage") == "done" and told["data"].get("complete") is True, "complete", told)
    r.check("log download: the page says so", w.sees(10, re.compile(r"Done.*complete: true", re.S), ".beside"), "Done", w.text(".beside")[-800:])


def sessions(b, r, w):
    status, out, complaint = b.tool("sessions", "--json")
    known = [json.loads(line) for line in out.splitlines()]
    session = next((s for s in known if s["board"] == b.ids[IDLE - 1] and "acceleration" in s.get("streams", [])), None)
    if not r.check("the archive has the downloaded session", session, "a session", (status, out[-500:], complaint)):
        return
    w.go("#/sessions", "Sessions")
    place = f"tr[data-session='{session['session']}']"
    r.check("the sessions page shows it, complete, with its samples", w.sees(10, str(session["samples"]), place) and "complete" in w.text(place) and b.name(IDLE) in w.text(place), session, w.text(place))
    name = f"session {session['session'][:10]} of {b.name(IDLE)}"
    w.press(f"Plot {name}", scope=place)
    r.check("its plot has pixels", until(10, lambda: coloured(w, "canvas.plot", 0) > 60, 0.2), "pixels of traces", coloured(w, "canvas.plot", 0))
    w.tidy_downloads()
    w.press(f"CSV of {name}", "a", scope=place)
    got = w.downloaded(".csv")
    status, expected, complaint = b.tool("export", session["session"], "--format", "csv")
    r.check("its CSV is what export writes", status == 0 and got == expected and got.rstrip().endswith(f"# rows: {got.count(10) - 2}".encode()), expected[:200], (status, complaint, (got or b"")[:200], (got or b"")[-60:]))
    w.press(f"JSON Lines of {name}", "a", scope=place)
    got = w.downloaded(".jsonl")
    status, expected, _ = b.tool("export", session["session"], "--format", "jsonl")
    r.check("its JSON Lines are what export writes", status == 0 and got == expected, expected[:200], (got or b"")[:200])


def alarms(b, r, w):
    """Six commands that fail are one alarm, at once."""
    topic, mark = b.gateway_topic("alarms"), b.client.mark()
    for n in range(6):
        b.client.publish(b.gateway_topic("cmd", "cancel"), {"id": f"page-fails-{n}", "args": {}})
    acknowledged(b, r, w, b.client.wait(20, topic, lambda v: alarm_of(v, "commands-failing"), mark), "commands-failing")


def alarm_of(document, id):
    return next((a for a in (document or {}).get("alarms", []) if a["id"] == id), None)


def acknowledged(b, r, w, document, id):
    """An alarm that stands is acknowledged in the page."""
    topic, alarm = b.gateway_topic("alarms"), alarm_of(document, id)
    if not r.check(f"{id}: the alarm stands", alarm, "an alarm", b.client.last(topic)):
        return
    w.go("#/alarms", "Alarms")
    place = f"tr[data-alarm='{id}']"
    board = b.name(b.ids.index(alarm["board"]) + 1) if "board" in alarm else "–"
    r.check(f"{id}: the page has it with text, severity and board", w.sees(10, alarm["text"], place) and alarm["severity"] in w.text(place) and board in w.text(place), (alarm, board), w.text(place))
    open_alarms = lambda: int((re.search(r"\((\d+)\)", w.text("#alarm-count")) or ["", "0"])[1])
    before, mark = open_alarms(), b.client.mark()
    r.equal(f"{id}: the number beside the link is that of the document", before, (b.client.last(topic) or {}).get("unacknowledged"))
    w.press(f"Acknowledge: {alarm['text']}", scope=place)
    seen = b.client.wait(15, topic, lambda v: (alarm_of(v, id) or {}).get("acknowledged"), mark)
    r.check(f"{id}: it is acknowledged in the retained document", seen, "acknowledged", b.client.last(topic))
    r.check(f"{id}: the page says so, and counts one less", w.sees(10, "acknowledged", place) and until(5, lambda: open_alarms() == before - 1), before - 1, (w.text(place), open_alarms()))


def token(b, r, w):
    """Who has none, or a wrong one."""
    r.equal("so far the browser complained of nothing", w.take_complaints(), [])
    w.run("sessionStorage.clear()")
    w.open("about:blank")
    w.open(b.address(token=None))
    r.check("on this computer it is read without a token", w.sees(15, "live", "#status"), "live", w.text("#status"))
    w.go(f"#/board/{b.ids[0]}", EVIL[1])
    until(10, lambda: w.find("Identify: flash and buzz"))
    since = b.do("now")
    w.press("Identify: flash and buzz", scope="main")
    r.check("a command without it says why it was not done", w.sees(10, re.compile(r"Failed \(denied\): .*token"), "main .panel"), "a sentence about the token", w.text("main .panel"))
    r.equal("and nothing reached the board", [p for _, p, _ in b.do("writes", board=1, since=since) if p.startswith(("02", "08"))], [])
    w.run("sessionStorage.clear()")
    w.open("about:blank")
    w.open(b.address(token=TOKEN[:-1] + "0"))
    r.check("a wrong token is refused with a sentence", w.sees(15, "not the gateway's", "#token-panel"), "a sentence", w.text())
    r.check("nothing is shown meanwhile", b.name(IDLE) not in w.text("main"), "no names", w.text("main")[:300])
    w.fill("Token", TOKEN)
    w.press("Use it")
    r.check("with the right one it goes on", w.sees(15, "live", "#status") and w.sees(10, b.name(IDLE), "main"), "live", w.text("#status"))
    r.equal("the browser complained of refusals alone", w.take_complaints(r"status of 40[13]"), [])


def broker(b, r, w):
    """Killed, and started again."""
    w.go("#/", "Fleet")
    b.broker.end(signal.SIGKILL)
    r.check("a broker that is gone is said, with what to do", w.sees(40, "not connected to its MQTT broker", "main"), "a notice", w.text("main")[:400])
    r.check("the page goes on", w.text("#status") == "live" and len(w.run(ROWS)) == b.count, b.count, (w.text("#status"), len(w.run(ROWS))))
    since = b.do("now")
    w.go(f"#/board/{b.ids[0]}", EVIL[1])
    w.press("Identify: flash and buzz", scope="main")
    r.check("and commands", w.sees(20, "Done", "main .panel") and any(p.startswith("0201") for _, p, _ in b.do("writes", board=1, since=since)), "Done", w.text("main .panel"))
    b.start_broker()
    w.go("#/", "Fleet")
    r.check("it is over when the broker is back", until(60, lambda: "MQTT broker" not in w.text("main"), 0.3), "no notice", w.text("main")[:400])
    r.equal("the browser complained of /readyz alone", w.take_complaints(r"/readyz .*status of 503"), [])


def daemon(b, r, w):
    """Killed, and started again: nobody presses anything."""
    b.daemon.end(signal.SIGKILL)
    r.check("a gateway that is gone is said, with since when", w.sees(20, re.compile(r"NOT LIVE since \d\d:\d\d:\d\d"), "#status"), "NOT LIVE", w.text("#status"))
    r.check("what was known stays", len(w.run(ROWS)) == b.count, b.count, len(w.run(ROWS)))
    time.sleep(2)
    b.start_daemon()
    r.check("the page comes back by itself", w.sees(45, re.compile("^live$"), "#status"), "live", w.text("#status"))
    shown = f"{b.count - 1} of {b.count} boards online"
    r.check("and shows the boards when they do", w.sees(45, shown, "#totals"), shown, w.text("#totals"))
    r.equal("the browser complained of the connection alone", w.take_complaints(DEAD + r"|status of 503"), [])


def coloured(w, selector, place):
    """How many columns of a chart have something in the colour of a trace."""
    found = w.pixels(selector, place)
    if not found:
        return 0
    width, height, data = found
    columns = set()
    for at in range(0, len(data), 4):
        red, green, blue, alpha = data[at:at + 4]
        if alpha > 200 and max(red, green, blue) - min(red, green, blue) > 90:
            columns.add(at // 4 % width)
    return len(columns)


SHORT = [fleet, commands, sessions, alarms, token, broker, daemon]
