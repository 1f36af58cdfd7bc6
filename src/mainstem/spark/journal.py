"""What outlives the driver's process: events on their way, and which runs were open.

Each application has a file of its own, and a second driver of the same application that runs at
the same time the next one (``orders-1a2b3c4d.2.db``): a lock tells which of them are alive. The
runs in a file whose process is gone are ended, and what it had not delivered is delivered.
"""

from __future__ import annotations

import hashlib
import re
from datetime import datetime
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from mainstem.errors import JournalInUse
from mainstem.logs import log
from mainstem.outbox import Outbox, OutboxItem, apply_migrations, default_journal_path
from mainstem.outbox.lock import JournalLock
from mainstem.spark.events import end_from_memory
from mainstem.spark.runs import TICK, Failure, Telling

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from mainstem.clock import Clock
    from mainstem.outbox.migrations import Migration
    from mainstem.spark.runs import Statement

ROOM = "spark"
MIGRATIONS: tuple[Migration, ...] = (
    (
        """CREATE TABLE spark_run (
            run_id TEXT PRIMARY KEY,
            last_event BLOB NOT NULL,
            told TEXT NOT NULL
        ) WITHOUT ROWID""",
    ),
)
MOST_DRIVERS = 64
"""Drivers of one application at the same time on one machine."""

SILENT_END = Failure(
    "the driver's process ended without a word; this is the last sign of life", "PYTHON"
)


def journal_path(namespace: str, application: str) -> Path:
    """Where an application's file lies when nobody says: beside the watcher's journal."""
    readable = re.sub(r"[^A-Za-z0-9_-]+", "-", application).strip("-")[:40] or "spark"
    whole = hashlib.sha256(f"{namespace}\n{application}".encode()).hexdigest()[:8]
    return default_journal_path().parent / "spark" / f"{readable}-{whole}.db"


class Told(NamedTuple):
    """A statement as the event that was made of it."""

    statement: Statement
    event: bytes
    sent: bytes | None
    """What is to be delivered; None where the event is filtered out."""


class SparkJournal:
    """One file, held by this process alone."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._lock = JournalLock(path)
        try:
            self.outbox = Outbox.open(path, clock)
            with self.outbox.transaction() as connection:
                apply_migrations(connection, ROOM, MIGRATIONS)
        except BaseException:
            self._lock.release()
            raise

    def save(self, *told: Told) -> None:
        """Store events and what they mean for their runs, all or nothing."""
        with self.outbox.transaction() as connection:
            for statement, event, sent in told:
                run_id = statement.run.identity.run_id
                if sent is not None:
                    self.outbox.append(connection, [OutboxItem(run_id, sent)])
                if statement.telling in {Telling.START, Telling.RUNNING}:
                    connection.execute(
                        "INSERT OR REPLACE INTO spark_run VALUES (?, ?, ?)",
                        (run_id, event, statement.time.isoformat()),
                    )
                else:
                    connection.execute("DELETE FROM spark_run WHERE run_id = ?", (run_id,))

    def end_left_open(self, prepare: Callable[[bytes], bytes | None]) -> int:
        """End the runs of a process that is gone; answers how many there were."""
        with self.outbox.transaction() as connection:
            rows = connection.execute("SELECT run_id, last_event, told FROM spark_run").fetchall()
            for run_id, last_event, told in rows:
                time = datetime.fromisoformat(told) + TICK
                sent = prepare(end_from_memory(last_event, time, SILENT_END))
                if sent is not None:
                    self.outbox.append(connection, [OutboxItem(run_id, sent)])
            connection.execute("DELETE FROM spark_run")
        return len(rows)

    def close(self) -> None:
        """Close the file and let go of it."""
        self.outbox.close()
        self._lock.release()


def open_journals(
    path: Path, clock: Clock, prepare: Callable[[bytes], bytes | None]
) -> tuple[SparkJournal, tuple[SparkJournal, ...]]:
    """This process's own file, and those that other processes left something in."""
    free = _free_journals(path, clock)
    own = next(free)
    ended = own.end_left_open(prepare)
    left: list[SparkJournal] = []
    for journal in free:
        ended += journal.end_left_open(prepare)
        if journal.outbox.size().events:
            left.append(journal)
        else:
            journal.close()
    if ended:
        log.warning("runs of an earlier process were left open and are ended", runs=ended)
    return own, tuple(left)


def _free_journals(path: Path, clock: Clock) -> Iterator[SparkJournal]:
    """The files that no process holds: first one for us, then those that are there already."""
    found = False
    for number in count(1):
        place = path if number == 1 else path.with_name(f"{path.stem}.{number}{path.suffix}")
        if found and not place.exists():
            return
        try:
            yield SparkJournal(place, clock)
            found = True
        except JournalInUse:
            if number >= MOST_DRIVERS:
                raise
