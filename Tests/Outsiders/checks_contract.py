"""What a quiet fleet publishes: documents, lanes, pace, truth (mqtt-api 1 to 4, contract 0 to 2 and 5)."""
import json
import re
import time

from bench import Client, in_a_copy
from reference import Reference

REFERENCE = Reference()
MODELS = {"s": ("MetaMotion S", "8", "bmi270"), "r": ("MetaMotion R", "5", "bmi160"), "rl": ("MetaMotion RL", "5", "bmi160")}
EXPECTED = {1: ("acceleration", 50, 4), 2: ("acceleration", 100, 8), 3: ("acceleration", 50, 4), 0: ("acceleration", 25, 2)}


def quiet_fleet(b, r):
    start = time.monotonic()
    missing = b.wait_streaming(60)
    r.check("start: all boards stream", not missing, "20 boards streaming within 60 s", f"missing {missing}")
    print(f"# all streaming after {time.monotonic() - start:.1f} s")
    mark = b.client.mark()
    t0 = time.time()
    time.sleep(12)
    span, seen = time.time() - t0, b.client.since(mark)

    def came(topic):
        return [m for m in seen if m[1] == topic]
    status = b.do("status")
    r.check("board side: every board acquired or notifying, linked once", all(
        s["connected"] and (s["acquired"] or s["notifying"]) for s in status), "20 links", status)
    long_writes = [w for n in range(1, b.count + 1) for w in b.do("writes", board=n) if len(w[1]) > 40]
    r.equal("board side: no write longer than 20 bytes (protocol 2.1)", long_writes, [])
    kinds = {(w[1][:2] == "0f", w[2]) for n in range(1, b.count + 1) for w in b.do("writes", board=n)}
    r.check("board side: write types (protocol 2.4): macro with response, others without",
            kinds <= {(True, "request"), (False, "command")}, "0F request, else command", kinds)

    for n in range(1, b.count + 1):
        info = b.client.last(b.topic(n, "info")) or {}
        model = MODELS[b.board_models[n - 1]]
        got = (info.get("model"), info.get("model_id"), info.get("imu"), info.get("name"), info.get("groups"), info.get("site"))
        r.equal(f"info of board {n}: model, id, imu, name, groups, site", got, (*model, f"Board {n}", ["lab"], "lab"))
        stream, rate, scale = EXPECTED[n % 4]
        batches = [json.loads(m[2]) for m in came(b.topic(n, "record", stream))]
        count = sum(x["count"] for x in batches)
        r.check(f"record of board {n}: about {rate} samples/s", 0.85 * rate * span < count < 1.15 * rate * span,
                f"{rate * span:.0f} ± 15 %", count)
        samples = [s for x in batches for s in x["samples"]]
        lsb = 32768 / scale
        steps = {round((y["ax_g"] - x["ax_g"]) * lsb) for x, y in zip(samples, samples[1:])}
        r.check(f"record of board {n}: every sample once and in order (counter in x)", steps <= {1, 1 - 0x4000},
                "steps of one", steps)
        r.check(f"record of board {n}: values (y = board, z = 1 g)",
                bool(samples) and all(abs(s["ay_g"] - n * 8 / lsb) < 6e-6 and abs(s["az_g"] - 1) < 6e-6 for s in samples),
                f"{n * 8 / lsb:.5f}, 1", samples[:1])
        if samples:
            steps = [y["ts_us"] - x["ts_us"] for x, y in zip(samples, samples[1:])]
            mean = sum(steps) / max(1, len(steps))
            r.check(f"record of board {n}: stamps {1e6 / rate:.0f} us apart on average", abs(mean * rate / 1e6 - 1) < 0.1,
                    f"{1e6 / rate:.0f}", f"{mean:.0f}")
        live = came(b.topic(n, "live", stream))
        r.check(f"live of board {n}: at most 10 Hz, and alive", 5 * span < len(live) <= 10 * span + 6,
                f"5 to 10 a second in {span:.1f} s", len(live))
    for n in (1, 3, 5):
        die = [json.loads(m[2]) for m in came(b.topic(n, "record", "temperature-die"))]
        values = {s["temperature_c"] for x in die for s in x["samples"]}
        r.check(f"record of board {n}: temperature-die polled each second", len(die) >= 8 and values == {20 + n * 0.125},
                f"12 × {20 + n * 0.125}", f"{len(die)} × {values}")
        state = b.client.wait(8, b.topic(n, "state"), lambda v: "battery_pct" in v) or {}
        r.equal(f"state of board {n}: battery", (state.get("battery_pct"), state.get("battery_mv")), (80 + n % 20, 4000 + n))
        r.equal(f"state of board {n}: rssi, firmware", (state.get("rssi_dbm"), state.get("fw")), (-50 - n % 30, "1.7.3"))
        r.equal(f"availability of board {n}", {k: (b.client.last(b.topic(n, 'availability')) or {}).get(k)
                                               for k in ("state", "reason")}, {"state": "online", "reason": "connected"})
    gateway = b.client.last(b.gateway_topic("availability")) or {}
    r.equal("gateway availability", (gateway.get("state"), gateway.get("birth"), gateway.get("reason")), ("online", 1, "started"))
    info = b.client.last(b.gateway_topic("info")) or {}
    r.equal("gateway info: boards, adapters, admission", (sorted(info.get("boards", [])), info.get("adapters"), info.get("admission")),
            (sorted(b.ids), ["001a7dda7113"], "listed"))
    adapter = b.client.last(b.gateway_topic("adapter", "001a7dda7113")) or {}
    r.equal("adapter document: connected boards", (sorted(adapter.get("connected", [])), adapter.get("slots_used"), adapter.get("state")),
            (sorted(b.ids), b.count, "up"))


