"""Every button of the page, pressed once with arguments that are in order, and its reply seen on the broker. The list is what the gateway
says its verbs are, and what the board says it takes: a verb that is not known here fails."""
import json
import urllib.request

import page_server
from bench import until
from page_bench import EVIL, IDLE, TOKEN

PIN = {"ss": 10, "sck": 0, "mosi": 11, "miso": 7}
LIGHT = [{"verb": "led", "args": {"color": "blue"}}]
# What is typed, by verb, in the order in which it is pressed: who removes comes behind who creates, and who ends a connection last.
# Of a list each is pressed. A first word with a colon is chosen first.
BOARD = {
    "firmware-check": [{"refresh": "false"}], "gpio": [{"pin": 1, "output": "high"}], "i2c-read": [{"device": 28, "register": 13, "length": 1}],
    "i2c-write": [{"device": 28, "register": 37, "hex": "01"}], "spi-read": [{"pins": PIN, "length": 1, "hex": "da"}], "spi-write": [{"pins": PIN, "hex": "2001"}],
    "processor-create": [{"name": "sums", "from": "acceleration", "chain": ["rms", {"average": 4}]}], "processor-list": [{}],
    "processor-set": [{"name": "sums", "step": 1, "reset": "true"}], "processor-remove": [{"name": "sums"}],
    "timer-create": [{"name": "minute", "period_ms": 60000, "action": {"verb": "read", "args": {"what": "temperature", "source": "die", "deliver": "log"}}}],
    "timer-stop": [{"name": "minute"}], "timer-start": [{"name": "minute"}], "timer-remove": [{"name": "minute"}],
    "event-bind": [{"name": "lamp", "source": "button", "action": LIGHT[0]}], "event-remove": [{"name": "lamp"}],
    "macro-record": [{"name": "hello", "action": LIGHT}], "macro-list": [{}], "macro-run": [{"name": "hello"}],
    "read": [{"what:": "battery"}, {"what:": "temperature"}, {"what:": "device"}, {"what:": "resources"}],
    "sensor": [{"do:": "fusion-reset-orientation"}, {"do:": "steps-reset"}], "maintenance": [{"for": "1h", "reason": "looked at"}, {"end": "true"}],
    "settings": [{"tx_dbm": 0}], "batch": [{"commands": [{"verb": "identify", "args": {}}]}], "ibeacon": [{"enabled": "false"}],
    "log-clear": [{"confirm": "ID"}], "macro-erase": [{"confirm": "ID"}], "profile": [{"name": "idle"}],
    "disconnect": [{"hold_s": 1}], "reset": [{}], "sleep": [{"confirm": "ID"}],
}
# These have a place of their own on the page, and are pressed there.
PLACED = {"explain": "Explain in words", "identify": "Identify: flash and buzz", "log-status": "Log status", "led": "LED off", "haptic": "Run motor or buzzer", "stream-start": None, "stream-stop": None,
          "log-start": None, "log-stop": None, "log-download": None}
GATEWAY = {
    "scan": [{"for_s": 2}], "admission": [{"mode": "window", "for_s": 5}, {"mode": "listed"}], "admit": [{"board": "D0:00:00:00:00:01", "name": "New"}],
    "forget": [{"board": "d00000000001"}], "alarm-acknowledge": [{"code": "commands-failing"}], "cancel": [{"id": "nothing"}], "diagnostics": [{}],
    "replay": [{"from_ms": 1, "to_ms": 2}], "reload": [{}], "drain": [{}, {"resume": "true"}], "adapter-reset": [{"adapter": "CHOICE", "force": "true"}],
    # Of a rollout there is none here, which is for the two to say.
    "rollout-list": [{}], "rollout-pause": [], "rollout-abort": [],
}
# What a board without such a chip, a bus without such a device and a command that is over may answer; never that what was typed is wrong.
HONEST = {"unsupported", "device-error", "not-found", "no-answer", "wrong-state", "no-slots", "failed", "unreachable", "timeout"}


