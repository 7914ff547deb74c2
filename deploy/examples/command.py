#!/usr/bin/python3
"""Sends a command to a board and waits for its final reply. Exit status 0: done; 1: failed or unknown; 2: no final reply.

    ./command.py c0ffee000001 led '{"color": "green"}'
    ./command.py c0ffee000001 led '{"color": "green"}' ID    the same once more: it runs at most once, whatever was lost
"""
import json
import queue
import sys
import uuid

from broker import listen

if len(sys.argv) not in (4, 5):
    sys.exit(__doc__)
board, verb, arguments, *id = sys.argv[1:]
request = {"id": id[0] if id else str(uuid.uuid4()), "args": json.loads(arguments)}
final = queue.Queue()


def take(message):
    reply = json.loads(message.payload)
    if reply["id"] == request["id"]:
        print(json.dumps(reply), flush=True)
        if reply["stage"] in ("done", "failed", "unknown"):
            final.put(reply["stage"])


def send(client):  # The reply may come at once, so the subscription comes first.
    client.publish(f"metafleet/board/{board}/cmd/{verb}", json.dumps(request), qos=1)


listen([f"metafleet/board/{board}/reply/{verb}"], take, then=send).loop_start()
try:
    sys.exit(0 if final.get(timeout=60) == "done" else 1)
except queue.Empty:
    print(f"no final reply within a minute; ask again with the id {request['id']}", file=sys.stderr)
    sys.exit(2)
