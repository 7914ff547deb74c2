"""Firmware and what happened before, on a board's page, in front of the fake building of page_server: there every stage can be had."""
import re
import time

from bench import until
from page_fleet import GATEWAY, NAMES, now_ms
from page_server import TOKEN, serve


def firmware(b, r, w):
    server = serve()
    try:
        board = server.fleet.ids[0]
        w.open(f"http://127.0.0.1:{server.server_port}/#token={TOKEN}")
        w.sees(15, "live", "#status")
        installed(server, board, r, w)
        aborted(server, board, r, w)
        stranded(server, board, r, w)
        refused(server, board, r, w)
        past(server, board, r, w)
        r.equal("firmware: the browser complained of nothing", w.take_complaints(), [])
    finally:
        server.shutdown()
        w.open(b.address())
        w.sees(15, "live", "#status")


PLACE = "section[aria-labelledby=firmware-title]"


def sent(server, board):
    """What was commanded of a board's firmware."""
    return [payload.get("args") for topic, payload in server.commands.taken if topic == f"board/{board}/cmd/firmware-update"]


def installed(server, board, r, w):
    w.go(f"#/board/{board}", "Pump 0")
    r.check("firmware: what is installed and what there is", w.sees(10, "1.7.2", PLACE) and "1.7.3" in w.text(PLACE), "1.7.2 and 1.7.3", w.text(PLACE))
    w.press("Update the firmware", scope=PLACE)
    r.check("firmware: asks first what would become of the board", w.sees(5, "1.7.3 in the place of 1.7.2", PLACE), "a question", w.text(PLACE))
    r.equal("and has the focus on it", w.focused(), "Update it")
    w.press("Leave it", scope=PLACE)
    r.check("firmware: may be left", until(5, lambda: w.find("Update it") is None and w.focused() == "Update the firmware"), "the button", w.focused())
    w.press("Update the firmware", scope=PLACE)
    w.press("Update it", scope=PLACE)
    r.check("firmware: asks twice, and sends nothing before", w.sees(5, "no application", PLACE) and sent(server, board) == [], [], (w.text(PLACE), sent(server, board)))
    w.press("Yes, update it now", scope=PLACE)
    r.check("firmware: its stages are said", w.sees(10, "fetched", PLACE) and w.sees(10, "restarts in its bootloader", PLACE), "stages", w.text(PLACE))
    r.equal("firmware: it was commanded once, for this board and this version", sent(server, board), [{"confirm": board, "version": "1.7.3"}])
    r.check("firmware: nothing else can be begun meanwhile", w.find("Update the firmware", scope=PLACE) is None and w.find("Abort the update", scope=PLACE) is not None)
    r.check("firmware: how far it is, and for how long", w.sees(15, re.compile(r"sent: leave the board where it is\. \d+ %, \d+ s left"), PLACE), "a percentage and seconds", w.text(PLACE))
    bar = w.run("const bar = document.querySelector(`${arguments[0]} progress`); return [bar.checkVisibility(), bar.value]", PLACE)
    r.check("firmware: and a bar", bar[0] and 0 <= bar[1] <= 100, "a bar", bar)
    r.check("firmware: from the first byte on it cannot be aborted", w.find("Abort the update", scope=PLACE) is None)
    r.check("firmware: at the end it is installed", w.sees(20, "Done", PLACE) and until(5, lambda: "Installed\n1.7.3" in w.text(PLACE)) and w.find("Update the firmware", scope=PLACE) is None, "1.7.3", w.text(PLACE))


def aborted(server, board, r, w):
    server.fleet.firmware(board)
    for name in ("Update the firmware", "Update it", "Yes, update it now", "Abort the update"):
        w.press(name, scope=PLACE)
    r.check("firmware: it is aborted before anything is sent, and that is said", w.sees(15, "The last update failed: the update was aborted", PLACE), "aborted", w.text(PLACE))
    r.check("firmware: it can be begun again", until(5, lambda: w.find("Update the firmware", scope=PLACE)) is not None)


