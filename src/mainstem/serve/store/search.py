"""Finding jobs and datasets by a part of a column, a tag, an owner or a namespace.

Names are looked for in memory; see ``graph.name_index``. For the rest SQLite keeps a trigram index
(FTS5), and PostgreSQL one of ``pg_trgm`` where that extension can be had. Both answer from three
letters on: with fewer, nearly everything would be found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.sql.connection import Connection

INDEXED_FROM = 3
MOST_FOUND = 1000
"""A column that nearly every table has is found so often; a person reads no further."""


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


def prepare_index(connection: Connection, dialect: str) -> str | None:
    """Make PostgreSQL's trigram index; answers why there is none, if there cannot be one."""
    if dialect == "sqlite":
        return None
    there = connection.rows("SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm'")
    if not there:
        offered = connection.rows("SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm'")
        allowed = connection.rows("SELECT has_database_privilege(current_database(), 'CREATE')")
        if not offered or not allowed[0][0]:
            why = "may not be made by this user" if offered else "is not installed"
            return f"search reads every row: the extension pg_trgm {why} on this PostgreSQL"
        connection.run("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    connection.run(
        "CREATE INDEX IF NOT EXISTS search_by_trigram ON search USING gin (more gin_trgm_ops)"
    )
    return None


def find_beyond_names(
    connection: Connection, dialect: str, word: str, *, is_job: bool | None
) -> list[tuple[bool, int]]:
    """What holds a word anywhere but in its name, ``MOST_FOUND`` at most: is it a job, number."""
    if len(word) < INDEXED_FROM:
        return []
    where, values = _condition(dialect, word, is_job)
    rows = connection.rows(
        f"SELECT rowid FROM search WHERE {where} LIMIT {MOST_FOUND}",  # noqa: S608 - our own words
        values,
    )
    return [(bool(row & 1), row >> 1) for (row,) in rows]


def _condition(dialect: str, word: str, is_job: bool | None) -> tuple[str, list[str]]:
    kind = "" if is_job is None else f" AND rowid % 2 = {int(is_job)}"
    if dialect == "sqlite":
        phrase = '"' + word.replace('"', '""') + '"'
        return "search MATCH ?" + kind, [f"(more : {phrase}) NOT (name : {phrase})"]
    escaped = word.replace("\\", "\\\\").replace("%", r"\%").replace("_", r"\_")
    within = "more ILIKE ? ESCAPE '\\' AND NOT name ILIKE ? ESCAPE '\\'"
    return within + kind.replace("%", "%%"), [f"%{escaped}%"] * 2
