"""Kills while boards stream: what is missing between two sessions is a gap that somebody tells."""
import json
import os
import random
import signal
import time

from bench import Bench, until

KILLS = 8


def sessions(b):
    """Of each board and stream: sessions in order, as (session, first and last stamp in milliseconds, gap_before)."""
    lanes = {}
    for _, topic, payload, *_ in b.client.since(0):
        levels = topic.split("/")
        if len(levels) != 5 or levels[3] != "record" or not payload:
            continue
        value = json.loads(payload)
        first, last = value["samples"][0]["ts_us"] / 1000, value["samples"][-1]["ts_us"] / 1000
        known = lanes.setdefault((levels[2], levels[4]), {}).setdefault(value["session"], [first, last, value["gap_before"], None])
        known[3] = known[3] or period(value.get("config", {}))
        if first < known[0]:
            known[0], known[2] = first, value["gap_before"]
        known[1] = max(known[1], last)
    return {key: sorted((first, last, gap, session, every) for session, (first, last, gap, every) in lane.items()) for key, lane in lanes.items()}


def period(config):
    """Milliseconds between two samples as a session's first batch says; None where it does not."""
    if "rate_hz" in config:
        return 1000 / config["rate_hz"]
    return float(config["every"][:-1]) * 1000 if config.get("every", "").endswith("s") else None


def counted(told, last, first, gap, missing):
    """Whether the gaps between two stamps add up to what is missing, and the sample behind them bears it all: a session between two kills may
    have published nothing, so that there are several. Nobody counts where there is no rate."""
    inside = [g for g in told if last - 1 <= g["from_ms"] and g["to_ms"] <= first + 1]
    if missing < 0: return gap == -1 and any(g["to_ms"] >= first - 1 for g in inside)
    return gap == missing == sum(g["count"] for g in inside)


def untold(b):
    """What lies between two sessions and no `data-gap` tells, or no `gap_before`; and how many gaps there are."""
    gaps = {}
    for _, topic, payload, *_ in b.client.since(0):
        if topic.endswith("/event/data-gap") and payload:
            value = json.loads(payload)
            if value["reason"] == "gateway-restart":
                gaps.setdefault((value["board"], value["stream"]), {})[value["event_id"]] = value
    wrong = []
    for key, lane in sessions(b).items():
        told = list(gaps.get(key, {}).values())
        if key[1] == "battery":
            continue  # Read once at a time: each reading is a session that is over.
        twice = {session: [g for g in told if g["session"] == session] for session in {g["session"] for g in told}}
        wrong += [f"{key}: told twice: {both}" for both in twice.values() if len(both) > 1]
        for (_, last, _, session, _), (first, _, gap, _, every) in zip(lane, lane[1:]):
            # A stream that comes back within a period and a half has lost nothing.
            missing = max(0, round((first - last) / every) - 1) if every else -1
            if not counted(told, last, first, gap, missing):
                wrong.append(f"{key}: {session} ends at {last}, then {first}, {missing} missing, gap_before {gap}, told {told}")
    return wrong, sum(len(told) for told in gaps.values())


def kills(binary, r, keep):
    """SIGKILL at random moments, soon after each other as well, while boards stream; a clean stop at the end."""
    seed = int(os.environ.get("KILLS_SEED", random.randrange(1 << 32)))
    print(f"# kills: seed {seed}", flush=True)
    draw = random.Random(seed)
    b = Bench(binary, boards=8, keep=keep)
    try:
        b.start()
        r.check("kills: the boards stream", not b.wait_streaming(30), "all", b.streaming())
        for _ in range(KILLS):
            time.sleep(draw.choice([draw.uniform(0, 1), draw.uniform(1, 5)]))
            b.daemon.end(signal.SIGKILL)
            b.start_daemon()
        mark = b.client.mark()
        r.equal("kills: samples come again", b.wait_samples(30, range(1, b.count + 1), mark), [])
        time.sleep(3)
        wrong, told = until(10, lambda: (lambda found: found if not found[0] else None)(untold(b)), 1) or untold(b)
        r.equal("kills: what is missing behind each is told", wrong, [])
        crash = (b.client.wait(10, b.gateway_topic("info"), lambda v: "last_crash" in v) or {}).get("last_crash", {})
        r.check("F102 kills: info says how the last run ended", crash.get("reason") == "unknown" and crash.get("count", 0) >= 1, "unknown, counted", crash)
        b.daemon.end(signal.SIGTERM, wait=25)
        mark = b.client.mark()
        b.start_daemon()
        info = b.client.wait(20, b.gateway_topic("info"), lambda v: "last_crash" not in v, mark)
        r.check("F102 a clean stop: info has nothing to say of the last run", info, "no last_crash", None)
        r.equal("kills: samples come again after a clean stop", b.wait_samples(30, range(1, b.count + 1), mark), [])
        time.sleep(3)
        wrong, told = until(10, lambda: (lambda found: found if not found[0] and found[1] > told else None)(untold(b)), 1) or untold(b)
        r.equal("kills: what is missing behind a clean stop is told", wrong, [])
        print(f"# kills: {told} gaps told", flush=True)
    finally:
        b.close()


ALONE = [kills]
