"""A real InfluxDB takes the points that Telegraf would write, and answers every query of the dashboards."""
import json
import re

import grafana_rules
from influx import Influx

# Queries that find nothing in a run where all is well, and why.
EMPTY = {"Samples that are uncertain": "the settings of every sensor are read back, and no sample is lost"}


def escaped(text, marks):
    return re.sub(f"([{re.escape(marks)}])", r"\\\1", text)


def line(measurement, tags, fields, stamp):
    def value(v):
        if isinstance(v, bool): return "true" if v else "false"
        if isinstance(v, int): return f"{v}i"
        if isinstance(v, float): return repr(v)
        return '"' + v.replace("\\", "\\\\").replace('"', '\\"') + '"'
    key = escaped(measurement, ", ") + "".join(f",{escaped(k, ',= ')}={escaped(v, ',= ')}" for k, v in sorted(tags.items()))
    return f"{key} {','.join(f'{escaped(k, chr(44) + chr(61) + chr(32))}={value(v)}' for k, v in fields.items())} {stamp}"


def influx_history(b, r, points, folder):
    influx = Influx(b.directory)
    # One way in, as the files say.
    written = [line(*p) for name, found in points.items() if name != "samples-json.conf" for p in found]
    influx.write(written)

    def series(query):
        answer = json.loads(influx.ask("query", db="fleet", q=query))["results"][0]
        return answer.get("series", []) if "error" not in answer else [answer["error"]]
    for name, dashboard in grafana_rules.dashboards(folder):
        for variable in dashboard["templating"]["list"]:
            if variable["type"] == "query" and variable["datasource"]["type"] == "influxdb":
                boards = sorted({v[1] for s in series(variable["query"]) for v in s["values"]})
                r.equal(f"influx {name}: variable {variable['name']}", boards, b.ids)
        for panel in dashboard["panels"]:
            if panel["datasource"]["type"] != "influxdb": continue
            for target in panel["targets"]:
                query = target["query"].replace("$timeFilter", "time > now() - 1h").replace("$__interval", "1s")
                found = [s for board in b.ids for s in series(query.replace("${board}", board))]
                wrong = [s for s in found if isinstance(s, str)]
                # A count is 0 where nothing was counted.
                nothing = (None, 0) if "fill(0)" in query else (None,)
                values = [v for s in found if not isinstance(s, str) for row in s["values"] for v in row[1:] if v not in nothing]
                if panel["title"] in EMPTY: r.check(f"influx {name}, {panel['title']}: no error ({EMPTY[panel['title']]})", not wrong, "no error", wrong)
                else: r.check(f"influx {name}, {panel['title']}: data", values and not wrong, "data", (query, wrong))
