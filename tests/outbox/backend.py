"""A local HTTP server that behaves as badly as the test says."""

from __future__ import annotations

import gzip
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Request:
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True)
class Reply:
    """What to answer; ``deed`` is done to the connection instead where it is not ``answer``."""

    status: int = 201
    headers: dict[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""
    deed: str = "answer"


Behaviour = Callable[[Request], Reply]


@dataclass
class Backend:
    """Keeps every request; those answered 2xx with a whole body are ``accepted``."""

    url: str = ""
    behaviour: Behaviour = lambda request: Reply()
    requests: list[Request] = field(default_factory=list[Request])
    accepted: list[bytes] = field(default_factory=list[bytes])
    released: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, request: Request) -> Reply:
        with self.lock:
            self.requests.append(request)
            reply = self.behaviour(request)
            if reply.deed == "answer" and 200 <= reply.status < 300:
                self.accepted.append(request.body)
            return reply


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, backend: Backend) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.backend = backend

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that hang up are what these tests are about."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    @property
    def backend(self) -> Backend:
        assert isinstance(self.server, Server)
        return self.server.backend

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        raw = self.rfile.read(length)
        if len(raw) < length:  # the client was killed while it sent: nobody waits for an answer
            self.close_connection = True
            return
        zipped = self.headers.get("Content-Encoding") == "gzip"
        body = gzip.decompress(raw) if zipped else raw
        reply = self.backend.take(Request(self.path, dict(self.headers.items()), body))
        getattr(self, f"_{reply.deed}")(reply)

    def _answer(self, reply: Reply) -> None:
        self._head(reply, len(reply.body))
        self.wfile.write(reply.body)

    def _hang(self, reply: Reply) -> None:
        self.backend.released.wait(30)
        self.close_connection = True

    def _reset(self, reply: Reply) -> None:
        linger_none = struct.pack("ii", 1, 0)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger_none)
        self.connection.close()
        self.close_connection = True

    def _half(self, reply: Reply) -> None:
        self._head(reply, 1000)
        self.wfile.write(b"half")
        self.close_connection = True

    def _drip(self, reply: Reply) -> None:
        self._head(reply, 1000)
        while not self.backend.released.wait(0.05):
            self.wfile.write(b".")

    def _head(self, reply: Reply, length: int) -> None:
        self.send_response(reply.status)
        for name, value in {"Content-Length": str(length), **reply.headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@contextmanager
def running_backend(tls: ssl.SSLContext | None = None) -> Generator[Backend]:
    """A backend on a free loopback port."""
    backend = Backend()
    server = Server(backend)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    backend.url = f"{'https' if tls else 'http'}://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield backend
    finally:
        backend.released.set()
        server.shutdown()
        thread.join()
        server.server_close()
