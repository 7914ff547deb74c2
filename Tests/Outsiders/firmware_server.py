"""A server of firmware indexes that does what it is asked to, good or bad, over TLS or without."""
import os
import socket
import ssl
import subprocess
import threading
import time


class Authority:
    """Certificates by openssl: an authority, and servers that it has signed."""
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]

    def __init__(self, directory, name):
        self.directory, self.name = directory, name
        self.openssl("req", "-x509", *self.key, "-days", "2", "-subj", f"/CN={name}", "-keyout", self.path("key"), "-out", self.path("pem"))

    def path(self, ending, name=None):
        return os.path.join(self.directory, f"{name or self.name}.{ending}")

    @property
    def file(self):
        return self.path("pem")

    @staticmethod
    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=30)

    def sign(self, name, subject):
        """What a server needs that is known as `subject`, such as IP:127.0.0.1."""
        paths = [self.path(e, name) for e in ("csr", "server-key", "server-pem", "ext")]
        request, key, certificate, extension = paths
        with open(extension, "w") as f:
            f.write(f"subjectAltName={subject}\n")
        self.openssl("req", *self.key, "-subj", f"/CN={name}", "-keyout", key, "-out", request)
        self.openssl("x509", "-req", "-in", request, "-CA", self.file, "-CAkey", self.path("key"), "-CAcreateserial", "-days", "2",
                     "-extfile", extension, "-out", certificate)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        return context


def answer(body, status="200 OK", length=None, headers=""):
    length = len(body) if length is None else length
    return f"HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n".encode() + body


def redirect(address):
    return answer(b"", "302 Found", headers=f"Location: {address}\r\n")


class Server:
    """Answers on one port by `files`: of a path what `bytes` or a function of the connection says. `context` None: without TLS."""

    def __init__(self, context, port=0):
        self.context, self.files, self.asked = context, {}, []
        self.is_silent = False  # takes connections and says nothing, not even TLS
        self.listener, self.port = None, port
        self.open()

    def open(self):
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind(("127.0.0.1", self.port))
        self.listener.listen(64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, args=(self.listener,), daemon=True).start()

    def close(self):
        if self.listener:
            self.listener.shutdown(socket.SHUT_RDWR)  # close alone would leave the thread in accept
            self.listener.close()
        self.listener = None

    def serve(self, listener):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self.talk, args=(connection,), daemon=True).start()

    def talk(self, connection):
        try:
            connection.settimeout(90)
            if self.is_silent:
                connection.recv(1 << 16)
                return time.sleep(90)
            if self.context:
                connection = self.context.wrap_socket(connection, server_side=True)
            request = b""
            while b"\r\n\r\n" not in request:
                if request.startswith(b"\x16"):  # the hello of TLS
                    return connection.sendall(answer(b"", "400 Bad Request"))
                some = connection.recv(1 << 16)
                if not some:
                    return
                request += some
            path = request.split()[1].decode()
            self.asked.append(path)
            what = self.files.get(path, answer(b"", "404 Not Found"))
            if callable(what):
                what(connection)
            else:
                connection.sendall(what)
        except (OSError, ssl.SSLError, IndexError):
            pass  # whoever hangs up, or refuses our certificate, has seen what there was to see
        finally:
            connection.close()

    def address(self, path):
        return f"{'https' if self.context else 'http'}://127.0.0.1:{self.port}{path}"


def endless(connection):
    """Says nothing of its length, and has none."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
    while True:
        connection.sendall(b" " * 65536)


def mute(connection):
    """Hears the request and says nothing."""
    time.sleep(90)