def stranded(server, board, r, w):
    server.fleet.firmware(board, stage="rescuing", attempt=3, last_error="the board does not answer")
    r.check("firmware: a board that stays in its bootloader is said so, with what to do", w.sees(5, "in its bootloader, without an application", PLACE) and "charge the board" in w.text(PLACE)
            and "the board does not answer" in w.text(PLACE), "a sentence", w.text(PLACE))
    count = len(sent(server, board))
    for name in ("Update the firmware", "Update it", "Yes, update it now"):
        w.press(name, scope=PLACE)
    r.check("firmware: it can be sent at once", until(10, lambda: len(sent(server, board)) == count + 1), count + 1, len(sent(server, board)))
    w.sees(30, "Done", PLACE)
    state = server.fleet.documents[f"board/{board}/availability"]
    server.fleet.firmware(board, installed_version="1.7.3")
    server.fleet.put(f"board/{board}/availability", {**state, "state": "offline", "reason": "bootloader"})
    r.check("firmware: so is one that nobody here put there", w.sees(5, "No update was ordered here", PLACE), "a sentence", w.text(PLACE))
    server.fleet.put(f"board/{board}/availability", state)
    server.fleet.firmware(board, last_error=NAMES[2])
    r.check("firmware: words from elsewhere are text", w.sees(5, NAMES[2], PLACE) and w.run("return document.querySelectorAll('main img').length") == 0, NAMES[2], w.text(PLACE))


def refused(server, board, r, w):
    """Where the file does not name it."""
    forms = "return [...document.querySelectorAll('main details form button[type=submit]')].map((one) => one.textContent)"
    r.equal("what the file refuses here has no form", [verb for verb in w.run(forms) if verb in ("raw", "factory-reset", "bootloader")], [])
    for verb in server.fleet.verbs:
        verb["http"] = verb["http"] and not verb["verb"].startswith("firmware-")
    w.driver.refresh()
    w.sees(15, "live", "#status")
    r.check("firmware: no button where the file does not name it, but why", w.sees(10, "http.commands", PLACE) and w.find("Update the firmware", scope=PLACE) is None, "a sentence", w.text(PLACE))
    r.equal("and no form", [verb for verb in w.run(forms) if verb.startswith("firmware-")], [])


def past(server, board, r, w):
    """What happened before the page was opened stands there with what comes, each once, the newest first."""
    place, fleet = "section[aria-labelledby=events-title]", server.fleet
    say = lambda number, **more: {"ts_ms": now_ms() - 1000 * number, "event_id": f"past-{number}", "board": board, "gw": GATEWAY, "kind": "button", "event_type": "press", "message": f"number {number} {NAMES[2]}", **more}
    with fleet.lock:
        fleet.past = [say(n) for n in range(1, 200)] + [say(3, board=fleet.ids[1], event_id="other", message="of another")]
        fleet.past.insert(2, {"ts_ms": now_ms() - 2500, "id": "a-command", "board": board, "gw": GATEWAY, "kind": "command", "event_type": "failed", "stage": "failed", "verb": "led", "code": "busy", "message": "it is busy"})
    w.driver.refresh()
    w.sees(15, "live", "#status")
    items = lambda: w.run("return [...document.querySelectorAll(`${arguments[0]} li`)].map((one) => one.innerText)", place)
    found = until(10, lambda: any("number 5 " in item for item in items()) and items()) or items()
    numbers = [int(n) for item in found for n in re.findall(r"number (\d+) ", item)]
    r.check("events: what happened before is there, the newest first, and not all of it", numbers[:5] == sorted(numbers)[:5] and 1 in numbers and len(found) <= 60, "1, 2, 3 …", found[:6])
    r.check("events: with how commands ended", any("led failed: it is busy" in item for item in found), "led failed", found[:6])
    r.check("events: of this board alone, as text", not any("of another" in item for item in found) and w.run("return document.querySelectorAll('main img').length") == 0)
    fleet.event(board, say(0, event_id="now", message="it happens"))
    r.check("events: what comes stands above", until(10, lambda: "it happens" in (items() or [""])[0]), "it happens", items()[:3])
    fleet.say("event", f"board/{board}/event/button", fleet.past[1])
    w.press("Explain in words", scope="main")
    time.sleep(1)
    r.equal("events: none stands there twice", [item for item in items() if items().count(item) > 1], [])


SHORT = [firmware]
