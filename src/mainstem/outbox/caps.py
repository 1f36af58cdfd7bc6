"""How much may wait, and how long; without limit unless the user sets one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.logs import log
from mainstem.outbox.giving_up import give_up

if TYPE_CHECKING:
    import sqlite3

_OLDER_THAN = "SELECT id FROM outbox_event WHERE stored_ms < ?"

_BEYOND_BYTES = """
    SELECT id FROM (
        SELECT id, SUM(LENGTH(body)) OVER (ORDER BY id DESC) AS bytes_from_here
          FROM outbox_event)
     WHERE bytes_from_here > ?"""


class Caps(Struct, frozen=True):
    """Limits that drop the oldest events, dead letters too; None is no limit."""

    max_bytes: int | None = None
    """Bytes of events in the file, not of the file itself."""

    max_age_seconds: float | None = None

    def enforce(self, connection: sqlite3.Connection, now_ms: int) -> None:
        """Drop what is too old or too much, in the caller's transaction; said and counted."""
        victims: set[int] = set()
        if self.max_age_seconds is not None:
            oldest_ms = now_ms - int(self.max_age_seconds * 1000)
            victims.update(row[0] for row in connection.execute(_OLDER_THAN, (oldest_ms,)))
        if self.max_bytes is not None and stored_bytes(connection) > self.max_bytes:
            victims.update(row[0] for row in connection.execute(_BEYOND_BYTES, (self.max_bytes,)))
        if victims:
            give_up(connection, victims)
            log.error("outbox over its cap, oldest events dropped", events=len(victims))


def stored_bytes(connection: sqlite3.Connection) -> int:
    """Bytes of all events in the file, kept by triggers so that asking is cheap."""
    return connection.execute("SELECT bytes FROM outbox_total").fetchone()[0]
