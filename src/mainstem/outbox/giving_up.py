"""Events that a person or a cap gives up: gone from the file, counted, never silently."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection

_COUNT = """
    UPDATE outbox_destination SET dropped = dropped + (
        SELECT COUNT(*) FROM outbox_event e
         WHERE e.id IN (SELECT value FROM json_each(?1))
           AND (e.id > outbox_destination.cursor
                OR EXISTS (SELECT 1 FROM outbox_held h
                            WHERE h.destination = name AND h.event_id = e.id)
                OR EXISTS (SELECT 1 FROM outbox_dead_letter l
                            WHERE l.destination = name AND l.event_id = e.id)))
     WHERE configured"""


def give_up(connection: sqlite3.Connection, event_ids: Collection[int]) -> None:
    """Remove events for good and count them for every destination that did not have them."""
    ids = json.dumps(sorted(event_ids))
    connection.execute(_COUNT, (ids,))
    for table, column in (
        ("outbox_held", "event_id"),
        ("outbox_dead_letter", "event_id"),
        ("outbox_event", "id"),
    ):
        connection.execute(
            f"DELETE FROM {table} WHERE {column} IN (SELECT value FROM json_each(?))",  # noqa: S608
            (ids,),
        )
