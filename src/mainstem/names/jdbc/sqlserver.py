"""SQL Server, by Microsoft's driver and by jTDS: an instance, and options behind semicolons."""

from __future__ import annotations

import re

from mainstem.errors import CannotTell
from mainstem.names.jdbc.credentials import split_options, without_user_info
from mainstem.names.jdbc.location import JdbcLocation

_ADDRESS = re.compile(
    r"(?P<host>\[[0-9A-Fa-f:.]+\]|[\w.-]+)?(?:\\(?P<instance>\w+))?(?::(?P<port>\d+))?(?:/(?P<database>\w+))?"
)
_OPTIONS = {
    "servername": "host",
    "server": "host",
    "portnumber": "port",
    "port": "port",
    "instance": "instance",
    "instancename": "instance",
    "databasename": "database",
    "database": "database",
}


def parse_sqlserver(address: str) -> JdbcLocation:
    r"""The location of an address such as ``host\instance:1433;databaseName=db``."""
    before, _ = split_options(address)
    found = _ADDRESS.fullmatch(without_user_info(before).partition(";")[0])
    if found is None:
        raise CannotTell("the URL's host is not of the form host\\instance:port")
    parts: dict[str, str] = {key: value for key, value in found.groupdict().items() if value}
    parts |= _from_options(address.partition(";")[2])
    host = parts.get("host")
    if host is None:
        raise CannotTell("the URL has no host")
    bracketed = f"[{host}]" if ":" in host and not host.startswith("[") else host
    authority = bracketed.lower() + (f":{parts['port']}" if "port" in parts else "")
    instance = f"/{parts['instance']}" if "instance" in parts else ""
    return JdbcLocation("sqlserver", f"sqlserver://{authority}{instance}", parts.get("database"))


def _from_options(text: str) -> dict[str, str]:
    parts: dict[str, str] = {}
    for option in text.split(";"):
        key, _, value = option.partition("=")
        part = _OPTIONS.get(key.strip().lower())
        if part and value and re.fullmatch(r"[\w.:\-\[\]$#]+", value):
            parts[part] = value.strip()
    return parts
