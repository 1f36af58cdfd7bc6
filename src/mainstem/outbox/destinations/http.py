"""Events by HTTP POST to an OpenLineage backend."""

from __future__ import annotations

import gzip
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

import httpx2

from mainstem import __version__
from mainstem.clock import monotonic
from mainstem.errors import DestinationBusy, DestinationLocked
from mainstem.outbox.destinations.http_answer import Answer, judge

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Mapping

    from mainstem.outbox.model import StoredEvent

LONGEST_ANSWER_BYTES = 64 * 1024
MOST_REDIRECTS = 3
KEEPS_METHOD_AND_BODY = frozenset({307, 308})
GZIP_LEVEL = 3
"""Higher levels cost twice the time for a few per cent."""

_parsed = lru_cache(maxsize=16)(httpx2.URL)
"""Every event goes to the same address, and reading it costs a sixth of sending one."""


@dataclass(frozen=True, slots=True)
class HttpSettings:
    """Where and how to POST; what may hold a secret is left out of its text."""

    url: str = field(repr=False)
    timeout: float = 5.0
    gzip: bool = False
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    bearer: Callable[[], str | None] = field(default=lambda: None, repr=False)
    """The Authorization header's value at this moment; tokens may expire."""

    tls: ssl.SSLContext | bool = field(default=True, repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """What must not be repeated even if the backend does."""


class HttpDestination:
    """Sends each event's stored bytes in one request and judges the answer."""

    kind = "http"

    def __init__(self, name: str, settings: HttpSettings) -> None:
        self.name = name
        self._settings = settings
        self._client: httpx2.Client | None = None

    def deliver(self, event: StoredEvent) -> None:
        """Return once the backend has answered 2xx and the answer is complete."""
        headers = {"Content-Type": "application/json", **self._authorization()}
        content = event.body
        if self._settings.gzip:
            # A fixed time in the header: a resend is the same to the last byte.
            content = gzip.compress(content, GZIP_LEVEL, mtime=0)
            headers["Content-Encoding"] = "gzip"
        judge(self.name, self._post(content, {**headers, **self._settings.headers}))

    def close(self) -> None:
        """Close the connections that are kept open between events."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def _post(self, content: bytes, headers: Mapping[str, str]) -> Answer:
        url = self._settings.url
        for _ in range(MOST_REDIRECTS + 1):
            answer, location = self._ask(url, content, headers)
            if location is None:
                return answer
            target = urljoin(url, location)
            if not _same_origin(url, target):
                raise DestinationLocked(
                    self.name, f"answers {answer.status}, a redirect to another host; not followed"
                )
            url = target
        raise DestinationLocked(self.name, f"redirects more than {MOST_REDIRECTS} times")

    def _ask(
        self, url: str, content: bytes, headers: Mapping[str, str]
    ) -> tuple[Answer, str | None]:
        """The answer, and where it points to if the same request is to be sent there."""
        try:
            with self._open().stream(
                "POST", _parsed(url), content=content, headers=headers
            ) as response:
                body = self._read(response)
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout) as error:
            reason = f"cannot be reached: {self._scrub(str(error)) or type(error).__name__}"
            raise DestinationBusy(self.name, reason, whole=True) from error
        except httpx2.TimeoutException as error:
            reason = f"no answer within {self._settings.timeout:g} s"
            raise DestinationBusy(self.name, reason) from error
        except httpx2.TransportError as error:
            reason = f"broke off: {self._scrub(str(error)) or type(error).__name__}"
            raise DestinationBusy(self.name, reason) from error
        answer = Answer(response.status_code, response.headers.get("Retry-After"), body)
        follow = response.status_code in KEEPS_METHOD_AND_BODY
        return answer, response.headers.get("Location") if follow else None

    def _read(self, response: httpx2.Response) -> str:
        """The answer's text, bounded in size and time: a dripping backend cannot hold us."""
        end = monotonic() + self._settings.timeout
        body = b""
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > LONGEST_ANSWER_BYTES:
                break
            if monotonic() > end:
                raise httpx2.ReadTimeout("the answer drips", request=response.request)
        return self._scrub(body[:LONGEST_ANSWER_BYTES].decode("utf-8", "replace"))

    def _open(self) -> httpx2.Client:
        if self._client is None:
            self._client = httpx2.Client(
                timeout=self._settings.timeout,
                verify=self._settings.tls,
                follow_redirects=False,
                headers={"User-Agent": f"mainstem/{__version__}"},
            )
        return self._client

    def _authorization(self) -> dict[str, str]:
        bearer = self._settings.bearer()
        return {} if bearer is None else {"Authorization": bearer}

    def _scrub(self, text: str) -> str:
        for secret in self._settings.secrets:
            text = text.replace(secret, "***")
        return text


def _same_origin(one: str, other: str) -> bool:
    first, second = urlsplit(one), urlsplit(other)
    return (first.scheme, first.hostname, first.port) == (
        second.scheme,
        second.hostname,
        second.port,
    )
