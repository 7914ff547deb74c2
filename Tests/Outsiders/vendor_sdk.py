#!/usr/bin/python3
"""Lets the vendor's own host library use `metafleet simulate`: whatever it expects of a board, the simulated one must do.

The library is not ours to ship: `pip download --no-deps metawear`, unpack it, `make -C MetaWear-SDK-Cpp OPT_FLAGS="-w"`, and
give the unpacked folder as --sdk.
"""
import argparse
import ctypes
import glob
import os
import re
import signal
import subprocess
import sys

import dbus
from dbus.mainloop.glib import DBusGMainLoop

from bench import Process, Report, end_cleanly_on_signals
from simulator_checks import CHARACTERISTIC, DEVICE, Board, Bus

ACCELEROMETER, GYROSCOPE = 0x03, 0x13
QUATERNION_OUTPUT, NDOF, BINARY = 3, 1, 1  # of MblMwSensorFusionData, MblMwSensorFusionMode, MblMwThresholdMode


def load(sdk):
    sys.path.insert(0, os.path.join(sdk, "MetaWear-SDK-Cpp/bindings/python/mbientlab/metawear"))
    import cbindings
    library = ctypes.CDLL(glob.glob(os.path.join(sdk, "MetaWear-SDK-Cpp/dist/release/lib/*/libmetawear.so"))[0])
    cbindings.init_libmetawear(library)
    return cbindings, library


