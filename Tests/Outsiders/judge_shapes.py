"""What values of the contract look like: types, keys, quality."""

QUALITY_REASONS = {"config-unverified", "rate-low", "clock-unknown"}


def is_type(value, kind):
    if kind == "int": return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= 2 ** 53
    if kind == "num": return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, {"str": str, "bool": bool, "list": list, "dict": dict}[kind])


def quality(value):
    """Contract 1.7: left out where it is good, else uncertain with reasons of the list."""
    if "quality" not in value and "quality_reasons" not in value: return []
    reasons = value.get("quality_reasons") or []
    if isinstance(reasons, str): reasons = reasons.split(",")  # live samples are flat
    if value.get("quality") == "uncertain" and reasons and set(reasons) <= QUALITY_REASONS: return []
    return [f"quality {value.get('quality')!r} because of {value.get('quality_reasons')!r}"]


def shape(value, keys, where=""):
    problems = []
    for key, kind in keys.items():
        if key not in value:
            if kind and kind.endswith("!"):
                problems.append(f"{where}{key} is missing")
        elif kind and not is_type(value[key], kind.rstrip("!")):
            problems.append(f"{where}{key} is {value[key]!r}, expected {kind.rstrip('!')}")
    problems += [f"{where}{key} is not in the contract" for key in value if key not in keys]
    return problems
