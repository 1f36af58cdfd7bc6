"""Numbered changes of a room's tables; the outbox and the journal share one file and this table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import JournalUnusable

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

Migration = tuple[str, ...]
"""The statements of one step; its number is its place in the sequence, counted from 1."""


def apply_migrations(
    connection: sqlite3.Connection, room: str, migrations: Sequence[Migration]
) -> None:
    """Bring one room's tables to the newest form, inside the caller's transaction."""
    connection.execute(
        "CREATE TABLE IF NOT EXISTS migration"
        " (room TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (room, number))"
    )
    applied = applied_number(connection, room)
    if applied > len(migrations):
        path = connection.execute("PRAGMA database_list").fetchone()[2]
        raise JournalUnusable(
            path,
            f"written by a newer Mainstem ({room} tables at {applied}, this one knows"
            f" {len(migrations)}); update Mainstem or give another --journal",
        )
    for number, statements in enumerate(migrations[applied:], start=applied + 1):
        for statement in statements:
            connection.execute(statement)
        connection.execute("INSERT INTO migration (room, number) VALUES (?, ?)", (room, number))


def applied_number(connection: sqlite3.Connection, room: str) -> int:
    """The number of the newest change that a room's tables have had."""
    found = connection.execute(
        "SELECT MAX(number) FROM migration WHERE room = ?", (room,)
    ).fetchone()[0]
    return int(found or 0)
