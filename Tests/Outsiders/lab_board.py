#!/usr/bin/python3
"""The boards of fake_board.py on the laboratory's air (frames: Tests/BlueZLab/README.md), with the bootloaders of fake_bootloader.py."""
import argparse
import json
import os
import selectors
import socket
import struct
import time
import uuid

from fake_board import Board
from fake_bootloader import VERSION, Bootloader

HELLO, CONNECTED, DISCONNECTED, WRITE, READ, SUBSCRIBE = 1, 2, 3, 4, 5, 6
NOTIFIES, READ_REPLY, DISCONNECT, ADVERTISE, SHAPE = 0x81, 0x82, 0x83, 0x84, 0x85
REMOTE_USER, TIME_OUT = b"\x13", b"\x08"
ASK_THE_LAB = b"\xff"
JUMP = b"\xfe\x02"
RESTART_S = 1  # from a reset to the first advertisement
READABLE, COMMANDS, REQUESTS, NOTIFYING = 2, 4, 8, 16  # properties of characteristics


def number(value):
    return uuid.UUID(int=uuid.UUID("00000000-0000-1000-8000-00805f9b34fb").int | value << 96).bytes


def metawear(part):
    return uuid.UUID(f"326a{part}-85cb-9195-d9dd-464cfbbae75a").bytes


def dfu(part):
    return uuid.UUID(f"0000{part}-1212-efde-1523-785feabcd123").bytes


COMMAND, NOTIFY = metawear("9001"), metawear("9006")
CONTROL, PACKET, DFU_VERSION = dfu("1531"), dfu("1532"), dfu("1534")
INFORMATION = (number(0x180A), [(number(n), READABLE) for n in (0x2A29, 0x2A24, 0x2A25, 0x2A27, 0x2A26)])
# Name, largest MTU, services with their characteristics; the first one is advertised.
APPLICATION = ("MetaWear", 247, [(metawear("9000"), [(COMMAND, REQUESTS | COMMANDS), (NOTIFY, NOTIFYING)]), INFORMATION,
                                 (number(0x180F), [(number(0x2A19), READABLE | NOTIFYING)])])
# As many attributes in front as an application has, so that its handles are used again.
METABOOT = ("MetaBoot", 23, [(dfu("1530"), [(PACKET, COMMANDS), (CONTROL, REQUESTS | NOTIFYING), (DFU_VERSION, READABLE)]), INFORMATION])


class AirBoard:
    """One board, at its connection to the laboratory."""

    def __init__(self, connection, models, cuts, kept):
        self.connection, self.models, self.cuts, self.kept = connection, models, cuts, kept
        self.board, self.linked, self.received = None, False, b""
        self.bootloader = None  # where it is in one
        self.left = None        # where it goes when its link is gone
        self.due = None         # when it is on the air again
        self.subscribed = False

    @property
    def is_awake(self):
        """Whether it has something to do of its own accord."""
        return self.linked or self.due is not None or self.board is not None and self.board.log.logging

    def send(self, kind, payload):
        self.connection.sendall(struct.pack(">IB", 1 + len(payload), kind) + payload)

    def receive(self):
        """False when the laboratory has gone."""
        data = self.connection.recv(65536)
        self.received += data
        while len(self.received) >= 4 and len(self.received) >= 4 + (size := int.from_bytes(self.received[:4], "big")):
            frame, self.received = self.received[4:4 + size], self.received[4 + size:]
            self.take(frame[0], frame[1:])
        return bool(data)

    def take(self, kind, payload):
        if kind == HELLO:
            n = 1 + int.from_bytes(payload[1:3], "big")
            self.address = payload[3:9]
            board = self.kept.get(n) or Board(n, self.models[(n - 1) % len(self.models)], payload[3:9].hex(":").upper())
            self.kept[n] = board
            board.send = lambda packet: self.send(NOTIFIES, NOTIFY + packet)
            board.drop_link = lambda: self.send(DISCONNECT, REMOTE_USER)
            board.reboot_wanted = lambda: self.send(DISCONNECT, TIME_OUT)
            self.board = board
        elif kind == CONNECTED:
            self.linked = True
        elif kind == DISCONNECTED:
            self.linked = self.subscribed = False
            if not self.bootloader: self.board.disconnected()
            if self.left: self.restart()
        elif kind == WRITE:
            self.write(payload[:16], payload[17:], "request" if payload[16] else "command")
        elif kind == SUBSCRIBE and payload[:16] == CONTROL:
            self.subscribed = payload[16] == 1
        elif kind == READ:
            self.send(READ_REPLY, payload[:4] + self.value(payload[4:20]))

    def write(self, characteristic, data, kind):
        now = time.monotonic()
        if not self.bootloader and characteristic == COMMAND and data == JUMP:
            self.leave("bootloader")
        elif not self.bootloader and characteristic == COMMAND:
            self.board.write(data, kind)
        # Control is not heard while its notifications are off.
        elif self.bootloader and characteristic == CONTROL and self.subscribed and data and not self.left:
            self.bootloader.control(data, now)
        elif self.bootloader and characteristic == PACKET and not self.left:
            self.bootloader.packet(data, now)

    def leave(self, where):
        """The board ends the link: where it is afterwards, or the version that its application has by then."""
        self.left = where
        self.send(DISCONNECT, TIME_OUT if where == "link" else REMOTE_USER)

    def restart(self):
        """The link is gone, and the board is something else."""
        where, self.left = self.left, None
        if where == "link":
            return
        board = self.board
        if where == "bootloader":
            has_application = not self.bootloader or self.bootloader.has_application
            cut = self.bootloader.cut if self.bootloader else self.cuts.pop(board.number, None)
            self.bootloader = Bootloader(int(board.model_number), has_application, lambda d: self.send(NOTIFIES, CONTROL + d), self.leave, cut)
        else:
            self.bootloader = None
            if where != "application":
                board.firmware = where
            board.boot()
        self.send(ADVERTISE, b"\0")
        self.send(SHAPE, self.shape(*(METABOOT if self.bootloader else APPLICATION)))
        self.due = time.monotonic() + RESTART_S

    def shape(self, name, mtu, services):
        body = self.address + struct.pack(">HB", mtu, len(name)) + name.encode() + bytes([len(services)])
        for service, characteristics in services:
            body += service + bytes([len(characteristics)]) + b"".join(u + bytes([p]) for u, p in characteristics)
        return body

    def tick(self, now):
        if self.due is not None and now >= self.due:
            self.due = None
            self.send(ADVERTISE, b"\1")
        if self.bootloader:
            self.bootloader.tick(now)
        elif self.linked or self.board and self.board.log.logging:
            self.board.tick(now)

    def lose(self):
        """The laboratory is gone, as with the power of its computer; the board is not."""
        if self.board:
            self.board.send = lambda packet: None
            self.board.drop_link = self.board.reboot_wanted = lambda: None
            self.board.disconnected()

    def value(self, characteristic):
        board = self.board
        if self.bootloader and characteristic == DFU_VERSION:
            return b"\0\x08\0"
        text = {0x2A24: board.model_number, 0x2A25: board.serial, 0x2A26: VERSION if self.bootloader else board.firmware,
                0x2A27: board.hardware}.get(int.from_bytes(characteristic[2:4], "big"))
        return ASK_THE_LAB if text is None else b"\0" + text.encode()


