"""PostgreSQL by psycopg: prepared statements, binary values, one advisory lock for the writer."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cache
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

import psycopg

from mainstem.errors import StoreInUse, StoreUnavailable
from mainstem.sql.connection import spell
from mainstem.sql.wide import table_of, widen

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence

    from mainstem.sql.connection import Row

# Any number that no other program would choose; it names "the writer of this Mainstem store".
WRITER_LOCK = 0x4D41494E5354454D

WIDE_FROM = 5
"""With fewer rows, arrays cost more than they spare."""

_COLUMN_TYPES = """SELECT attname::text, format_type(atttypid, atttypmod) FROM pg_attribute
WHERE attrelid = ?::regclass AND attnum > 0 AND NOT attisdropped"""
WORDS = {
    "blob": "BYTEA",
    "binary": '"C"',
    "same": "ILIKE",
    "least": "LEAST",
    "greatest": "GREATEST",
    "clustered": "",
}


@cache
def _with_percent_marks(statement: str) -> bytes:
    return spell(statement, WORDS).replace("?", "%s").encode()


@cache
def _for_each(statement: str) -> bytes:
    about_one = spell(statement, WORDS).replace("?", "asked.one")
    asked = "unnest(%b) AS asked(one)"  # in binary, an array tells the type of what it holds
    return f"SELECT found.* FROM {asked} CROSS JOIN LATERAL ({about_one}) AS found".encode()  # noqa: S608


class PostgresConnection:
    """One PostgreSQL connection; see ``Connection`` for what each method answers."""

    def __init__(self, url: str) -> None:
        self._raw: psycopg.Connection[Row] = psycopg.connect(
            url, autocommit=True, prepare_threshold=1
        )
        # Two cursors: within a pipeline the outcome of a statement may come after the next one was
        # sent, and a cursor would take it for the rows that it waits for.
        self._asking = self._raw.cursor(binary=True)
        self._telling = self._raw.cursor(binary=True)
        self._widened: dict[str, bytes] = {}

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        return self._asking.execute(_with_percent_marks(statement), values).fetchall()

    def among(self, statement: str, wanted: Iterable[Any], values: Sequence[Any] = ()) -> list[Row]:
        chosen = list(wanted)
        if not chosen:
            return []
        return self.rows(statement.replace("{among}", "= ANY(?)"), [chosen, *values])

    def each(self, statement: str, wanted: Iterable[Any]) -> list[Row]:
        chosen = list(wanted)
        if not chosen:
            return []
        return self._asking.execute(_for_each(statement), [chosen]).fetchall()

    def run(self, statement: str, values: Sequence[Any] = ()) -> None:
        self._telling.execute(_with_percent_marks(statement), values)

    def many(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        if len(rows) < WIDE_FROM:
            for row in rows:
                self.run(statement, row)
        else:
            self._telling.execute(self._wide(statement), list(map(list, zip(*rows, strict=True))))

    def _wide(self, statement: str) -> bytes:
        wide = self._widened.get(statement)
        if wide is None:
            types = self.rows(_COLUMN_TYPES, [table_of(statement)])
            spelled = spell(widen(statement, dict(types)), WORDS)
            wide = self._widened[statement] = spelled.replace("?", "%b").encode()
        return wide

    @contextmanager
    def transaction(self) -> Generator[None]:
        # Statements that answer nothing travel together; what one of them breaks is raised when
        # something is read next, or at the latest when the block is left.
        with self._raw.pipeline(), self._raw.transaction():
            yield

    def close(self) -> None:
        self._raw.close()

    @property
    def broken(self) -> bool:
        """Whether the server hung up; such a connection does not go back to the pool."""
        return self._raw.closed


class PostgresDatabase:
    """A server's database; see ``Database``."""

    dialect = "postgresql"

    def __init__(self, url: str) -> None:
        self._url = url
        self._idle: SimpleQueue[PostgresConnection] = SimpleQueue()
        self._idle.put(self.connect())

    def connect(self) -> PostgresConnection:
        try:
            return PostgresConnection(self._url)
        except psycopg.OperationalError as error:
            # The message names host, port and database; psycopg never puts the password there.
            raise StoreUnavailable("postgresql", str(error)) from error

    @contextmanager
    def reader(self) -> Generator[PostgresConnection]:
        try:
            connection = self._idle.get_nowait()
        except Empty:
            connection = self.connect()
        try:
            yield connection
        finally:
            if not connection.broken:
                self._idle.put(connection)

    @contextmanager
    def hold(self, holder: str) -> Generator[None]:  # noqa: ARG002 - PostgreSQL knows the holder
        connection = self.connect()
        try:
            if not connection.rows("SELECT pg_try_advisory_lock(?)", [WRITER_LOCK])[0][0]:
                raise StoreInUse("the PostgreSQL store", "another process")
            yield
        finally:
            connection.close()

    def close(self) -> None:
        while not self._idle.empty():
            self._idle.get_nowait().close()
