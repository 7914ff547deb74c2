#!/usr/bin/python3
"""Judges what is done to the simulated boards of `metafleet demo` from outside, as somebody does who has Node-RED and no board: a button is pressed by a
topic, its event comes, and another board's LED lights; taps, turns, steps, chargers, pins, light and air are seen where a client of a real gateway would
see them; and as somebody who opens the page in a browser, and presses its buttons."""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request

from bench import Client, Process, Report, end_cleanly_on_signals, free_port, until
from page_browser import Browser

HERE = os.path.dirname(os.path.abspath(__file__))
FLOWS = os.path.join(HERE, "..", "..", "dashboards", "node-red", "flows.json")
DO, DONE = "metafleet/simulator/do", "metafleet/simulator/done"
# Board 1 is an S, whose chip has no detector for taps, board 2 an RL, board 3 an R with a humidity sensor.
S, RL, R = "c0ffee000001", "c0ffee000002", "c0ffee000003"


def board(id, *rest):
    return "/".join(("metafleet", "board", id, *rest))


def asked(client, payload, count=1, **how):
    """The answers to a request, in order."""
    mark = client.mark()
    client.publish(DO, payload, **how)
    until(10, lambda: len(client.since(mark, DONE)) >= count)
    return [json.loads(m[2]) for m in client.since(mark, DONE)]


def done(r, client, what, line, topic, test):
    """Whether what `line` does is seen on a topic."""
    mark = client.mark()
    answers = asked(client, line)
    r.check(f"{line}: it is carried out", answers and answers[0].get("ok") is True, "ok", answers)
    seen = client.wait(30, topic, test, mark)
    r.check(f"{line}: {what}", seen, "a message", [m[2][:200] for m in client.since(mark, topic)][:5])
    return seen


def sent(client, id, verb, args):
    """The data that a command is answered with; None where it fails."""
    mark, name = client.mark(), f"{verb}-{client.mark()}"
    client.publish(board(id, "cmd", verb), json.dumps({"id": name, "args": args}))
    final = client.wait(20, board(id, "reply", verb), lambda v: v.get("id") == name and v.get("stage") in ("done", "failed", "unknown"), mark) or {}
    return final.get("data") if final.get("stage") == "done" else None


def read(r, client, line, id, args, key, low, high):
    """Whether what `line` does is what the board answers to a read."""
    answers = asked(client, line)
    r.check(f"{line}: it is carried out", answers and answers[0].get("ok") is True, "ok", answers)
    data = sent(client, id, "read", args)
    r.check(f"{line}: {id} reads it", data and low <= data.get(key, low - 1) <= high, f"{key} from {low} to {high}", data)


def is_type(word):
    return lambda event: event.get("event_type") == word


def requests(r, client):
    first = asked(client, "prss 1")
    r.check("a wrong command is refused, with the nearest one", first and first[0]["ok"] is False and "did you mean press" in first[0]["error"], "did you mean press", first)
    several = asked(client, json.dumps({"id": "seven", "lines": "release 1\n# nothing\ndrop 99\n"}), 2)
    r.check("an object has an id, which comes back with each line's answer",
            [(a.get("id"), a.get("line"), a["ok"]) for a in several] == [("seven", "release 1", True), ("seven", "drop 99", False)], "two answers", several)
    r.check("an answer says when and with which boards", several and several[0].get("boards") == [S] and several[0].get("at_s", 0) > 0, [S], several)
    for what, payload, words in (("an unknown key", {"lines": "tap 1", "line": "tap 1"}, "an object is expected"), ("no lines", {"id": "a"}, "an object is expected"),
                                 ("JSON that is cut off", '{"lines": "tap 1"', "not acceptable JSON"), ("an id that is no text", {"lines": "tap 1", "id": 7}, "id is a text"),
                                 ("too much of it", "# " + "x" * 20_000, "bytes; 16384 are allowed"), ("too many lines", "tap 1\n" * 1001, "at most 1000 lines")):
        answers = asked(client, payload)
        r.check(f"{what}: refused with the reason", len(answers) == 1 and answers[0]["ok"] is False and words in answers[0]["error"], words, answers)