class Host:
    """The library on a link: it asks for GATT operations by callbacks; they are done between turns of the loop."""

    def __init__(self, c, library, bus, path):
        self.c, self.library, self.bus, self.link = c, library, bus, Board(bus, path)
        self.orders, self.notified, self.gone, self.kept, self.errors = [], None, None, [], []
        self.connection = c.BtleConnection(
            context=None,
            write_gatt_char=self.keep(c.FnVoid_VoidP_VoidP_GattCharWriteType_GattCharP_UByteP_UByte(self.write)),
            read_gatt_char=self.keep(c.FnVoid_VoidP_VoidP_GattCharP_FnIntVoidPtrArray(self.read)),
            enable_notifications=self.keep(c.FnVoid_VoidP_VoidP_GattCharP_FnIntVoidPtrArray_FnVoidVoidPtrInt(self.enable)),
            on_disconnect=self.keep(c.FnVoid_VoidP_VoidP_FnVoidVoidPtrInt(self.on_disconnect)))
        self.board = library.mbl_mw_metawearboard_create(ctypes.byref(self.connection))

    def keep(self, callback):
        self.kept.append(callback)
        return callback

    def __getattr__(self, name):
        """`host.acc_start(…)` is `mbl_mw_acc_start(board, …)`."""
        function = getattr(self.library, "mbl_mw_" + name)
        return lambda *arguments: function(self.board, *arguments)

    # What the library asks for.
    def uuid(self, characteristic):
        g = characteristic.contents
        text = f"{g.uuid_high:016x}{g.uuid_low:016x}"
        return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"

    def write(self, context, caller, kind, characteristic, value, length):
        data, uuid = bytes(value[:length]), self.uuid(characteristic)

        def order():
            path = self.link.characteristics[uuid]
            answer = self.bus.call(path, CHARACTERISTIC, "WriteValue", "aya{sv}", dbus.Array([dbus.Byte(x) for x in data], signature="y"),
                                   dbus.Dictionary({"type": dbus.String("request" if kind == self.c.GattCharWriteType.WITH_RESPONSE else "command")}, signature="sv"))
            if answer[0] != "ok": self.errors.append((data.hex(), answer))
        self.orders.append(order)

    def read(self, context, caller, characteristic, handler):
        uuid = self.uuid(characteristic)

        def order():
            value = bytes(self.link.read(uuid)[1])
            handler(caller, (ctypes.c_ubyte * len(value))(*value), len(value))
        self.orders.append(order)
        self.keep(handler)

    def enable(self, context, caller, characteristic, handler, ready):
        def order():
            answer = self.link.acquire()
            self.notified = lambda packet: handler(caller, (ctypes.c_ubyte * len(packet))(*packet), len(packet))
            ready(caller, 0 if answer[0] == "ok" else 1)
        self.orders.append(order)
        self.keep(handler), self.keep(ready)

    def on_disconnect(self, context, caller, handler):
        self.gone = lambda: handler(caller, 0)
        self.keep(handler)

    # What tests do.
    def run(self, seconds, condition=lambda: False):
        """Turns the loop until the condition holds; returns whether it does."""
        seen = getattr(self, "seen", 0)

        def turn():
            nonlocal seen
            while seen < len(self.link.packets):
                packet, seen = self.link.packets[seen], seen + 1
                self.seen = seen
                if packet and self.notified: self.notified(packet)
            while self.orders: self.orders.pop(0)()
            return condition()
        return self.bus.pump(seconds, turn)

    def made(self, function, *arguments, signature=None, wait=10):
        """What a function that answers by a callback (context, pointer) made, or None."""
        answers = []
        callback = self.keep((signature or self.c.FnVoid_VoidP_VoidP)(lambda context, *values: answers.append(values[0] if len(values) == 1 else values)))
        getattr(self.library, "mbl_mw_" + function)(*arguments, None, callback)
        self.run(wait, lambda: answers)
        return answers[0] if answers else None

    def initialize(self):
        return self.made("metawearboard_initialize", self.board, signature=self.c.FnVoid_VoidP_VoidP_Int, wait=20)

    def hear(self, signal, seconds, count, read=False):
        """Values of a data signal."""
        values = []

        def take(context, data):
            d = data.contents
            if d.type_id == self.c.DataTypeId.CARTESIAN_FLOAT:
                v = ctypes.cast(d.value, ctypes.POINTER(self.c.CartesianFloat)).contents
                values.append((v.x, v.y, v.z))
            elif d.type_id == self.c.DataTypeId.QUATERNION:
                v = ctypes.cast(d.value, ctypes.POINTER(self.c.Quaternion)).contents
                values.append((v.w, v.x, v.y, v.z))
            elif d.type_id == self.c.DataTypeId.BATTERY_STATE:
                v = ctypes.cast(d.value, ctypes.POINTER(self.c.BatteryState)).contents
                values.append((v.voltage, v.charge))
            elif d.type_id == self.c.DataTypeId.FLOAT:
                values.append(ctypes.cast(d.value, ctypes.POINTER(ctypes.c_float)).contents.value)
            else:
                values.append(ctypes.cast(d.value, ctypes.POINTER(ctypes.c_int32)).contents.value)
        self.library.mbl_mw_datasignal_subscribe(signal, None, self.keep(self.c.FnVoid_VoidP_DataP(take)))
        if read: self.library.mbl_mw_datasignal_read(signal)
        self.run(seconds, lambda: len(values) >= count)
        self.library.mbl_mw_datasignal_unsubscribe(signal)
        return values


def length(vector):
    return sum(x * x for x in vector) ** 0.5


def detection(h, r, model):
    r.equal(f"{model}: the library initialises", h.initialize(), (h.board, 0))
    names = {"s": "MetaMotion S", "r": "MetaMotion R", "rl": "MetaMotion RL"}
    h.library.mbl_mw_metawearboard_get_model_name.restype = ctypes.c_char_p
    r.equal(f"{model}: model", (h.metawearboard_get_model_name() or b"").decode(), names[model])
    implementations = (h.metawearboard_lookup_module(ACCELEROMETER), h.metawearboard_lookup_module(GYROSCOPE))
    r.equal(f"{model}: chips", implementations, (4, 1) if model == "s" else (1, 0))


def start_acceleration(h):
    h.acc_set_odr(50.0)
    h.acc_set_range(4.0)
    h.acc_write_acceleration_config()
    h.acc_enable_acceleration_sampling()
    h.acc_start()


def stop_acceleration(h):
    h.acc_stop()
    h.acc_disable_acceleration_sampling()
    h.run(0.3)


