"""URLs of the form ``system://host:port,host:port/database?options``, as most systems have them."""

from __future__ import annotations

import re
from functools import cache
from urllib.parse import unquote

from mainstem.errors import CannotTell
from mainstem.names.jdbc.credentials import split_options, without_user_info
from mainstem.names.jdbc.location import JdbcLocation
from mainstem.scrub import MASK

_HOST = re.compile(r"(\[[0-9A-Fa-f:.%]+\]|[\w.~!$'*+-]+)(?::(\d*))?", re.ASCII)


def parse(
    system: str,
    address: str,
    *,
    default_port: int | None = None,
    schemas_are_databases: bool = False,
    option_marks: str = ";",
) -> JdbcLocation:
    """The location at an address, which is what follows ``://``.

    ``option_marks`` are the characters at which options may begin besides ``?``.
    """
    before, options = split_options(address)
    servers, _, path = without_user_info(before).partition("/")
    option, mark = _option_starts(option_marks)
    bare_servers = option.split(servers, maxsplit=1)[0]
    database = mark.split(path, maxsplit=1)[0]
    return JdbcLocation(
        system,
        f"{system}://{_authority(bare_servers, default_port)}",
        unquote(database) or None,
        options,
        schemas_are_databases,
    )


@cache
def _option_starts(marks: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    return re.compile(f"[{marks}](?=\\w+=|$)"), re.compile(f"[{marks}]")


def parse_unknown(scheme: str, address: str) -> JdbcLocation:
    """The location of a system that is not known; what is not understood stays in the namespace."""
    before, _ = split_options(address)
    bare = without_user_info(before)
    if re.search(r"[;=()]", bare):
        return JdbcLocation(scheme, f"{scheme}://{bare}")
    servers, _, path = bare.partition("/")
    try:
        authority = _authority(servers, None)
    except CannotTell:
        if re.fullmatch(r"[0-9A-Fa-f:.]+", servers):  # an IPv6 address that lacks its brackets
            return JdbcLocation(scheme, f"{scheme}://{bare}")
        raise
    return JdbcLocation(scheme, f"{scheme}://{authority}", unquote(path) or None)


def _authority(servers: str, default_port: int | None) -> str:
    return ",".join(_server(server.strip(), default_port) for server in servers.split(","))


def _server(server: str, default_port: int | None) -> str:
    found = _HOST.fullmatch(server)
    if found is None or MASK in server:
        raise CannotTell("the URL's host is not of the form host:port")
    host, port = found.groups()
    number = port or default_port
    return host.lower() if not number else f"{host.lower()}:{number}"
