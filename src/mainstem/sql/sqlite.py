"""SQLite by the standard library: write-ahead log, durable commits, one writer."""

from __future__ import annotations

import fcntl
import sqlite3
from contextlib import contextmanager
from functools import cache
from itertools import islice
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from mainstem.errors import StoreInUse, StoreUnavailable
from mainstem.sql.connection import spell

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence
    from pathlib import Path

    from mainstem.sql.connection import Row

AT_ONCE = 512
WRITERS_CACHE, READERS_CACHE = 16_000, 2_000
"""Kilobytes of pages that a connection keeps: there is one writer, and as many readers as asked."""

WORDS = {
    "blob": "BLOB",
    "binary": "BINARY",
    "same": "LIKE",
    "least": "min",
    "greatest": "max",
    "clustered": "WITHOUT ROWID",
}


@cache
def _spelled(statement: str) -> str:
    return spell(statement, WORDS)


class SqliteConnection:
    """One SQLite connection; see ``Connection`` for what each method answers."""

    def __init__(self, path: str, cached_kilobytes: int) -> None:
        self._raw = sqlite3.connect(
            path, isolation_level=None, check_same_thread=False, cached_statements=512, timeout=30
        )
        for setting in (
            "journal_mode=WAL",
            "synchronous=FULL",  # a 201 outlives a power cut, not only a killed process
            "busy_timeout=30000",
            "wal_autocheckpoint=4000",  # a page that changes often is copied back less often
            f"cache_size=-{cached_kilobytes}",
        ):
            self._raw.execute(f"PRAGMA {setting}")

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        return self._raw.execute(_spelled(statement), values).fetchall()

    def among(self, statement: str, wanted: Iterable[Any], values: Sequence[Any] = ()) -> list[Row]:
        found: list[Row] = []
        rest = iter(wanted)
        while chunk := list(islice(rest, AT_ONCE)):
            # A power of two of marks: few statements to prepare, whatever the sizes asked for.
            chunk.extend([chunk[-1]] * ((1 << (len(chunk) - 1).bit_length()) - len(chunk)))
            marks = "IN (" + ",".join("?" * len(chunk)) + ")"
            found += self.rows(statement.replace("{among}", marks), [*chunk, *values])
        return found

    def each(self, statement: str, wanted: Iterable[Any]) -> list[Row]:
        return [row for one in wanted for row in self.rows(statement, [one])]

    def run(self, statement: str, values: Sequence[Any] = ()) -> None:
        self._raw.execute(_spelled(statement), values)

    def many(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        if rows:
            self._raw.executemany(_spelled(statement), rows)

    @contextmanager
    def transaction(self) -> Generator[None]:
        self._raw.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._raw.execute("ROLLBACK")
            raise
        self._raw.execute("COMMIT")

    def close(self) -> None:
        self._raw.close()


class SqliteDatabase:
    """A file; see ``Database``."""

    dialect = "sqlite"

    def __init__(self, path: Path) -> None:
        self.path = path
        self._idle: SimpleQueue[SqliteConnection] = SimpleQueue()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.name != ":memory:":  # SQLite's own word for no file at all
                # Lineage tells much about a company; SQLite gives its side files the same mode.
                path.touch(mode=0o600)
            self._idle.put(SqliteConnection(str(path), READERS_CACHE))
        except (OSError, sqlite3.Error) as error:
            raise StoreUnavailable(str(path), str(error)) from error

    def connect(self) -> SqliteConnection:
        return SqliteConnection(str(self.path), WRITERS_CACHE)

    @contextmanager
    def reader(self) -> Generator[SqliteConnection]:
        try:
            connection = self._idle.get_nowait()
        except Empty:
            connection = SqliteConnection(str(self.path), READERS_CACHE)
        try:
            yield connection
        finally:
            self._idle.put(connection)

    @contextmanager
    def hold(self, holder: str) -> Generator[None]:
        lock = self.path.with_name(self.path.name + ".lock")
        lock.touch(mode=0o600)
        with lock.open("a+") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                file.seek(0)
                raise StoreInUse(
                    str(self.path), file.read().strip() or "another process"
                ) from error
            file.truncate(0)
            file.write(holder)
            file.flush()
            yield

    def close(self) -> None:
        while not self._idle.empty():
            self._idle.get_nowait().close()