def streams(h, r, model):
    start_acceleration(h)
    for name in ("acceleration", "packed_acceleration"):
        values = h.hear(getattr(h, f"acc_get_{name}_data_signal")(), 6, 30)
        r.check(f"{model}: {name} is about 1 g", len(values) >= 30 and all(0.5 < length(v) < 1.6 for v in values), "30 vectors", values[:3])
    stop_acceleration(h)
    kind = "gyro_bmi270" if model == "s" else "gyro_bmi160"
    for call in ("set_odr", "set_range"): getattr(h, f"{kind}_{call}")({"set_odr": 7, "set_range": 1}[call])
    for call in ("write_config", "enable_rotation_sampling", "start"): getattr(h, f"{kind}_{call}")()
    values = h.hear(getattr(h, f"{kind}_get_rotation_data_signal")(), 6, 20)
    r.check(f"{model}: rotation", len(values) >= 20 and all(length(v) < 1000 for v in values), "20 vectors", values[:3])
    for call in ("stop", "disable_rotation_sampling"): getattr(h, f"{kind}_{call}")()
    battery = h.hear(h.settings_get_battery_state_data_signal(), 5, 1, read=True)
    r.check(f"{model}: battery", len(battery) == 1 and 3000 < battery[0][0] < 4500 and battery[0][1] <= 100, "mV, %", battery)
    die = h.hear(h.multi_chnl_temp_get_temperature_data_signal(0), 5, 1, read=True)
    r.check(f"{model}: die temperature", len(die) == 1 and 0 < die[0] < 60, "°C", die)


def fusion(h, r, model):
    h.sensor_fusion_set_mode(NDOF)
    h.sensor_fusion_write_config()
    h.sensor_fusion_clear_enabled_mask()
    h.sensor_fusion_enable_data(QUATERNION_OUTPUT)
    h.sensor_fusion_start()
    values = h.hear(h.sensor_fusion_get_data_signal(QUATERNION_OUTPUT), 8, 50)
    r.check(f"{model}: quaternions of length one", len(values) >= 50 and all(abs(length(v) - 1) < 0.02 for v in values), "50 of length 1", values[:3])
    h.sensor_fusion_stop()
    h.sensor_fusion_clear_enabled_mask()
    h.run(0.3)


def processors(h, r, model):
    rss = h.made("dataprocessor_rss_create", h.acc_get_acceleration_data_signal())
    average = rss and h.made("dataprocessor_average_create", rss, 4)
    threshold = average and h.made("dataprocessor_threshold_create", average, BINARY, 0.5, 0.0)
    counter = threshold and h.made("dataprocessor_counter_create_size", rss, 4)
    if not r.check(f"{model}: rss, average, threshold and counter are made", counter, "four processors", (rss, average, threshold, counter)):
        return
    start_acceleration(h)
    values = h.hear(average, 6, 20)
    r.check(f"{model}: the average of the length is about 1 g", len(values) >= 20 and all(0.5 < v < 1.6 for v in values), "1 g", values[:3])
    counts = h.hear(counter, 4, 20)
    r.check(f"{model}: the counter counts", len(counts) >= 20 and all(b - a == 1 for a, b in zip(counts, counts[1:])), "steps of one", counts[:5])
    stop_acceleration(h)


def record(h, model, seconds):
    """Has the board log so long, and write down what it still gathers."""
    h.logging_start(0)
    start_acceleration(h)
    h.run(seconds)
    h.logging_stop()
    stop_acceleration(h)
    if model != "r":
        h.logging_flush_page()
        h.run(0.5)


def download(h, logger, seconds, enough=lambda entries, progress: progress and progress[-1][0] == 0):
    """Downloads until that is enough: (entries, progress, what the library cannot place)."""
    entries, progress, unknown = [], [], []
    h.library.mbl_mw_logger_subscribe(logger, None, h.keep(h.c.FnVoid_VoidP_DataP(lambda c, d: entries.append((
        d.contents.epoch, ctypes.cast(d.contents.value, ctypes.POINTER(h.c.CartesianFloat)).contents.z)))))
    handler = h.c.LogDownloadHandler(
        context=None,
        received_progress_update=h.keep(h.c.FnVoid_VoidP_UInt_UInt(lambda c, left, total: progress.append((left, total)))),
        received_unknown_entry=h.keep(h.c.FnVoid_VoidP_UByte_Long_UByteP_UByte(lambda *a: unknown.append(a[1]))),
        received_unhandled_entry=h.keep(h.c.FnVoid_VoidP_DataP(lambda *a: unknown.append("unhandled"))))
    h.keep(handler)
    h.logging_download(20, ctypes.byref(handler))
    h.run(seconds, lambda: enough(entries, progress))
    return entries, progress, unknown


