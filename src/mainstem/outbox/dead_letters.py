"""What a person does about dead letters, also while another process drains the file."""

from __future__ import annotations

import json
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.errors import JournalUnusable
from mainstem.outbox.connection import Durability, connect, immediate, journal_errors
from mainstem.outbox.giving_up import give_up
from mainstem.outbox.store import DELETE_SETTLED

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Generator
    from pathlib import Path

_PUT_BACK = """
    INSERT OR IGNORE INTO outbox_held (destination, event_id, ordering_key)
    SELECT l.destination, l.event_id, e.ordering_key
      FROM outbox_dead_letter l
      JOIN outbox_event e ON e.id = l.event_id
      JOIN outbox_destination d ON d.name = l.destination AND d.configured
     WHERE (?1 IS NULL OR l.event_id IN (SELECT value FROM json_each(?1)))
       AND (?2 IS NULL OR l.destination = ?2)"""

_FORGET_CHOSEN = """
    DELETE FROM outbox_dead_letter
     WHERE (?1 IS NULL OR event_id IN (SELECT value FROM json_each(?1)))
       AND (?2 IS NULL OR destination = ?2)"""

_FORGET_PUT_BACK = """
    DELETE FROM outbox_dead_letter
     WHERE EXISTS (SELECT 1 FROM outbox_held h
                    WHERE h.destination = outbox_dead_letter.destination
                      AND h.event_id = outbox_dead_letter.event_id)"""


class Choice(Struct, frozen=True):
    """Which dead letters are meant; None means all."""

    event_ids: Collection[int] | None = None
    destination: str | None = None

    def parameters(self) -> tuple[str | None, str | None]:
        """The choice as the two parameters of a query."""
        ids = None if self.event_ids is None else json.dumps(sorted(self.event_ids))
        return ids, self.destination


def replay(path: Path, choice: Choice) -> int:
    """Put dead letters back in line, after what was sent of their runs since; answers how many.

    Those of a destination that left the configuration stay: nobody would bring them.
    """
    with _changing(path) as connection:
        connection.execute(_PUT_BACK, choice.parameters())
        return connection.execute(_FORGET_PUT_BACK).rowcount


def drop(path: Path, choice: Choice) -> int:
    """Remove dead letters for good; answers how many."""
    with _changing(path) as connection:
        gone = connection.execute(_FORGET_CHOSEN, choice.parameters()).rowcount
        connection.execute(DELETE_SETTLED)
        return gone


def drop_waiting(path: Path, event_ids: Collection[int]) -> int:
    """Give up events that no destination has refused but not all have; answers how many."""
    with _changing(path) as connection:
        before = connection.execute("SELECT events FROM outbox_total").fetchone()[0]
        give_up(connection, event_ids)
        return before - connection.execute("SELECT events FROM outbox_total").fetchone()[0]


@contextmanager
def _changing(path: Path) -> Generator[sqlite3.Connection]:
    if not path.exists():
        raise JournalUnusable(str(path), "there is no such journal")
    with (
        journal_errors(path),
        closing(connect(path, Durability.POWER_LOSS)) as connection,
        immediate(connection),
    ):
        yield connection
