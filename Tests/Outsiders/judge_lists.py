"""Documents of the gateway that list things: alarms (contract 1.9), the boards of a rollout (contract 1.6)."""
from judge_documents import ALARMS, ALARM, ALARM_CODES, SEVERITIES
from judge_shapes import shape

COUNTS = "done failed stranded pending running skipped refused".split()
ROLLOUT = {"ts_ms": "int!", "gw": "str!", "rollout": "str!", "group": "str!", "version": "str!", "phase": "str!", "paused": "bool!", "reason": "str",
           "total": "int!", **{k: "int!" for k in COUNTS}, "per_hour": "int!", "next_ms": "int", "began_ms": "int!", "not_done": "list!"}
ROW = {"board": "str!", "state": "str!", "reason": "str"}
PHASES = "planned canary soaking rolling done aborted expired".split()
STATES = "stranded failed overdue running waiting skipped refused".split()


def rollout(name, value):
    found = shape(value, ROLLOUT)
    rows = value.get("not_done", [])
    for row in rows: found += shape(row, ROW)
    if value.get("rollout") != name: found.append(f"rollout {value.get('rollout')}")
    if value.get("phase") not in PHASES: found.append(f"phase {value.get('phase')}")
    if found: return found
    if value["total"] != sum(value[k] for k in COUNTS): found.append("the counts do not add up")
    if len(rows) != min(100, value["total"] - value["done"]): found.append(f"{len(rows)} boards are listed")
    if (value["phase"] == "aborted") != ("reason" in value): found.append(f"{value['phase']} with the reason {value.get('reason')}")
    if any(row["state"] not in STATES for row in rows): found.append("a board in a state that there is not")
    order = [STATES.index(row["state"]) for row in rows if row["state"] in STATES]
    if order != sorted(order): found.append("the boards are not in order")
    if value["began_ms"] > value["ts_ms"]: found.append(f"began_ms {value['began_ms']} is to come")
    return found


def alarms(value):
    problems = shape(value, ALARMS)
    rows = value.get("alarms", [])
    for alarm in rows:
        problems += shape(alarm, ALARM)
        place = ALARM_CODES.get(alarm.get("code"))
        if place is None: problems.append(f"alarm {alarm.get('code')}")
        subject = [k for k in ("board", "adapter") if k in alarm]
        if subject != ([] if place == "gateway" else [place]): problems.append(f"{alarm.get('code')} of {subject}")
        if alarm.get("id") != ".".join([alarm.get("code", "")] + [alarm[k] for k in subject]): problems.append(f"id {alarm.get('id')}")
        if alarm.get("severity") not in SEVERITIES: problems.append(f"severity {alarm.get('severity')}")
        if alarm.get("acknowledged") != ("acknowledged_ms" in alarm): problems.append(f"acknowledged {alarm.get('acknowledged')}")
        if not alarm.get("text"): problems.append("an alarm without a text")
        if alarm.get("since_ms", 0) > value.get("ts_ms", 0): problems.append(f"since_ms {alarm.get('since_ms')} is to come")
    if problems: return problems
    if len({a["id"] for a in rows}) != len(rows): problems.append("an alarm stands twice")
    if value["count"] != sum(value[s] for s in SEVERITIES): problems.append(f"{value['count']} alarms are not the sum of their kinds")
    if len(rows) != min(value["count"], 200): problems.append(f"{len(rows)} of {value['count']} alarms are listed")
    if value["unacknowledged"] > value["count"]: problems.append(f"{value['unacknowledged']} of {value['count']} are not acknowledged")
    order = [(SEVERITIES.index(a["severity"]), a["acknowledged"], a["since_ms"]) for a in rows]
    if order != sorted(order): problems.append("the alarms are not in order")
    return problems