def logs(h, r, model):
    """Logs for a while, and downloads it; once more, with a link that breaks in the middle."""
    logger = h.made("datasignal_log", h.acc_get_acceleration_data_signal())
    if not r.check(f"{model}: a logger is made", logger, "a logger", logger): return
    record(h, model, 4)
    entries, progress, unknown = download(h, logger, 30)
    h.run(0.5)
    steps = [b[0] - a[0] for a, b in zip(entries, entries[1:])]
    r.check(f"{model}: 4 s of acceleration are downloaded", 170 <= len(entries) <= 240 and not unknown, "about 200 entries, none unknown",
            (len(entries), unknown[:3], progress[-1:]))
    r.check(f"{model}: they are 20 ms apart", steps and all(15 <= s <= 25 for s in steps), "20 ms", (min(steps, default=0), max(steps, default=0)))
    h.logging_clear_entries()
    h.run(0.5)

    record(h, model, 8)
    before, _, unknown = download(h, logger, 30, lambda entries, progress: len(entries) >= 100)
    h.notified = None  # what is still under way is lost with the link
    h.orders.clear()
    h.bus.call(h.link.path, DEVICE, "Disconnect")
    h.run(10, lambda: not h.bus.get(h.link.path, DEVICE, "Connected"))
    h.gone()
    h.link.release()
    h.link.packets, h.seen = [], 0
    h.bus.pump(20, lambda: h.link.connect()[0] == "ok")
    r.equal(f"{model}: the library takes the board up again", h.initialize(), (h.board, 0))
    after, progress, others = download(h, logger, 30)
    h.run(0.5)
    # The page that was not confirmed comes again, dated anew.
    times = []
    for moment in sorted(t for t, _ in before + after):
        if not times or moment - times[-1] > 10: times.append(moment)
    steps = [b - a for a, b in zip(times, times[1:])]
    r.check(f"{model}: a download that was interrupted is complete", len(before) >= 100 and 340 <= len(times) <= 460
            and not unknown + others and all(15 <= s <= 25 for s in steps), "about 400 entries 20 ms apart",
            (len(before), len(after), unknown[:3], others[:3], min(steps, default=0), max(steps, default=0)))
    h.logging_clear_entries()
    h.library.mbl_mw_logger_remove(logger)
    h.run(0.5)


def timers(h, r, model):
    timer = h.made("timer_create_indefinite", h.board, 200, 0)
    if not r.check(f"{model}: a timer is made", timer, "a timer", timer): return
    signal_ = h.multi_chnl_temp_get_temperature_data_signal(0)
    values = []
    h.library.mbl_mw_datasignal_subscribe(signal_, None, h.keep(h.c.FnVoid_VoidP_DataP(lambda c, d: values.append(1))))
    h.library.mbl_mw_event_record_commands(timer)
    h.library.mbl_mw_datasignal_read(signal_)
    status = h.made("event_end_record", timer, signature=h.c.FnVoid_VoidP_VoidP_Int)
    r.check(f"{model}: its event is recorded", status and status[1] == 0, "status 0", status)
    h.library.mbl_mw_timer_start(timer)
    r.check(f"{model}: the timer reads the temperature, every 200 ms", h.run(4, lambda: len(values) >= 10), "10 values in 4 s", len(values))
    h.library.mbl_mw_timer_remove(timer)
    h.run(0.5)
    before = len(values)
    h.run(1)
    r.check(f"{model}: a removed timer is silent", len(values) - before == 0, "0 more", len(values) - before)
    h.library.mbl_mw_datasignal_unsubscribe(signal_)


def macros(h, r, model):
    h.macro_record(1)
    start_acceleration(h)
    status = h.made("macro_end_record", h.board, signature=h.c.FnVoid_VoidP_VoidP_Int, wait=20)
    if not r.check(f"{model}: a macro is recorded", status and status[1] >= 0, "an id", status): return
    h.run(0.5)
    stop_acceleration(h)
    h.macro_execute(status[1])
    values = h.hear(h.acc_get_acceleration_data_signal(), 5, 10)
    r.check(f"{model}: the macro starts the accelerometer", len(values) >= 10, "10 samples", len(values))
    stop_acceleration(h)


