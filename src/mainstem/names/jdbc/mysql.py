"""MySQL: hosts may also be written as keys and values."""

from __future__ import annotations

import re

from mainstem.errors import CannotTell
from mainstem.names.jdbc import servers
from mainstem.names.jdbc.location import JdbcLocation

_GROUPS = r"(?:address=)?(?:\([^()]*\))+"
_KEY_VALUE_HOSTS = re.compile(rf"{_GROUPS}(?:,{_GROUPS})*(?:/[\w.$-]*)?", re.IGNORECASE)


def parse_mysql(address: str) -> JdbcLocation:
    """The location of a MySQL URL; hosts written as ``(host=h,port=p)`` stay as they are."""
    hosts = address.partition("?")[0]
    if "(" not in hosts:
        return servers.parse("mysql", address, default_port=3306, schemas_are_databases=True)
    if _KEY_VALUE_HOSTS.fullmatch(hosts) is None:
        raise CannotTell("the URL's hosts are not of the form (host=h,port=p)")
    kept = re.sub(r"\(([^()]*)\)", lambda group: _host_and_port(group[1]), hosts)
    return JdbcLocation("mysql", f"mysql://{kept}", schemas_are_databases=True)


def _host_and_port(group: str) -> str:
    """The group with only those of its keys that say where the host is."""
    kept = [option for option in group.split(",") if re.fullmatch(r"(host|port)=[\w.:-]+", option)]
    return f"({','.join(kept)})" if kept else ""
