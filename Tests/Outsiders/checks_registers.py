"""Every configuration register loses what is written to it, one after the other: once, and always. What subscribers are told is held against
what the board measured and what its register held at that time, and against nothing else (fault F104; contract 1.5, 1.7, 2, 3)."""
import json
import time

from bench import Bench, until
from checks_commands import FINAL
from fake_registers import TRUTH

RATE = "rate_hz: 50, range_g: 8"  # not what any chip starts with
FUSION = "mode: imuplus, range_g: 4, range_dps: 500"
ACCELERATION, ROTATION = {"az_g": 1}, {"gz_dps": TRUTH["gyro"]}
FIELD = dict(zip(("mx_ut", "my_ut", "mz_ut"), TRUTH["field"]))

# name, model, section of the profile, the stream (or chain), its settings, the register, what is measured, samples a second
CASES = [
    ("acceleration BMI160", "rl", "stream", "acceleration", RATE, (0x03, 3), ACCELERATION, 50),
    ("acceleration BMI270", "s", "stream", "acceleration", RATE, (0x03, 3), ACCELERATION, 50),
    ("acceleration BMI160, sampling", "r", "stream", "acceleration", RATE, (0x03, 2), ACCELERATION, 50),
    ("acceleration BMI270, power", "s", "stream", "acceleration", RATE, (0x03, 1), ACCELERATION, 50),
    ("acceleration BMI160, logged", "r", "log", "acceleration", RATE, (0x03, 3), ACCELERATION, None),
    ("acceleration BMI270, logged", "s", "log", "acceleration", RATE, (0x03, 3), ACCELERATION, None),
    ("acceleration, log switched on", "rl", "log", "acceleration", RATE, (0x0B, 1), ACCELERATION, None),
    ("chain on BMI160", "rl", "process", "pull", f"from: acceleration, {RATE}, chain: [rss]", (0x03, 3), {"pull_g": 1}, 50),
    ("chain on BMI270", "s", "process", "pull", f"from: acceleration, {RATE}, chain: [rss]", (0x03, 3), {"pull_g": 1}, 50),
    ("rotation BMI160", "r", "stream", "angular-velocity", "rate_hz: 50, range_dps: 250", (0x13, 3), ROTATION, 50),
    ("rotation BMI270", "s", "stream", "angular-velocity", "rate_hz: 50, range_dps: 250", (0x13, 3), ROTATION, 50),
    ("rotation BMI270, logged", "s", "log", "angular-velocity", "rate_hz: 50, range_dps: 250", (0x13, 3), ROTATION, None),
    ("rotation, sampling", "rl", "stream", "angular-velocity", "rate_hz: 50, range_dps: 250", (0x13, 2), ROTATION, 50),
    ("field, rate", "r", "stream", "magnetic-field", "preset: high-accuracy, packed: off", (0x15, 3), FIELD, 20),
    ("field, repetitions", "s", "stream", "magnetic-field", "preset: high-accuracy, packed: off", (0x15, 4), FIELD, 20),
    ("field, sampling", "rl", "stream", "magnetic-field", "preset: high-accuracy, packed: off", (0x15, 2), FIELD, 20),
    ("pressure", "r", "stream", "pressure", "oversampling: high, filter: 4, standby_ms: 62.5", (0x12, 3), {"pressure_pa": TRUTH["pressure"]}, 12.2),
    ("pressure, sampling", "s", "stream", "pressure", "oversampling: high, filter: 4, standby_ms: 62.5", (0x12, 4), {"pressure_pa": TRUTH["pressure"]}, 12.2),
    ("illuminance", "s", "stream", "illuminance", "gain: 8, integration_ms: 50, period_ms: 100", (0x14, 2), {"illuminance_lx": TRUTH["light_mlx"] / 1000}, 10),
    ("fusion, mode", "r", "stream", "quaternion", FUSION, (0x19, 2), {"qw": 0.5 ** 0.5, "qz": 0.5 ** 0.5}, 100),
    ("fusion, outputs", "s", "stream", "quaternion", FUSION, (0x19, 3), {"qw": 0.5 ** 0.5, "qz": 0.5 ** 0.5}, 100),
    ("fusion, ranges", "rl", "stream", "corrected-acceleration", FUSION, (0x19, 2), {"caz_g": 1}, 100),
    ("fusion, its accelerometer", "s", "stream", "corrected-acceleration", FUSION, (0x03, 3), {"caz_g": 1}, 100),
    ("fusion, its gyroscope", "r", "stream", "quaternion", FUSION, (0x13, 3), {"qw": 0.5 ** 0.5, "qz": 0.5 ** 0.5}, 100),
    ("thermistor pins", "r", "stream", "temperature-external", "every: 1s, data_pin: 0, pulldown_pin: 1", (0x04, 2), {"temperature_c": TRUTH["thermistor"]}, None),
    ("detector BMI160", "rl", "stream", "any-motion", "threshold_g: 0.5, count: 2", (0x03, 0x0A), {}, None),
    ("detector BMI270", "s", "stream", "any-motion", "threshold_g: 0.5, duration_ms: 200", (0x03, 8), {}, None),
    ("acceleration BMI270, logged, power", "s", "log", "acceleration", RATE, (0x03, 1), ACCELERATION, None),
    ("chain on BMI270, power", "s", "process", "pull", f"from: acceleration, {RATE}, chain: [rss]", (0x03, 1), {"pull_g": 1}, 50),
    ("rotation BMI160, power", "r", "stream", "angular-velocity", "rate_hz: 50, range_dps: 250", (0x13, 1), ROTATION, 50),
    ("rotation BMI270, power", "s", "stream", "angular-velocity", "rate_hz: 50, range_dps: 250", (0x13, 1), ROTATION, 50),
    ("field, power", "s", "stream", "magnetic-field", "preset: high-accuracy, packed: off", (0x15, 1), FIELD, 20),
    ("illuminance, power", "s", "stream", "illuminance", "gain: 8, integration_ms: 50, period_ms: 100", (0x14, 1), {"illuminance_lx": TRUTH["light_mlx"] / 1000}, 10),
    ("fusion, algorithm", "s", "stream", "quaternion", FUSION, (0x19, 1), {"qw": 0.5 ** 0.5, "qz": 0.5 ** 0.5}, 100),
    ("fusion, its sampling", "r", "stream", "quaternion", FUSION, (0x03, 2), {"qw": 0.5 ** 0.5, "qz": 0.5 ** 0.5}, 100),
    ("transmit power", "s", "settings", "tx_dbm", "-8", (0x11, 3), {}, None),
]
TOLERANCE = 0.002
ALWAYS = 1_000_000


