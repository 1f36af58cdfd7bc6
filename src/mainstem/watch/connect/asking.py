"""GET requests to a service that answers at several addresses: Connect's workers, a registry."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct
from urllib3.exceptions import HTTPError, LocationValueError, ProtocolError

from mainstem.clock import monotonic
from mainstem.scrub import scrub
from mainstem.watch.connect.http import Access, headers_of, open_http, read_body, reason_of

if TYPE_CHECKING:
    from collections.abc import Callable

    import urllib3

    from mainstem.errors import (
        ConnectRefused,
        ConnectUnavailable,
        RegistryRefused,
        RegistryUnavailable,
    )

T = TypeVar("T")


class Errors(Struct, frozen=True):
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
        http: urllib3.PoolManager | None,
    ) -> None:
        self._urls = [url.rstrip("/") for url in access.urls]
        self._shown = [scrub(url) for url in self._urls]
        self._preferred = 0
        self._access = access
        self._errors = errors
        self.name = scrub(", ".join(access.urls))
        """Its addresses, for people."""

        self._headers = headers_of(access)
        self._http = http or open_http(
            access, seconds, lambda reason: errors.refused(self.name, reason)
        )

    @property
    def url(self) -> str:
        """The address that answered last."""
        return self._urls[self._preferred]

    def close(self) -> None:
        """Give back the connections."""
        self._http.clear()

    def get(
        self,
        path: str,
        seconds: float,
        limit: int,
        read: Callable[[urllib3.BaseHTTPResponse, bytes, str], T],
    ) -> T:
        """What ``read`` makes of the first answer; an address that gives none is passed over."""
        failure: ConnectUnavailable | RegistryUnavailable | None = None
        for step in range(len(self._urls)):
            index = (self._preferred + step) % len(self._urls)
            try:
                answer = self._ask(index, path, seconds, limit, read)
            except self._errors.unavailable as error:
                failure = error
                continue
            self._preferred = index
            return answer
        raise failure or self._errors.unavailable("(no url)", "there is no address to ask")

    def _ask(
        self,
        index: int,
        path: str,
        seconds: float,
        limit: int,
        read: Callable[[urllib3.BaseHTTPResponse, bytes, str], T],
    ) -> T:
        url, where = self._urls[index] + path, self._shown[index] + path
        deadline = monotonic() + seconds
        try:
            response = self._open(url)
            try:
                body = read_body(
                    response, limit, deadline, lambda why: self._errors.unavailable(where, why)
                )
            except BaseException:
                # what was not read would be taken for the next answer
                response.close()
                raise
            finally:
                response.release_conn()
        except LocationValueError as error:
            raise self._errors.refused(where, "is not a usable URL") from error
        except HTTPError as error:
            raise self._errors.unavailable(where, reason_of(error, self._access)) from error
        return read(response, body, where)

    def _open(self, url: str) -> urllib3.BaseHTTPResponse:
        """The beginning of an answer."""
        try:
            return self._request(url)
        except ProtocolError:
            # a connection that was kept may be ended in the moment that it is used again
            return self._request(url)

    def _request(self, url: str) -> urllib3.BaseHTTPResponse:
        return self._http.urlopen(
            "GET", url, redirect=False, headers=self._headers, preload_content=False
        )
