"""GET requests to a service that answers at several addresses: Connect's workers, a registry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import httpx2

from mainstem.clock import monotonic
from mainstem.scrub import scrub
from mainstem.watch.connect.http import Access, open_http, read_body, reason_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from mainstem.errors import (
        ConnectRefused,
        ConnectUnavailable,
        RegistryRefused,
        RegistryUnavailable,
    )

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Errors:
    """What no answer is called, and what is a no."""

    unavailable: type[ConnectUnavailable | RegistryUnavailable]
    refused: type[ConnectRefused | RegistryRefused]


class Asking:
    """Asks one service, beginning with the address that answered last; never writes."""

    def __init__(
        self,
        access: Access,
        errors: Errors,
        seconds: float,
        transport: httpx2.BaseTransport | None,
    ) -> None:
        self._urls = [url.rstrip("/") for url in access.urls]
        self._preferred = 0
        self._access = access
        self._errors = errors
        self.name = scrub(", ".join(access.urls))
        """Its addresses, for people."""

        self._http = open_http(
            access, seconds, lambda reason: errors.refused(self.name, reason), transport
        )

    @property
    def url(self) -> str:
        """The address that answered last."""
        return self._urls[self._preferred]

    def close(self) -> None:
        """Give back the connections."""
        self._http.close()

    def get(
        self,
        path: str,
        seconds: float,
        limit: int,
        read: Callable[[httpx2.Response, bytes, str], T],
    ) -> T:
        """What ``read`` makes of the first answer; an address that gives none is passed over."""
        failure: ConnectUnavailable | RegistryUnavailable | None = None
        for step in range(len(self._urls)):
            index = (self._preferred + step) % len(self._urls)
            try:
                answer = self._ask(self._urls[index] + path, seconds, limit, read)
            except self._errors.unavailable as error:
                failure = error
                continue
            self._preferred = index
            return answer
        raise failure or self._errors.unavailable("(no url)", "there is no address to ask")

    def _ask(
        self,
        url: str,
        seconds: float,
        limit: int,
        read: Callable[[httpx2.Response, bytes, str], T],
    ) -> T:
        where = scrub(url)
        deadline = monotonic() + seconds
        try:
            with self._http.stream("GET", url) as response:
                body = read_body(
                    response, limit, deadline, lambda why: self._errors.unavailable(where, why)
                )
        except httpx2.InvalidURL as error:
            raise self._errors.refused(where, "is not a usable URL") from error
        except httpx2.HTTPError as error:
            raise self._errors.unavailable(where, reason_of(error, self._access)) from error
        return read(response, body, where)
