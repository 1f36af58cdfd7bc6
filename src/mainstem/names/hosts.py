"""Server addresses, as they stand in configs, made into the authority of a namespace."""

from __future__ import annotations

import re
from functools import lru_cache

from mainstem.errors import CannotTell
from mainstem.scrub import hosts_among

_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+._-]*://")
_NEXT_URL = re.compile(r",\s*(?=[A-Za-z][A-Za-z0-9+._-]*://)")
_HOST_AND_PORT = re.compile(r"^(\[[0-9A-Fa-f:.%]+\]|[\w.\-]+)(?::(\d+|null|-1)?)?$")
_OPTIONS = re.compile(r"[?;]")
_ONLY_HOSTS = re.compile(r"[\w.\-:,\[\]\s]+")
_NO_PORT = {None, "null", "-1"}


def authority(servers: str, default_port: int | None = None) -> str:
    """Hosts in lower case with their ports, joined by commas; no scheme, path or credential.

    >>> authority("http://reader:secret@Search-1:9201/path,search-2", 9200)
    'search-1:9201,search-2:9200'
    """
    hosts = [_one_host(server, default_port) for server in _split(servers)]
    if not hosts:
        raise CannotTell("no server address is given")
    return ",".join(hosts)


def first_host(servers: str, default_port: int | None = None) -> str:
    """The first address alone, which is what names a Kafka cluster.

    >>> first_host("SASL_SSL://b1:9092,SASL_SSL://b2:9092")
    'b1:9092'
    """
    return authority(servers, default_port).split(",", 1)[0]


@lru_cache(maxsize=4096)
def with_port(hosts: str, port: str | None) -> str:
    """The hosts of a key that holds nothing else, each with the port of its neighbour key.

    >>> with_port("c1, c2", "9042")
    'c1:9042,c2:9042'
    """
    if not _ONLY_HOSTS.fullmatch(hosts):
        raise CannotTell("a host's name holds more than a host")
    names = (one.strip() for one in hosts.split(","))
    return ",".join(f"{one}:{port}" if port else one for one in names)


def _split(servers: str) -> list[str]:
    urls = (_SCHEME.sub("", url) for url in _NEXT_URL.split(servers.strip()))
    bare = ",".join(map(without_credentials, urls))
    options = _OPTIONS.search(bare)
    if options and "," in bare[options.start() :] and "=" in bare[options.start() :]:
        raise CannotTell("a server address holds options with a comma")
    return [part.strip() for part in bare.split(",") if part.strip()]


def _one_host(server: str, default_port: int | None) -> str:
    bare = without_credentials(_SCHEME.sub("", server))
    found = _HOST_AND_PORT.match(re.split(r"[/?#;]", bare, maxsplit=1)[0])
    if found is None:
        raise CannotTell("a server address is not of the form host:port")
    host, port = found.groups()
    number = default_port if port in _NO_PORT else port
    return host.lower() if number is None else f"{host.lower()}:{number}"


def without_credentials(address: str) -> str:
    """An address (its scheme removed) without ``user:password@``.

    A password may hold any character that should have been encoded, so everything up to the last
    ``@`` goes, except the hosts of a list that are known for sure; one among the options might be
    of a password too, and then nothing is told.
    """
    options = _OPTIONS.search(address)
    if options and "@" in address[options.start() :]:
        raise CannotTell("a server address holds an @ among its options")
    before, _, rest = address.partition("?")
    user_info, at, place = before.rpartition("@")
    hosts = hosts_among(user_info) if at else ()
    if hosts is None:
        raise CannotTell("where a server address's user info ends cannot be told")
    return ",".join((*hosts, place)) + (f"?{rest}" if rest else "")
