"""Teradata: options between commas behind the slash."""

from __future__ import annotations

import re

from mainstem.names.jdbc import servers
from mainstem.names.jdbc.credentials import split_options, without_user_info
from mainstem.names.jdbc.location import JdbcLocation

_PORT = re.compile(r"[/,]DBS_PORT=([0-9]{1,5})(?=,|$)", re.IGNORECASE)
_DATABASE = re.compile(r"[/,]DATABASE=([\w$#]+)(?=,|$)", re.IGNORECASE)


def parse_teradata(address: str) -> JdbcLocation:
    """The location of an address such as ``host/DATABASE=db,DBS_PORT=1025``."""
    host = without_user_info(split_options(address)[0]).partition("/")[0]
    port = _PORT.search(address)
    database = _DATABASE.search(address)
    found = servers.parse("teradata", host, default_port=int(port[1]) if port else 1025)
    return JdbcLocation("teradata", found.namespace, database[1] if database else None)
