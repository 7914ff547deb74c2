"""A real Prometheus with the shipped configuration and rules scrapes a gateway: every query of dashboards and rules is asked, and promtool judges the files."""
import glob
import json
import os
import re
import shutil
import subprocess
import urllib.parse
import urllib.request

import grafana_rules
from bench import Process, free_port, until

SHIPPED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "dashboards", "prometheus")
DASHBOARDS = os.path.join(SHIPPED, "..", "grafana", "dashboards")
METRIC = re.compile(r"((?:\w+:)?metafleet_[\w:]+|\bup)(\{[^}]*\})?")
# An alert rightly finds nothing while all is well; these may find something where this runs, or in so short a run.
RAISED = {"MetaFleetClockNotSynced": "a machine for tests may have no time service",
          "MetaFleetDiskFillsSoon": "what some seconds did to a small disk says nothing of a day"}


class Prometheus:
    """One with the shipped files, that looks every second at one gateway."""

    def __init__(self, b, target):
        self.port, folder = free_port(), b.path("prometheus")
        shutil.copytree(SHIPPED, folder)
        with open(os.path.join(folder, "prometheus.yml")) as f: text = f.read()
        text = re.sub(r"(scrape|evaluation)_interval: \w+", r"\1_interval: 1s", text).replace("127.0.0.1:9464", target)
        with open(os.path.join(folder, "prometheus.yml"), "w") as f: f.write(text)
        Process("prometheus", ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={b.path('tsdb')}",
                               f"--web.listen-address=127.0.0.1:{self.port}"], b.path("prometheus.log"))

    def ask(self, what, **arguments):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/v1/{what}?{urllib.parse.urlencode(arguments)}", timeout=5) as answer:
                return json.load(answer)["data"]
        except (OSError, ValueError):
            return {}

    def query(self, expression):
        return self.ask("query", query=expression).get("result", [])

    def rules(self):
        return [rule for group in self.ask("rules").get("groups", []) for rule in group["rules"]]


def promtool_on_files(r):
    tool = shutil.which("promtool")
    if not r.check("promtool is installed", tool):
        return
    rules, tests = sorted(glob.glob(f"{SHIPPED}/rules/*.yml")), sorted(glob.glob(f"{SHIPPED}/tests/*.yml"))
    for command in (["check", "config", f"{SHIPPED}/prometheus.yml"], ["check", "rules", *rules], ["test", "rules", *tests]):
        done = subprocess.run([tool, *command], capture_output=True, text=True)
        r.check(f"promtool {' '.join(command[:2])}", done.returncode == 0, "no error", done.stdout + done.stderr)
    # An alert that no test raises may be one that nothing can raise.
    raised = set()
    for path in tests:
        with open(path) as f: text = f.read()
        raised |= {name for name, alerts in re.findall(r"alertname: (\w+)\n\s+exp_alerts:\n\s+- (exp_labels)", text) if alerts}
    alerts = set()
    for path in rules:
        with open(path) as f: alerts |= set(re.findall(r"- alert: (\w+)", f.read()))
    r.equal("every alert is raised by a test", sorted(alerts - raised), [])


def filled(expression):
    return re.sub(r"\$\{(gateway|board)\}", ".+", expression)


def panels(p, r):
    for name, dashboard in grafana_rules.dashboards(DASHBOARDS):
        for variable in dashboard["templating"]["list"]:
            if variable["type"] == "query" and variable["datasource"]["type"] == "prometheus":
                metric, label = re.fullmatch(r"label_values\((.+), (\w+)\)", variable["definition"]).groups()
                r.check(f"{name}: variable {variable['name']}", any(label in x["metric"] for x in p.query(filled(metric))), label, variable["definition"])
        for panel in dashboard["panels"]:
            if panel["datasource"]["type"] != "prometheus": continue
            labels = set()
            for target in panel["targets"]:
                found = until(20, lambda: p.query(filled(target["expr"])), 0.5)
                r.check(f"{name}, {panel['title']}, {target['refId']}: data", found, "data", target["expr"])
                labels |= {label for x in found for label in x["metric"]}
                wanted = set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
                r.check(f"{name}, {panel['title']}, {target['refId']}: the legend's labels", all(wanted <= x["metric"].keys() for x in found), sorted(wanted), [x["metric"] for x in found[:1]])
            for change in panel.get("transformations", []):
                named = {k for k in change["options"].get("renameByName", {}) if not k.startswith("Value")}
                r.check(f"{name}, {panel['title']}: the columns of {change['id']}", named <= labels, sorted(named), sorted(labels))


def rules(p, r):
    listed = until(20, lambda: (found := p.rules()) and all(x["health"] == "ok" for x in found) and found, 0.5) or p.rules()
    r.check("Prometheus evaluates all rules", listed and all(x["health"] == "ok" for x in listed), "ok", [(x["name"], x.get("lastError")) for x in listed if x["health"] != "ok"])
    for rule in listed:
        if rule["type"] == "recording":
            r.check(f"rule {rule['name']}: data", until(20, lambda: p.query(rule["name"]), 0.5), "data", rule["query"])
            continue
        for metric, labels in METRIC.findall(rule["query"]):
            r.check(f"alert {rule['name']}: there is {metric}{labels}", until(20, lambda: p.query(metric + labels), 0.5), "series", rule["query"])
        # What is so for a moment is what an alert's time is for.
        if rule["name"] not in RAISED:
            r.check(f"alert {rule['name']}: nothing, as all is well", until(10, lambda: not p.query(rule["query"]), 0.5), "nothing", p.query(rule["query"])[:2])


def dashboard_queries(b, r):
    """A gateway with boards that stream, and one that logs and is visited."""
    promtool_on_files(r)
    b.start()
    streaming = range(1, b.count)
    r.equal("boards that do not stream", b.wait_streaming(60, streaming), [])
    b.client.publish(b.topic(1, "cmd", "identify"), {"id": "prometheus-1"})
    r.check("the logging board was visited", until(60, lambda: "log_used_pct" in (b.client.last(b.topic(b.count, "state")) or {}), 0.2))
    p = Prometheus(b, f"127.0.0.1:{b.web.port}")
    r.check("a real Prometheus scrapes it", until(40, lambda: [x["value"][1] for x in p.query("up")] == ["1"], 0.5), "up 1", p.query("up"))
    for expression in ("rate(metafleet_samples_in_total[10s]) > 0", "histogram_quantile(0.9, rate(metafleet_sample_age_seconds_bucket[10s])) > 0"):
        r.check(f"Prometheus answers {expression}", until(15, lambda: p.query(expression), 0.5), "data", p.query(expression))
    panels(p, r)
    rules(p, r)
    # What alerts are for: the broker goes, then the gateway.
    expressions = {x["name"]: x["query"] for x in p.rules()}
    b.broker.end()
    for name in ("MetaFleetBrokerGone", "MetaFleetGatewayNotReady"):
        r.check(f"alert {name}: found where the broker is away", until(30, lambda: p.query(expressions[name]), 0.5), "data", expressions[name])
    b.daemon.end()
    r.check("alert MetaFleetGatewayDown: found where the gateway is away", until(15, lambda: p.query(expressions["MetaFleetGatewayDown"]), 0.5), "data", p.query("up"))
