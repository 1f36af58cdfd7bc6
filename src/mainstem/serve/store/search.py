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


def find(connection: Connection, dialect: str, word: str, *, names_only: bool) -> list[int]:
    """The row numbers of the documents that hold a word anywhere, whatever its case."""
    if dialect == "sqlite" and len(word) >= INDEXED_FROM:
        phrase = '"' + word.replace('"', '""') + '"'
        asked = f"name : {phrase}" if names_only else phrase
        rows = connection.rows("SELECT rowid FROM search WHERE search MATCH ?", [asked])
    else:
        escaped = word.replace("\\", "\\\\").replace("%", r"\%").replace("_", r"\_")
        pattern = f"%{escaped}%"
        within = "name {same} ? ESCAPE '\\'"
        if names_only:
            rows = connection.rows(f"SELECT rowid FROM search WHERE {within}", [pattern])  # noqa: S608
        else:
            rows = connection.rows(
                f"SELECT rowid FROM search WHERE {within} OR more {{same}} ? ESCAPE '\\'",  # noqa: S608
                [pattern, pattern],
            )
    return [row for (row,) in rows]
