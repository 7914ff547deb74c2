"""What Grafana shows of messages: how its MQTT data source makes a table of those on one topic, as its documentation and the behaviour of its
releases tell, and what a panel then takes of it.

Each key at the top of an object is a column; objects and arrays in it are columns of JSON, which cannot be drawn. A column has the type of its first
value, and what has another type is left out of it. The first column is Time, the time of arrival."""
import json
import os
import re

MQTT = "grafana-mqtt-datasource"
KINDS = {str: "text", bool: "boolean", int: "number", float: "number", list: "json", dict: "json"}


class Frame:
    """The table of one topic."""

    def __init__(self):
        self.columns = {"Time": ("time", [])}
        self.trouble = []

    def take(self, arrival, payload):
        try:
            document = json.loads(payload)
        except ValueError:
            document = payload.decode("utf-8", "replace")
        rows = len(self.columns["Time"][1])
        entries = document.items() if isinstance(document, dict) else [("Value", document)]
        for key, value in entries:
            if key == "Time": self.trouble.append("a key Time stands in the way of the time of arrival")
            elif value is None: self.trouble.append(f"{key} is null, which spoils its column")
            elif key not in self.columns: self.columns[key] = (KINDS[type(value)], [None] * rows + [value])
            elif self.columns[key][0] != KINDS[type(value)]: self.trouble.append(f"{key} was {self.columns[key][0]} and is {KINDS[type(value)]}")
            else: self.columns[key][1].append(value)
        self.columns["Time"][1].append(arrival)
        for _, values in self.columns.values():
            values.extend([None] * (rows + 1 - len(values)))


class Panel:
    """A panel of a dashboard that shows a topic."""

    def __init__(self, file, panel):
        self.file, self.title, self.kind = file, panel["title"], panel["type"]
        self.topic = panel["targets"][0]["topic"]
        self.fields = {name for t in panel.get("transformations", []) for name in t["options"].get("include", {}).get("names", [])}
        reduced = panel.get("options", {}).get("reduceOptions", {}).get("fields", "")
        self.fields |= set(re.findall(r"\^(\w+)\$", reduced))
        self.fields -= {"Time"}
        self.is_text = panel["fieldConfig"]["defaults"]["unit"] == "string"

    def filled(self, **variables):
        return re.sub(r"\$\{(\w+)\}", lambda m: variables[m[1]], self.topic)

    def problems(self, messages):
        """What is wrong with what it would show of (arrival, payload)."""
        frame = Frame()
        for arrival, payload in messages: frame.take(arrival, payload)
        found = list(frame.trouble)
        for field in sorted(self.fields):
            kind, values = frame.columns.get(field, (None, []))
            if kind is None: found.append(f"no column {field}")
            elif kind != ("text" if self.is_text else "number"): found.append(f"{field} is {kind}")
            elif [v for v in values if v is not None] != [d[field] for d in (json.loads(p) for _, p in messages) if field in d]: found.append(f"{field} has other values")
        if len(frame.columns["Time"][1]) != len(messages): found.append(f"{len(frame.columns['Time'][1])} rows of {len(messages)} messages")
        return found


def dashboards(folder):
    """(name, dashboard) of every dashboard below a folder."""
    for path, _, names in os.walk(folder):
        for name in sorted(names):
            if name.endswith(".json"):
                with open(os.path.join(path, name)) as f: yield name, json.load(f)


def panels(folder, kind):
    """(file, panel) of panels of one kind of data source."""
    return [(name, p) for name, d in dashboards(folder) for p in d["panels"] if p["datasource"]["type"] == kind]
