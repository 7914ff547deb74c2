#!/usr/bin/env python3
"""Stands before a gateway and answers the page's own files from a folder; all else it passes on as it comes. So the page can be worked
on without building the gateway:

  metafleet demo                                                       prints http://127.0.0.1:9464/#token=…
  Tests/Outsiders/page_proxy.py http://127.0.0.1:9464/#token=…         prints an address that shows Sources/Web/Page
"""
import argparse
import os
import socket
import sys
import threading
from urllib.parse import urlsplit

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Sources", "Web", "Page")
TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript"}
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; "
          "form-action 'self'; frame-ancestors 'none'")


class Proxy:
    """Listens on `port` (0: any) of this computer; `port` says where."""

    def __init__(self, target, folder=PAGE, port=0):
        self.target, self.folder = target, folder
        self.carried = 0  # bytes from the gateway
        self.listener = socket.create_server(("127.0.0.1", port), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.answer, args=(connection,), daemon=True).start()

    def close(self):
        self.listener.close()

    def answer(self, browser):
        """One request on each connection."""
        with browser:
            try:
                data = b""
                while b"\r\n\r\n" not in data:
                    piece = browser.recv(65536)
                    if not piece or len(data) > 100_000:
                        return
                    data += piece
                head, _, body = data.partition(b"\r\n\r\n")
                first, *lines = head.decode("latin-1").split("\r\n")
                file = self.file(first)
                if file is not None:
                    browser.sendall(file)
                    return
                # The gateway shall close when it has answered: nothing else is read from here.
                lines = [line for line in lines if not line.lower().startswith("connection:")]
                with socket.create_connection(self.target, 10) as gateway:
                    gateway.settimeout(None)
                    gateway.sendall("\r\n".join([first, *lines, "Connection: close", "", ""]).encode("latin-1") + body)
                    threading.Thread(target=self.carry, args=(browser, gateway), daemon=True).start()
                    self.carry(gateway, browser, isAnswer=True)
            except OSError:
                pass

    def carry(self, source, sink, isAnswer=False):
        """Until either end has gone."""
        try:
            while piece := source.recv(65536):
                sink.sendall(piece)
                if isAnswer:
                    self.carried += len(piece)
        except OSError:
            pass
        try:
            sink.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def file(self, first):
        method, _, rest = first.partition(" ")
        name = rest.split(" ")[0].split("?")[0].removeprefix("/") or "index.html"
        kind = TYPES.get(name.rpartition(".")[2])
        path = os.path.join(self.folder, name)
        if method != "GET" or "/" in name or kind is None or not os.path.isfile(path):
            return None
        with open(path, "rb") as file:
            body = file.read()
        head = (f"HTTP/1.1 200 OK\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {len(body)}\r\nCache-Control: no-store\r\n"
                f"Content-Security-Policy: {POLICY}\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n")
        return head.encode() + body


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address", help="of the gateway's page, with its token or without")
    parser.add_argument("--page", default=PAGE, metavar="DIR", help="the folder with the files; else Sources/Web/Page")
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    parts = urlsplit(options.address)
    proxy = Proxy((parts.hostname or "127.0.0.1", parts.port or 80), options.page, options.port)
    print(f"http://127.0.0.1:{proxy.port}/" + (f"#{parts.fragment}" if parts.fragment else ""), flush=True)
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    sys.exit(main())
