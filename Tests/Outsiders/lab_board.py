#!/usr/bin/python3
"""The boards of fake_board.py on the laboratory's air (frames: Tests/BlueZLab/README.md)."""
import argparse
import os
import selectors
import socket
import struct
import time
import uuid

from fake_board import Board

COMMAND = uuid.UUID("326a9001-85cb-9195-d9dd-464cfbbae75a").bytes
NOTIFY = uuid.UUID("326a9006-85cb-9195-d9dd-464cfbbae75a").bytes
HELLO, CONNECTED, DISCONNECTED, WRITE, READ = 1, 2, 3, 4, 5
NOTIFIES, READ_REPLY, DISCONNECT = 0x81, 0x82, 0x83
REMOTE_USER, TIME_OUT = b"\x13", b"\x08"
ASK_THE_LAB = b"\xff"


class AirBoard:
    """One board, at its connection to the laboratory."""

    def __init__(self, connection, models):
        self.connection, self.models = connection, models
        self.board, self.linked, self.received = None, False, b""

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
            number = 1 + int.from_bytes(payload[1:3], "big")
            board = Board(number, self.models[(number - 1) % len(self.models)], payload[3:9].hex(":").upper())
            board.send = lambda packet: self.send(NOTIFIES, NOTIFY + packet)
            board.drop_link = lambda: self.send(DISCONNECT, REMOTE_USER)
            board.reboot_wanted = lambda: self.send(DISCONNECT, TIME_OUT)
            self.board = board
        elif kind == CONNECTED:
            self.linked = True
        elif kind == DISCONNECTED:
            self.linked = False
            self.board.disconnected()
        elif kind == WRITE and payload[:16] == COMMAND:
            self.board.write(payload[17:], "request" if payload[16] else "command")
        elif kind == READ:
            self.send(READ_REPLY, payload[:4] + self.value(payload[4:20]))

    def value(self, characteristic):
        board = self.board
        text = {0x2A24: board.model_number, 0x2A25: board.serial, 0x2A26: board.firmware, 0x2A27: board.hardware}.get(
            int.from_bytes(characteristic[2:4], "big"))
        return ASK_THE_LAB if text is None else b"\0" + text.encode()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", default="s,rl,r")
    models = parser.parse_args().models.split(",")
    server = socket.socket(socket.AF_UNIX)
    server.bind(os.environ["BLUEZ_LAB_BOARD_SOCKET"])
    server.listen(64)
    selector, boards = selectors.DefaultSelector(), []
    selector.register(server, selectors.EVENT_READ)
    while True:
        # Only boards with a link have something to do of their own accord; without one, the guest's clock may jump.
        for key, _ in selector.select(0.01 if any(b.linked for b in boards) else None):
            if key.fileobj is server:
                boards.append(AirBoard(server.accept()[0], models))
                selector.register(boards[-1].connection, selectors.EVENT_READ, boards[-1])
            elif not key.data.receive():
                selector.unregister(key.fileobj)
                boards.remove(key.data)
        for board in boards:
            if board.linked:
                board.board.tick(time.monotonic())


if __name__ == "__main__":
    main()
