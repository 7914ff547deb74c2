"""Judges the retained `config` document by contract 1.5, 3.9, 7.4 and 9, and by nothing else."""
import hashlib
import json
import re

CONFIG = {"ts_ms": "int!", "board": "str!", "profile": "str!", "desired": "dict!", "reported": "dict!",
          "desired_hash": "str!", "reported_hash": "str!", "in_sync": "bool!", "differences": "list!", "overlay": "list!",
          "foreign": "list!", "slots_used": "dict!", "applied_ms": "int", "error": "str", "reason_code": "str", "truncated": "bool"}
SECTIONS = "stream log process timers events settings".split()
SETTINGS = {"name": str, "tx_dbm": int, "advertising": ["interval_ms", "timeout_s", "directed"],
            "connection": ["min_ms", "max_ms", "latency", "supervision_ms"], "scan_response": str,
            "start_advertising": bool, "regulator_3v": bool, "force_1m_phy": bool, "whitelist": ["mode", "addresses"]}
DEFAULTS = {"timers": ["period_ms", "repetitions", "immediate", "start"], "events": ["source", "action"],
            "process": ["from", "chain", "to"]}
STREAM_DEFAULTS = {"acceleration": ["rate_hz", "range_g"], "angular-velocity": ["rate_hz", "range_dps"],
                   "quaternion": ["mode", "range_g", "range_dps"], "temperature-die": ["every"]}
SLOTS = "loggers processors events timers macros log_entries".split()


def number(value):
    """A number as ECMAScript writes it (RFC 8785, 3.2.2.3)."""
    if value == int(value) and abs(value) < 1e21:
        return str(int(value))
    mantissa, _, exponent = repr(float(value)).partition("e")
    if not exponent:
        return mantissa
    power = int(exponent)
    if -7 < power < 0:  # Python turns to exponents two places earlier
        digits = mantissa.lstrip("-").replace(".", "")
        return ("-" if value < 0 else "") + "0." + "0" * (-power - 1) + digits
    return mantissa.removesuffix(".0") + "e" + ("+" if power > 0 else "-") + str(abs(power))


def canonical(value):
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
    return "{" + ",".join(canonical(key) + ":" + canonical(value[key]) for key in keys) + "}"


def digest(value):
    return hashlib.sha256(canonical(value).encode()).hexdigest()[:16]


def judge_setup(side, setup):
    problems = []
    for section, entries in setup.items():
        where = f"{side}.{section}"
        if section not in SECTIONS:
            problems.append(f"{where} is no section")
        elif not isinstance(entries, dict) or not entries:
            problems.append(f"{where} is {entries!r}, expected a map that is not empty")
        elif section == "settings":
            for key, entry in entries.items():
                kind = SETTINGS.get(key)
                if kind is None: problems.append(f"{where} has no key {key}")
                elif isinstance(kind, list):
                    if not isinstance(entry, dict) or sorted(entry) != sorted(kind):
                        problems.append(f"{where}.{key} is {entry!r}, expected {kind}")
                elif type(entry) is not kind: problems.append(f"{where}.{key} is {entry!r}")
        else:
            for name, entry in entries.items():
                if not isinstance(entry, dict):
                    problems.append(f"{where}.{name} is {entry!r}")
                    continue
                if "name" in entry: problems.append(f"{where}.{name} repeats its name")
                wanted = DEFAULTS.get(section) or STREAM_DEFAULTS.get(name, [])
                problems += [f"{where}.{name} lacks {key}" for key in wanted if key not in entry]
    return problems


def judge(value):
    """Problems of a document whose keys have the right types already."""
    problems = judge_setup("desired", value["desired"]) + judge_setup("reported", value["reported"])
    for side in ("desired", "reported"):
        if value[side + "_hash"] != digest(value[side]) and not value.get("truncated"):
            problems.append(f"{side}_hash {value[side + '_hash']} is not {digest(value[side])}")
    differences = value["differences"]
    if len(differences) > 20 or not all(isinstance(words, str) and words for words in differences):
        problems.append(f"differences {differences}")
    if value["in_sync"] != (not differences): problems.append(f"in_sync {value['in_sync']} with differences {differences}")
    # What was written is not yet what the board does.
    doubts = [words.rpartition(" ")[2] in ("unverified", "awaited", "silent", "off") for words in differences]
    if value["desired_hash"] == value["reported_hash"] and not value["in_sync"] and not all(doubts): problems.append("not in sync although equal")
    for words in value["overlay"]:
        if not re.match(rf"^({'|'.join(SECTIONS)})/[a-z0-9_-]+$", str(words)): problems.append(f"overlay {words}")
    for words in value["foreign"]:
        if not re.match(r"^(logger|processor|event|timer|macro)/[0-9]+$", str(words)): problems.append(f"foreign {words}")
    for key, count in value["slots_used"].items():
        if key not in SLOTS or not isinstance(count, int) or count < 0: problems.append(f"slots_used.{key} {count}")
    return problems
