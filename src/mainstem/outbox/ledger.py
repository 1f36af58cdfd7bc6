"""One destination's delivery record: a cursor, and the events that were left behind it.

The cursor is the last event that was looked at. An event at or before it is settled, unless it is
*held*: passed over because its key waits after a failure, or put back by a replay. So one failing
key costs a row per waiting event of that key, and nothing for the others.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from mainstem.outbox.connection import immediate
from mainstem.outbox.reader import stored_event

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection

    from mainstem.outbox.model import StoredEvent

_FIRST_HELD = """
    SELECT e.id, e.ordering_key, e.body, e.stored_ms
      FROM outbox_held h JOIN outbox_event e ON e.id = h.event_id
     WHERE h.destination = ? AND h.ordering_key NOT IN (SELECT value FROM json_each(?))
     ORDER BY h.event_id LIMIT 1"""

_FIRST_NEW = """
    SELECT id, ordering_key, body, stored_ms FROM outbox_event
     WHERE id > (SELECT cursor FROM outbox_destination WHERE name = ?)
       AND ordering_key NOT IN (SELECT value FROM json_each(?))
     ORDER BY id LIMIT 1"""

_HOLD_UP_TO = """
    INSERT OR IGNORE INTO outbox_held (destination, event_id, ordering_key)
    SELECT d.name, e.id, e.ordering_key FROM outbox_destination d JOIN outbox_event e
        ON e.id > d.cursor AND e.id < ?2
     WHERE d.name = ?1"""

_DELETE_IF_SETTLED = """
    DELETE FROM outbox_event
     WHERE id = ?1
       AND NOT EXISTS (
           SELECT 1 FROM outbox_destination d
            WHERE d.configured AND (d.cursor < ?1 OR EXISTS (
                  SELECT 1 FROM outbox_held h WHERE h.destination = d.name AND h.event_id = ?1)))
       AND NOT EXISTS (
           SELECT 1 FROM outbox_destination d JOIN outbox_dead_letter l
               ON l.destination = d.name AND l.event_id = ?1)"""


EMPTY_PAGES_KEPT = 256
"""Room for what comes next; giving it back each time would cost more than it frees."""

PAGES_PER_TURN = 2000
"""Freed in one transaction, during which nobody can store an event."""


class Ledger:
    """Reads and writes one destination's record, on a connection of its own."""

    def __init__(self, connection: sqlite3.Connection, destination: str) -> None:
        self._connection = connection
        self._destination = destination

    def next_event(self, blocked: Collection[str]) -> StoredEvent | None:
        """The oldest event still to be delivered whose key is not blocked."""
        keys = json.dumps(sorted(blocked))
        for query in (_FIRST_HELD, _FIRST_NEW):
            row = self._connection.execute(query, (self._destination, keys)).fetchone()
            if row is not None:
                return stored_event(row)
        return None

    def delivered(self, event: StoredEvent, at_ms: int) -> None:
        """The destination has this event; the row goes once no other destination needs it."""
        with immediate(self._connection):
            self._move_past(event)
            self._connection.execute(
                "UPDATE outbox_destination SET delivered = delivered + 1, last_delivery_ms = ?,"
                " paused = 0, trouble = NULL, trouble_since_ms = NULL WHERE name = ?",
                (at_ms, self._destination),
            )
            self._connection.execute(_DELETE_IF_SETTLED, (event.id,))

    def refused(self, event: StoredEvent, reason: str, at_ms: int) -> None:
        """The destination will never take this event; it stays as a dead letter."""
        with immediate(self._connection):
            self._move_past(event)
            self._connection.execute(
                "INSERT OR REPLACE INTO outbox_dead_letter VALUES (?, ?, ?, ?)",
                (self._destination, event.id, reason, at_ms),
            )

    def troubled(self, reason: str, at_ms: int, *, paused: bool) -> None:
        """Remember for a person why nothing gets through."""
        with immediate(self._connection):
            self._connection.execute(
                "UPDATE outbox_destination SET paused = ?, trouble = ?,"
                " trouble_since_ms = COALESCE(trouble_since_ms, ?) WHERE name = ?",
                (paused, reason, at_ms, self._destination),
            )

    def fold_log(self) -> None:
        """Bring the write-ahead log into the file and its length to nothing."""
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def give_space_back(self) -> bool:
        """Shorten the file a little if much of it is empty; True when there is more to do."""
        empty = self._connection.execute("PRAGMA freelist_count").fetchone()[0]
        if empty <= EMPTY_PAGES_KEPT:
            return False
        # Fetched to its end: SQLite frees one page per row of the answer.
        self._connection.execute(f"PRAGMA incremental_vacuum({PAGES_PER_TURN})").fetchall()
        left = self._connection.execute("PRAGMA freelist_count").fetchone()[0]
        return EMPTY_PAGES_KEPT < left < empty

    def _move_past(self, event: StoredEvent) -> None:
        self._connection.execute(_HOLD_UP_TO, (self._destination, event.id))
        self._connection.execute(
            "UPDATE outbox_destination SET cursor = MAX(cursor, ?) WHERE name = ?",
            (event.id, self._destination),
        )
        self._connection.execute(
            "DELETE FROM outbox_held WHERE destination = ? AND event_id = ?",
            (self._destination, event.id),
        )
