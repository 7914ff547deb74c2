"""A gateway with its page, six boards of which some have hostile names and one is refused, and a browser that looks at it."""
import json
import os
import subprocess
import time

from bench import Bench, free_port, until
from page_browser import Browser
from page_proxy import Proxy

TOKEN = "8f0e5a7c2b1d4e6f9a3b"
EVIL = {1: "<img src=x onerror=alert(1)>", 2: "\"><script>alert(document.domain)</script>", 3: "=HYPERLINK(\"http://x\")", 4: "__proto__"}
REFUSED, IDLE, FLAT = 6, 5, 4  # a board that nobody may connect, one that does nothing, and one whose battery is almost empty
ENDS = ("done", "failed", "unknown")


class PageBench(Bench):
    def __init__(self, binary, boards=6, keep=False, page=None, **options):
        super().__init__(binary, boards=boards, models="s,rl,r", keep=keep, **options)
        self.http, self.page, self.proxy, self.browser = free_port(), page, None, None

    def name(self, n):
        return EVIL.get(n, f"Board {n}")

    def write_config(self, extra=""):
        path = self.configure(f"""gateway: {{ id: {self.gateway}, site: lab }}
schedules: {{ battery: 5s, firmware_check: never }}
profiles:
  moving:
    availability_window: 10s
    stream: {{ acceleration: {{ rate_hz: 50, range_g: 4 }}, temperature-die: {{ every: 1s }} }}
  idle: {{ button: true }}
{extra}""", lambda n: f"profile: {'idle' if n == IDLE else 'moving'}, groups: [lab, {'odd' if n % 2 else 'even'}]")
        token = self.path("http-token")
        with open(token, "w", opener=lambda name, flags: os.open(name, flags, 0o600)) as f:
            f.write(TOKEN + "\n")
        with open(path) as f:
            text = f.read()
        text = text.replace("http: { listen: none }", f'http: {{ listen: "127.0.0.1:{self.http}", token_file: "{token}" }}')
        for n in range(1, self.count + 1):
            text = text.replace(f"name: Board {n},", f"name: {json.dumps(self.name(n))},")
        with open(path, "w") as f:
            f.write(text)
        return path

    def start(self, daemon=True):
        super().start(daemon=False)
        if self.count >= REFUSED:
            self.do("connect-error", board=REFUSED, error=["org.bluez.Error.Failed", "le-connection-abort-by-local"], times=9999)
            self.do("battery", board=FLAT, charge=4, mv=3400)
        self.start_daemon()
        if self.page:
            self.proxy = Proxy(("127.0.0.1", self.http), self.page)
        self.browser = self.another()

    def another(self, **options):
        """One more browser, with a directory of its own."""
        directory = self.path(f"browser-{time.monotonic_ns()}")
        os.mkdir(directory)
        return Browser(directory, **options)

    def address(self, token=TOKEN):
        return f"http://127.0.0.1:{self.proxy.port if self.proxy else self.http}/" + (f"#token={token}" if token else "")

    def close(self):
        if self.browser:
            self.browser.close()
        if self.proxy:
            self.proxy.close()
        super().close()

    # -- what boards, broker and archive say, never the page -----------------------------------------------------------
    def document(self, n, leaf):
        return self.client.last(self.topic(n, leaf)) or {}

    def end_of(self, topic, mark, seconds=20):
        """The last reply on a topic after a mark."""
        return self.client.wait(seconds, topic, lambda reply: reply.get("stage") in ENDS, mark) or {}

    def status(self, n):
        return next(entry for entry in self.do("status") if entry["board"] == n)

    def tool(self, *words):
        done = subprocess.run([self.binary, *words, "--config", self.path("metafleet.yaml")], capture_output=True, timeout=60,
                              env={k: v for k, v in os.environ.items() if not k.startswith("METAFLEET_")})
        return done.returncode, done.stdout, done.stderr

    def up(self, r):
        moving = [n for n in range(1, self.count + 1) if n not in (REFUSED, IDLE)]
        r.equal("boards stream", self.wait_streaming(40, moving), [])
        if self.count >= IDLE:
            r.check("a board without streams is connected", until(20, lambda: self.document(IDLE, "state").get("link") == "idle"), "idle", self.document(IDLE, "state"))
