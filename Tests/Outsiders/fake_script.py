"""What the script of the fake BlueZ can ask of it: one JSON object a line, `do` says what, `board` which board (all without)."""
import time


def command(world, request):
    """What the script asks for; its answer is printed as JSON."""
    what = request["do"]
    chosen = request.get("board")
    devices = [d for d in world.devices if chosen in (None, "all") or d.board.number == chosen]
    if what == "writes":
        since = request.get("since", 0)
        return [[t, b.hex(), k] for t, b, k in devices[0].board.writes if t >= since]
    if what == "status":
        return [dict(board=d.board.number, address=d.board.address, model=d.board.model,
                     connected=d.connected, resolved=d.resolved, acquired=bool(d.notification and
                                                                             d.notification.socket),
                     notifying=bool(d.notification and d.notification.clients),
                     connecting=bool(d.connecting), reset_uid=d.board.reset_uid,
                     accelerometer=d.board.accelerometer["power"], samples=d.board.counter[3],
                     subscribed=sorted(map(list, d.board.subscribed)),
                     led={str(k): v.hex() for k, v in d.board.led.items()}, playing=d.board.led_playing,
                     known=d.path in world.objects) for d in devices]
    if what == "calls":
        return [[t, s, p, m] for t, s, p, m in world.calls if t >= request.get("since", 0)]
    if what == "now": return time.monotonic()
    if what == "lost":
        return world.lost_notifications
    if what == "kill": return world.vanish(clean=False)
    if what == "stop": return world.vanish(clean=True)
    if what == "start": return world.appear()
    if what == "power": return world.power(request["on"])
    if what == "refuse-power": world.refuse_power = request["on"]; return
    if what == "pull-out": return world.pull_out(request["adapter"])
    if what == "plug-in": return world.plug_in(request["adapter"], request["name"])
    if what == "crowd": return world.crowd(request["count"], request["ours"], request.get("first", 1))
    if what.startswith("log-"): return devices[0].board.log.command(request)
    if what == "taken": return devices[0].board.air.taken
    if what == "history": return devices[0].board.faults.history
    if what == "slots":
        return {str(module): {str(k): v.hex() for k, v in held.items()} for module, held in devices[0].board.slots.held.items()}
    if what == "hang-listing": world.hang_listing = request["on"]; return
    for d in devices:
        if what == "drop": d.lose_link()
        elif what == "swallow": d.swallow = [request["kind"]] * request.get("times", 1)
        elif what == "connect-error": d.connect_errors = [request["error"]] * request.get("times", 1)
        elif what == "acquire-error": d.acquire_errors = [request["error"]] * request.get("times", 1)
        elif what == "silent-connected": d.silent_connected = request.get("times", 1)
        elif what == "services": d.services_delay = request["delay"]
        elif what == "absent": d.absent = request["on"]
        elif what == "vanish":
            d.lose_link()
            world.drop_device(d)
        elif what == "mute": d.board.muted = request["on"]
        elif what == "air": d.board.air.order(request)
        elif what == "deaf": d.board.deaf = request["on"]
        elif what == "press": d.board.press(request["state"])
        elif what == "battery": d.board.charge, d.board.millivolts = request["charge"], request["mv"]
        elif what == "reboot": d.board.reboot(0)
        elif what == "send": d.notified(bytes.fromhex(request["hex"]))
        elif what == "foreign":  # what an earlier session left on: gyroscope streaming, accelerometer unpacked
            d.board.subscribed |= {(0x13, 4), (0x13, 5), (3, 4)}
            d.board.set(0x13, 2, b"\x01\x00")
            d.board.set(0x13, 1, b"\x01")
        elif what in ("lose", "dumb", "cut"): d.board.faults.order(what, request["module"], request["register"], request["count"])
        elif what == "steady": d.board.steady = True
        elif what == "swing": d.board.swing = request["seconds"]
        elif what == "turn": d.board.registers.turn = request["quaternion"], request["euler"]
        elif what == "spoil": d.board.registers.spoil[request["value"]] = request["count"]
        elif what == "host":  # what another host wrote
            for packet in map(bytes.fromhex, request["packets"]): d.board.set(packet[0], packet[1], packet[2:])
        elif what == "hardware": d.board.hardware = request["revision"]
        elif what == "name": d.board.name = request["name"]
        elif what == "be":  # a board with other firmware and modules
            d.board.be(request["firmware"], request["modules"])
        else: raise ValueError(f"unknown command {what}")
