"""The outbox: events are stored here in the caller's transaction before anything is sent."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mainstem.clock import Clock, now
from mainstem.errors import JournalUnwritable
from mainstem.logs import log
from mainstem.outbox import schema
from mainstem.outbox.caps import Caps
from mainstem.outbox.connection import (
    Durability,
    connect,
    immediate,
    journal_errors,
    make_journal,
)
from mainstem.outbox.damage import set_aside_if_damaged
from mainstem.outbox.instants import to_milliseconds
from mainstem.outbox.migrations import apply_migrations
from mainstem.outbox.reader import OutboxReader
from mainstem.outbox.reserve import Reserve

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Generator, Mapping, Sequence
    from pathlib import Path

    from mainstem.outbox.model import OutboxItem

# What every configured destination has and no dead letter needs. With no destination configured
# nothing is deleted: events may be stored before the first drainer starts.
DELETE_SETTLED = """
    DELETE FROM outbox_event
     WHERE id <= (SELECT MIN(cursor) FROM outbox_destination WHERE configured)
       AND id NOT IN (SELECT h.event_id FROM outbox_held h
                        JOIN outbox_destination d ON d.name = h.destination AND d.configured)
       AND id NOT IN (SELECT event_id FROM outbox_dead_letter)"""


class Outbox(OutboxReader):
    """The writing side; one process holds it, any number may read beside it."""

    def __init__(
        self, path: Path, connection: sqlite3.Connection, clock: Clock, caps: Caps
    ) -> None:
        super().__init__(path, clock)
        self.reserve = Reserve(path)
        self._caps = caps
        self._connection = connection
        self._lock = threading.RLock()
        self._listeners: list[Callable[[], None]] = []

    @classmethod
    def open(cls, path: Path, clock: Clock = now, caps: Caps | None = None) -> Outbox:
        """The outbox in this file, made or brought up to date; a damaged file is set aside."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with journal_errors(path):
            set_aside_if_damaged(path, clock())
            if not path.exists():
                make_journal(path)
            connection = connect(path, Durability.POWER_LOSS)
            with immediate(connection):
                apply_migrations(connection, schema.ROOM, schema.MIGRATIONS)
        box = cls(path, connection, clock, caps or Caps())
        box.reserve.secure()
        return box

    @contextmanager
    def transaction(self) -> Generator[sqlite3.Connection]:
        """One write transaction for the caller's own tables and its events, all or nothing."""
        with self._lock, journal_errors(self.path), immediate(self._connection) as connection:
            yield connection
        for listener in self._listeners:
            listener()

    def append(self, connection: sqlite3.Connection, items: Sequence[OutboxItem]) -> None:
        """Store events in the caller's transaction; they are sent once it has committed.

        Raises:
            JournalUnwritable: the disk is full; nothing of the transaction is stored.
        """
        if not self.reserve.is_kept():
            raise JournalUnwritable(str(self.path), "the disk is full; what is left is to drain")
        stored = to_milliseconds(self._clock())
        connection.executemany(
            "INSERT INTO outbox_event (ordering_key, body, stored_ms) VALUES (?, ?, ?)",
            [(item.ordering_key, item.body, stored) for item in items],
        )
        self._caps.enforce(connection, stored)

    def configure(self, kinds: Mapping[str, str]) -> None:
        """Tell which destinations there are (name to kind); those not named hold nothing back.

        A new one gets everything that is still stored. One that is no longer named keeps its
        record and its dead letters, so that it goes on from there if it comes back.
        """
        try:
            left = self._configure(kinds)
        except JournalUnwritable:
            if not self.reserve.release():
                raise
            left = self._configure(kinds)
        for name, waiting in left.items():
            log.warning("destination left the configuration", destination=name, undelivered=waiting)

    def _configure(self, kinds: Mapping[str, str]) -> dict[str, int]:
        with self.transaction() as connection:
            left = _destinations_that_left(connection, kinds)
            connection.execute("UPDATE outbox_destination SET configured = 0")
            connection.executemany(
                "INSERT INTO outbox_destination (name, kind, configured) VALUES (?, ?, 1)"
                " ON CONFLICT (name) DO UPDATE SET kind = excluded.kind, configured = 1",
                list(kinds.items()),
            )
            connection.execute(DELETE_SETTLED)
        return left

    def when_stored(self, listener: Callable[[], None]) -> None:
        """Call this after every commit; it must be quick and must not raise."""
        self._listeners.append(listener)

    def close(self) -> None:
        """Close the writing connection; drainers have their own."""
        with self._lock:
            self._connection.close()


def _destinations_that_left(
    connection: sqlite3.Connection, kinds: Mapping[str, str]
) -> dict[str, int]:
    rows = connection.execute(
        "SELECT name, (SELECT COUNT(*) FROM outbox_event e INDEXED BY outbox_event_by_age"
        " WHERE +e.id > d.cursor)"
        " + (SELECT COUNT(*) FROM outbox_held h WHERE h.destination = d.name)"
        " FROM outbox_destination d WHERE configured"
    ).fetchall()
    return {name: waiting for name, waiting in rows if name not in kinds}
