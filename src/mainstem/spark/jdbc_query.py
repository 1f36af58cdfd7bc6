"""What a JDBC source reads: a table, or the tables of a query that the database runs.

The parser is loaded by the first query: few jobs have one, and none should wait for it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from mainstem.errors import CannotTell
from mainstem.queries import read_safely

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlglot import exp

_SUBQUERY = re.compile(r"\(\s*(.*)\)\s*(?:as\s+)?\w*\s*", re.IGNORECASE | re.DOTALL)
_PARTS = ("distinct", "group", "joins", "laterals", "pivots", "with_")
"""What makes a query more than a choice of columns and rows."""

_DIALECTS = {
    "clickhouse": "clickhouse",
    "databricks": "databricks",
    "hive2": "hive",
    "mariadb": "mysql",
    "mysql": "mysql",
    "oracle": "oracle",
    "postgresql": "postgres",
    "redshift": "redshift",
    "snowflake": "snowflake",
    "sqlserver": "tsql",
    "trino": "trino",
}


def query_of(options: Mapping[str, str]) -> str | None:
    """The query that the database runs, where the source is not simply a table."""
    if "query" in options:
        return options["query"]
    found = _SUBQUERY.fullmatch(options.get("dbtable", "").strip())
    return found[1] if found else None


def query_tables(url: str, options: Mapping[str, str]) -> Sequence[str]:
    """The tables that a JDBC source reads, qualified as the query says them."""
    query = query_of(options)
    if query is None:
        table = options.get("dbtable")
        if not table:
            raise CannotTell("neither a table nor a query is said")
        return [_unquoted(table)]
    from sqlglot import exp  # noqa: PLC0415 - see above

    tree = _parsed(query, url)
    if tree is None:
        raise CannotTell("the query cannot be parsed")
    shared = {cte.alias for cte in tree.find_all(exp.CTE)}
    tables = (
        ".".join(part.name for part in table.parts)
        for table in tree.find_all(exp.Table)
        if table.name not in shared or table.db
    )
    return list(dict.fromkeys(tables))


class PlainQuery(NamedTuple):
    """A query that the database runs on one table without changing values."""

    columns: Mapping[str, str]
    """The table's column behind each column of the query."""

    filtered: frozenset[str]
    """The columns that its condition names."""


def plain_query(url: str, options: Mapping[str, str]) -> PlainQuery | None:
    """What a simple query on one table means; ``None`` for all others.

    >>> options = {"query": "select id, price as p from shop.items where id > 1"}
    >>> plain_query("jdbc:postgresql://h/db", options).columns
    {'id': 'id', 'p': 'price'}
    """
    query = query_of(options)
    if query is None:
        return None
    from sqlglot import exp  # noqa: PLC0415 - see above

    tree = _parsed(query, url)
    if not isinstance(tree, exp.Select) or len(list(tree.find_all(exp.Table))) != 1:
        return None
    if set(_PARTS) & {part for part, value in tree.args.items() if value}:
        return None
    columns = {each.alias_or_name: each.unalias() for each in tree.expressions}
    if not all(isinstance(each, exp.Column) and each.name != "*" for each in columns.values()):
        return None
    where = tree.args.get("where")
    filtered = {column.name for column in where.find_all(exp.Column)} if where else set()
    names = {name: column.name for name, column in columns.items()}
    return PlainQuery(names, frozenset(filtered))


def _parsed(query: str, url: str) -> exp.Expr | None:
    import sqlglot  # noqa: PLC0415 - see above
    from sqlglot.errors import SqlglotError  # noqa: PLC0415

    try:
        return read_safely(query, lambda: sqlglot.parse_one(query, dialect=_dialect(url)))
    except (CannotTell, SqlglotError, RecursionError):
        return None


def _dialect(url: str) -> str | None:
    system = url.removeprefix("jdbc:").split(":", 1)[0].lower()
    return _DIALECTS.get(system)


def _unquoted(table: str) -> str:
    return re.sub(r"[\"`\[\]]", "", table)
