"""The outermost edge of our HTTP, answered by a function: no socket, the library's own answers."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import urllib3

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Asked(NamedTuple):
    """A request as it would have gone out."""

    method: str
    url: str
    headers: Mapping[str, str]

    @property
    def host(self) -> str | None:
        """Who was asked."""
        return urlsplit(self.url).hostname

    @property
    def target(self) -> str:
        """Path and query."""
        parts = urlsplit(self.url)
        return f"{parts.path}?{parts.query}" if parts.query else parts.path


class Answered(NamedTuple):
    """What comes back."""

    status: int
    kind: str = "application/json"
    body: bytes = b""
    headers: Mapping[str, str] = {}


class FakeHttp(urllib3.PoolManager):
    """Answers whatever is asked, at any address; what ``answer`` raises was no answer."""

    def __init__(self, answer: Callable[[Asked], Answered]) -> None:
        super().__init__()
        self._answer = answer

    def urlopen(
        self,
        method: str,
        url: str,
        redirect: bool = True,  # noqa: ARG002 - the library's shape
        **kw: Any,
    ) -> urllib3.BaseHTTPResponse:
        """The answer, without any network."""
        told = self._answer(Asked(method, url, kw["headers"]))
        return urllib3.HTTPResponse(
            io.BytesIO(told.body),
            headers={"Content-Type": told.kind, **told.headers},
            status=told.status,
            preload_content=False,
        )
