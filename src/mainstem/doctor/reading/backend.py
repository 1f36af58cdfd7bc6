"""A backend over HTTP: its estate is read, and its aliases are written where a fix asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import httpx2
import msgspec

from mainstem.doctor.estate import read_estate
from mainstem.doctor.finding import plain_link
from mainstem.errors import BackendUnavailable
from mainstem.scrub import scrub

if TYPE_CHECKING:
    from mainstem.doctor.picture import Link, Picture

SECONDS = 120.0
_NOT_FOUND = 404
_LOCKED = (401, 403)


class BackendClient:
    """Asks a backend; nothing but GET unless an alias is to be written."""

    def __init__(
        self, url: str, token: str | None, transport: httpx2.BaseTransport | None = None
    ) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.url = url.rstrip("/")
        self._http = httpx2.Client(headers=headers, timeout=SECONDS, transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def picture(self) -> Picture:
        """The whole estate."""
        answer = self._ask("GET", "/api/v2/estate")
        try:
            return read_estate(answer)
        except msgspec.DecodeError as error:
            raise BackendUnavailable(scrub(self.url), f"its estate cannot be read: {error}") from (
                error
            )

    def put(self, link: Link) -> None:
        """Say that two names are one."""
        self._ask("PUT", "/api/v2/aliases", plain_link(link))

    def forget(self, link: Link) -> None:
        """Take back that two names are one, as if it had never been said."""
        self._ask("DELETE", "/api/v2/aliases?forget=true", plain_link(link))

    def _ask(self, method: str, path: str, body: Any = None) -> bytes:
        where = scrub(self.url)
        try:
            answer = self._http.request(method, self.url + path, json=body)
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise BackendUnavailable(where, scrub(str(error)) or type(error).__name__) from error
        if answer.status_code in _LOCKED:
            needed = "read" if method == "GET" else "write"
            raise BackendUnavailable(
                where, f"HTTP {answer.status_code}: set OPENLINEAGE_API_KEY to a {needed} token"
            )
        if answer.status_code == _NOT_FOUND:
            raise BackendUnavailable(
                where,
                "has no /api/v2/estate: it is no Mainstem, or an older one; give the doctor its "
                "events instead",
            )
        if not answer.is_success:
            raise BackendUnavailable(where, f"HTTP {answer.status_code}")
        return answer.content