def flow(r, client, work):
    """The flow that is shipped, in Node.js: its inject node presses, and what it hears lights the other board's LED."""
    node = Process("node", ["node", os.path.join(HERE, "node_red.js"), FLOWS], os.path.join(work, "node.log"), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                   env={**os.environ, "METAFLEET_CSV": work, "METAFLEET_WEBHOOK": "http://192.0.2.1/hook"})
    said, fed = [], [client.mark()]

    def listen():
        for line in node.popen.stdout:
            entry = json.loads(line)
            said.append(entry)
            if entry["kind"] == "publish": client.publish(entry["topic"], entry["payload"], qos=entry["qos"], retain=entry["retain"])
    threading.Thread(target=listen, daemon=True).start()

    def order(**words):
        node.popen.stdin.write(json.dumps(words).encode() + b"\n")
        node.popen.stdin.flush()

    def shows(name):
        def look():
            messages = client.since(fed[0])
            fed[0] += len(messages)
            for m in messages:
                if m[2] and re.search("/(event|reply)/|/done$", m[1]): order(topic=m[1], payload=m[2].decode())
            return [x["value"] for x in said if x["kind"] == "debug" and x["node"] == f"Button to LED/{name}"]
        return until(30, look)
    mark = client.mark()
    order(inject="Button to LED/press board 1 of the demo")
    r.check("node-red: the press is answered", shows("what became of it"), "an answer", said[-5:])
    evidence = shows("the board did it")
    r.check("node-red: a press of a simulated button lights another board's LED", evidence and evidence[0] == "readback", "readback", (evidence, said[-5:]))
    press = client.wait(5, board(S, "event", "button"), is_type("press"), mark)
    release = client.wait(5, board(S, "event", "button"), is_type("release"), mark)
    r.check("its button was pressed, and released after 200 ms", press and release and 100 <= release.get("held_ms", 0) <= 1000, "held_ms 200", (press, release))
    led = client.wait(5, board(RL, "led"), lambda v: v.get("effect") == "flash" or v.get("color") == "blue" or "blue" in json.dumps(v), mark)
    r.check("the other board's LED says so", led, "blue", client.last(board(RL, "led")))
    node.end()


def senses(r, client):
    done(r, client, "the chip recognises it", "tap 2", board(RL, "event", "tap"), is_type("single"))
    done(r, client, "the chip recognises both", "double-tap 2", board(RL, "event", "tap"), is_type("double"))
    done(r, client, "a chip without taps tells motion", "shake 1 1s", board(S, "event", "motion"), is_type("any"))
    done(r, client, "the chip tells a fall", "fall 2 400ms", board(RL, "event", "motion"), is_type("low-g"))
    done(r, client, "the chip tells how it lies", "turn 2 landscape-left", board(RL, "event", "orientation"), lambda e: "landscape" in e.get("event_type", ""))
    # On its way a board feels both axes, and the jerk that turns it.
    done(r, client, "gravity is on another axis, and not where it was", "turn 1 upright", board(S, "live", "acceleration"),
         lambda v: v.get("ax_g", 0) > 0.9 and abs(v.get("az_g", 1)) < 0.4)
    done(r, client, "the board tells it", "charger 1 on", board(S, "event", "power"), is_type("on"))
    done(r, client, "and that it is gone", "charger 1 off", board(S, "event", "power"), is_type("off"))
    done(r, client, "its die is warmer still", "temperature 1 61.5", board(S, "live", "temperature-die"), lambda v: 61 < v.get("temperature_c", 0) < 70)


def surroundings(r, client):
    """What boards read of pins, light and air, and count of steps: 10 bits of a supply of 1.8 V (S) or 3 V (RL, R), protocol reference 11."""
    for line, level in (("pin 1 0 high", 1), ("pin 1 0 low", 0)):
        read(r, client, line, S, {"what": "gpio", "pin": 0, "kind": "digital"}, "level", level, level)
    read(r, client, "pin 1 1 900", S, {"what": "gpio", "pin": 1, "kind": "voltage"}, "voltage_mv", 890, 910)
    read(r, client, "pin 2 1 900", RL, {"what": "gpio", "pin": 1, "kind": "adc"}, "adc_counts", 304, 310)
    read(r, client, "pin 3 1 high", R, {"what": "gpio", "pin": 1, "kind": "digital"}, "level", 1, 1)
    read(r, client, "pressure 1,3 98765", S, {"what": "pressure"}, "pressure_pa", 98_750, 98_780)
    data = sent(client, R, "read", {"what": "pressure"})
    r.check("pressure 1,3 98765: the R reads it, too", data and 98_750 <= data.get("pressure_pa", 0) <= 98_780, 98_765, data)
    read(r, client, "humidity 3 61.5", R, {"what": "humidity"}, "humidity_pct", 60, 63)
    r.check("light: the stream begins", sent(client, S, "stream-start", {"stream": "illuminance"}))
    done(r, client, "the S sees it", "light 1 1234", board(S, "live", "illuminance"), lambda v: 1150 < v.get("illuminance_lx", 0) < 1320)
    r.check("steps: the stream begins", sent(client, S, "stream-start", {"stream": "steps", "every": "1s"}))
    done(r, client, "the S counts them", "walk 1 20 400ms", board(S, "live", "steps"), lambda v: 18 <= v.get("steps", 0) <= 20)
    r.check("step: the stream begins", sent(client, RL, "stream-start", {"stream": "step"}))
    done(r, client, "the RL tells them", "walk 2 20 400ms", board(RL, "event", "step"), is_type("step"))
    press = done(r, client, "the R's button", "press 3 for 300ms", board(R, "event", "button"), is_type("press"))
    release = press and client.wait(5, board(R, "event", "button"), is_type("release"))
    r.check("and its release, with how long it was down", release and 200 <= release.get("held_ms", 0) <= 1000, "held_ms 300", release)