def events(b, r):
    mark = b.client.mark()
    b.do("press", board=5, state=1)
    press = b.client.wait(5, b.topic(5, "event", "button"), mark=mark)
    time.sleep(0.5)
    b.do("press", board=5, state=0)
    release = b.client.wait(5, b.topic(5, "event", "button"), lambda v: v["event_type"] == "release", mark)
    r.equal("event button: press", press and press["event_type"], "press")
    r.check("event button: release with held_ms", release and 300 < release.get("held_ms", 0) < 1500, "about 500", release)
    b.do("battery", board=6, charge=15, mv=3500)
    low = b.client.wait(15, b.topic(6, "event", "low-battery"), mark=mark)
    r.equal("event low-battery below 20 %", low and (low["event_type"], low.get("battery_pct")), ("low", 15))
    state = b.client.wait(10, b.topic(6, "state"), lambda v: v.get("battery_pct") == 15, mark)
    r.check("state: battery follows the poll within 10 s", state, "15 %", b.client.last(b.topic(6, "state")))
    b.do("battery", board=6, charge=86, mv=4006)
    health = b.client.wait(35, b.gateway_topic("health"), lambda v: v["uptime_s"] >= 25, 0)
    r.check("gateway health every 30 s", health, "a second document", b.client.last(b.gateway_topic("health")))
    if health:
        r.check("gateway health: truth", health["boards_admitted"] == b.count and health["boards_connected"] == b.count
                and health["samples_dropped"] == 0 and health["bluetooth_ok"] == 1 and health["samples_in"] > 1000,
                "20 admitted, 20 connected, nothing dropped", health)


def retained_tree(b, r):
    """A consumer that comes late, speaking MQTT 5 and knowing nothing, finds the whole state and no telemetry."""
    late = Client(b.port, None, "outsider-late", ("metafleet/#",), persistent=False).start()
    late.subscribed.wait(10)
    time.sleep(1)
    retained = {}
    for m in late.since(0):
        if m[4]:
            retained[m[1]] = m[2]
    late.stop()
    lanes = {t.split("/")[3] for t in retained}
    r.check("retained: only state documents", lanes <= {"info", "availability", "state", "led", "config", "firmware", "health", "alarms", "adapter"},
            "no telemetry, event, reply or command", lanes)
    missing = [f"{x}/{lane}" for x in b.ids for lane in ("info", "availability", "state") if f"metafleet/board/{x}/{lane}" not in retained]
    r.equal("retained: info, availability, state of every board", missing, [])
    strangers = [t for t in retained if re.match("metafleet/board/", t) and t.split("/")[2] not in b.ids]
    r.equal("retained: nothing of boards that are not admitted", strangers, [])


def verdict(b, r, title="everything published"):
    """What the judge saw up to now, one line per kind of problem."""
    judge = b.judge
    # The reference of topics judges every message, each once.
    mark, b.referred = b.referred, b.client.mark()
    compared, wrong, example, seen, problems = in_a_copy(
        b.client.lock, lambda: (*judge.live_matches_record(), *REFERENCE.judge(list(b.client.messages)[mark:b.referred])))
    for kind, (count, first) in sorted(problems.items()):
        r.check(f"{title}: {kind}", False, "obeys the reference of topics", f"{count} times, first: {first}")
    if seen and not problems:
        r.check(f"{title}: {sum(seen.values())} messages obey the reference of topics", True)
    print(f"# channels of the reference that were not seen: {', '.join(sorted(set(REFERENCE.channels) - set(seen))) or 'none'}", flush=True)
    with b.client.lock:  # more may come in meanwhile
        r.check(f"{title}: live samples equal their record samples (mqtt-api 3.2)", wrong == 0 and compared > 0,
                f"0 of {compared} differ", f"{wrong}: {example}")
        r.check(f"{title}: first batch of each session carries config", not judge.counts.get("no config"), "0 without",
                judge.counts.get("no config"))
        for kind, (count, first) in sorted(judge.problems.items()):
            r.check(f"{title}: {kind}", False, "obeys the contract", f"{count} times, first: {first}")
        if not judge.problems:
            r.check(f"{title}: {sum(judge.counts.values())} messages obey the contract", True)
        judge.problems.clear()
