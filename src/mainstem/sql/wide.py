"""A statement for one row made into one for many, whose values come as one array per column.

PostgreSQL takes a thousand rows in one statement for little more than one row costs us; psycopg's
own ``executemany`` sends as many statements as there are rows.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_INSERT = re.compile(r"INSERT INTO (\w+) \(([\w,\s]+)\)\s+VALUES \([?,]+\)(.*)", re.DOTALL)
_CHANGE = re.compile(r"(UPDATE|DELETE FROM) (\w+) (.*)", re.DOTALL)
_GIVEN = re.compile(r"(\w+) = \?")


def table_of(statement: str) -> str:
    """The table that a statement for one row writes to."""
    insert = _INSERT.fullmatch(statement)
    return insert[1] if insert else _changed(statement)[2]


def widen(statement: str, types: Mapping[str, str]) -> str:
    """The same for many rows; ``types`` are those of the table's columns.

    >>> widen("INSERT INTO t (a, b) VALUES (?,?) ON CONFLICT DO NOTHING", {"a": "int", "b": "text"})
    'INSERT INTO t (a, b) SELECT * FROM unnest(?::int[], ?::text[]) ON CONFLICT DO NOTHING'
    >>> widen("UPDATE t SET a = ? WHERE b = ?", {"a": "int", "b": "text"})
    'UPDATE t SET a = given.v0 FROM unnest(?::int[], ?::text[]) AS given(v0, v1) WHERE b = given.v1'
    >>> widen("DELETE FROM t WHERE a = ?", {"a": "int"})
    'DELETE FROM t USING unnest(?::int[]) AS given(v0) WHERE a = given.v0'
    """
    insert = _INSERT.fullmatch(statement)
    if insert:
        columns = [one.strip() for one in insert[2].split(",")]
        rows = _rows(columns, types)
        return f"INSERT INTO {insert[1]} ({insert[2]}) SELECT * FROM {rows}{insert[3]}"  # noqa: S608
    change = _changed(statement)
    columns = _GIVEN.findall(change[3])
    names = [f"v{at}" for at in range(len(columns))]
    given = iter(names)
    what = _GIVEN.sub(lambda one: f"{one[1]} = given.{next(given)}", change[3])
    rows = f"{_rows(columns, types)} AS given({', '.join(names)})"
    before, _, after = what.rpartition("WHERE ")
    joined = f"{before}FROM {rows}" if change[1] == "UPDATE" else f"USING {rows}"
    return f"{change[1]} {change[2]} {joined} WHERE {after}"


def _changed(statement: str) -> re.Match[str]:
    change = _CHANGE.fullmatch(statement)
    assert change is not None, statement  # noqa: S101 - statements are our own
    return change


def _rows(columns: list[str], types: Mapping[str, str]) -> str:
    return "unnest(" + ", ".join(f"?::{types[column]}[]" for column in columns) + ")"
