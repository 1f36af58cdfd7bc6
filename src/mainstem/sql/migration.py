"""Numbered migrations: files ``NNNN_what.sql``, applied once each, in order, in one transaction."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mainstem.errors import StoreUnavailable

if TYPE_CHECKING:
    from pathlib import Path

    from mainstem.sql.connection import Connection, Database

_NUMBERED = re.compile(r"(\d{4})_\w+\.sql")
_SECTION = re.compile(r"^-- only (\w+)\n(.*?)^-- end\n", re.DOTALL | re.MULTILINE)


def migrations(folder: Path) -> list[tuple[int, str]]:
    """Every migration of a folder by number."""
    numbered = ((_NUMBERED.fullmatch(file.name), file) for file in folder.iterdir())
    return sorted((int(match[1]), file.read_text()) for match, file in numbered if match)


def migrate(database: Database, connection: Connection, folder: Path) -> int:
    """Bring a database up to the newest migration; answers its number."""
    connection.run("CREATE TABLE IF NOT EXISTS migration (number INTEGER PRIMARY KEY)")
    done = applied(connection)
    known = migrations(folder)
    if done > known[-1][0]:
        raise StoreUnavailable(
            database.dialect, f"it was made by a newer Mainstem (migration {done})"
        )
    for number, text in known:
        if number > done:
            _apply(database, connection, number, text)
    return known[-1][0]


def applied(connection: Connection) -> int:
    """The number of the newest migration that a database has."""
    return connection.rows("SELECT coalesce(max(number), 0) FROM migration")[0][0]


def _apply(database: Database, connection: Connection, number: int, text: str) -> None:
    text = _SECTION.sub(lambda part: part[2] if part[1] == database.dialect else "", text)
    with connection.transaction():
        for statement in text.split(";\n"):
            if statement.strip():
                connection.run(statement)
        connection.run("INSERT INTO migration VALUES (?)", [number])
