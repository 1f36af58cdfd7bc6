"""A fake cluster behind a real port of this machine, for programs that must be reached by HTTP."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable

    from mainstem.watch.connect.fake import FakeConnect

HOST = "127.0.0.1"


class FakeConnectServer:
    """Answers GET requests from a fake cluster until it is closed."""

    def __init__(self, connect: FakeConnect) -> None:
        self._server = _Server(connect.answer)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )
        self._thread.start()

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://{HOST}:{self._server.server_port}"

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

    def __init__(self, answer: Callable[[str], tuple[int, str, bytes]]) -> None:
        super().__init__((HOST, 0), _Handler)
        self.answer = answer


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server  # pyright: ignore[reportIncompatibleVariableOverride]

    def do_GET(self) -> None:
        """One answer of the cluster."""
        status, kind, body = self.server.answer(self.path)
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Silence: whoever started it tells what it did."""
