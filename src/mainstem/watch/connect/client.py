"""The Connect REST client: GET only, one look is one request, and no answer is no news."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast
from urllib.parse import quote

import orjson
from msgspec import Struct

from mainstem.errors import ConnectRefused, ConnectUnavailable, NoSuchResource
from mainstem.watch.connect.asking import Asking, Errors
from mainstem.watch.connect.guard import read_password_keys
from mainstem.watch.connect.http import MEGABYTE
from mainstem.watch.connect.offsets import Offsets, read_offsets
from mainstem.watch.connect.reading import Provided, SnapshotReader, nothing_provided
from mainstem.watch.connect.redaction import AllowedKeys
from mainstem.watch.connect.snapshot import ClusterSnapshot, WorkerInfo

if TYPE_CHECKING:
    from types import TracebackType

    import urllib3

    from mainstem.watch.connect.secret import Secret

T = TypeVar("T")

_ERRORS = Errors(ConnectUnavailable, ConnectRefused)
LOOK = "/connectors?expand=info&expand=status"


class ConnectAccess(Struct, frozen=True):
    """How one cluster is reached: its workers' addresses and what opens the door."""

    urls: tuple[str, ...]
    """Any worker answers for the whole cluster; the next is tried when one does not answer."""

    username: str | None = None
    password: Secret | None = None
    bearer: Secret | None = None
    ca_file: str | None = None
    client_certificate: tuple[str, str] | None = None
    """Paths of the certificate and of its key."""

    verify: bool = True


class Limits(Struct, frozen=True):
    """What one request may cost at most, whatever the other side does."""

    look_seconds: float = 30.0
    detail_seconds: float = 10.0
    look_bytes: int = 256 * MEGABYTE
    detail_bytes: int = 16 * MEGABYTE


class ConnectClient:
    """Asks one Connect cluster; fails over between its workers; never writes."""

    def __init__(
        self,
        access: ConnectAccess,
        allowed: AllowedKeys,
        limits: Limits | None = None,
        http: urllib3.PoolManager | None = None,
        provided: Provided = nothing_provided,
    ) -> None:
        self._limits = limits or Limits()
        self._reader = SnapshotReader(allowed, provided)
        self._asking = Asking(access, _ERRORS, self._limits.detail_seconds, http)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give back the connections."""
        self._asking.close()

    def look(self) -> ClusterSnapshot:
        """Every connector's config and state in one request."""
        return self._get(
            LOOK, self._limits.look_seconds, self._limits.look_bytes, read=self._reader.read
        )

    def worker(self) -> WorkerInfo:
        """Version and Kafka cluster id, from the root resource."""
        answer = self._detail("/")
        version, cluster = answer.get("version"), answer.get("kafka_cluster_id")
        return WorkerInfo(str(version or "unknown"), str(cluster) if cluster else None)

    def topics(self, connector: str) -> tuple[str, ...] | None:
        """The topics the connector was seen to use; None where none was.

        That is unknown: REST says the same of a connector that never ran.

        Raises:
            ConnectRefused: tracking is off, or this Connect is older than the resource.
        """
        try:
            answer = self._detail(f"/connectors/{quote(connector, safe='')}/topics")
        except NoSuchResource:
            raise
        except ConnectRefused as error:
            status = error.reason.partition(":")[0]
            reason = f"{status}: topic tracking is off, or asking is not allowed"
            raise ConnectRefused(error.url, reason) from None
        topics = _topics_of(answer, connector)
        return tuple(sorted(topics)) or None

    def offsets(self, connector: str) -> Offsets | None:
        """How far the connector is; None where it does not tell (before Connect 3.5, or gone)."""
        try:
            return read_offsets(self._detail(f"/connectors/{quote(connector, safe='')}/offsets"))
        except ConnectRefused:
            return None

    def password_keys(self, connector_class: str) -> frozenset[str]:
        """The keys that a connector class calls passwords; none where it does not tell."""
        path = f"/connector-plugins/{quote(connector_class, safe='')}/config"
        try:
            answer = self._get(path, self._limits.detail_seconds, self._limits.detail_bytes)
        except ConnectRefused:
            return frozenset()
        return read_password_keys(cast("list[Any]", answer if isinstance(answer, list) else []))

    def names_beside(self, absent: str) -> frozenset[str]:
        """All connectors' names, once the worker says itself that one is not among them.

        A list is answered from memory, which a worker that has just started has not filled yet. A
        config is answered by the thread that fills it, and only when it has: raises until then.
        """
        try:
            self._detail(f"/connectors/{quote(absent, safe='')}/config")
        except NoSuchResource:
            worker = self._asking.url
            names = self._get("/connectors", self._limits.look_seconds, self._limits.look_bytes)
            if worker == self._asking.url and isinstance(names, list):
                return frozenset(map(str, cast("list[Any]", names)))
            raise ConnectUnavailable(worker, "another worker answered") from None
        raise ConnectUnavailable(self._asking.url, f"{absent!r} is there, the look was early")

    def protect(self, connector_class: str, passwords: frozenset[str]) -> None:
        """Never pass these keys of a class on; for the thread that looks."""
        self._reader.protect(connector_class, passwords)

    def look_again(self) -> ClusterSnapshot:
        """The last look, read again without asking; what was learned since counts."""
        return self._reader.again()

    def _detail(self, path: str) -> dict[str, Any]:
        answer = self._get(path, self._limits.detail_seconds, self._limits.detail_bytes)
        if not isinstance(answer, dict):
            raise ConnectUnavailable(self._asking.url, f"the answer to {path} is not an object")
        return cast("dict[str, Any]", answer)

    def _get(
        self, path: str, seconds: float, limit: int, read: Callable[[bytes], T] = orjson.loads
    ) -> T:
        """What the first worker answers that does, beginning with the one that did last."""

        def judged(response: urllib3.BaseHTTPResponse, body: bytes, where: str) -> T:
            _check(response, where)
            try:
                return read(body)
            except ValueError as error:
                raise ConnectUnavailable(where, "the answer is not whole JSON") from error

        return self._asking.get(path, seconds, limit, judged)


def _check(response: urllib3.BaseHTTPResponse, where: str) -> None:
    """Pass a true answer; everything else says what kind of silence it is."""
    status = response.status
    is_json = "json" in response.headers.get("content-type", "")
    if status in {401, 403}:
        raise ConnectRefused(where, f"HTTP {status}: not allowed; check the recipe's credentials")
    if status == 404 and is_json:  # noqa: PLR2004
        raise NoSuchResource(where, "HTTP 404: no such resource")
    if status != 200:  # noqa: PLR2004
        # an HTML 404 is a worker that is starting, not a deletion
        raise ConnectUnavailable(where, f"HTTP {status}")
    if not is_json:
        raise ConnectUnavailable(where, "HTTP 200, but not JSON: is this a Connect cluster?")


def _topics_of(answer: Mapping[str, Any], connector: str) -> list[str]:
    entry = answer.get(connector)
    topics = cast("dict[str, Any]", entry).get("topics") if isinstance(entry, dict) else None
    return [str(topic) for topic in cast("list[Any]", topics)] if isinstance(topics, list) else []


ClientFactory = Callable[[ConnectAccess, AllowedKeys], ConnectClient]
"""The seam where tests put a client that answers from recorded files."""
