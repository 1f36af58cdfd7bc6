"""What a connection may take: time to send a request, and room for its headers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

if TYPE_CHECKING:
    import asyncio

SECONDS_TO_SEND = 60.0
MOST_HEADER_BYTES = 64 * 1024


class BoundedProtocol(HttpToolsProtocol):
    """uvicorn's protocol, which would wait for ever for the rest of a request."""

    seconds_to_send = SECONDS_TO_SEND
    _overdue: asyncio.TimerHandle | None = None
    _header_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._arrived()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        """Begin to wait for the rest of a request."""
        self._expect()
        self._header_bytes = 0
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header, as long as all of them are of a sane size."""
        self._header_bytes += len(name) + len(value)
        if self._header_bytes > MOST_HEADER_BYTES:
            self._refuse(431, f"the headers are larger than {MOST_HEADER_BYTES} bytes")
        super().on_header(name, value)

    def on_message_complete(self) -> None:
        """The request is here."""
        self._arrived()
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP, in the one shape that errors have."""
        self._refuse(400, msg)

    def _expect(self) -> None:
        self._arrived()
        self._overdue = self.loop.call_later(self.seconds_to_send, self._too_late)

    def _arrived(self) -> None:
        if self._overdue is not None:
            self._overdue.cancel()
            self._overdue = None

    def _too_late(self) -> None:
        self._refuse(408, f"the request was not sent whole within {self.seconds_to_send:g} s")

    def _refuse(self, code: int, message: str) -> None:
        if self.transport.is_closing():
            return
        # A response that has begun cannot be followed by another one.
        if not (self.cycle and self.cycle.response_started):
            body = orjson.dumps({"code": code, "message": message})
            head = (
                b"content-type: application/json\r\nconnection: close\r\ncontent-length: %d\r\n\r\n"
            )
            self.transport.write(STATUS_LINE[code] + head % len(body) + body)
        self.transport.close()
