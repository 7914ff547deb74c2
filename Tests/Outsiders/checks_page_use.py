"""How the page is used: many tabs, a reload, keys alone, and a browser that stands still."""
import os
import signal
import time

from selenium.webdriver.common.keys import Keys

from bench import until
from page_bench import EVIL, FLAT, TOKEN
from checks_page import ROWS, acknowledged, alarm_of


def resident(pid):
    """MB."""
    with open(f"/proc/{pid}/status") as f:
        return next(int(line.split()[1]) / 1024 for line in f if line.startswith("VmRSS"))


def connections(port):
    """Of this computer, that are open to a port."""
    with open("/proc/net/tcp") as f:
        fields = [line.split() for line in f.readlines()[1:]]
    return sum(line[1].endswith(f":{port:04X}") and line[3] == "01" for line in fields)


def descendants(pid):
    """All processes that one has started, and theirs."""
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as f:
                parents[int(name)] = int(f.read().rpartition(")")[2].split()[1])
        except OSError:
            pass
    found, new = set(), {pid}
    while new:
        found |= new
        new = {child for child, parent in parents.items() if parent in new} - found
    return found - {pid}


def tabs(b, r, w):
    """Eight windows, all of them seen: a browser opens no more than six connections to one address."""
    driver, live = w.driver, []
    for _ in range(7):
        driver.switch_to.new_window("window")
        w.open(b.address())
        live.append(w.sees(15, "live", "#status") and until(10, lambda: len(w.run(ROWS)) == b.count))
    r.equal("tabs: the second to the eighth are live, with all rows", live, [True] * 7)
    handles = driver.window_handles
    r.check("tabs: they share what they read", until(10, lambda: connections(b.http) <= 3), "3 connections or fewer", connections(b.http))
    driver.switch_to.window(handles[-1])
    w.go(f"#/board/{b.ids[0]}", EVIL[1])
    r.check("tabs: one that does not read itself draws the samples of its board", until(20, lambda: w.find("ax", "input")), "a chart", w.text("main")[:300])
    for handle in handles[:-1]:
        driver.switch_to.window(handle)
        driver.close()
    driver.switch_to.window(handles[-1])
    r.check("tabs: when those that read are closed, the last reads itself", until(15, lambda: w.text("#status") == "live" and connections(b.http) >= 1), "live", w.text("#status"))
    r.equal("tabs: nobody complained", w.take_complaints(), [])


def reload(b, r, w):
    w.go(f"#/board/{b.ids[0]}", EVIL[1])
    w.driver.refresh()
    r.check("a reload stays on the page and keeps the token", w.sees(15, EVIL[1], "h1") and w.sees(15, "live", "#status"), EVIL[1], w.text("body")[:200])
    until(10, lambda: w.find("LED off"))
    mark = b.client.mark()
    w.press("LED off", scope="main")
    r.equal("and may command as before", b.end_of(b.topic(1, "reply", "led"), mark).get("stage"), "done")
    r.check("the token is where no other page has it", TOKEN not in w.run("return JSON.stringify(localStorage) + document.cookie + location.href"))


def keys(b, r, w):
    """A whole job without a pointer: from the top of the page to the boards' flashing."""
    w.go("#/", "Fleet")
    w.run("document.activeElement.blur(); const at = document.createElement('span'); at.tabIndex = -1; document.body.prepend(at); at.focus(); at.remove()")

    def walk(name, most=60):
        for _ in range(most):
            w.tab()
            if w.focused().strip().startswith(name):
                return True
        return False
    r.check("keys: the first is the way past the links", walk("Skip to the content", 1))
    r.check("keys: the link to the jobs", walk("Jobs"))
    w.keys(Keys.ENTER)
    r.check("keys: opens them, and the heading has the focus", until(5, lambda: w.focused() == "Groups and jobs"), "Groups and jobs", w.focused())
    r.check("keys: the group", walk("Group"))
    w.keys("odd")
    r.check("keys: the button", walk("Send identify"))
    mark, since = b.client.mark(), b.do("now")
    w.keys(Keys.ENTER)
    told = b.end_of(f"{b.base}/group/odd/reply/identify", mark, 40)
    flashed = [n for n in (1, 3, 5) if any(p.startswith("0201") for _, p, _ in b.do("writes", board=n, since=since))]
    r.check("keys: the boards of the group flashed", told.get("stage") == "done" and flashed == [1, 3, 5], [1, 3, 5], (told, flashed))
    told = lambda: w.run("return [...document.querySelectorAll('main [role=status]')].map((node) => node.innerText).join(' ')")
    r.check("keys: a screen reader is told", until(5, lambda: "Done" in told()), "Done in a status", told())
    w.go(f"#/board/{b.ids[1]}", EVIL[2])
    until(10, lambda: w.find("ax", "input"))
    w.run("document.querySelector('canvas.plot').focus()")
    before = w.text(".readout")
    w.keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    r.check("keys: arrows read values off a chart", until(5, lambda: ":" in w.text(".readout")), "a time of day", (before, w.text(".readout")))


def stalled(b, r, w):
    """A browser that stands still does not cost the gateway memory, and goes on afterwards."""
    w.go(f"#/board/{b.ids[0]}", EVIL[1])
    until(10, lambda: w.find("ax", "input"))
    before = resident(b.daemon.popen.pid)
    frozen = descendants(w.driver_process.popen.pid)
    for pid in frozen: os.kill(pid, signal.SIGSTOP)
    try:
        time.sleep(60)
        grown = resident(b.daemon.popen.pid) - before
    finally:
        for pid in frozen: os.kill(pid, signal.SIGCONT)
    r.check(f"stalled: a minute costs {grown:.1f} MB, no more than 8", grown <= 8, "8 MB", grown)
    r.check("stalled: afterwards the page is live", w.sees(40, "live", "#status") and until(20, lambda: w.find("ax", "input")), "live", w.text("#status"))
    w.take_complaints("ERR_")


def battery(b, r, w):
    """The alarm of the board whose battery is almost empty, which stands after five minutes; it has a hostile name."""
    document = b.client.wait(400, b.gateway_topic("alarms"), lambda v: alarm_of(v, f"battery-empty.{b.ids[FLAT - 1]}"))
    acknowledged(b, r, w, document, f"battery-empty.{b.ids[FLAT - 1]}")


LONG = [tabs, reload, keys, stalled, battery]
