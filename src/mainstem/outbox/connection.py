"""How the journal's file is opened, and what its errors mean."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING

from mainstem.errors import JournalUnusable, JournalUnwritable, MainstemError

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

LOCK_WAIT_SECONDS = 30.0
DAMAGE_CODES = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
PRIMARY_CODE_MASK = 0xFF
"""SQLite's extended codes carry the primary code in their lowest byte."""


class Durability(StrEnum):
    """When a commit is on the disk, as SQLite's ``synchronous`` says it."""

    POWER_LOSS = "FULL"
    """Survives a power cut: what was accepted must not be lost."""

    PROCESS_DEATH = "NORMAL"
    """Survives kill -9; a power cut may forget a delivery, which is then sent again."""


def make_journal(path: Path) -> None:
    """An empty file for its owner alone that can shrink again after an outage."""
    path.touch(mode=0o600)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        # SQLite takes this only before the first table.
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("VACUUM")


def connect(path: Path, durability: Durability) -> sqlite3.Connection:
    """A connection in WAL mode that never begins a transaction on its own."""
    connection = sqlite3.connect(
        path, timeout=LOCK_WAIT_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA synchronous = {durability}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection that can write nothing; works while another process drains the file."""
    if not path.exists():
        raise JournalUnusable(
            str(path),
            "there is no such journal; looked here alone."
            " A watcher may use another: see its --journal, its recipe's journal and"
            " MAINSTEM_JOURNAL, and name it with --journal FILE",
        )
    with journal_errors(path):
        return sqlite3.connect(
            f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=LOCK_WAIT_SECONDS
        )


@contextmanager
def immediate(connection: sqlite3.Connection) -> Generator[sqlite3.Connection]:
    """One write transaction: committed at the end, rolled back on any error."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        # A full disk makes SQLite roll back by itself; a second ROLLBACK would hide the cause.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def journal_errors(path: Path) -> Generator[None]:
    """Turns SQLite's errors about the file into retry-later or give-up."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        known = journal_error(path, error)
        if known is None:
            raise
        raise known from error


def journal_error(path: Path, error: sqlite3.DatabaseError) -> MainstemError | None:
    """What an SQLite error says about the file; None when it is about the statement."""
    if is_damage(error):
        return JournalUnusable(str(path), f"damaged ({error}); opening it again sets it aside")
    # A mistake in a statement is an OperationalError too, with the unspecific code SQLITE_ERROR.
    about_file = isinstance(error, sqlite3.OperationalError)
    if about_file and _primary_code(error) != sqlite3.SQLITE_ERROR:
        return JournalUnwritable(str(path), str(error))
    return None


def is_damage(error: sqlite3.DatabaseError) -> bool:
    """Whether the file itself is broken, as opposed to busy, full or out of reach."""
    return _primary_code(error) in DAMAGE_CODES


def _primary_code(error: sqlite3.DatabaseError) -> int:
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & PRIMARY_CODE_MASK
