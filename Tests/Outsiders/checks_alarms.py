"""Alarms (MQTT contract 1.9): one list of what somebody should see to, acknowledged by a verb, over kill -9."""
import json
import signal
import time

import checks_contract
from bench import Bench
from checks_upkeep import gate, verdict


def find(document, id):
    return next((a for a in (document or {}).get("alarms", []) if a["id"] == id), None)


def alarms(binary, r, keep):
    b = Bench(binary, boards=1, keep=keep)
    try:
        b.start()
        r.equal("alarms: all boards stream", b.wait_streaming(30), [])
        topic = b.gateway_topic("alarms")
        first = b.client.wait(15, topic)
        r.check("alarms: the document is there, also where there is none", first and first["count"] == len(first["alarms"]), "a document", first)
        for n in range(6):
            gate(b, "cancel", {"id": f"alarm-fails-{n}", "args": {}}, 8)
        told = b.client.wait(20, topic, lambda v: find(v, "commands-failing"))
        alarm = find(told, "commands-failing") or {}
        r.check("alarms: six commands that failed are one, of the gateway, which nobody has seen", alarm.get("severity") == "warning" and alarm.get("acknowledged") is False
                and "board" not in alarm and told["unacknowledged"] >= 1, "commands-failing", told)
        health = b.client.wait(10, b.gateway_topic("health"), lambda v: v.get("alarms_warning", 0) >= 1)
        r.check("alarms: health counts them", health, "alarms_warning", b.client.last(b.gateway_topic("health")))
        for what, args in (("one that does not stand", {"alarm": f"battery-empty.{b.ids[0]}"}), ("nothing", {}), ("no id of an alarm", {"alarm": "worry"}),
                           ("two ways of naming one", {"alarm": "commands-failing", "code": "commands-failing"}), ("a board without one", {"board": "00aabbccddee"})):
            r.equal(f"alarm-acknowledge: {what} is invalid", verdict(gate(b, "alarm-acknowledge", {"args": args}, 8)[1]), ("failed", "invalid"))
        mark, request = b.client.mark(), {"id": "alarm-seen", "args": {"alarm": "commands-failing"}}
        _, final = gate(b, "alarm-acknowledge", request, 8)
        r.check("alarm-acknowledge: done, with what it named", final.get("stage") == "done" and final["data"] == {"count": 1, "alarms": ["commands-failing"]}, "done", final)
        seen = b.client.wait(8, topic, lambda v: (find(v, "commands-failing") or {}).get("acknowledged"), mark)
        r.check("alarm-acknowledge: the document says so, and since when is as before", seen and find(seen, "commands-failing")["since_ms"] == alarm.get("since_ms"), alarm, seen)
        _, final = gate(b, "alarm-acknowledge", {"id": "alarm-again", "args": {"code": "commands-failing"}}, 8)
        r.check("alarm-acknowledge: what is acknowledged stays so", final.get("stage") == "done" and final["data"]["count"] == 0, "0 new", final)
        mark, death = b.client.mark(), time.time() * 1000
        b.daemon.end(signal.SIGKILL)
        b.start_daemon()
        kept = b.client.wait(30, topic, lambda v: find(v, "commands-failing"), mark)
        b.judge.killed(death)
        after = find(kept, "commands-failing") or {}
        r.check("F179 alarms: killed and started again, it stands since the same time, and somebody has seen it",
                after.get("acknowledged") is True and after.get("since_ms") == alarm.get("since_ms"), alarm, after)
        over = b.client.wait(150, topic, lambda v: not find(v, "commands-failing"), mark)
        r.check("alarms: what is over ends, and its acknowledgement with it", over, "none", b.client.last(topic))
        code, out, _ = b.tool("audit", "--json", "--config", b.path("metafleet.yaml"))
        r.check("alarms: who acknowledged stands in the audit", code == 0 and sum(json.loads(x).get("verb") == "alarm-acknowledge" for x in out.splitlines()) >= 7, "7 or more", out[-400:])
        checks_contract.verdict(b, r, "alarms")
    finally:
        b.close()


ALONE = [alarms]
