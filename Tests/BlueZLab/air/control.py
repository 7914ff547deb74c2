"""The control socket of bluez-labctl: one text command per connection, one text reply."""
from board import ad
from controller import Air

more = {}                          # further controllers, by number


async def control(air, reader, writer):
    words = (await reader.readline()).decode().split()
    try:
        if words[0] == "list":
            reply = "".join(f"{b.index} {b.address} {b.name} "
                            f"{'connected' if b.handle is not None else 'on-air' if b.on_air else 'off-air'} "
                            f"mtu={b.att_mtu}\n" for b in air.boards)
        elif words[0] == "drop":                              # drop <board> [reason]
            b = air.boards[int(words[1])]
            b.drop(int(words[2], 0) if len(words) > 2 else 0x13)
            reply = "ok\n"
        elif words[0] == "advertise":                         # advertise <board> on|off
            air.boards[int(words[1])].on_air = words[2] == "on"
            reply = "ok\n"
        elif words[0] == "name":                              # name <board> <text>
            b = air.boards[int(words[1])]
            b.name = " ".join(words[2:])
            b.scan_rsp = ad(0x09, b.name.encode())
            reply = "ok\n"
        elif words[0] == "adapter":                           # adapter add|remove <number from 1>
            number = int(words[2])
            if words[1] == "add" and number > 0 and number not in more:
                more[number] = Air(air.options, air.boards, number)
                more[number].open()
                more[number].scan()
                reply = "ok\n"
            elif words[1] == "remove" and number in more:
                more.pop(number).close()
                reply = "ok\n"
            else:
                reply = "error: there is no such adapter, or it is there already\n"
        elif words[0] == "interval":                          # interval <ms> [packets per event]
            air.options.interval_ms = float(words[1])
            if len(words) > 2:
                air.options.per_event = int(words[2])
            reply = "ok\n"
        else:
            reply = "error: unknown command\n"
    except (IndexError, ValueError) as e:
        reply = f"error: {e}\n"
    writer.write(reply.encode())
    await writer.drain()
    writer.close()
