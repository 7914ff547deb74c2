"""Devices and characteristics of the fake BlueZ: links, GATT objects, notify and write handles, and their faults."""
import socket
import time

import dbus
from gi.repository import GLib

E = "org.bluez.Error."
PROPERTIES, MANAGER = "org.freedesktop.DBus.Properties", "org.freedesktop.DBus.ObjectManager"
ADAPTER, DEVICE, BATTERY = "org.bluez.Adapter1", "org.bluez.Device1", "org.bluez.Battery1"
SERVICE, CHARACTERISTIC = "org.bluez.GattService1", "org.bluez.GattCharacteristic1"
METAWEAR = "326a9000-85cb-9195-d9dd-464cfbbae75a"
MTU = 247


def uuid16(short):
    return f"0000{short}-0000-1000-8000-00805f9b34fb"


def array(data):
    return dbus.Array([dbus.Byte(b) for b in data], signature="y")


class Failure(Exception):
    def __init__(self, name, text):
        self.name, self.text = name, text


def failed(text):
    return Failure(E + "Failed", text)


class Characteristic:
    """One GATT characteristic of one device: values, notify sessions, acquired sockets."""

    def __init__(self, device, path, service, uuid, flags, read=None):
        self.device, self.path, self.service, self.uuid, self.flags, self.read = \
            device, path, service, uuid, flags, read
        self.clients = set()
        self.socket, self.watch = None, 0
        self.write_socket, self.write_watch = None, 0
        self.properties = {
            "UUID": dbus.String(uuid), "Service": dbus.ObjectPath(service), "Value": array(b""),
            "Flags": dbus.Array(flags, signature="s"), "MTU": dbus.UInt16(MTU)}
        if "notify" in flags:
            self.properties["Notifying"] = dbus.Boolean(False)
            self.properties["NotifyAcquired"] = dbus.Boolean(False)
        if "write-without-response" in flags:
            self.properties["WriteAcquired"] = dbus.Boolean(False)

    def change(self, **values):
        self.device.world.change(self.path, CHARACTERISTIC, values)

    def notification(self, value):
        if self.socket:
            try:
                self.socket.send(value)
            except BlockingIOError:
                self.device.world.lost_notifications += 1
            except OSError:
                self.release()
        elif self.clients and self.device.connected:
            self.change(Value=array(value))

    def acquire(self):
        if self.socket:
            raise Failure(E + "NotPermitted", "Notify acquired")
        if self.clients:
            raise Failure(E + "InProgress", "In Progress")
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setblocking(False)
        self.socket = ours
        self.watch = GLib.io_add_watch(ours.fileno(), GLib.IO_HUP, lambda *_: self.release() or False)
        self.change(NotifyAcquired=dbus.Boolean(True))
        return theirs

    def release(self):
        if self.socket:
            if self.watch:
                GLib.source_remove(self.watch)
            self.socket.close()
            self.socket, self.watch = None, 0
            self.change(NotifyAcquired=dbus.Boolean(False))

    def acquire_write(self):
        if self.write_socket:
            raise Failure(E + "NotPermitted", "Write acquired")
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setblocking(False)
        self.write_socket = ours
        self.write_watch = GLib.io_add_watch(ours.fileno(), GLib.IO_IN | GLib.IO_HUP, self.written)
        self.change(WriteAcquired=dbus.Boolean(True))
        return theirs

    def written(self, *_):
        try:
            data = self.write_socket.recv(4096)
        except BlockingIOError:
            return True
        except OSError:
            data = b""
        if not data:
            self.release_write()
            return False
        if len(data) <= MTU - 3:
            self.device.board_write(data, "command")
        return True

    def release_write(self):
        if self.write_socket:
            if self.write_watch:
                GLib.source_remove(self.write_watch)
            self.write_socket.close()
            self.write_socket, self.write_watch = None, 0
            self.change(WriteAcquired=dbus.Boolean(False))