class RegisterBench(Bench):
    """A board for each case, with a profile that wants just that."""

    def __init__(self, binary, cases, keep=False):
        super().__init__(binary, boards=len(cases), models=",".join(case[1] for case in cases), keep=keep)
        self.cases = cases

    def write_config(self, extra=""):
        profiles = ""
        for n, (_, _, section, name, settings, *_) in enumerate(self.cases, 1):
            inner = f"{name}: {settings}" if section == "settings" else f"{name}: {{ {settings} }}"
            visit = "\n    visit: { every: 8s, jitter: 0% }" if section == "log" else ""
            profiles += f"  case{n}:\n    {section}: {{ {inner} }}{visit}\n"
        return self.configure(f"gateway: {{ id: {self.gateway} }}\nprofiles:\n{profiles}{extra}", lambda n: f"profile: case{n}")


def wrong_spells(history):
    """From when until when, in ms, a register did not hold what it was last told; None for no end."""
    spells, since, what = [], None, None
    for moment, outcome, written in history:
        if outcome == "lost" and since is None:
            since, what = moment * 1000, written
        elif outcome == "kept" and since is not None:
            spells.append((since, moment * 1000, what))
            since = None
    return spells + ([(since, None, what)] if since is not None else [])


def documents(b, n, *lane):
    return [json.loads(m[2]) for m in b.client.since(0, b.topic(n, *lane)) if m[2]]


def false_claims(b, n, spells):
    """What said that all is well while the register was wrong."""
    def during(ms):
        return any(since < ms and (end is None or ms < end) for since, end, _ in spells)
    claims = [("config", d["ts_ms"]) for d in documents(b, n, "config") if d["in_sync"] and during(d["ts_ms"])]
    return claims + [("state", d["ts_ms"]) for d in documents(b, n, "state") if d.get("in_sync") and during(d["ts_ms"])]


