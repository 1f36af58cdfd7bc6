"""Which registry is asked for a connector's schemas, and with whose credentials."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec import Struct

from mainstem.watch.schema_registry.fields import NoSchema

if TYPE_CHECKING:
    from mainstem.watch.connect.converters import Converter
    from mainstem.watch.connect.secret import Secret


NO_REGISTRY = NoSchema("the converter uses no schema registry")


class RegistryAccess(Struct, frozen=True):
    """How one registry is reached: its addresses and what opens the door."""

    urls: tuple[str, ...]
    """Any of them answers for all; the next is tried when one does not answer."""

    username: str | None = None
    password: Secret | None = None
    bearer: Secret | None = None
    ca_file: str | None = None
    client_certificate: tuple[str, str] | None = None
    """Paths of the certificate and of its key."""

    verify: bool = True

    @property
    def has_login(self) -> bool:
        """Whether it comes with credentials of its own."""
        return bool(self.username or self.bearer or self.client_certificate)


class KafkaAccess(Struct, frozen=True):
    """How the last records of topics are read, where records carry their schemas themselves."""

    bootstrap: str
    settings: tuple[tuple[str, Secret], ...] = ()
    """What librdkafka is given besides, by its own names."""

    refresh: timedelta = timedelta(minutes=1)
    """Between two readings of a topic."""


class Trust(Struct, frozen=True):
    """The recipe's word: its own registry and Kafka, and what else a connector may name."""

    registry: RegistryAccess | None = None
    hosts: tuple[str, ...] = ()
    """``host``, or ``host:port``; any port where none is given."""

    kafka: KafkaAccess | None = None


def choose_registry(
    connector: Converter, worker: Converter, trust: Trust
) -> RegistryAccess | NoSchema:
    """The connector's registry if its host may be asked, else the worker's, else the recipe's.

    Credentials go to the registry that they were given for: the connector's own to the
    connector's, and the recipe's nowhere but to the recipe's.
    """
    if not _asks(connector, worker, trust):
        return NO_REGISTRY
    if connector.urls:
        return _named_by_connector(connector, worker, trust)
    if worker.urls:
        return _let_in(worker, _known(_access(worker), trust))
    return trust.registry or NoSchema("nothing tells the address of a schema registry")


def _asks(connector: Converter, worker: Converter, trust: Trust) -> bool:
    """Whether schemas are to be found there; where nobody says so, only the recipe makes it so."""
    said = connector.uses_registry
    if said is None:
        said = worker.uses_registry
    return trust.registry is not None if said is None else said


def _named_by_connector(
    connector: Converter, worker: Converter, trust: Trust
) -> RegistryAccess | NoSchema:
    ours = trust.registry.urls if trust.registry else ()
    allowed = {urlsplit(url).hostname for url in (*ours, *worker.urls)}
    for url in connector.urls:
        parts = urlsplit(url)
        listed = {parts.hostname, f"{parts.hostname}:{parts.port}"} & {*map(str.lower, trust.hosts)}
        if parts.hostname not in allowed and not listed:
            return NoSchema(
                f"the connector names a schema registry at {parts.hostname}, which the recipe does "
                "not know; add it to schema_registry.hosts"
            )
    access = _access(connector)
    if not access.has_login and _same_place(access.urls, worker.urls):
        access = _access(worker)
    return _let_in(connector, _known(access, trust))


def _let_in(converter: Converter, access: RegistryAccess) -> RegistryAccess | NoSchema:
    """The registry, unless it wants a login that we do not have."""
    if access.has_login or converter.cannot_log_in is None:
        return access
    return NoSchema(
        f"the converter logs in by {converter.cannot_log_in}, which Mainstem cannot; "
        "give the registry with a login of its own in the recipe's schema_registry"
    )


def _known(access: RegistryAccess, trust: Trust) -> RegistryAccess:
    """The recipe's own entry for the same registry, unless there are other credentials for it."""
    ours = trust.registry
    if ours is not None and not access.has_login and _same_place(access.urls, ours.urls):
        return ours
    return access


def _same_place(some: tuple[str, ...], others: tuple[str, ...]) -> bool:
    return bool(some) and {*map(_origin, some)} <= {*map(_origin, others)}


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}[parts.scheme]


def _access(converter: Converter) -> RegistryAccess:
    login = converter.login
    if login is None:
        return RegistryAccess(converter.urls)
    return RegistryAccess(converter.urls, login.username, login.password, login.bearer)
