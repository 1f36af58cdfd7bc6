"""From a store's URL to its database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mainstem.errors import BadRecipe
from mainstem.sql.sqlite import SqliteDatabase

if TYPE_CHECKING:
    from mainstem.sql.connection import Database


def open_database(url: str, *, make: bool = True) -> Database:
    """The database that a URL or a plain path names; a missing SQLite file is made if allowed."""
    scheme, separator, rest = url.partition("://")
    if not separator:
        return _open_sqlite(Path(url).expanduser(), make=make)
    if scheme == "sqlite":
        path = rest.removeprefix("/") if rest.startswith("//") else rest
        return _open_sqlite(Path(path), make=make)
    if scheme in ("postgresql", "postgres"):
        return _open_postgres(url)
    allowed = "a path, sqlite:///PATH or postgresql://USER@HOST:PORT/DATABASE"
    raise BadRecipe("--store", [f"{scheme}:// is no store; allowed: {allowed}"])


def _open_sqlite(path: Path, *, make: bool) -> Database:
    if not make and not path.is_file():
        raise BadRecipe("--store", [f"{path} is not there; name the file that serve writes to"])
    return SqliteDatabase(path)


def _open_postgres(url: str) -> Database:
    try:
        from mainstem.sql.postgres import PostgresDatabase  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise BadRecipe(
            "--store", ["PostgreSQL needs: pip install 'mainstem[postgres]'"]
        ) from error
    return PostgresDatabase(url)
