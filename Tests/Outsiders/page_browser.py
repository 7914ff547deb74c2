"""Debian's chromium, driven by its chromedriver: what a person sees, presses and is told of a page."""
import base64
import json
import os
import re
import shutil
import signal
import time

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from bench import Process, free_port, until

# A control by what people call it: its own words, its label, or what it is called for those who do not see it.
FIND = """
const [selector, name, scope] = arguments;
const root = scope ? document.querySelector(scope) : document;
const words = (node) => node.getAttribute('aria-label') ?? (node.labels?.length ? node.labels[0].textContent : node.textContent);
return [...(root?.querySelectorAll(selector) ?? [])].filter((node) => node.checkVisibility()
  && words(node).trim().replace(/ \\*$/, '') === name)[0] ?? null;
"""


class Browser:
    """One browser with one window; `bench` has a directory for what it keeps."""

    def __init__(self, directory, width=1280, height=900):
        self.directory = directory
        port = free_port()
        # Its temporary files lie beside its profile, and its processes are a group, so that nothing stays behind.
        self.driver_process = Process("chromedriver", ["/usr/bin/chromedriver", f"--port={port}"], os.path.join(directory, "chromedriver.log"),
                                      stdout=open(os.path.join(directory, "chromedriver.out"), "ab"), env={**os.environ, "TMPDIR": directory, "HOME": directory})
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", f"--window-size={width},{height}",
                         f"--user-data-dir={os.path.join(directory, 'profile')}", "--disable-background-networking", "--force-device-scale-factor=1"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = None

        def connect():
            try:
                self.driver = webdriver.Remote(f"http://127.0.0.1:{port}", options=options)
            except Exception as error:  # it does not listen yet
                self.error = error
            return self.driver
        if not until(60, connect, 0.2):
            raise RuntimeError(f"no browser: {self.error}")
        self.driver.command_executor._commands["cdp"] = ("POST", "/session/$sessionId/goog/cdp/execute")
        self.driver.set_script_timeout(60)
        self.downloads = os.path.join(directory, "downloads")
        os.makedirs(self.downloads, exist_ok=True)
        self.cdp("Browser.setDownloadBehavior", behavior="allow", downloadPath=self.downloads)
        self.complaints = []

    def close(self):
        try:
            self.driver.quit()
        except (WebDriverException, OSError):
            pass
        self.driver_process.end()
        try:
            os.killpg(self.driver_process.popen.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def cdp(self, command, **arguments):
        return self.driver.execute("cdp", {"cmd": command, "params": arguments})["value"]

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    # -- where it is ---------------------------------------------------------------------------------------------------
    def open(self, address):
        self.driver.get(address)

    def go(self, fragment, title=None):
        """Another page of the page; waits until its heading is there."""
        self.run("location.hash = arguments[0]", fragment)
        until(10, lambda: self.run("return location.hash === arguments[0] && !!document.querySelector('main h1') && (!arguments[1] || document.querySelector('main h1').textContent === arguments[1])", fragment, title))

    def size(self, width, height=900):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def colours(self, scheme, motion="no-preference"):
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": motion}])

    # -- what it says --------------------------------------------------------------------------------------------------
    def text(self, selector="body"):
        """What is seen of it; parts that are hidden are left out."""
        return self.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def sees(self, seconds, words, selector="body"):
        """Whether the words, or what fits an expression, are to be seen within so long."""
        test = words.search if isinstance(words, re.Pattern) else lambda text: words in text
        return until(seconds, lambda: bool(test(self.text(selector))), 0.1)

    def console(self):
        """What the browser complained of since the last look: (level, source, message)."""
        told = [(entry["level"], entry.get("source", ""), entry["message"]) for entry in self.driver.get_log("browser")]
        # Whoever reads pixels back is told so: that is us.
        self.complaints += [entry for entry in told if entry[0] not in ("DEBUG", "INFO") and "willReadFrequently" not in entry[2]]
        return told

    def take_complaints(self, allowed=None):
        """Complaints so far but those that fit `allowed`; the next begin anew."""
        self.console()
        found, self.complaints = self.complaints, []
        return [entry for entry in found if not (allowed and re.search(allowed, entry[2]))]

    # -- what is done with it ------------------------------------------------------------------------------------------
    def find(self, name, selector="button", scope=None):
        return self.run(FIND, selector, name, scope)

    def press(self, name, selector="button, summary", scope=None, seconds=10):
        """With the pointer, where a person would: what covers it fails."""
        def pressed():
            node = self.find(name, selector, scope)
            if node is None:
                return False
            self.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", node)
            try:
                node.click()
            except WebDriverException as error:
                self.error = error
                return False
            return True
        if not until(seconds, pressed, 0.1):
            raise LookupError(f"no {selector} {name!r} can be pressed in {scope or 'the page'}: {self.text('main')[:300]}")

    def fill(self, name, value, scope=None):
        node = self.find(name, "input, select, textarea", scope)
        if node is None:
            raise LookupError(f"no field {name!r} in {scope or 'the page'}")
        kind = node.tag_name, node.get_attribute("type")
        if kind[0] == "select":
            self.run("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change', {bubbles: true}))", node, str(value))
            if node.get_attribute("value") != str(value):
                raise LookupError(f"{name!r} does not offer {value!r}")
        elif kind[1] == "color":
            self.run("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input', {bubbles: true}))", node, value)
        elif kind[1] == "checkbox":
            if node.is_selected() != bool(value):
                node.click()
        else:
            node.send_keys(Keys.CONTROL, "a")
            node.send_keys(Keys.DELETE)
            if value != "":
                node.send_keys(str(value))

    def keys(self, *keys):
        """To whatever has the focus."""
        ActionChains(self.driver).send_keys(*keys).perform()

    def tab(self, times=1, back=False):
        chain = ActionChains(self.driver)
        if back:
            chain.key_down(Keys.SHIFT)
        for _ in range(times):
            chain.send_keys(Keys.TAB)
        if back:
            chain.key_up(Keys.SHIFT)
        chain.perform()

    def focused(self):
        return self.run("const node = document.activeElement; return node.getAttribute('aria-label') ?? (node.labels?.length ? node.labels[0].textContent : node.textContent)")

    # -- pictures ------------------------------------------------------------------------------------------------------
    def pixels(self, selector, place=0):
        """Of a canvas: width, height and its bytes, four each pixel."""
        found = self.run("""const canvas = document.querySelectorAll(arguments[0])[arguments[1]];
            if (!canvas || !canvas.width) return null;
            const bytes = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
            let text = '';
            for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
            return [canvas.width, canvas.height, btoa(text)]""", selector, place)
        return found and (found[0], found[1], base64.b64decode(found[2]))

    def picture(self, path):
        """The whole page, as long as it is."""
        height = self.run("return Math.min(6000, document.documentElement.scrollHeight)")
        width = self.run("return innerWidth")
        self.size(width, height)
        time.sleep(0.5)
        self.driver.save_screenshot(path)
        self.size(width)

    def accessible(self):
        """The accessibility tree: nodes that are not ignored."""
        return [node for node in self.cdp("Accessibility.getFullAXTree")["nodes"] if not node.get("ignored")]

    def tidy_downloads(self):
        shutil.rmtree(self.downloads)
        os.makedirs(self.downloads)

    def downloaded(self, ending, seconds=20):
        """The bytes of a file that has come, else None."""
        def complete():
            return [name for name in os.listdir(self.downloads) if name.endswith(ending)]
        names = until(seconds, complete, 0.1)
        if not names:
            return None
        with open(os.path.join(self.downloads, names[0]), "rb") as file:
            return file.read()


def property_of(node, name):
    return next((p["value"].get("value") for p in node.get("properties", []) if p["name"] == name), None)


def show(value):
    return json.dumps(value, ensure_ascii=False)[:400]
