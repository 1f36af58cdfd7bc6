"""Credentials out of JDBC URLs: user info before hosts, and options that are secret."""

from __future__ import annotations

import re

from mainstem.errors import CannotTell
from mainstem.scrub import hosts_among

_SENSITIVE = re.compile(
    r"(?:^|[,;&:(/?])[\w.\-]*"
    r"(?:user|uid|usr|login|pass|pwd|secret|token|key|cred|auth|private|sign)[\w.\-]*=",
    re.IGNORECASE,
)
_OPTION = re.compile(r"[?&;]|:(?=\w+=)")
_PLACE = re.compile(r"[\w$#.,-]+")
_PLACE_OPTIONS = frozenset(
    {
        "catalog",
        "currentschema",
        "database",
        "databasename",
        "db",
        "defaultdataset",
        "awsregion",
        "projectid",
        "region",
        "schema",
    }
)


def without_user_info(servers: str) -> str:
    """The hosts and what follows them, without any ``user:password@``.

    A password that should have been encoded may hold slashes and commas, so all goes that stands
    before the last ``@``, except the hosts of a list that are known for sure.
    """
    user_info, at, rest = servers.rpartition("@")
    hosts = hosts_among(user_info) if at else ()
    if hosts is None:
        raise CannotTell("where the URL's user info ends cannot be told")
    return ",".join((*hosts, rest))


def without_secrets(text: str) -> str:
    """The text up to the first option whose name may mean a secret, or the user.

    Where such a value ends cannot be told for sure, so what follows it goes too.

    >>> without_secrets("h:user=fred;password=x"), without_secrets("h;ssl=true;PWD={a;b};app=y;")
    ('h', 'h;ssl=true')
    """
    found = _SENSITIVE.search(text)
    return text[: found.start()].rstrip(",;&:(") if found else text


def place_options(address: str) -> dict[str, str]:
    """The options that say where tables lie, out of ``?a=b&c=d``, ``;a=b;c=d`` and ``:a=b;``."""
    options: dict[str, str] = {}
    for option in _OPTION.split(address) if "=" in address else ():
        key, _, value = option.partition("=")
        if key.lower() in _PLACE_OPTIONS and _PLACE.fullmatch(value):
            options.setdefault(key.lower(), value)
    return options


def split_options(address: str) -> tuple[str, dict[str, str]]:
    """What stands before any option that may be secret, and the options that say a place.

    An ``@`` that is left behind a ``?`` could end a password; then nothing is told.
    """
    before, _, behind = without_secrets(address).partition("?")
    if "@" in behind:
        raise CannotTell("the URL holds an @ behind its ?")
    return before, place_options(address)
