"""A config as it may stand in somebody else's catalogue: names and places, nobody's values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mainstem.scrub import MASK, names_a_secret, scrub

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_HARMLESS = frozenset(
    {
        *("catalog", "currentschema", "database", "databasename", "db", "defaultdataset", "schema"),
        *("awsregion", "projectid", "region", "warehouse", "authsource", "replicaset"),
        *("encrypt", "ssl", "sslmode", "tls", "trustservercertificate", "usessl"),
        *("charset", "characterencoding", "servertimezone", "timezone", "useunicode"),
        *("applicationname", "connecttimeout", "retrywrites", "sockettimeout", "w"),
    }
)
"""Options of an address that say where something is, or how it is spoken to."""

_PLAIN = re.compile(r"[\w$#.,/+-]{0,200}")
_OPTION_NAME = re.compile(r"[\w.\-$\[\]]{1,64}")
_QUERY = re.compile(r"\?[\w.%$\[\]-]+=")
_OPTIONS_OF_A_DATABASE = re.compile(r"[?;]|:(?=\w+=)")
_MARK = re.compile(r"([?&;])")

_STATEMENT_KEY = re.compile(r"query|sql|cql|cypher|statement|pipeline|condition", re.IGNORECASE)
_STATEMENT = re.compile(r"\b(?:select|insert|update|delete|merge|match|where)\b", re.IGNORECASE)
_TEXT = re.compile(
    r"'(?:''|[^'])*(?:'|\Z)"
    r"|(?P<name>(?<=\.)\"[^\"]*\"|\"[^\"]*\"(?=\.)"
    r"|(?<=select )\"[^\"]*\"|(?<=from )\"[^\"]*\"|(?<=join )\"[^\"]*\"|(?<=into )\"[^\"]*\")"
    r"|\"(?:\"\"|[^\"])*(?:\"|\Z)",
    re.IGNORECASE,
)
_UNSURE = re.compile(r"\\['\"]|--|/\*|#|\$\w*\$|\bq'|\[[^\]]*['\"]", re.IGNORECASE)
"""Where a quote may mean something else than the end of a text."""


def shown_config(config: Mapping[str, str]) -> dict[str, str]:
    """The config without texts of queries, options of addresses, and who logs in.

    >>> shown_config({"query": "SELECT a FROM t WHERE p = 'x'", "http.api.url": "http://h/x?c=y"})
    {'query': "SELECT a FROM t WHERE p = '***'", 'http.api.url': 'http://h/x?c=***'}
    """
    return {
        key: _shown(key, value)
        for key, value in config.items()
        if key.rpartition(".")[2] not in {"user", "username"}
    }


def _shown(key: str, value: str) -> str:
    if ("'" in value or '"' in value) and (_STATEMENT_KEY.search(key) or _STATEMENT.search(value)):
        value = _without_texts(value)
    if value.startswith("jdbc:"):
        return _without_options(value, _OPTIONS_OF_A_DATABASE.search(value))
    if "?" in value and ("://" in value or _QUERY.search(value)):
        return _without_options(value, _MARK.search(value, value.index("?")))
    return value


def _without_texts(statement: str) -> str:
    if _UNSURE.search(statement):
        begins = min(at for quote in "'\"" if (at := statement.find(quote)) >= 0)
        return f"{statement[:begins]}'{MASK}'"
    return _TEXT.sub(lambda found: found["name"] or f"'{MASK}'", statement)


def _without_options(address: str, mark: re.Match[str] | None) -> str:
    if mark is None:
        return address
    options = "".join(_options(address[mark.end() :]))
    return f"{address[: mark.start()]}{mark[0]}{options}"


def _options(text: str) -> Iterator[str]:
    """The options, and the marks between them, up to the first that names a secret.

    Where a secret ends cannot be told for sure, so what follows one goes too.
    """
    for part in _MARK.split(text):
        name, is_option, value = part.partition("=")
        if not part or _MARK.fullmatch(part):
            yield part
        elif not is_option or not _OPTION_NAME.fullmatch(name):
            yield MASK
        elif name.lower() in _HARMLESS and _PLAIN.fullmatch(value):
            yield part
        else:
            yield f"{name}={MASK}"
            if names_a_secret(name) or scrub(f"{name}=x") != f"{name}=x":
                return
