"""From a store's URL to its database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mainstem.errors import BadRecipe
from mainstem.sql.sqlite import SqliteDatabase

if TYPE_CHECKING:
    from mainstem.sql.connection import Database


def open_database(url: str) -> Database:
    """The database that a URL or a plain path names; a missing SQLite file is made."""
    scheme, separator, rest = url.partition("://")
    if not separator:
        return SqliteDatabase(Path(url).expanduser())
    if scheme == "sqlite":
        return SqliteDatabase(Path(rest.removeprefix("/") if rest.startswith("//") else rest))
    if scheme in ("postgresql", "postgres"):
        return _open_postgres(url)
    allowed = "a path, sqlite:///PATH or postgresql://USER@HOST:PORT/DATABASE"
    raise BadRecipe("--store", [f"{scheme}:// is no store; allowed: {allowed}"])


def _open_postgres(url: str) -> Database:
    try:
        from mainstem.sql.postgres import PostgresDatabase  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise BadRecipe(
            "--store", ["PostgreSQL needs: pip install 'mainstem[postgres]'"]
        ) from error
    return PostgresDatabase(url)
