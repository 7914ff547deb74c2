#!/usr/bin/python3
"""An independent org.bluez with MetaMotion boards behind it, for a bus of one's own.

Written from BlueZ's public D-Bus API and from what bluetoothd was seen to do, never from MetaFleet's code.
Standard input takes one JSON object per line ({"do": "drop", "board": 3}), standard output answers each
with one. Times of the radio are those of a real bluetoothd times --scale.
"""
import argparse
import json
import os
import signal
import sys
import time

import dbus
import dbus.bus
import dbus.lowlevel
from dbus.lowlevel import (HANDLER_RESULT_HANDLED, HANDLER_RESULT_NOT_YET_HANDLED, ErrorMessage,
                           MethodCallMessage, MethodReturnMessage, SignalMessage)
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

from fake_board import Board
from fake_device import (ADAPTER, DEVICE, E, MANAGER, METAWEAR, MTU, PROPERTIES, Device, Failure, array, failed,
                         uuid16)
from fake_script import command

class World:
    def __init__(self, options):
        self.options, self.scale, self.temporary_s = options, options.scale, options.temporary
        self.address = options.bus
        self.adapters = [f"/org/bluez/hci{n}" for n in range(options.adapters)]
        self.gone = set()  # places of adapters that were pulled out
        self.powered, self.refuse_power = True, False
        self.filters, self.sessions = {}, set()
        self.objects = {}
        self.calls = []  # (time, sender, path, member)
        self.lost_notifications = 0
        self.hang_listing = False
        self.connection = None
        models = options.models.split(",")
        self.boards = [Board(n, models[(n - 1) % len(models)], f"{options.prefix}:{n >> 8:02X}:{n & 255:02X}")
                       for n in range(1, options.boards + 1)]
        self.devices = []
        for board in self.boards:
            places = range(len(self.adapters)) if options.hear_all else [(board.number - 1) % len(self.adapters)]
            self.devices += [Device(self, board, place) for place in places]
        GLib.timeout_add(10, self.tick)
        self.report_timer = GLib.timeout_add(max(50, int(10500 * self.scale)), self.scan_period)

    def after(self, seconds, action, scaled=True):
        delay = seconds * self.scale if scaled else seconds
        GLib.timeout_add(max(1, int(delay * 1000)), lambda: action() and False)

    def tick(self):
        now = time.monotonic()
        for board in self.boards:
            board.tick(now)
        return True

    # -- presence on the bus -----------------------------------------------------------------------------------
    def appear(self):
        self.connection = dbus.bus.BusConnection(self.address)
        self.connection.set_exit_on_disconnect(False)
        self.connection.add_message_filter(self.message)
        self.connection.add_match_string("type='signal',sender='org.freedesktop.DBus',"
                                         "interface='org.freedesktop.DBus',member='NameOwnerChanged'")
        self.objects = {"/org/bluez": {"org.bluez.AgentManager1": {}},
                        **{path: {ADAPTER: self.adapter_properties(n)} for n, path in enumerate(self.adapters) if n not in self.gone}}
        self.connection.request_name("org.bluez", dbus.bus.NAME_FLAG_DO_NOT_QUEUE)
        for path, interfaces in list(self.objects.items()):
            self.signal("/", MANAGER, "InterfacesAdded", "oa{sa{sv}}", dbus.ObjectPath(path), interfaces)

    def vanish(self, clean):
        """bluetoothd killed (nothing is said) or stopped (everything is taken back first)."""
        if not self.connection:
            return
        if clean:
            for device in self.devices:
                device.lose_link()
            for path in sorted(self.objects, reverse=True):
                self.signal("/", MANAGER, "InterfacesRemoved", "oas", dbus.ObjectPath(path),
                            list(self.objects[path]))
        connection, self.connection = self.connection, None
        connection.flush()
        connection.close()
        self.filters, self.sessions, self.objects = {}, set(), {}
        for device in self.devices:
            was = device.connected
            device.end_io()
            device.connected = device.resolved = device.had_services = False
            device.connecting, device.disconnecting, device.characteristics = None, [], {}
            device.link += 1
            device.adverts = False
            if was:
                device.board.disconnected()

    def adapter_properties(self, n):
        return {"Address": dbus.String(f"00:1A:7D:DA:71:{0x13 + n:02X}"), "AddressType": dbus.String("public"),
                "Name": dbus.String("outsider"), "Alias": dbus.String("outsider"), "Class": dbus.UInt32(0),
                "Powered": dbus.Boolean(self.powered), "Discoverable": dbus.Boolean(False),
                "DiscoverableTimeout": dbus.UInt32(180), "Pairable": dbus.Boolean(True),
                "PairableTimeout": dbus.UInt32(0), "Discovering": dbus.Boolean(False),
                "UUIDs": dbus.Array([uuid16("1800"), uuid16("1801")], signature="s"),
                "Modalias": dbus.String("usb:v1D6Bp0246d0542"),
                "Roles": dbus.Array(["central", "peripheral"], signature="s")}

    def signal(self, path, interface, member, signature, *args):
        if self.connection:
            message = SignalMessage(path, interface, member)
            message.append(*args, signature=signature)
            self.connection.send_message(message)

    def change(self, path, interface, values, invalidated=()):
        target = self.objects.get(path, {}).get(interface)
        if target is None:
            return
        target.update(values)
        for key in invalidated:
            target.pop(key, None)
        self.signal(path, PROPERTIES, "PropertiesChanged", "sa{sv}as", interface, values, list(invalidated))

    def add(self, path, interfaces, extend=False):
        if extend and path not in self.objects:
            return
        self.objects.setdefault(path, {}).update(interfaces)
        self.signal("/", MANAGER, "InterfacesAdded", "oa{sa{sv}}", dbus.ObjectPath(path), interfaces)

    def remove_interface(self, path, interface):
        if self.objects.get(path, {}).pop(interface, None) is not None:
            self.signal("/", MANAGER, "InterfacesRemoved", "oas", dbus.ObjectPath(path), [interface])

    def is_known(self, path):
        return path in self.objects

    # -- adapters ------------------------------------------------------------------------------------------------
    def pull_out(self, place):
        """A dongle is pulled out: its devices go, links first, then itself."""
        for device in self.devices:
            if device.place == place:
                device.lose_link()
                device.connecting = None
                if device.path in self.objects:
                    self.drop_device(device)
        self.sessions = {s for s in self.sessions if s[1] != self.adapters[place]}
        self.gone.add(place)
        self.remove_interface(self.adapters[place], ADAPTER)
        self.objects.pop(self.adapters[place], None)

    def plug_in(self, place, name):
        """It is back, with the same address and perhaps another name."""
        self.adapters[place] = f"/org/bluez/{name}"
        self.gone.discard(place)
        self.add(self.adapters[place], {ADAPTER: self.adapter_properties(place)})

    def crowd(self, count, ours, first):
        """So many strange devices are heard once at the first adapter: with our service, or with none."""
        for n in range(first, first + count):
            address = f"{0xD0 + (n >> 16):02X}:5A:00:{n >> 8 & 255:02X}:{n & 255:02X}:{'01' if ours else '02'}"
            path = f"{self.adapters[0]}/dev_{address.replace(':', '_')}"
            self.add(path, {DEVICE: {
                "Address": dbus.String(address), "AddressType": dbus.String("random"), "Alias": dbus.String(address.replace(":", "-")),
                "Paired": dbus.Boolean(False), "Connected": dbus.Boolean(False), "ServicesResolved": dbus.Boolean(False),
                "UUIDs": dbus.Array([METAWEAR] if ours else [uuid16("fe9f")], signature="s"), "RSSI": dbus.Int16(-60),
                "Adapter": dbus.ObjectPath(self.adapters[0])}})
            self.after(5, lambda p=path: self.objects.pop(p, None) and self.signal("/", MANAGER, "InterfacesRemoved", "oas", dbus.ObjectPath(p), [DEVICE]), scaled=False)

    def drop_device(self, device):
        for path in sorted((p for p in self.objects if p == device.path or p.startswith(device.path + "/")),
                           reverse=True):
            interfaces = list(self.objects.pop(path))
            self.signal("/", MANAGER, "InterfacesRemoved", "oas", dbus.ObjectPath(path), interfaces)
        device.had_services = device.resolved = device.connected = False
        device.characteristics, device.adverts = {}, False

    # -- adverts -------------------------------------------------------------------------------------------------
    def discovering(self, adapter):
        return self.powered and any(session[1] == adapter for session in self.sessions)

    def wanted(self, adapter):
        filters = [self.filters.get(s, {}) for s in self.sessions if s[1] == adapter]
        return any(not f.get("UUIDs") or METAWEAR in [str(u).lower() for u in f["UUIDs"]] for f in filters)

    def scan_period(self):
        for device in self.devices:
            if self.wanted(device.adapter):
                self.advert(device)
        return True

    def advert(self, device):
        if not self.connection or not device.reachable() or device.connected or not self.discovering(device.adapter):
            return
        device.adverts = True
        if device.path in self.objects:
            self.change(device.path, DEVICE, {"RSSI": dbus.Int16(device.rssi())})
        else:
            self.add(device.path, {DEVICE: device.properties()})
        device.seen()

    def change_adapters(self, **values):
        for path in self.adapters:
            self.change(path, ADAPTER, values)

    def end_session(self, session):
        self.sessions.discard(session)
        adapter = session[1]
        if not self.discovering(adapter):
            for device in self.devices:
                if device.adapter == adapter and "RSSI" in self.objects.get(device.path, {}).get(DEVICE, {}):
                    self.change(device.path, DEVICE, {}, ["RSSI"])
            self.change(adapter, ADAPTER, {"Discovering": dbus.Boolean(False)})

    # -- messages --------------------------------------------------------------------------------------------------
    def reply(self, call, signature="", *args):
        if call is None or not self.connection or call.get_no_reply():
            return
        message = MethodReturnMessage(call)
        if signature:
            message.append(*args, signature=signature)
        self.connection.send_message(message)

    def error(self, call, name, text):
        if self.connection and not call.get_no_reply():
            self.connection.send_message(ErrorMessage(call, name, text))

    def message(self, connection, message):
        if connection is not self.connection:
            return HANDLER_RESULT_NOT_YET_HANDLED
        if isinstance(message, SignalMessage):
            if message.get_member() == "NameOwnerChanged":
                name, _, new = message.get_args_list()
                if name.startswith(":") and not new:
                    self.client_left(str(name))
            return HANDLER_RESULT_NOT_YET_HANDLED
        if not isinstance(message, MethodCallMessage):
            return HANDLER_RESULT_NOT_YET_HANDLED
        path, interface, member = message.get_path(), message.get_interface(), message.get_member()
        if interface == "org.freedesktop.DBus.Peer":
            return HANDLER_RESULT_NOT_YET_HANDLED
        self.calls.append((time.monotonic(), message.get_sender(), path, member))
        if path == "/" and interface == MANAGER and member == "GetManagedObjects":
            if not self.hang_listing:
                listing = {dbus.ObjectPath(p): i for p, i in self.objects.items()}
                self.reply(message, "a{oa{sa{sv}}}", listing)
            return HANDLER_RESULT_HANDLED
        if path not in self.objects:
            return HANDLER_RESULT_NOT_YET_HANDLED  # libdbus answers UnknownObject, as with bluetoothd
        try:
            self.dispatch(message, path, interface, member, message.get_args_list(), str(message.get_sender()))
        except Failure as failure:
            self.error(message, failure.name, failure.text)
        return HANDLER_RESULT_HANDLED

    def client_left(self, name):
        for key in [key for key in self.sessions if key[0] == name]:
            self.end_session(key)
        for device in self.devices:
            for characteristic in device.characteristics.values():
                if name in characteristic.clients:
                    characteristic.clients.discard(name)
                    if not characteristic.clients:
                        characteristic.change(Notifying=dbus.Boolean(False))

    def dispatch(self, call, path, interface, member, args, sender):
        if interface == PROPERTIES:
            return self.properties_call(call, path, member, args)
        if interface == "org.freedesktop.DBus.Introspectable":
            return self.reply(call, "s", "<node/>")
        if path in self.adapters and interface in (ADAPTER, None):
            return self.adapter_call(call, member, args, path, (sender, path))
        device = next((d for d in self.devices if path == d.path), None)
        if device and interface in (DEVICE, None):
            if member == "Connect": return device.connect(call)
            if member == "Disconnect": return device.disconnect(call)
        for device in self.devices:
            if path in device.characteristics:
                return self.characteristic_call(call, device, device.characteristics[path], member, args, sender)
        raise Failure("org.freedesktop.DBus.Error.UnknownMethod",
                      f'Method "{member}" with signature "{call.get_signature()}" on interface "{interface}" '
                      "doesn't exist\n")

    def properties_call(self, call, path, member, args):
        interfaces = self.objects[path]
        target = interfaces.get(str(args[0]))
        if target is None:
            raise Failure("org.freedesktop.DBus.Error.InvalidArgs", f"No such interface '{args[0]}'")
        if member == "GetAll":
            return self.reply(call, "a{sv}", target)
        if member == "Get":
            if args[1] not in target:
                raise Failure("org.freedesktop.DBus.Error.InvalidArgs", f"No such property '{args[1]}'")
            return self.reply(call, "v", target[str(args[1])])
        if member == "Set" and path in self.adapters and args[1] == "Powered":
            if args[2] and self.refuse_power:
                raise Failure(E + "Blocked", "Blocked through rfkill")
            self.power(bool(args[2]), lambda: self.reply(call))
            return
        if member == "Set":
            target[str(args[1])] = args[2]
            return self.reply(call)
        raise Failure("org.freedesktop.DBus.Error.UnknownMethod", "no such method")

    def power(self, on, answer=lambda: None):
        if on == self.powered:
            return answer()
        if on:
            self.powered = True
            answer()
            return self.change_adapters(Powered=dbus.Boolean(True))
        for device in self.devices:
            if device.connecting and device.connecting != "swallowed":
                self.error(device.connecting, E + "Failed", "Input/output error")
            device.connecting = None
            if device.connected:
                device.lose_link()
            elif device.path in self.objects:
                self.drop_device(device)
        answer()
        self.powered = False
        self.sessions = set()
        self.change_adapters(Powered=dbus.Boolean(False), Discovering=dbus.Boolean(False))

    def adapter_call(self, call, member, args, adapter, session):
        if member == "SetDiscoveryFilter":
            known = {"UUIDs", "RSSI", "Pathloss", "Transport", "DuplicateData", "Discoverable", "Pattern"}
            values = args[0]
            bad = set(values) - known or ("Transport" in values and values["Transport"] not in
                                          ("auto", "bredr", "le"))
            if bad or any(len(str(u)) not in (4, 6, 8, 10, 36) for u in values.get("UUIDs", [])):
                raise Failure(E + "InvalidArguments", "Invalid arguments in method call")
            self.filters[session] = values
            return self.reply(call)
        if member == "StartDiscovery":
            if not self.powered:
                raise Failure(E + "NotReady", "Resource Not Ready")
            if session in self.sessions:
                raise Failure(E + "InProgress", "Operation already in progress")
            first = not self.discovering(adapter)
            self.sessions.add(session)
            self.reply(call)
            if first:
                self.change(adapter, ADAPTER, {"Discovering": dbus.Boolean(True)})
            if self.wanted(adapter):
                for n, device in enumerate(d for d in self.devices if d.adapter == adapter):
                    GLib.timeout_add(10 + 4 * n, lambda d=device: self.advert(d) and False)
            return
        if member == "StopDiscovery":
            if not self.powered:
                raise Failure(E + "NotReady", "Resource Not Ready")
            if session not in self.sessions:
                raise failed("No discovery started")
            self.reply(call)
            return self.end_session(session)
        if member == "RemoveDevice":
            device = next((d for d in self.devices if d.path == args[0] and d.path in self.objects), None)
            if not device:
                raise Failure(E + "DoesNotExist", "Does Not Exist")
            device.connecting = None  # that call never gets a reply
            if device.connected:
                def finish(link=device.link):
                    device.end_io()
                    device.resolved = False
                    self.change(device.path, DEVICE, {"ServicesResolved": dbus.Boolean(False)})
                    self.reply(call)
                    device.connected = False
                    self.change(device.path, DEVICE, {"Connected": dbus.Boolean(False)})
                    device.board.disconnected()
                    self.drop_device(device)
                return self.after(2.0, finish)
            self.reply(call)
            return self.drop_device(device)
        raise Failure("org.freedesktop.DBus.Error.UnknownMethod",
                      f'Method "{member}" with signature "{call.get_signature()}" on interface '
                      f"\"{ADAPTER}\" doesn't exist\n")

    def characteristic_call(self, call, device, c, member, args, sender):
        unsupported = Failure(E + "NotSupported", "Operation is not supported")
        if member in ("ReadValue", "WriteValue", "AcquireNotify", "AcquireWrite") and not device.connected:
            raise failed("Not connected")
        if member == "ReadValue":
            if "read" not in c.flags:
                raise Failure(E + "NotPermitted", "Read not permitted")
            value = array(c.read()[int(args[0].get("offset", 0)):])
            return self.after(0.05, lambda: (c.change(Value=value), self.reply(call, "ay", value)))
        if member == "WriteValue":
            data = bytes(bytearray(args[0]))
            kind = str(args[1].get("type", "")) or ("request" if "write" in c.flags else "command")
            if kind not in ("command", "request") or c is not device.command:
                raise unsupported
            if c.write_socket:
                raise Failure(E + "NotPermitted", "Write acquired")
            if kind == "command" and len(data) > MTU - 3:
                raise failed("Failed to initiate write")
            if kind == "command":
                self.reply(call)
                device.board_write(data, kind)
            else:
                device.board_write(data, kind)
                self.after(0.03, lambda: self.reply(call))
            return
        if member == "StartNotify":
            if "notify" not in c.flags:
                raise unsupported
            if c.socket:
                raise Failure(E + "NotPermitted", "Notify acquired")
            if sender not in c.clients:
                c.clients.add(sender)
                if device.connected:
                    c.change(Notifying=dbus.Boolean(True))
            return self.reply(call)
        if member == "StopNotify":
            if c.socket:
                c.release()
                return self.reply(call)
            if sender not in c.clients:
                raise failed("No notify session started")
            c.clients.discard(sender)
            if not c.clients:
                c.change(Notifying=dbus.Boolean(False))
            return self.reply(call)
        if member == "AcquireNotify":
            if "notify" not in c.flags:
                raise unsupported
            if device.acquire_errors:
                name, text = device.acquire_errors.pop(0)
                raise Failure(name, text)
            theirs = c.acquire()
            self.reply(call, "hq", dbus.types.UnixFd(theirs.fileno()), dbus.UInt16(MTU))
            return theirs.close()
        if member == "AcquireWrite":
            if "write-without-response" not in c.flags or not self.options.acquire_write:
                raise unsupported
            theirs = c.acquire_write()
            self.reply(call, "hq", dbus.types.UnixFd(theirs.fileno()), dbus.UInt16(MTU))
            return theirs.close()
        raise Failure("org.freedesktop.DBus.Error.UnknownMethod", "no such method")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bus", required=True)
    parser.add_argument("--boards", type=int, default=20)
    parser.add_argument("--adapters", type=int, default=1, help="which are powered as one; boards are dealt out to them")
    parser.add_argument("--hear-all", action="store_true", help="each adapter hears each board, one of them well")
    parser.add_argument("--models", default="s,rl,r")
    parser.add_argument("--prefix", default="C1:0D:0E:0F")
    parser.add_argument("--scale", type=float, default=0.1, help="factor on the radio's times")
    parser.add_argument("--temporary", type=float, default=30, help="seconds a device object outlives adverts")
    parser.add_argument("--no-acquire-write", dest="acquire_write", action="store_false")
    parser.add_argument("--absent-at-start", action="store_true", help="take the name only on {\"do\":\"start\"}")
    options = parser.parse_args()
    DBusGMainLoop(set_as_default=True)
    world, loop = World(options), GLib.MainLoop()
    if not options.absent_at_start:
        world.appear()

    buffer = bytearray()

    def readable(fd, condition):
        data = os.read(fd, 65536)
        if not data:
            loop.quit()
            return False
        buffer.extend(data)
        while b"\n" in buffer:
            line, _, rest = bytes(buffer).partition(b"\n")
            buffer[:] = rest
            try:
                answer = {"ok": command(world, json.loads(line))}
            except Exception as error:  # the script learns of its mistake, the fake lives on
                answer = {"error": f"{type(error).__name__}: {error}"}
            print(json.dumps(answer), flush=True)
        return True

    GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, readable)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    GLib.unix_signal_add(GLib.PRIORITY_HIGH, signal.SIGTERM, loop.quit)
    print(json.dumps({"ready": True}), flush=True)
    loop.run()


if __name__ == "__main__":
    sys.exit(main())
