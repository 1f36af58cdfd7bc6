"""Oracle: thin and OCI URLs with a service, a SID, a TNS descriptor, or an LDAP entry."""

from __future__ import annotations

import re

from msgspec import Struct

from mainstem.errors import CannotTell
from mainstem.names.jdbc import servers
from mainstem.names.jdbc.credentials import split_options
from mainstem.names.jdbc.location import JdbcLocation

_DEFAULT_PORT = 1521
_DRIVER = re.compile(r"oracle:(?:(?:thin|oci8?|kprb):?)?", re.IGNORECASE)
_LDAP = re.compile(r"ldaps?:(?://)?", re.IGNORECASE)
_TOKEN = re.compile(r"\s*(\(|\)|=|[^()=]+)")
_IDENTIFIERS = ("SERVICE_NAME", "SID", "INSTANCE_NAME")


def parse_oracle(uri: str) -> JdbcLocation:
    """The location of ``oracle:thin:user/password@where`` and its relatives."""
    before, _ = split_options(uri)
    where = before.rpartition("@")[2].removeprefix("//")
    if "(" in where:
        return _from_descriptor(where, _DRIVER.match(before))
    if _LDAP.search(where):
        where = _from_ldap(where)
    address = re.sub(r"^\w+://", "", where)
    return servers.parse("oracle", _sid_as_path(address), default_port=_DEFAULT_PORT)


def _sid_as_path(address: str) -> str:
    """``host:1521:sid`` as ``host:1521/sid``."""
    head, colon, last = address.rpartition(":")
    if not colon or "]" in last or "/" in last or last.isdigit():
        return address
    return f"{head}/{last}"


def _from_ldap(where: str) -> str:
    """The directory's server, and the entry at the end of the last path."""
    found = _LDAP.search(where)
    path = where[found.end() :] if found else where
    server, *entries = path.split("/")
    return f"{server}/{entries[-1].split(',')[0] if entries else ''}"


class _Node(Struct, frozen=True):
    """One ``(KEY=value)`` or ``(KEY=(...)(...))`` of a descriptor."""

    key: str
    value: str
    inside: tuple[_Node, ...]

    def all(self, key: str) -> list[_Node]:
        """This node and those below that have the key."""
        below = [found for node in self.inside for found in node.all(key)]
        return [self, *below] if self.key == key else below

    def text(self, key: str) -> str | None:
        """The value of the key directly below."""
        return next((node.value for node in self.inside if node.key == key and node.value), None)


def _from_descriptor(text: str, driver: re.Match[str] | None) -> JdbcLocation:
    try:
        root = _read_descriptor(text)
    except CannotTell:
        # What cannot be read names itself, as the official client has it.
        return JdbcLocation("oracle", f"{driver[0].lower() if driver else 'oracle:'}@{text}")
    hosts = [
        f"{host}:{address.text('PORT') or _DEFAULT_PORT}"
        for address in root.all("ADDRESS")
        if (host := address.text("HOST"))
    ]
    if not hosts:
        raise CannotTell("the URL's descriptor has no address")
    data = next(iter(root.all("CONNECT_DATA")), None)
    names = (data.text(key) for key in _IDENTIFIERS) if data else ()
    identifier = next((name for name in names if name), "")
    return servers.parse("oracle", f"{','.join(hosts)}/{identifier}", default_port=_DEFAULT_PORT)


def _read_descriptor(text: str) -> _Node:
    tokens = [token.strip() for token in _TOKEN.findall(text) if token.strip()]
    root, position = _read_node(tokens, 0)
    if position != len(tokens):
        raise CannotTell("the URL's descriptor does not end where it should")
    return root


def _read_node(tokens: list[str], position: int) -> tuple[_Node, int]:
    if tokens[position : position + 1] != ["("] or tokens[position + 2 : position + 3] != ["="]:
        raise CannotTell("the URL's descriptor is not of the form (KEY=value)")
    key, position = tokens[position + 1].upper(), position + 3
    value, inside = "", list[_Node]()
    while position < len(tokens) and tokens[position] != ")":
        if tokens[position] == "(":
            node, position = _read_node(tokens, position)
            inside.append(node)
        else:
            value, position = value + tokens[position], position + 1
    if position >= len(tokens):
        raise CannotTell("the URL's descriptor does not end where it should")
    return _Node(key, value, tuple(inside)), position + 1
