"""What the fake building of the page answers to commands: stages, progress and results, by the contract."""
import threading
import time

from page_fleet import GATEWAY, NAMES, VECTOR, now_ms, sample

IN_RANGE = [("f00000000001", "MetaWear", -48), ("f00000000002", NAMES[2], -60), ("f00000000003", NAMES[4], -75)]


class Commands:
    def __init__(self, fleet):
        self.fleet = fleet
        self.answered, self.taken, self.simulated = {}, [], []

    def take(self, topic, payload):
        """Answers on a thread of its own; the same id runs once."""
        if payload["id"] in self.answered:
            return
        self.answered[payload["id"]] = topic
        self.taken.append((topic, payload))
        threading.Thread(target=self.run, args=(topic, payload), daemon=True).start()

    def simulate(self, lines):
        """What is done to boards, and what becomes of each line; a press is an event."""
        self.simulated += [line for line in lines.split("\n") if line]
        return [self.felt(line) for line in lines.split("\n") if line]

    def felt(self, line):
        verb, address, *_ = line.split(" ")
        board = address.replace(":", "").lower()
        if board not in self.fleet.ids:
            return {"line": line, "ok": False, "error": f'"{address}" names no board'}
        if verb == "temperature":
            return {"line": line, "ok": False, "error": f"{NAMES[2]} is no number"}
        if verb == "press":
            self.fleet.event(board, {"ts_ms": now_ms(), "event_id": f"press-{len(self.simulated)}", "kind": "button", "event_type": "press", "board": board, "gw": GATEWAY})
        return {"line": line, "ok": True, "at_s": 1.5, "boards": [board]}

    def reply(self, topic, request, stage, **more):
        kind, owner, _, verb = topic.split("/")
        body = {"id": request, "stage": stage, "verb": verb, kind: owner, "gw": GATEWAY, "ts_ms": now_ms(), **more}
        if stage in ("done", "failed", "unknown"):
            body.update(ok=stage == "done", took_ms=400)
        self.fleet.say("reply", f"{kind}/{owner}/reply/{verb}", body)

    def run(self, topic, payload):
        kind, owner, _, verb = topic.split("/")
        request, args = payload["id"], payload.get("args", {})
        if kind == "group":
            return self.job(topic, request, verb, owner, args)
        self.reply(topic, request, "accepted")
        time.sleep(0.15)
        try:
            work = self.gateway if kind == "gateway" else self.board
            data = work(topic, request, owner, verb, args)
        except Failed as failed:
            return self.reply(topic, request, "failed", code=failed.code, message=failed.args[0])
        evidence = {"evidence": "readback"} if kind == "board" and verb != "explain" else {}
        self.reply(topic, request, "done", data=data or {}, **evidence)

    def board(self, topic, request, board, verb, args):
        fleet = self.fleet
        state = fleet.documents.get(f"board/{board}/state")
        if state is None:
            raise Failed("unreachable", "not admitted")
        if verb == "explain":
            why = state.get("reason") or state.get("stream_reason")
            return {"summary": "receiving data (streaming)" if not why else f"something is wrong: {why}", "has_data": not why, "ok": not why,
                    "causes": [{"code": "connect-failing" if why else "next-visit", "since_ms": now_ms() - 900_000, "text": why or "it is visited now and then"}],
                    "next": [{"at_ms": now_ms() + 30_000, "text": "the gateway connects to it again"}]}
        if state["link"] == "unreachable":
            raise Failed("unreachable", f"the board did not answer; {NAMES[2]}")
        self.reply(topic, request, "sent")
        if verb == "led":
            shown = {"state": args.get("state", "ON"), "ts_ms": now_ms()}
            if shown["state"] == "ON":
                shown.update(color_mode="rgb", color=args.get("color"), brightness=args.get("brightness", 255), effect=args.get("pattern", "solid"))
            fleet.put(f"board/{board}/led", shown)
            return {"playing": shown["state"] == "ON"}
        if verb in ("stream-start", "stream-stop"):
            return self.streams(board, verb, dict(args))
        if verb == "firmware-update":
            return self.update(topic, request, board, args)
        if verb == "firmware-abort":
            self.fleet.cancelled.add(board)
            return {"aborted": True}
        if verb == "log-download":
            for percent in range(0, 100, 5):
                self.reply(topic, request, "progress", pct=percent, eta_ms=now_ms() + (100 - percent) * 50)
                time.sleep(0.25)
            fleet.event(board, {
                "ts_ms": now_ms(), "event_id": request, "kind": "log-downloaded", "event_type": "complete", "board": board, "gw": GATEWAY})
            return {"session": "01JDB91TAS8N0M2T5V7X9Z1ABC", "entries_expected": 40_211, "entries_stored": 40_211, "samples": 20_107, "complete": True, "streams": ["acceleration"]}
        if verb == "read":
            return {"ts_ms": now_ms(), **sample("battery", 1, 0)}
        if verb == "macro-list":
            return {"macros": [{"slot": 0, "name": "hello", "at_boot": False, "packets": 3, "owner": "ours"}]}
        return {"verb": verb, "args": args}

    def update(self, topic, request, board, args):
        """Some stages of two seconds each; what was sent stands in the document."""
        if args.get("confirm") != board:
            raise Failed("invalid", "confirm is the board's id")
        for stage in ("fetching", "entering-bootloader"):
            self.fleet.firmware(board, stage=stage, in_progress=True)
            for _ in range(20):
                time.sleep(0.1)
                if board in self.fleet.cancelled:
                    self.fleet.cancelled.discard(board)
                    self.fleet.firmware(board, stage="failed", last_error="the update was aborted before anything was sent")
                    raise Failed("expired", "the update was aborted before anything was sent; the board has the firmware that it had")
        for percent in range(0, 101, 5):
            self.fleet.firmware(board, stage="sending", in_progress=True, update_percentage=percent, eta_ms=now_ms() + (100 - percent) * 50, attempt=1)
            self.reply(topic, request, "progress", pct=percent, eta_ms=now_ms() + (100 - percent) * 50)
            time.sleep(0.25)
        self.fleet.firmware(board, installed_version=args.get("version", "1.7.3"), bootloader_version="0.2.1")
        return {"from": "1.7.2", "to": args.get("version", "1.7.3"), "seconds": 8, "attempts": 1}

    def streams(self, board, verb, args):
        wanted = dict(self.fleet.streams(board))
        stream = args.pop("stream", None)
        if verb == "stream-stop":
            stopped = list(wanted) if stream == "*" else [stream]
            for name in stopped:
                wanted.pop(name, None)
            result = {"stopped": stopped}
        elif stream not in VECTOR:
            raise Failed("invalid", f"there is no stream {stream}")
        else:
            wanted[stream] = args
            result = {"stream": stream, "session": "01JDB90Q4N8W2M6T5V7X9Z1ABC", "config": args, "adjusted": []}
        self.fleet.config(board, wanted)
        return result

    def gateway(self, topic, request, gateway, verb, args):
        fleet = self.fleet
        if verb == "scan":
            for percent in (25, 50, 75):
                time.sleep(0.4)
                self.reply(topic, request, "progress", pct=percent)
            return {"boards": [{"board": b, "name": n, "rssi_dbm": r, "adapter": "001a7dda7113", "admitted": b in fleet.ids, "blocked": False, "model": "MetaMotion S", "bootloader": False}
                               for b, n, r in IN_RANGE]}
        if verb == "admit":
            board = args["board"].lower().replace(":", "")
            if board not in fleet.ids:
                fleet.ids.append(board)
                fleet.board(1, board)
                name = args.get("name") or next((n for b, n, _ in IN_RANGE if b == board), board)
                fleet.put(f"board/{board}/info", {**fleet.documents[f"board/{board}/info"], "name": name})
            return {"board": board, "created": True}
        if verb == "sessions-delete":
            if args.get("confirm") != gateway:
                raise Failed("invalid", "confirm is the gateway's id")
            fleet.deleted.update(args["sessions"])
            return {"deleted": len(args["sessions"]), "samples": 20_000, "entries": 0, "sessions": [], "refused": []}
        if verb == "alarm-acknowledge":
            document = fleet.documents[f"gateway/{gateway}/alarms"]
            alarms = [{**a, "acknowledged": True, "acknowledged_ms": now_ms(), "acknowledged_by": "page"} if a["id"] == args["alarm"] else a for a in document["alarms"]]
            fleet.put(f"gateway/{gateway}/alarms", {**document, "alarms": alarms})
            return {"count": 1, "alarms": [args["alarm"]]}
        if verb == "cancel":
            fleet.cancelled.add(args["id"])
            return {"cancelled": args["id"] in self.answered}
        return {"verb": verb, "args": args}

    def job(self, topic, request, verb, group, args):
        members = [b for b in self.fleet.ids if group == "all" or group in self.fleet.documents[f"board/{b}/info"]["groups"]]
        counts = {"total": len(members), "done": 0, "failed": 0, "unknown": 0, "pending": len(members)}
        self.reply(topic, request, "accepted", data={"total": len(members), "job": {"parallel": 8}})
        failed = []
        for board in members:
            if request in self.fleet.cancelled:
                break
            time.sleep(0.5)
            member = f"board/{board}/cmd/{verb}"
            try:
                self.reply(member, f"{request}.{board}", "done", data=self.board(member, f"{request}.{board}", board, verb, args))
                counts["done"] += 1
            except Failed as fault:
                self.reply(member, f"{request}.{board}", "failed", code=fault.code, message=fault.args[0])
                failed.append({"board": board, "stage": "failed", "code": fault.code})
                counts["failed"] += 1
            counts["pending"] -= 1
            self.reply(topic, request, "progress", pct=100 * (1 - counts["pending"] / len(members)), eta_ms=now_ms() + counts["pending"] * 500, data=dict(counts))
        data = {**counts, "pending": 0, "skipped": counts["pending"], "by_code": {}, "not_done": failed}
        if failed or data["skipped"]:
            self.reply(topic, request, "failed", code="unreachable" if failed else "expired", message=f"{counts['done']} of {len(members)} done", data=data)
        else:
            self.reply(topic, request, "done", data=data)


class Failed(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code