def reset(h, r, model):
    """After a soft reset the macro that runs at boot has started the sensor."""
    h.debug_reset()
    h.run(1)
    r.check(f"{model}: the reset ends the link", h.run(10, lambda: not h.bus.get(h.link.path, DEVICE, "Connected")), "disconnected")
    if h.gone: h.gone()
    h.link.release()


def again(c, library, bus, h, r, model):
    """A host that knows nothing of what another left finds it all."""
    other = Host(c, library, bus, h.link.path)
    bus.pump(20, lambda: other.link.connect()[0] == "ok")
    r.equal(f"{model}: another host initialises", other.initialize(), (other.board, 0))
    values = other.hear(other.acc_get_acceleration_data_signal(), 5, 10)
    r.check(f"{model}: the boot macro has started the accelerometer", len(values) >= 10, "10 samples", len(values))
    rss = other.made("dataprocessor_rss_create", other.acc_get_acceleration_data_signal())
    loggers = [other.made("datasignal_log", s) for s in (other.acc_get_acceleration_data_signal(), rss)]
    r.check(f"{model}: loggers for acceleration and its length", all(loggers), "two loggers", loggers)
    third = Host(c, library, bus, h.link.path)
    third.link = other.link
    third.link.packets, other.notified = [], None
    acquire, third.link.acquire = third.link.acquire, lambda: ("ok", 0)
    r.equal(f"{model}: a third one takes over the link", third.initialize(), (third.board, 0))
    found = []

    def take(context, board, signals, count):
        pointers = ctypes.cast(signals, ctypes.POINTER(ctypes.c_void_p)) if signals else []
        for index in range(count):
            library.mbl_mw_anonymous_datasignal_get_identifier.restype = ctypes.c_void_p
            text = library.mbl_mw_anonymous_datasignal_get_identifier(pointers[index])
            found.append(ctypes.string_at(text).decode())
        found.append(None)
    library.mbl_mw_metawearboard_create_anonymous_datasignals(third.board, None, third.keep(c.FnVoid_VoidP_VoidP_VoidP_UInt(take)))
    third.run(20, lambda: found)
    r.equal(f"{model}: and recovers the signals that are logged", sorted(x for x in found if x), ["acceleration", "acceleration:rss?id=0"])
    third.macro_erase_all()
    third.metawearboard_tear_down()
    third.debug_reset_after_gc()
    third.debug_disconnect()
    third.run(1)
    third.link.acquire = acquire
    third.link.release()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/debug/metafleet")
    parser.add_argument("--sdk", required=True, help="the unpacked and built source of the vendor's Python package")
    options = parser.parse_args()
    end_cleanly_on_signals()
    DBusGMainLoop(set_as_default=True)
    c, library = load(options.sdk)
    r, models = Report(), ["s", "rl", "r"]
    simulator = Process("simulator", [os.path.abspath(options.binary), "simulate", "--boards", "3", "--models", ",".join(models)], os.devnull,
                        stdout=subprocess.PIPE)
    try:
        bus = Bus(re.match(r"^DBUS_SYSTEM_BUS_ADDRESS=(\S+)\n$", simulator.popen.stdout.readline().decode())[1])
        bus.call("/org/bluez/hci0", "org.bluez.Adapter1", "StartDiscovery")
        for number, model in enumerate(models, 1):
            path = f"/org/bluez/hci0/dev_C0_FF_EE_00_00_{number:02X}"
            bus.pump(20, lambda: path in bus.objects())
            h = Host(c, library, bus, path)
            h.link.connect()
            for step in (detection, streams, fusion, processors, logs, timers, macros, reset):
                step(h, r, model)
            again(c, library, bus, h, r, model)
            r.equal(f"{model}: no GATT operation failed", h.errors, [])
    finally:
        simulator.end(signal.SIGTERM)
    return r.finish()


if __name__ == "__main__":
    sys.exit(main())
