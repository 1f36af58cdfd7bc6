"""What a query reads: its tables, and what each column of its result is made from."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct
from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import Scope, build_scope

from mainstem.errors import CannotTell
from mainstem.queries import read_safely
from mainstem.watch.resolvers.sql_columns import result_of, table_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mainstem.watch.resolvers.sql_sources import QueryColumn, QuerySource, Star, TableName

_DIALECTS = {
    "awsathena": "athena",
    "bigquery": "bigquery",
    "clickhouse": "clickhouse",
    "cockroach": "postgres",
    "crate": "postgres",
    "databricks": "databricks",
    "hive2": "hive",
    "mariadb": "mysql",
    "mysql": "mysql",
    "oracle": "oracle",
    "postgres": "postgres",
    "redshift": "redshift",
    "singlestore": "mysql",
    "snowflake": "snowflake",
    "sqlite": "sqlite",
    "sqlserver": "tsql",
    "sybase": "tsql",
    "teradata": "teradata",
    "trino": "trino",
    "vertica": "postgres",
}
"""By system; one that is not here is read as standard SQL."""

_FOLDS: dict[str, Callable[[str], str]] = {
    **dict.fromkeys(("awsathena", "crate", "hive2", "informix-sqli", "postgres"), str.lower),
    **dict.fromkeys(("redshift", "trino"), str.lower),
    **dict.fromkeys(("as400", "db2", "derby", "h2", "oracle", "sap", "snowflake"), str.upper),
}
"""What a system does to names that are not quoted; one that is not here keeps them."""


class Query(Struct, frozen=True):
    """What a query says of its tables, spelt as the database knows them."""

    tables: tuple[TableName, ...]
    columns: tuple[QueryColumn, ...]
    """Those whose origin is certain; a ``*`` over a table names none."""

    star: Star | None = None
    """The table that a ``*`` stands for, where it is one."""

    decided_by: tuple[QuerySource, ...] = ()
    """Columns that decide which rows the result has, and in which order."""


@lru_cache(maxsize=1024)
def parse_query(sql: str, system: str) -> Query:
    """The query's tables and columns; anything that is not one readable query cannot be told.

    >>> parse_query("SELECT o.id, sum(o.price) AS total FROM shop.orders o GROUP BY 1", "mysql")
    ... # doctest: +ELLIPSIS
    Query(tables=(('shop', 'orders'),), columns=(QueryColumn(name='id', ...
    """
    return read_safely(sql, lambda: _read(sql, system))


def _read(sql: str, system: str) -> Query:
    try:
        tree = _parsed(sql, system)
        scope = build_scope(tree)
        if scope is None:
            raise CannotTell("the query is not one that reads tables")
        tables = {table_name(table): table for table in _tables(scope)}
        result = result_of(scope)
    except (SqlglotError, RecursionError, ValueError) as unreadable:
        raise CannotTell("the query cannot be parsed") from unreadable
    if any("@" in name[-1] or _is_remote(table) for name, table in tables.items()):
        raise CannotTell("the query reads a table of another server")
    return Query(tuple(tables), result.columns, result.star, result.decided_by)


def _parsed(sql: str, system: str) -> exp.Query:
    statements = _dialect(system).parse(sql.strip().rstrip(";"))
    tree = statements[0] if len(statements) == 1 else None
    inner = tree.unnest() if isinstance(tree, exp.Subquery) else tree
    if not isinstance(inner, exp.Query) or not inner.selects:
        raise CannotTell("the query is not one that reads tables")
    fold = _FOLDS.get(system)
    if fold is not None:
        for name in inner.find_all(exp.Identifier):
            spelt: str = name.args["this"]
            if (folded := fold(spelt)) != spelt and not name.args.get("quoted"):
                name.set("this", folded)
    return inner


@cache
def _dialect(system: str) -> Dialect:
    return Dialect.get_or_raise(_DIALECTS.get(system))


def _is_remote(table: exp.Table) -> bool:
    # The name of a linked server makes a fourth part, which only a Dot can hold.
    return not isinstance(table.this, exp.Identifier)


def _tables(root: Scope) -> Iterator[exp.Table]:
    for scope in root.traverse():
        for _, source in scope.selected_sources.values():
            # A function may stand where a table does; what it reads is not in its name.
            if isinstance(source, exp.Table) and not isinstance(source.this, exp.Func):
                yield source
