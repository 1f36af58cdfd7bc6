"""Journal and outbox under crashes at every statement: nothing is lost, and it flows again."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from mainstem.errors import DestinationBusy, DestinationRefused
from mainstem.outbox import OutboxItem, StoredEvent
from mainstem.watch.journal import Change, Journal, LookOutcome
from mainstem.watch.runs.model import RunMemory
from outbox.doubles import MemoryDestination, SteppedClock, open_lane, run_lane

START = datetime(2026, 11, 16, 12, tzinfo=UTC)
RUNS = st.sampled_from(["a", "b", "c"])


class Crash(BaseException):
    """The process ends here; what was not committed never was."""


class Crashing(RuleBasedStateMachine):
    """Saves steps and delivers their events, with a crash before any chosen statement."""

    @initialize()
    def begin(self) -> None:
        self.directory = Path(tempfile.mkdtemp())
        self.number = 0
        self.stored: dict[str, list[bytes]] = {}
        self.refused: list[bytes] = []
        self.destination = MemoryDestination()
        self.broken = False
        self.poison: set[bytes] = set()
        self.destination.fault = self.fault
        self.clock = SteppedClock()
        self.open()

    def open(self) -> None:
        self.journal = Journal.open(self.directory / "journal.db")
        self.lane = open_lane(self.journal.outbox, self.destination, self.clock)

    def fault(self, event: StoredEvent) -> None:
        if self.broken:
            raise DestinationBusy("memory", "away")
        if event.body in self.poison:
            self.refused.append(event.body)
            raise DestinationRefused("memory", "HTTP 400")

    def change(self, run: str, events: int) -> Change:
        self.number += 1
        bodies = [f'{{"run":"{run}","n":{self.number},"of":{n}}}'.encode() for n in range(events)]
        memory = RunMemory(run, START + timedelta(seconds=self.number), str(self.number))
        return Change(run, memory, tuple(OutboxItem(run, body) for body in bodies), b"{}", None)

    @rule(run=RUNS, events=st.integers(0, 3), poison=st.booleans())
    def save(self, run: str, events: int, poison: bool) -> None:
        change = self.change(run, events)
        if poison and change.events:
            self.poison.add(change.events[-1].body)
        self.journal.save("c", [change], LookOutcome(START))
        self.stored.setdefault(run, []).extend(item.body for item in change.events)
        self.latest = {**getattr(self, "latest", {}), run: change.memory}

    @rule(run=RUNS, after=st.integers(0, 6))
    def crash_while_saving(self, run: str, after: int) -> None:
        """The program ends before one of the statements; all of the step is then void."""
        left = after

        def count(_statement: str) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                raise Crash

        connection = self.journal.outbox._connection
        change = self.change(run, 2)
        crashed = False
        with self.journal.outbox._lock:
            try:
                self.save_counting(connection, change, count)
            except Crash:
                crashed = True
        if not crashed:
            self.stored.setdefault(run, []).extend(item.body for item in change.events)
            self.latest = {**getattr(self, "latest", {}), run: change.memory}
        self.kill()

    def save_counting(self, connection: sqlite3.Connection, change: Change, count: object) -> None:
        """Save on a connection that tells of each statement before it is executed."""
        box = self.journal.outbox
        box._connection = Telling(connection, count)  # type: ignore[assignment]
        try:
            self.journal.save("c", [change], LookOutcome(START))
        finally:
            box._connection = connection

    @rule()
    def kill(self) -> None:
        """kill -9 and a new start on the same file."""
        connection = self.journal.outbox._connection
        if connection.in_transaction:
            connection.execute("ROLLBACK")  # what SQLite does at the next start
        self.journal.close()
        self.open()

    @rule(seconds=st.integers(1, 30))
    def deliver(self, seconds: int) -> None:
        run_lane(self.lane, self.clock, seconds)

    @rule()
    def break_or_mend_the_backend(self) -> None:
        self.broken = not self.broken

    @invariant()
    def what_is_remembered_is_what_was_saved(self) -> None:
        if hasattr(self, "journal"):
            assert self.journal.memories("c") == getattr(self, "latest", {})

    def teardown(self) -> None:
        """Liveness: once the faults are over everything flows, in order, and nothing is lost."""
        if not hasattr(self, "journal"):
            return
        self.broken = False
        self.kill()
        run_lane(self.lane, self.clock, 10_000)
        for run, bodies in self.stored.items():
            arrived = [each.body for each in self.destination.taken if each.ordering_key == run]
            assert list(dict.fromkeys(arrived)) == [b for b in bodies if b not in self.poison]
        kept = {each.event_id for each in self.journal.outbox.dead_letters()}
        assert len(kept) == len(self.poison & {b for each in self.stored.values() for b in each})
        self.journal.close()
        shutil.rmtree(self.directory)


class Telling:
    """A connection that says each statement before it executes it."""

    def __init__(self, connection: sqlite3.Connection, count: object) -> None:
        self._connection = connection
        self._count = count

    def __getattr__(self, name: str) -> object:
        return getattr(self._connection, name)

    def execute(self, statement: str, *arguments: object) -> object:
        self._count(statement)  # type: ignore[operator]
        return self._connection.execute(statement, *arguments)  # type: ignore[arg-type]

    def executemany(self, statement: str, *arguments: object) -> object:
        self._count(statement)  # type: ignore[operator]
        return self._connection.executemany(statement, *arguments)  # type: ignore[arg-type]


TestCrashing = pytest.mark.filterwarnings("ignore::ResourceWarning")(Crashing.TestCase)
TestCrashing.settings = settings(max_examples=12, stateful_step_count=12, deadline=None)
