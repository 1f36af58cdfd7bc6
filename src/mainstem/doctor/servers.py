"""What a namespace says of the server behind it; producers write addresses in many ways."""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

from mainstem.names.servers import DEFAULT_PORTS

_SCHEME = re.compile(r"^([A-Za-z][A-Za-z0-9+._-]*)://")
_PROTOCOLS = frozenset({"plaintext", "ssl", "sasl_plaintext", "sasl_ssl"})
"""Kafka's listeners begin with these; some producers leave them where a scheme or host belongs."""

_NO_HOST = frozenset({"", "null", "unknown", "none"})
_NO_PORT = frozenset({"", "null", "-1", "unknown", "none"})
_LOOPBACK = re.compile(r"localhost|127(?:\.\d+){3}|\[?::1\]?|0\.0\.0\.0|host\.docker\.internal")
_CLUSTER_ID = re.compile(r"[A-Za-z0-9_-]{22}")


def is_loopback(host: str) -> bool:
    """Whether a host's name means "this machine", whichever that is."""
    return _LOOPBACK.fullmatch(host) is not None


class Server(Struct, frozen=True):
    """One address of a server; what it does not tell is None."""

    host: str | None
    port: int | None

    @property
    def is_loopback(self) -> bool:
        """Whether it means "this machine", whichever that is."""
        return self.host is not None and is_loopback(self.host)


class Address(Struct, frozen=True):
    """A server's namespace, read."""

    system: str
    servers: tuple[Server, ...]
    cluster_id: str | None = None
    """Where the namespace is a Kafka cluster's id and no address at all."""

    is_prefixed: bool = False
    """Whether a listener's protocol stands where none belongs."""

    @property
    def first(self) -> Server:
        """The address that names a cluster."""
        return self.servers[0]

    @property
    def is_unknown(self) -> bool:
        """Whether it names no server at all."""
        return self.cluster_id is None and all(one.host is None for one in self.servers)


@lru_cache(maxsize=4096)
def read_address(namespace: str) -> Address | None:
    """The servers that a namespace names; None where it names a place of another kind.

    >>> read_address("kafka://SASL_SSL://B1:9092,b2:null").servers
    (Server(host='b1', port=9092), Server(host='b2', port=None))
    >>> read_address("kafka://unknown:unknown").is_unknown
    True
    """
    scheme = _SCHEME.match(namespace)
    if scheme is None:
        return None
    system, rest = scheme[1].lower(), namespace[scheme.end() :]
    is_prefixed = system in _PROTOCOLS
    if is_prefixed:
        system = "kafka"
    if system not in DEFAULT_PORTS:
        return None
    if system == "kafka" and _CLUSTER_ID.fullmatch(rest):
        return Address(system, (Server(None, None),), cluster_id=rest)
    parts = [part.strip() for part in rest.split(",")]
    is_prefixed |= any(_SCHEME.match(part) for part in parts)
    return Address(system, tuple(_server(part) for part in parts), is_prefixed=is_prefixed)


def _server(text: str) -> Server:
    bare = _SCHEME.sub("", text).partition("/")[0]
    host, colon, port = bare.rpartition(":")
    if not colon or (bare.startswith("[") and bare.endswith("]")):
        host, port = bare, ""
    number = int(port) if port.isdecimal() else None
    if number is None and port.lower() not in _NO_PORT:
        host, number = bare, None
    return Server(None if host.lower() in _NO_HOST else host.lower(), number)
