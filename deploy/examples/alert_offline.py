#!/usr/bin/python3
"""Prints a line when a board goes offline or comes back: because it is, or because its gateway is.

    ./alert_offline.py
"""
import json
import time

from broker import listen

boards, gateways, last = {}, {}, {}


def judge(message):
    _, kind, id, _ = message.topic.split("/")
    known = boards if kind == "board" else gateways
    known[id] = json.loads(message.payload or b"{}")  # empty: it was forgotten
    for board, says in boards.items():
        state, reason = says.get("state", "forgotten"), says.get("reason", "")
        # The will of a gateway that crashed is all that speaks: its boards' own topics stay as they were.
        if gateways.get(says.get("gw"), {}).get("state", "online") != "online":
            state, reason = "offline", f"gateway {says['gw']}"
        if state != last.get(board, "online"):
            print(time.strftime("%H:%M:%S"), board, state, reason, flush=True)
        last[board] = state


listen(["metafleet/board/+/availability", "metafleet/gateway/+/availability"], judge).loop_forever()
