"""A small HTTP server that answers GET from a function: a fake cluster, an admin port."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

from mainstem.logs import log

Answer = Callable[[str], tuple[int, str, bytes]]
"""From the path and query to status, content type and body."""

LOOPBACK = "127.0.0.1"


class AnsweringServer:
    """Answers in threads of its own until it is closed; port 0 takes a free one."""

    def __init__(self, answer: Answer, host: str = LOOPBACK, port: int = 0) -> None:
        self._server = _Server(answer, host, port)
        self._thread = threading.Thread(
            target=self._server.serve_forever,
            kwargs={"poll_interval": 0.05},
            name="answering",
            daemon=True,
        )
        self._thread.start()

    @property
    def url(self) -> str:
        """Where it answers."""
        host, port = self._server.server_address[:2]
        return f"http://{host!s}:{port}"

    def close(self) -> None:
        """Give the port back."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, answer: Answer, host: str, port: int) -> None:
        super().__init__((host, port), _Handler)
        self.answer = answer

    def handle_error(self, request: object, client_address: object) -> None:  # noqa: ARG002
        """Whoever asked went away: no traceback on standard error, where people read."""
        log.debug("question broken off", by=str(client_address), error=repr(sys.exception()))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 30
    server: _Server  # pyright: ignore[reportIncompatibleVariableOverride]

    def do_GET(self) -> None:
        """One answer."""
        status, kind, body = self.server.answer(self.path)
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Silence: whoever started it tells what it did."""
