"""Finding jobs and datasets by any part of a name, a column, a tag or an owner.

SQLite keeps a trigram index (FTS5); it answers from three letters on, shorter words are looked for
row by row. PostgreSQL looks row by row, or by ``pg_trgm`` where an administrator made that index.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.sql.connection import Connection

INDEXED_FROM = 3


class Document(NamedTuple):
    """What one job or dataset can be found by."""

    is_job: bool
    number: int
    name: str
    more: str
    """Namespace, columns, tags and owners, one per line."""


def row_number(*, is_job: bool, number: int) -> int:
    """Jobs and datasets share the index: even rows are datasets, odd ones jobs."""
    return number * 2 + is_job


def save_documents(connection: Connection, documents: Iterable[Document]) -> None:
    """Put documents in the place of those that were there for the same jobs and datasets."""
    listed = list(documents)
    rows = [row_number(is_job=one.is_job, number=one.number) for one in listed]
    connection.many("DELETE FROM search WHERE rowid = ?", [(row,) for row in rows])
    connection.many(
        "INSERT INTO search (rowid, name, more) VALUES (?,?,?)",
        [(row, one.name, one.more) for row, one in zip(rows, listed, strict=True)],
    )


def find(
    connection: Connection, dialect: str, word: str, *, names_only: bool, most: int
) -> list[int]:
    """The first row numbers of the documents that hold a word anywhere, whatever its case."""
    where, values = _condition(dialect, word, names_only=names_only)
    rows = connection.rows(
        f"SELECT rowid FROM search WHERE {where} LIMIT ?",  # noqa: S608 - our own words
        [*values, most],
    )
    return [row for (row,) in rows]


def count_found(connection: Connection, dialect: str, word: str, *, names_only: bool) -> int:
    """How many documents hold a word."""
    where, values = _condition(dialect, word, names_only=names_only)
    return connection.rows(f"SELECT count(*) FROM search WHERE {where}", values)[0][0]  # noqa: S608


def _condition(dialect: str, word: str, *, names_only: bool) -> tuple[str, list[str]]:
    if dialect == "sqlite" and len(word) >= INDEXED_FROM:
        phrase = '"' + word.replace('"', '""') + '"'
        return "search MATCH ?", [f"name : {phrase}" if names_only else phrase]
    escaped = word.replace("\\", "\\\\").replace("%", r"\%").replace("_", r"\_")
    within = "{column} {same} ? ESCAPE '\\'"
    columns = ["name"] if names_only else ["name", "more"]
    told = [within.replace("{column}", column) for column in columns]
    return " OR ".join(told), [f"%{escaped}%"] * len(columns)