class Script:
    """Questions and orders of whoever started it: one JSON object a line on standard input, each answered with one."""

    def __init__(self, boards):
        self.boards, self.received = boards, b""

    def receive(self):
        """False at the end of the input."""
        data = os.read(0, 65536)
        *lines, self.received = (self.received + data).split(b"\n")
        for line in lines:
            try:
                answer = dict(ok=self.command(json.loads(line)))
            except Exception as error:
                answer = dict(error=f"{type(error).__name__}: {error}")
            print(json.dumps(answer), flush=True)
        return bool(data)

    def command(self, request):
        what = request["do"]
        if what == "now": return time.monotonic()
        if what == "present": return sorted(self.boards)
        board = self.boards[request["board"]]
        if what == "writes": return [[t, b.hex(), k] for t, b, k in board.writes if t >= request.get("since", 0)]
        if what == "taken": return board.air.taken
        if what.startswith("log-"): return board.log.command(request)
        raise ValueError(f"unknown command {what}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", default="s,rl,r")
    parser.add_argument("--cuts", default="", help="so much of an image, in percent, when each board loses its link in its first transfer")
    parser.add_argument("--script", action="store_true", help="take questions and orders on standard input")
    options = parser.parse_args()
    models, cuts = options.models.split(","), dict(enumerate((int(p) for p in options.cuts.split(",") if p), 1))
    server = socket.socket(socket.AF_UNIX)
    server.bind(os.environ["BLUEZ_LAB_BOARD_SOCKET"])
    server.listen(64)
    selector, boards, kept = selectors.DefaultSelector(), [], {}
    selector.register(server, selectors.EVENT_READ)
    if options.script:
        selector.register(0, selectors.EVENT_READ, Script(kept))
    while True:
        attached = [b.board for b in boards]
        alone = [board for board in kept.values() if board not in attached and board.log.logging]
        # Without a board that has something to do, the guest's clock may jump.
        for key, _ in selector.select(0.02 if alone or any(b.is_awake for b in boards) else None):
            if key.fileobj is server:
                boards.append(AirBoard(server.accept()[0], models, cuts, kept))
                selector.register(boards[-1].connection, selectors.EVENT_READ, boards[-1])
                continue
            try:
                is_there = key.data.receive()
            except ConnectionError:
                is_there = False
            if not is_there:
                selector.unregister(key.fileobj)
                if key.data in boards:
                    boards.remove(key.data)
                    key.data.lose()
        for board in alone:
            board.tick(time.monotonic())
        for board in boards:
            if board.is_awake:
                try:
                    board.tick(time.monotonic())
                except ConnectionError:
                    pass  # it has gone; its end is read next


if __name__ == "__main__":
    main()