def over_http(r, client, page):
    address, token = page.split("/#token=")

    def post(body):
        request = urllib.request.Request(address + "/api/command", json.dumps(body).encode(),
                                         {"Content-Type": "application/json", "X-MetaFleet": "1", "Authorization": f"Bearer {token}"})
        try:
            with urllib.request.urlopen(request, timeout=10) as answer: return answer.status, json.load(answer)
        except urllib.error.HTTPError as error: return error.code, json.load(error)
    mark = client.mark()
    status, answer = post({"topic": "simulator/do", "payload": {"lines": "press 2 for 200ms"}})
    r.check("HTTP: the page's address takes the same lines", status == 200 and [a["ok"] for a in answer.get("answers", [])] == [True], "one answer", (status, answer))
    r.check("HTTP: and they are carried out", client.wait(10, board(RL, "event", "button"), is_type("press"), mark), "a press")
    r.equal("HTTP: no lines are no error, so that a page can ask whether there are simulated boards", post({"topic": "simulator/do", "payload": {"lines": ""}}), (200, {"answers": []}))


def buttons(r, client, page, work):
    """What somebody sees who opens the address that the demo prints, and presses boards there."""
    place, events = "section[aria-labelledby=stimuli-title]", "section[aria-labelledby=events-title]"
    directory = os.path.join(work, "browser")
    os.mkdir(directory)
    browser = Browser(directory)
    try:
        browser.open(page)
        r.check("page: it is live", browser.sees(30, "live", "#status"), "live", browser.text("#status"))
        offers = lambda *names: [name for name in names if browser.find(name, "button", place) or name in browser.text(place)]
        for id, name, has, lacks in ((RL, "Demo 2", ("Press", "Tap", "Charger"), ("Gesture", "Light", "Pressure", "Humidity")), (R, "Demo 3", ("Light", "Pressure", "Humidity"), ("Gesture",)),
                                     (S, "Demo 1", ("Press", "Release", "Tap", "Double tap", "Shake", "Walk", "Fall", "Turn", "Gesture", "Pin", "Charger", "Light", "Temperature", "Pressure"), ("Humidity",))):
            browser.go(f"#/board/{id}", name)
            r.check(f"page: {name} offers what it has sensors for", browser.sees(15, "Simulated board") and offers(*has) == list(has) and not offers(*lacks), (has, lacks), browser.text(place))
        mark = client.mark()
        browser.press("Press", scope=place)
        r.check("page: a press is felt", client.wait(10, board(S, "event", "button"), is_type("press"), mark), "a press", client.since(mark, board(S, "event", "button")))
        r.check("page: and is an event there", browser.sees(10, "button press", events) and browser.sees(5, "Press: done.", place), "button press", browser.text(events))
        browser.press("Release", scope=place)
        r.check("page: so is its release", browser.sees(10, "button release", events), "button release", browser.text(events))
        browser.press("upright", scope=place)
        r.check("page: the chart shows how it lies", browser.sees(15, re.compile(r"ax (0\.9|1\.0)\d*"), "section[aria-labelledby=charts-title]"), "1 g on x", browser.text(".charts"))
        browser.fill("Duration", "1s", scope=f"{place} form[title*=shaken]")
        mark = client.mark()
        browser.press("Shake", scope=place)
        r.check("page: what is typed counts", client.wait(15, board(S, "event", "motion"), is_type("any"), mark), "motion", browser.text(place))
        browser.fill("Number", "0", scope=place)
        browser.fill("Level", "9999", scope=place)
        browser.press("Pin", scope=place)
        r.check("page: what the simulator refuses is said", browser.sees(5, "Pin failed:", place) and "0 to 5000" in browser.text(place), "Pin failed", browser.text(place))
        r.equal("page: the browser complained of nothing", browser.take_complaints(), [])
    finally:
        browser.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    options = parser.parse_args()
    end_cleanly_on_signals()
    r, port = Report(), free_port()
    with tempfile.TemporaryDirectory() as work:
        demo = Process("demo", [os.path.abspath(options.binary), "demo", "--boards", "3", "--models", "s,rl,rh", "--port", str(port), "--json"], os.path.join(work, "demo.log"),
                       stdout=subprocess.PIPE, env={**os.environ, "TMPDIR": work})
        client = None
        try:
            first = json.loads(demo.popen.stdout.readline() or b"{}")
            r.equal("the first line is the broker", first, {"broker": f"mqtt://127.0.0.1:{port}"})
            page = json.loads(demo.popen.stdout.readline() or b"{}").get("page")
            client = Client(port, None, persistent=False).start()
            r.check("subscribed", client.subscribed.wait(10))
            streaming = lambda: all((client.last(board(id, "state")) or {}).get("link") == "streaming" for id in (S, RL, R))
            if not r.check("all boards stream", until(60, streaming, 0.1), "streaming", [client.last(board(id, "state")) for id in (S, RL, R)]):
                return r.finish()
            requests(r, client)
            flow(r, client, work)
            senses(r, client)
            surroundings(r, client)
            if r.check("there is a page", page):
                over_http(r, client, page)
                buttons(r, client, page, work)
        finally:
            if client: client.stop()
            code = demo.end()
        r.check("SIGTERM ends it", code in (0, 1), "0 or 1", code)
    return r.finish()


if __name__ == "__main__":
    sys.exit(main())
