"""The admin port: is it alive, is it ready, and its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from mainstem.errors import MainstemError
from mainstem.logs import log
from mainstem.watch.connect.answering import AnsweringServer
from mainstem.watch.loop.metrics import CONTENT_TYPE, Metrics

if TYPE_CHECKING:
    from collections.abc import Callable

    from mainstem.outbox import OutboxReader

TEXT = "text/plain; charset=utf-8"
Page = tuple[int, str, bytes]


class AdminPages:
    """What the admin port answers; it changes nothing and tells no secret."""

    def __init__(
        self, metrics: Metrics, outbox: OutboxReader, lifeless: Callable[[], tuple[str, ...]]
    ) -> None:
        self._metrics = metrics
        self._outbox = outbox
        self._lifeless = lifeless

    def answer(self, target: str) -> Page:
        """Status, content type and body of a GET."""
        match urlsplit(target).path:
            case "/healthz":
                return self._health()
            case "/readyz":
                return self._readiness()
            case "/metrics":
                return self._numbers()
            case _:
                return 404, TEXT, b"there are /healthz, /readyz and /metrics\n"

    def _health(self) -> Page:
        lifeless = self._lifeless()
        if lifeless:
            return 503, TEXT, f"not looked at for too long: {', '.join(lifeless)}\n".encode()
        return 200, TEXT, b"ok\n"

    def _readiness(self) -> Page:
        try:
            self._outbox.status()
        except MainstemError as error:
            return 503, TEXT, f"{error}\n".encode()
        return 200, TEXT, b"ready\n"

    def _numbers(self) -> Page:
        try:
            return 200, CONTENT_TYPE, self._metrics.page()
        except MainstemError as error:
            return 503, TEXT, f"{error}\n".encode()


def open_admin_port(address: tuple[str, int], pages: AdminPages) -> AnsweringServer:
    """The port, answering until it is closed."""
    server = AnsweringServer(pages.answer, *address)
    log.info("admin port open", url=server.url)
    return server