def offered(b):
    request = urllib.request.Request(f"http://127.0.0.1:{b.http}/api/verbs", headers={"Authorization": f"Bearer {TOKEN}"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return {verb["verb"]: verb for verb in json.load(answer)}


def typed(w, verb, arguments, id):
    """Fills the form of a verb, whose button is called like it, and presses that."""
    form = w.run("""return [...document.querySelectorAll('main details form')].find((form) => form.querySelector('button[type=submit]').textContent === arguments[0]) ?? null""", verb)
    if form is None:
        raise LookupError(f"no form of {verb}")
    w.run("for (let at = arguments[0]; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true", form)
    w.run("for (const field of arguments[0].querySelectorAll('input, textarea')) if (field.type !== 'checkbox') field.value = ''", form)
    for name, value in arguments.items():
        text = id if value == "ID" else value if isinstance(value, str) else json.dumps(value)
        done = w.run("""const [form, name, text] = arguments, field = form.querySelector(`[name="${name}"]`);
            if (!field) return false;
            if (field.tagName === 'SELECT') { field.value = text === 'CHOICE' ? field.options[field.options.length - 1].value : text; field.dispatchEvent(new Event('change', {bubbles: true})); }
            return field.tagName === 'SELECT' ? field.value !== '' : field""", form, name.rstrip(":"), text)
        if not done:
            raise LookupError(f"{verb}: no field {name}, or it does not offer {text}")
        if done is not True:
            done.send_keys(text)
    button = w.run("return arguments[0].querySelector('button[type=submit]')", form)
    w.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", button)
    button.click()
    return form


def each(b, r, w, who, table, verbs, topic, id, prepare):
    r.equal(f"{who}: every verb it takes is known here", sorted(v for v in verbs if v not in table and v not in PLACED and v != "sessions-delete"), [])
    for verb, cases in table.items():
        if verb not in verbs:
            continue
        for arguments in cases:
            prepare(verb)
            mark = b.client.mark()
            try:
                form = typed(w, verb, arguments, id)
            except Exception as error:
                r.check(f"{who}: {verb} {arguments} is filled in and pressed", False, "a press", f"{type(error).__name__}: {error}")
                continue
            told = b.end_of(topic(verb), mark, 45)
            # The fake board only drops its link where a real one sleeps: whether it is heard again in time is chance.
            fine = told.get("stage") == "done" or told.get("code") in HONEST or (verb, told.get("code")) == ("firmware-check", "internal") or (verb, told.get("stage")) == ("sleep", "unknown")
            said = until(10, lambda: w.run("const text = arguments[0].parentElement.querySelector('.result')?.innerText ?? ''; return /Done|Failed|Nobody/.test(text) ? text : ''", form))
            agrees = said and (said.startswith("Done") == (told.get("stage") == "done"))
            r.check(f"{who}: {verb} {json.dumps(arguments)} is answered, and the page says the same", fine and agrees, "a reply", (told, said))


def board(b, r, w):
    n, verbs = 1, offered(b)
    w.go(f"#/board/{b.ids[n - 1]}", EVIL[n])
    until(10, lambda: w.find("Identify: flash and buzz"))
    accepted = b.document(n, "info")["verbs"]
    takes = [v for v in accepted if verbs[v]["http"]]
    refused = [v for v in accepted if not verbs[v]["http"]]
    forms = w.run("return [...document.querySelectorAll('main details form button[type=submit]')].map((one) => one.textContent)")
    r.check("a board: what the file does not let pages send is not offered", "factory-reset" in refused and not set(refused) & set(forms), "no form", (refused, forms))

    def prepare(verb):
        """It is there again, whatever the last one did to it."""
        until(60, lambda: b.document(n, "state").get("link") in ("idle", "streaming"), 0.2)
        until(10, lambda: w.run("return document.querySelectorAll('main details form').length"))
    for verb, label in PLACED.items():
        if label:
            prepare(verb)
            mark = b.client.mark()
            w.press(label, scope="main")
            r.equal(f"a board: {label}", b.end_of(b.topic(n, "reply", verb), mark, 45).get("stage"), "done")
    each(b, r, w, "a board", BOARD, takes, lambda verb: b.topic(n, "reply", verb), b.ids[n - 1], prepare)
    w.press("Pause charts", scope="main")
    r.check("charts are paused", w.find("Go on") is not None)
    w.press("Go on", scope="main")


def gateway(b, r, w):
    verbs = offered(b)
    w.go(f"#/gateway/{b.gateway}", f"Gateway {b.gateway}")
    until(10, lambda: w.run("return document.querySelectorAll('main details form').length"))
    for n in range(6):  # which is an alarm that can be acknowledged
        b.client.publish(b.gateway_topic("cmd", "cancel"), {"id": f"page-fails-again-{n}", "args": {}})
    b.client.wait(20, b.gateway_topic("alarms"), lambda v: any(a["id"] == "commands-failing" for a in v["alarms"]))
    takes = [v for v in b.client.last(b.gateway_topic("info"))["verbs"] if v in verbs and verbs[v]["http"]]
    each(b, r, w, "a gateway", GATEWAY, takes, lambda verb: b.gateway_topic("reply", verb), b.gateway, lambda verb: None)
    until(60, lambda: len(b.streaming()) >= 3, 0.3)


def fleet_buttons(b, r, w):
    """Order, scan and admission on the first page."""
    w.go("#/", "Fleet")
    order = lambda: w.run("return [...document.querySelectorAll('tr[data-board]')].map((row) => row.dataset.board)")
    for name in ("Board", "Battery", "Signal", "Rate", "Lost in 24 h", "Next contact", "State"):
        w.press(name, "button", "thead")
        head = lambda: w.run("return document.querySelector('th[aria-sort]')?.innerText.replace(/[^\\w ]/g, '').trim() + ' ' + document.querySelector('th[aria-sort]')?.getAttribute('aria-sort')")
        r.check(f"the fleet: in the order of {name}", until(5, lambda: head() == f"{name} ascending"), name, head())
        first = order()
        w.press(name, "button", "thead")
        r.check(f"the fleet: in the other order of {name}", until(5, lambda: head() == f"{name} descending") and sorted(order()) == sorted(first), name, head())
    w.press("State", "button", "thead")
    mark = b.client.mark()
    w.press("Scan for 10 seconds", scope="main")
    b.client.wait(10, b.gateway_topic("reply", "scan"), mark=mark)  # who is heard while it scans is listed
    b.do("crowd", count=3, ours=2)
    told = b.end_of(b.gateway_topic("reply", "scan"), mark, 40)
    found = [entry["board"] for entry in told.get("data", {}).get("boards", []) if not entry.get("admitted")]
    names = lambda: w.run("return [...document.querySelectorAll('section[aria-labelledby=scan-title] tbody tr')].map((row) => row.cells[1].innerText.replaceAll(':', '').toLowerCase())")
    r.check("the fleet: what is in range is listed", told.get("stage") == "done" and found and until(10, lambda: set(found) <= set(names())), found, (told, names()))
    mark = b.client.mark()
    row = w.run("return [...document.querySelectorAll('section[aria-labelledby=scan-title] button')].find((one) => one.textContent === 'Admit' && one.checkVisibility())")
    w.run("arguments[0].scrollIntoView({block: 'center'})", row)
    row.click()
    told = b.end_of(b.gateway_topic("reply", "admit"), mark, 20)
    board = told.get("data", {}).get("board")
    r.check("the fleet: Admit admits it, and it is a row", told.get("stage") == "done" and board and until(10, lambda: board in order()), told, order())
    b.client.publish(b.gateway_topic("cmd", "forget"), {"id": "page-forget", "args": {"board": board}})
    r.check("the fleet: a board that is forgotten is a row no more", until(15, lambda: board not in order()), "no row", order())


def jobs(b, r, w):
    """A command to a group, its progress, and one that is aborted."""
    w.go("#/jobs", "Groups and jobs")
    r.equal("jobs: what harms nobody is chosen first", w.run("return document.querySelector('#job-verb').value"), "identify")
    w.fill("Group", "odd")
    mark, since = b.client.mark(), b.do("now")
    w.press("Send identify to the group", scope="main")
    told = b.end_of(f"{b.base}/group/odd/reply/identify", mark, 40)
    r.check("jobs: all members are done", told.get("stage") == "done" and told["data"]["done"] == 3, 3, told)
    flashed = [n for n in (1, 3, 5) if any(p.startswith("0201") for _, p, _ in b.do("writes", board=n, since=since))]
    r.equal("jobs: the boards of the group flashed", flashed, [1, 3, 5])
    r.check("jobs: the page counts them", w.sees(10, "3 of 3 boards done", "[data-job]"), "3 of 3", w.text("[data-job]"))
    w.fill("Group", "even")
    w.fill("Boards at once", 1)
    w.fill("Boards a minute", 6)
    mark = b.client.mark()
    w.press("Send identify to the group", scope="main")
    until(10, lambda: w.find("Abort"))
    w.press("Abort", scope="[data-job]")
    verb = until(20, lambda: next((m[1].split("/")[-1] for m in b.client.since(mark) if "/gateway/" in m[1] and "/reply/" in m[1]), None))
    told = b.end_of(b.gateway_topic("reply", verb or "cancel"), mark, 5)
    ended = b.end_of(f"{b.base}/group/even/reply/identify", mark, 40)
    r.check("jobs: one that is aborted ends", told.get("stage") == "done" and ended, "an end", (told, ended))


def log(b):
    """The board that does nothing else logs for seconds, and what it logged is read out."""
    for verb, args in (("log-start", {"streams": {"acceleration": {"rate_hz": 50}}}), ("log-stop", {}), ("log-download", {})):
        if verb == "log-stop": until(10, lambda: b.do("log-state", board=IDLE)["total"] > 200, 0.2)
        mark = b.client.mark()
        b.client.publish(b.topic(IDLE, "cmd", verb), {"id": f"page-{verb}", "args": args})
        b.end_of(b.topic(IDLE, "reply", verb), mark, 60)


def sessions_buttons(b, r, w):
    """What is looked at, zoomed and deleted, after two questions."""
    log(b)
    w.go("#/sessions", "Sessions")
    known = [json.loads(line) for line in b.tool("sessions", "--json")[1].splitlines()]
    session = next((s for s in known if s["board"] == b.ids[IDLE - 1]), None)
    if not r.check("sessions: there is one", session, "a session", known):
        return
    name = f"session {session['session'][:10]} of {b.name(IDLE)}"
    w.press("Look again", scope="main")
    w.press(f"Plot {name}", scope="main")
    until(10, lambda: w.find("Closer"))
    picture = lambda: w.pixels("canvas.plot")
    until(5, lambda: w.pixels("canvas.plot"))
    for label in ("Closer", "Later", "Earlier", "Wider", "Closer", "All of it"):
        before = picture()
        w.press(label, scope="main")
        r.check(f"sessions: {label} shows another picture, or says that there is nothing", until(10, lambda: picture() != before or "cannot be shown" in w.text("main")), "another", label)
    w.press(f"Delete {name}", scope="main")
    w.press("Delete it", scope="main")
    w.press("Keep it", scope="main")
    r.check("sessions: one that is kept is there", any(json.loads(line)["session"] == session["session"] for line in b.tool("sessions", "--json")[1].splitlines()))
    w.press(f"Delete {name}", scope="main")
    w.press("Delete it", scope="main")
    mark = b.client.mark()
    w.press("Yes, delete it for good", scope="main")
    told = b.end_of(b.gateway_topic("reply", "sessions-delete"), mark, 20)
    r.check("sessions: one that is deleted is gone from the archive", told.get("stage") == "done" and not any(
        json.loads(line)["session"] == session["session"] for line in b.tool("sessions", "--json")[1].splitlines()), "gone", told)
    r.check("sessions: and from the page", until(10, lambda: not w.run("return document.querySelector(`[data-session='${arguments[0]}']`)", session["session"])), "gone", w.text("main")[:300])


PLACE = "section[aria-labelledby=stimuli-title]"


def stimuli(b, r, w):
    """What is done to simulated boards, in front of the fake building of page_server; a gateway of other boards offers nothing of it."""
    w.go(f"#/board/{b.ids[IDLE - 1]}", b.name(IDLE))
    until(10, lambda: w.find("Identify: flash and buzz"))
    loaded = lambda: w.run("return performance.getEntriesByType('resource').some((one) => one.name.endsWith('/stimuli.js'))")
    r.check("stimuli: where boards are none of a simulator, nothing is shown, and its module not asked for", not w.find("Press") and w.text(PLACE) == "" and not loaded())
    server = page_server.serve(simulated=True)
    try:
        ids, said = server.fleet.ids, server.commands.simulated
        w.open(f"http://127.0.0.1:{server.server_port}/#token={page_server.TOKEN}")
        w.sees(15, "live", "#status")
        w.go(f"#/board/{ids[0]}", "Pump 0")
        address = ":".join(ids[0][at:at + 2] for at in range(0, 12, 2)).upper()
        r.check("stimuli: what a board has a sensor for is offered, and no more", w.sees(10, "Double tap", PLACE) and w.find("Press", scope=PLACE) and not w.find("Humidity", scope=PLACE), PLACE, w.text(PLACE))
        r.equal("stimuli: before anything is pressed nothing is sent", said, [])
        w.press("Press", scope=PLACE)
        r.check("stimuli: a press is the line for this board alone", until(5, lambda: said == [f"press {address}"]), "press", said)
        r.check("stimuli: it is said, and its event is on the page", w.sees(5, "Press: done.", PLACE) and w.sees(5, "button press", "section[aria-labelledby=events-title]"), "both", w.text(PLACE))
        w.press("face-down", scope=PLACE)
        w.fill("Steps", 7, scope=PLACE)
        w.press("Walk", scope=PLACE)
        r.check("stimuli: what is chosen and typed is in the line, and what is left empty as usual", until(5, lambda: said[1:] == [f"turn {address} face-down", f"walk {address} 7 500ms"]), "two lines", said)
        for what, name, field, value, words in (("a number out of range", "Walk", "Steps", "0", "from 1 to 100"), ("another line behind it", "Walk", "Interval", "1s for 1h", "from one to the next")):
            w.fill(field, value, scope=PLACE)
            w.press(name, scope=PLACE)
            r.check(f"stimuli: {what} is not sent, and said at its field", w.sees(5, words, PLACE) and len(said) == 3, words, (said, w.text(PLACE)))
            w.fill(field, "", scope=PLACE)
        w.fill("Temperature (°C)", 20, scope=PLACE)
        w.press("Temperature", scope=PLACE)
        r.check("stimuli: what the simulator refuses is said, as text", w.sees(5, "Temperature failed: <img src=x onerror=alert(1)> is no number", PLACE), "the reason", w.text(PLACE))
        unnamed = w.run("return [...document.querySelectorAll(`${arguments[0]} input`)].filter((one) => !one.labels?.length).length", PLACE)
        r.equal("stimuli: each field has its label", unnamed, 0)
        server.token = "another"
        w.press("Press", scope=PLACE)
        r.check("stimuli: without the right to, nothing is felt, and the token is asked for", w.sees(5, "Press failed:", PLACE) and w.sees(5, "asks for its token") and len(said) == 4, "a refusal", (said, w.text(PLACE)))
        r.equal("stimuli: the browser complained of nothing else", w.take_complaints("401"), [])
    finally:
        server.shutdown()
        w.open(b.address())
        w.sees(15, "live", "#status")


SHORT = [stimuli]
LONG = [fleet_buttons, jobs, sessions_buttons, board, gateway]