def judge_values(r, b, n, case):
    """Every value that is not marked is what the board measured, at the rate that its session says."""
    name, _, section, stream, _, _, truth, hz = case
    if not truth:
        return None
    batches = documents(b, n, "log" if section == "log" else "record", stream)
    good = [x for x in batches if x.get("quality") != "uncertain"]
    wrong = [s for x in good for s in x["samples"] for k, v in truth.items() if abs(s.get(k, 1e9) - v) > TOLERANCE * max(1, abs(v))]
    r.check(f"{name}: what is published unmarked was measured", not wrong, truth, wrong[:2])
    if hz:
        for session in {x["session"] for x in good}:
            mine = [x for x in good if x["session"] == session]
            stamps = [s["ts_us"] for x in mine for s in x["samples"]]
            if len(stamps) < 40:
                continue
            wanted = next((x["config"].get("rate_hz") for x in mine if "config" in x), None) or hz
            steps = sorted(y["ts_us"] - x["ts_us"] for m in mine for x, y in zip(m["samples"], m["samples"][1:]))
            found = 1e6 / steps[len(steps) // 2]
            r.check(f"{name}: unmarked samples come as often as their session says", abs(found / wanted - 1) < 0.2, wanted, round(found, 1))
    return len(good), len(batches)


STARTS = [(0x03, 1), (0x03, 2), (0x13, 1), (0x13, 2), (0x14, 1), (0x15, 1), (0x15, 2), (0x12, 4), (0x19, 1), (0x19, 3), (0x0B, 1)]  # they switch on, and scale nothing


UNTOLD = [(0x04, 2)]  # silent until it took a write: the board cannot say what it holds instead


def judge_doubt(r, b, n, case):
    """What the board does not tell is not in sync, and every value is marked."""
    last = b.client.last(b.topic(n, "config")) or {}
    r.check(f"{case[0]}, lost always: differences say that it is unverified", any("unverified" in d for d in last.get("differences", [])), "unverified", last.get("differences"))


def judge_error(r, b, n, case, spells):
    """`config.error` tells it; of what scales or times a value it names what was wanted and what is held, in hexadecimal."""
    name, section, place, wanted = case[0], case[2], case[5], spells[-1][2][4:] if spells else "?"
    wanted = wanted[2:] if place == (0x03, 8) else wanted  # behind the number of the block
    last = b.client.last(b.topic(n, "config")) or {}
    error = last.get("error", "").lower().replace(" ", "")
    names = section == "settings" or place in STARTS or (wanted in error and "holds" in error)
    r.check(f"{name}, lost always: config.error says so", error and names and str(last.get("reason_code", "")).startswith("setup-"),
            f"{wanted}, and what is held", (last.get("error"), last.get("differences")))


def start_again(b, n, case):
    """The same once more by a command; its id and topic of replies."""
    _, _, section, stream, settings, *_ = case
    values = {}
    for part in settings.split(", "):
        key, _, value = part.partition(": ")
        values[key] = json.loads(value) if value.replace(".", "", 1).isdigit() else value
    verb, args = ("log-start", {"streams": {stream: values}}) if section == "log" else ("stream-start", {"stream": stream, **values})
    b.client.publish(b.topic(n, "cmd", verb), {"id": f"again-{n}", "args": args})
    return verb


def run(binary, r, keep, always):
    cases, how = CASES, "always" if always else "once"
    b = RegisterBench(binary, cases, keep)
    try:
        b.start(daemon=False)
        for n, case in enumerate(cases, 1):
            b.do("steady", board=n)
            b.do("lose", board=n, module=case[5][0], register=case[5][1], count=ALWAYS if always else 1)
        b.start_daemon()
        history = lambda n: b.do("history", board=n)
        tried = lambda: all(history(n) for n in range(1, b.count + 1))
        until(30, tried, 0.5)
        if always:
            time.sleep(9)
        else:
            until(20, lambda: all((b.client.last(b.topic(n, "config")) or {}).get("in_sync") for n in range(1, b.count + 1)), 0.5)
            time.sleep(5)
        verbs = {n: start_again(b, n, c) for n, c in enumerate(cases, 1) if c[2] in ("stream", "log")} if always else {}
        final = lambda n: next((d for d in documents(b, n, "reply", verbs[n]) if d["id"] == f"again-{n}" and d["stage"] in FINAL), None)
        until(20, lambda: all(final(n) for n in verbs), 0.5)
        for n, case in enumerate(cases, 1):
            name, told = case[0], history(n)
            spells = wrong_spells(told)
            r.check(f"{name}, lost {how}: the register is written", told, "a write", told)
            claims = false_claims(b, n, spells)
            r.check(f"{name}, lost {how}: in_sync is not said while the register is wrong", not claims, "none", claims[:3])
            counts = judge_values(r, b, n, case)
            if always:
                untold = case[5] in UNTOLD
                judge_doubt(r, b, n, case) if untold else judge_error(r, b, n, case, spells)
                if n in verbs:
                    reply = final(n) or {}
                    doubted = untold and reply.get("evidence") == "link-write"
                    r.check(f"{name}, lost always: {verbs[n]} is not done", doubted or reply.get("stage") in ("failed", "unknown"), "failed or unknown", reply)
            else:
                last = b.client.last(b.topic(n, "config")) or {}
                healed = spells and spells[-1][1] is not None
                r.check(f"{name}, lost once: written again", healed, "lost, then kept", told[:4])
                r.check(f"{name}, lost once: in sync again", last.get("in_sync") is True, True, (last.get("in_sync"), last.get("error"), last.get("differences")))
                if counts:
                    r.check(f"{name}, lost once: good values come", counts[0], "unmarked batches", counts)
    finally:
        b.close()


def registers_lost_once(binary, r, keep):
    run(binary, r, keep, always=False)


def registers_lost_always(binary, r, keep):
    run(binary, r, keep, always=True)


ALONE = [registers_lost_once, registers_lost_always]
