"""Five hundred boards whose live samples come ten times a second: what a page costs the browser, the network and the gateway. What is bounded
is judged; times are said, since they are the machine's."""
import os
import time

from bench import Client, until
from page_bench import PageBench

BOARDS, SECONDS = 500, 20
# What the page does in each frame, layout included, and how many nodes of the document that touches.
WATCH = """
(() => {
  const [original, costs, changes] = [requestAnimationFrame, [], []];
  globalThis.requestAnimationFrame = (work) => original((time) => {
    const began = performance.now();
    work(time);
    document.documentElement.offsetHeight;
    costs.push(performance.now() - began);
  });
  const watch = () => new MutationObserver((records) => changes.push(new Set(records.map((record) => record.target)).size))
    .observe(document, {subtree: true, childList: true, characterData: true, attributes: true});
  watch();
  globalThis.judged = {costs, changes};
})();
"""


class LoadBench(PageBench):
    def __init__(self, binary, **options):
        super().__init__(binary, boards=BOARDS, **options)

    def name(self, n):
        return f"Board {n}"

    def start_fake(self, *extra):
        super().start_fake("--adapters", str(-(-self.count // 25)), *extra)

    def do(self, what, board=None, **arguments):
        """None of them is refused, or has an empty battery."""
        if what not in ("connect-error", "battery"): return super().do(what, board, **arguments)

    def start_client(self):
        self.client = Client(self.port, None, topics=[f"{self.base}/board/+/state"]).start()
        self.client.subscribed.wait(10)

    def write_config(self, extra=""):
        path = super().write_config(extra)
        with open(path) as f:
            text = f.read()
        text = text.replace("rate_hz: 50, range_g: 4 }, temperature-die: { every: 1s }", "rate_hz: 12.5, range_g: 4 }")
        text = text.replace("profile: idle", "profile: moving").replace("battery: 5s", "battery: 15m")
        with open(path, "w") as f:
            f.write(text)
        return path

    def spent(self):
        """Processor seconds of the gateway, by the kernel's count."""
        with open(f"/proc/{self.daemon.popen.pid}/stat") as f:
            fields = f.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def share(self):
        began, before = time.monotonic(), self.spent()
        time.sleep(SECONDS)
        return (self.spent() - before) / (time.monotonic() - began)


def load(b, r, w):
    b.start()
    w = b.browser
    streaming = lambda: len(b.streaming())
    until(240, lambda: streaming() >= BOARDS * 0.98, 1)
    r.check("load: five hundred boards stream", streaming() >= BOARDS * 0.98, BOARDS, streaming())
    time.sleep(5)
    alone = b.share()
    w.cdp("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
    w.open(b.address())
    r.check("load: the page is live and counts them all", w.sees(30, "live", "#status") and w.sees(30, f"of {BOARDS} boards online", "#totals"), BOARDS, w.text("#totals"))
    rate = lambda: w.run("return [...document.querySelectorAll('tr[data-board]')].filter((row) => parseFloat(row.cells[5].innerText) > 8).length")
    r.check("load: each row of a page of fifty has its rate", until(30, lambda: rate() >= 49), 50, rate())
    measure(b, r, w, "the fleet", alone, 1500)
    w.go(f"#/board/{b.ids[0]}", "Board 1")
    until(20, lambda: w.find("ax", "input"))
    measure(b, r, w, "a board", alone, 400)
    r.equal("load: the browser complained of nothing", w.take_complaints(), [])


def measure(b, r, w, what, alone, most):
    w.run("judged.costs.length = judged.changes.length = 0")
    carried, began = b.proxy.carried, time.monotonic()
    share = b.share()
    rate = (b.proxy.carried - carried) / (time.monotonic() - began) / 1000
    costs, changes = w.run("return [judged.costs, judged.changes]")
    costs.sort()
    p95 = costs[int(len(costs) * 0.95)] if costs else 0
    print(f"# {what}: a frame takes {costs[len(costs) // 2]:.1f} ms, one in twenty more than {p95:.1f} (aim: 16), {len(costs) / SECONDS:.0f} frames a second; {rate:.0f} kB/s; "
          f"at most {max(changes)} nodes change at a time; the gateway takes {share * 100:.0f} % of a processor, {alone * 100:.0f} % without a page: {share / alone:.2f} of it", flush=True)
    r.check(f"load: {what}: an update changes {max(changes)} nodes, no more than {most}", max(changes) <= most, most, max(changes))
    r.check(f"load: {what}: {rate:.0f} kB a second, no more than 400", 0 < rate <= 400, 400, rate)


LONG = [load]
