"""The aliases that always hold: different spellings of one namespace."""

from __future__ import annotations

import re
from functools import lru_cache

from mainstem.errors import CannotTell
from mainstem.names.hosts import authority, first_host
from mainstem.names.servers import DEFAULT_PORTS
from mainstem.names.warehouse_hosts import redshift_namespace

_SAME_SYSTEM = {
    "mssql": "sqlserver",
    "s3a": "s3",
    "s3n": "s3",
    "hive2": "hive",
    "informix-sqli": "informix",
    "postgresql": "postgres",
}
_SCHEME = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*)://(.+)$")
# The official Java client adds this port to a URL that names none; Db2 itself listens on 50000.
_DB2_DEFAULT = re.compile(r":6789(?=,|$)")
_UNKNOWN_HOST = re.compile(r"^(?:null|unknown)(?::|,|$)")


@lru_cache(maxsize=4096)
def one_spelling(namespace: str) -> str:
    """The spelling that stands for all equal ones of a namespace.

    >>> one_spelling("mssql://DB")
    'sqlserver://db:1433'
    >>> one_spelling("s3a://lake")
    's3://lake'
    """
    found = _SCHEME.match(namespace)
    if found is None:
        return namespace
    scheme = found[1].lower()
    system, rest = _SAME_SYSTEM.get(scheme, scheme), found[2]
    if system == "redshift":
        return redshift_namespace(rest)
    if system == "wasbs":
        rest = rest.replace(".dfs.core.windows.net", ".blob.core.windows.net")
    if system in DEFAULT_PORTS:
        rest = _servers(system, rest)
    if system == "db2":
        rest = _DB2_DEFAULT.sub(":50000", rest)
    return f"{system}://{rest}"


def _servers(system: str, rest: str) -> str:
    # A word that stands for "not known" names no server, so it gets no port either; a SQL Server
    # instance finds its port by name; a Kafka namespace without a port is a cluster id.
    if _UNKNOWN_HOST.match(rest) or "/" in rest or (system == "kafka" and ":" not in rest):
        return rest
    try:
        name = first_host if system == "kafka" else authority
        return name(rest, DEFAULT_PORTS[system])
    except CannotTell:
        return rest