class Device:
    def __init__(self, world, board, place):
        self.world, self.board, self.place = world, board, place  # place: which adapter, from 0, whatever its name
        self.connected = self.resolved = self.had_services = False
        self.connecting = None  # the pending Connect call
        self.disconnecting = []  # pending Disconnect calls
        self.link = 0  # grows with every link, so that late timers know theirs
        self.characteristics = {}
        self.tell_no_connected = self.adverts = False
        self.bind()
        self.away_until = 0
        self.forget_timer = 0
        # faults
        self.absent = False
        self.swallow = []  # "dead" or "flips", one per Connect call
        self.connect_errors = []
        self.acquire_errors = []
        self.silent_connected = 0
        self.services_delay = None  # seconds, or "never"

    @property
    def adapter(self):
        return self.world.adapters[self.place]

    @property
    def path(self):
        return f"{self.adapter}/dev_{self.board.address.replace(':', '_')}"

    def bind(self):
        """What the board sends goes to whoever has the link."""
        self.board.send = self.notified
        self.board.drop_link = lambda: self.world.after(0.03, lambda: self.lose_link())
        self.board.reboot_wanted = self.reboot

    def others(self):
        """The same board at other adapters."""
        return [d for d in self.world.devices if d.board is self.board and d is not self]

    def properties(self):
        b = self.board
        p = {"Address": dbus.String(b.address), "AddressType": dbus.String("random"),
             "Name": dbus.String(b.name), "Alias": dbus.String(b.name), "Paired": dbus.Boolean(False),
             "Bonded": dbus.Boolean(False), "Trusted": dbus.Boolean(False), "Blocked": dbus.Boolean(False),
             "LegacyPairing": dbus.Boolean(False), "Connected": dbus.Boolean(self.connected),
             "UUIDs": dbus.Array([METAWEAR] if not self.had_services else
                                 [uuid16("1800"), uuid16("1801"), uuid16("180a"), uuid16("180f"), METAWEAR],
                                 signature="s"),
             "Adapter": dbus.ObjectPath(self.adapter), "ServicesResolved": dbus.Boolean(self.resolved)}
        if self.adverts:
            p["RSSI"] = dbus.Int16(self.rssi())
            p["ManufacturerData"] = dbus.Dictionary({dbus.UInt16(0x626D): array(b"\x01")}, signature="qv")
        return p

    def rssi(self):
        if self.world.options.hear_all:
            return -52 if self.board.number % len(self.world.adapters) == self.place else -83
        return -50 - self.board.number % 30

    def reachable(self):
        """A board with a link does not advertise, at no adapter."""
        return (not self.absent and time.monotonic() >= self.away_until and self.place not in self.world.gone
                and not any(d.connected for d in self.others()))

    def build(self):
        """GATT objects of a MetaMotion, protocol reference 1.1."""
        b, p = self.board, self.path
        text = lambda s: (lambda: s().encode() if callable(s) else s.encode())
        layout = [
            ("0001", uuid16("1801"), [("0002", uuid16("2a05"), ["indicate"], None)]),
            ("000a", METAWEAR, [
                ("000b", "326a9001-85cb-9195-d9dd-464cfbbae75a", ["read", "write-without-response", "write"],
                 lambda: b""),
                ("000d", "326a9006-85cb-9195-d9dd-464cfbbae75a", ["read", "notify"], lambda: b"")]),
            ("0010", uuid16("180a"), [
                ("0011", uuid16("2a29"), ["read"], text("MbientLab Inc")),
                ("0013", uuid16("2a24"), ["read"], text(lambda: b.model_number)),
                ("0015", uuid16("2a25"), ["read"], text(lambda: b.serial)),
                ("0017", uuid16("2a26"), ["read"], text(lambda: b.firmware)),
                ("0019", uuid16("2a27"), ["read"], text(lambda: b.hardware))]),
            ("0020", uuid16("180f"), [("0021", uuid16("2a19"), ["read", "notify"], lambda: bytes([b.charge]))]),
        ]
        objects = []
        for handle, uuid, members in layout:
            service = f"{p}/service{handle}"
            objects.append((service, {SERVICE: {
                "UUID": dbus.String(uuid), "Device": dbus.ObjectPath(p), "Primary": dbus.Boolean(True),
                "Includes": dbus.Array([], signature="o")}}))
            for h, u, flags, read in members:
                path = f"{service}/char{h}"
                characteristic = Characteristic(self, path, service, u, flags, read)
                self.characteristics[path] = characteristic
                objects.append((path, {CHARACTERISTIC: characteristic.properties}))
        return objects

    @property
    def command(self):
        return next((c for c in self.characteristics.values() if c.uuid.startswith("326a9001")), None)

    @property
    def notification(self):
        return next((c for c in self.characteristics.values() if c.uuid.startswith("326a9006")), None)

    def notified(self, packet):
        if self.connected and self.notification:
            self.notification.notification(packet)

    def board_write(self, data, kind):
        if self.connected:
            self.board.write(data, kind)

    # -- link ------------------------------------------------------------------------------------------------
    def connect(self, call):
        w = self.world
        if not w.powered:
            raise failed("Input/output error")
        if self.connected:
            return w.reply(call)
        if self.connecting:
            raise failed("Operation already in progress")
        if self.connect_errors:
            name, text = self.connect_errors.pop(0)
            self.connecting = call
            return w.after(0.3, lambda: self.fail_connect(name, text))
        self.connecting = call
        if self.swallow:
            kind = self.swallow.pop(0)
            self.connecting = "swallowed"
            if kind == "flips":
                w.after(0.15, lambda: self.link_up(None))
            return
        if self.absent:
            return w.after(40, lambda: self.give_up(call))
        self.try_link(call, 10.5 if w.discovering(self.adapter) else 0.15)

    def try_link(self, call, delay):
        def attempt():
            if self.connecting is not call:
                return
            if self.reachable():
                self.link_up(call)
            else:
                self.world.after(0.5, attempt)
        self.world.after(delay, attempt)
        self.world.after(40, lambda: self.give_up(call))

    def give_up(self, call):
        if self.connecting is call and not self.connected:
            self.fail_connect(E + "Failed", "le-connection-abort-by-local")

    def fail_connect(self, name, text):
        call, self.connecting = self.connecting, None
        if call and call != "swallowed":
            self.world.error(call, name, text)
        self.seen()

    def link_up(self, call):
        w = self.world
        if self.connected or (call is not None and self.connecting is not call):
            return
        self.connecting = None if call is not None else self.connecting
        self.bind()
        self.connected, self.link = True, self.link + 1
        link = self.link
        if self.silent_connected:
            self.silent_connected -= 1
            w.objects[self.path][DEVICE]["Connected"] = dbus.Boolean(True)
        else:
            w.change(self.path, DEVICE, {"Connected": dbus.Boolean(True)})
        if call is not None:
            w.reply(call)
        delay = self.services_delay
        if delay == "never":
            return
        w.after(0.8 if delay is None else delay, lambda: self.resolve(link), scaled=delay is None)

    def resolve(self, link):
        w = self.world
        if not self.connected or link != self.link or self.disconnecting:
            return
        first = not self.had_services
        self.had_services = self.resolved = True
        if first:
            for path, interfaces in self.build():
                w.add(path, interfaces)
        w.add(self.path + "", {BATTERY: {"Percentage": dbus.Byte(self.board.charge)}}, extend=True)
        values = {"ServicesResolved": dbus.Boolean(True)}
        if first:
            values = {"UUIDs": self.properties()["UUIDs"], **values}
        w.change(self.path, DEVICE, values)
        for characteristic in self.characteristics.values():
            if characteristic.clients:
                characteristic.change(Notifying=dbus.Boolean(True))

    def lose_link(self, then=None):
        """Board or radio ends the link."""
        w = self.world
        if self.connected:
            self.end_io()
            self.connected = self.resolved = False
            w.change(self.path, DEVICE, {"ServicesResolved": dbus.Boolean(False),
                                         "Connected": dbus.Boolean(False)})
            w.remove_interface(self.path, BATTERY)
            for call in self.disconnecting:
                w.reply(call)
            self.disconnecting = []
            self.board.disconnected()
            self.seen()

    def end_io(self):
        for characteristic in self.characteristics.values():
            characteristic.release()
            characteristic.release_write()

    def disconnect(self, call):
        w = self.world
        if self.connecting and not self.connected:
            pending, self.connecting = self.connecting, None
            if pending != "swallowed":
                w.error(pending, E + "Failed", "br-connection-canceled")
            self.seen()
            return w.reply(call)
        self.connecting = None
        if not self.connected:
            return w.reply(call)
        self.disconnecting.append(call)
        if len(self.disconnecting) > 1:
            return
        w.remove_interface(self.path, BATTERY)
        link = self.link
        w.after(2.0, lambda: self.finish_disconnect(link))

    def finish_disconnect(self, link):
        w = self.world
        if link != self.link or not self.connected:
            return
        self.end_io()
        self.resolved = False
        w.change(self.path, DEVICE, {"ServicesResolved": dbus.Boolean(False)})
        for call in self.disconnecting:
            w.reply(call)
        self.disconnecting = []
        self.connected = False
        w.change(self.path, DEVICE, {"Connected": dbus.Boolean(False)})
        self.board.disconnected()
        self.seen()

    def reboot(self):
        self.away_until = time.monotonic() + max(0.3, 3 * self.world.scale)
        if self.connected:
            self.world.after(0.03, lambda: self.lose_link())

    def seen(self):
        """A device that is only seen goes 30 s after its last advertisement."""
        if self.forget_timer:
            GLib.source_remove(self.forget_timer)
        self.forget_timer = GLib.timeout_add(int(self.world.temporary_s * 1000), self.forget)

    def forget(self):
        if self.connected or self.connecting:
            return True
        self.forget_timer = 0
        if not self.world.is_known(self.path):
            return False
        self.world.drop_device(self)
        return False
