"""What can be asked of an outbox without changing it, also from another process."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

from mainstem.clock import Clock, now
from mainstem.outbox.connection import connect_to_read, journal_errors
from mainstem.outbox.instants import from_milliseconds
from mainstem.outbox.model import (
    DeadLetter,
    DestinationStatus,
    OutboxSize,
    StoredEvent,
    WaitingEvent,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from pathlib import Path

_STATUS = """
    SELECT d.name, d.kind, d.configured, d.delivered, d.dropped, d.last_delivery_ms,
           d.paused, d.trouble, d.trouble_since_ms,
           (SELECT COUNT(*) FROM outbox_event e INDEXED BY outbox_event_by_age
             WHERE +e.id > d.cursor)
             + (SELECT COUNT(*) FROM outbox_held h WHERE h.destination = d.name),
           (SELECT MIN(e.stored_ms) FROM outbox_event e
             WHERE e.id = (SELECT MIN(id) FROM outbox_event WHERE id > d.cursor)
                OR e.id = (SELECT MIN(event_id) FROM outbox_held WHERE destination = d.name)),
           (SELECT COUNT(*) FROM outbox_dead_letter l WHERE l.destination = d.name)
      FROM outbox_destination d ORDER BY d.configured DESC, d.name"""

_IS_DRAINED = """
    SELECT NOT EXISTS (
        SELECT 1 FROM outbox_destination d
         WHERE d.configured AND (
               d.cursor < (SELECT MAX(id) FROM outbox_event)
               OR EXISTS (SELECT 1 FROM outbox_held h WHERE h.destination = d.name)))"""

_DEAD_LETTERS = """
    SELECT l.destination, l.event_id, e.ordering_key, l.reason, l.since_ms, LENGTH(e.body)
      FROM outbox_dead_letter l JOIN outbox_event e ON e.id = l.event_id
     WHERE ?1 IS NULL OR l.destination = ?1
     ORDER BY l.event_id, l.destination"""


_WAITING = """
    SELECT e.id, e.ordering_key, e.stored_ms, LENGTH(e.body), GROUP_CONCAT(d.name, char(10))
      FROM outbox_event e JOIN outbox_destination d ON d.configured AND (e.id > d.cursor
           OR EXISTS (SELECT 1 FROM outbox_held h
                       WHERE h.destination = d.name AND h.event_id = e.id))
     GROUP BY e.id ORDER BY e.id LIMIT ?"""


class OutboxReader:
    """Reads an outbox that this or another process writes."""

    def __init__(self, path: Path, clock: Clock = now) -> None:
        self.path = path
        self._clock = clock

    def status(self) -> tuple[DestinationStatus, ...]:
        """How far every destination is, those that left the configuration last."""
        instant = self._clock()
        return tuple(_status(row, instant) for row in self._rows(_STATUS))

    def dead_letters(self, destination: str | None = None) -> tuple[DeadLetter, ...]:
        """The events that a destination will never take, oldest first."""
        return tuple(
            DeadLetter(row[0], row[1], row[2], row[3], from_milliseconds(row[4]), row[5])
            for row in self._rows(_DEAD_LETTERS, (destination,))
        )

    def event(self, event_id: int) -> StoredEvent | None:
        """One event with its bytes, as long as the outbox holds it."""
        rows = self._rows(
            "SELECT id, ordering_key, body, stored_ms FROM outbox_event WHERE id = ?", (event_id,)
        )
        return next((stored_event(row) for row in rows), None)

    def waiting(self, limit: int) -> tuple[WaitingEvent, ...]:
        """The oldest events that a configured destination still has to get."""
        return tuple(
            WaitingEvent(
                row[0], row[1], from_milliseconds(row[2]), row[3], tuple(row[4].split("\n"))
            )
            for row in self._rows(_WAITING, (limit,))
        )

    def size(self) -> OutboxSize:
        """How many events the file holds and their bytes, dead letters included."""
        [(events, size)] = self._rows("SELECT events, bytes FROM outbox_total")
        return OutboxSize(events, size)

    def is_drained(self) -> bool:
        """Whether every configured destination has taken or refused everything; cheap to ask."""
        [(drained,)] = self._rows(_IS_DRAINED)
        return bool(drained)

    def _rows(self, query: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with closing(connect_to_read(self.path)) as connection, journal_errors(self.path):
            return connection.execute(query, parameters).fetchall()


def stored_event(row: tuple[Any, ...]) -> StoredEvent:
    """An event from its row (id, ordering_key, body, stored_ms)."""
    return StoredEvent(row[0], row[1], row[2], from_milliseconds(row[3]))


def _status(row: tuple[Any, ...], now: datetime) -> DestinationStatus:
    name, kind, configured, delivered, dropped, last_ms, paused, trouble, since_ms = row[:9]
    depth, oldest_ms, dead_letters = row[9:]
    oldest = None if oldest_ms is None else from_milliseconds(oldest_ms)
    return DestinationStatus(
        name=name,
        kind=kind,
        configured=bool(configured),
        depth=depth,
        oldest_age_seconds=None if oldest is None else max(0.0, (now - oldest).total_seconds()),
        dead_letters=dead_letters,
        delivered=delivered,
        dropped=dropped,
        last_delivery=None if last_ms is None else from_milliseconds(last_ms),
        paused=trouble if paused else None,
        trouble=trouble,
        trouble_since=None if since_ms is None else from_milliseconds(since_ms),
    )
