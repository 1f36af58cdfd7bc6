"""Whatever happens in whatever order: nothing is lost, no run is reordered, resends are the same.

The machine appends, steps the lanes, breaks the destinations, lets time pass, and crashes: at any
statement that a lane sends to SQLite, before or after it took effect, and between sending an event
and writing it down. A crash drops every object without closing it and opens the file again.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
)

from mainstem.errors import (
    DestinationBusy,
    DestinationLocked,
    DestinationRefused,
    MainstemError,
)
from mainstem.outbox import Outbox, OutboxItem, StoredEvent
from mainstem.outbox.connection import Durability, connect
from mainstem.outbox.lane import Lane
from mainstem.outbox.ledger import Ledger
from mainstem.outbox.patience import Patience, Schedule
from outbox.doubles import SteppedClock

MEMORY = Path("/dev/shm")  # noqa: S108 - where there is one, fsync is free; no power is cut here
NAMES = ("one", "two")
KEYS = ("r1", "r2", "r3")


class Crash(BaseException):
    """The process dies here; nothing may catch it."""


@dataclass
class CrashingConnection:
    """Passes statements on and dies at the one that was chosen, before or after it took effect."""

    inner: object
    countdown: int | None = None
    after: bool = False

    def execute(self, *arguments: object) -> object:
        dies = self.countdown == 0
        if self.countdown is not None:
            self.countdown -= 1
        if dies and not self.after:
            raise Crash
        answer = self.inner.execute(*arguments)  # pyright: ignore
        if dies:
            raise Crash
        return answer

    @property
    def in_transaction(self) -> bool:
        # Dead processes roll nothing back; SQLite does it when the file is opened again.
        return False


@dataclass
class FaultyDestination:
    """Answers as it is told; remembers what arrived, also if the sender died before it knew."""

    name: str
    kind: str = "faulty"
    fault: MainstemError | None = None
    bad_keys: frozenset[str] = frozenset()
    poison: set[bytes] = field(default_factory=set[bytes])
    dies_after_taking: bool = False
    arrived: list[StoredEvent] = field(default_factory=list[StoredEvent])

    def deliver(self, event: StoredEvent) -> None:
        if self.fault is not None:
            raise self.fault
        if event.body in self.poison:
            raise DestinationRefused(self.name, "answers 422")
        if event.ordering_key in self.bad_keys:
            raise DestinationBusy(self.name, "answers 500")
        self.arrived.append(event)
        if self.dies_after_taking:
            raise Crash

    def close(self) -> None:
        pass


FAULTS = st.sampled_from(
    [
        *[None] * 6,
        DestinationBusy("x", "refused", whole=True),
        DestinationBusy("x", "no answer within 5 s"),
        DestinationBusy("x", "answers 429", retry_after=30.0),
        DestinationLocked("x", "answers 401"),
    ]
)


POISONED = st.sampled_from([False, False, False, True])


class OutboxMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.directory = tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None)
        self.path = Path(self.directory.name) / "journal.db"
        self.clock = SteppedClock()
        self.poison: set[bytes] = set()
        self.destinations = {name: FaultyDestination(name, poison=self.poison) for name in NAMES}
        self.stored: dict[str, list[bytes]] = {key: [] for key in KEYS}
        self.count = 0

    @initialize()
    def open(self) -> None:
        self.box = Outbox.open(self.path)
        self.box.configure(dict.fromkeys(NAMES, "faulty"))
        self.connections = {
            name: CrashingConnection(connect(self.path, Durability.PROCESS_DEATH)) for name in NAMES
        }
        self.lanes = {name: self.lane(name) for name in NAMES}

    def lane(self, name: str) -> Lane:
        ledger = Ledger(self.connections[name], name)  # pyright: ignore
        patience = Patience(Schedule(first=1.0, cap=60.0))
        return Lane(self.destinations[name], ledger, patience, monotonic=self.clock)

    def crash(self) -> None:
        """Leave everything as it lies and begin anew, as after kill -9."""
        for connection in self.connections.values():
            connection.inner.close()  # pyright: ignore
        self.box.close()
        for destination in self.destinations.values():
            destination.dies_after_taking = False
        self.open()

    @rule(told=st.lists(st.tuples(st.sampled_from(KEYS), POISONED), min_size=1, max_size=5))
    def append(self, told: list[tuple[str, bool]]) -> None:
        items: list[OutboxItem] = []
        for key, poisoned in told:
            self.count += 1
            items.append(OutboxItem(key, f'{{"n":{self.count}}}'.encode()))
            if poisoned:
                self.poison.add(items[-1].body)
        with self.box.transaction() as connection:
            self.box.append(connection, items)
        for item in items:
            self.stored[item.ordering_key].append(item.body)

    @rule(keys=st.lists(st.sampled_from(KEYS), min_size=1, max_size=3))
    def append_and_roll_back(self, keys: list[str]) -> None:
        with suppress(ZeroDivisionError), self.box.transaction() as connection:
            self.box.append(connection, [OutboxItem(key, b'{"n":"never"}') for key in keys])
            _ = 1 / 0

    @rule(name=st.sampled_from(NAMES), steps=st.integers(1, 12))
    def step(self, name: str, steps: int) -> None:
        try:
            for _ in range(steps):
                self.clock.seconds += self.lanes[name].step() or 0.0
        except Crash:
            self.crash()

    @rule(name=st.sampled_from(NAMES), countdown=st.integers(0, 20), after=st.booleans())
    def die_at_a_statement(self, name: str, countdown: int, after: bool) -> None:
        self.connections[name].countdown = countdown
        self.connections[name].after = after
        self.step(name, 3)

    @rule(name=st.sampled_from(NAMES))
    def die_between_sending_and_writing(self, name: str) -> None:
        self.destinations[name].dies_after_taking = True
        self.step(name, 3)

    @rule(name=st.sampled_from(NAMES), fault=FAULTS)
    def break_or_mend_a_destination(self, name: str, fault: MainstemError | None) -> None:
        self.destinations[name].fault = fault

    @rule(name=st.sampled_from(NAMES), keys=st.frozensets(st.sampled_from(KEYS), max_size=2))
    def break_or_mend_keys(self, name: str, keys: frozenset[str]) -> None:
        self.destinations[name].bad_keys = keys

    def teardown(self) -> None:
        self.check_that_after_the_faults_everything_flows()
        self.box.close()
        self.directory.cleanup()

    def check_that_after_the_faults_everything_flows(self) -> None:
        self.crash()
        for destination in self.destinations.values():
            destination.fault = None
            destination.bad_keys = frozenset()
        for name in NAMES:
            self.run_until_done(name)
        for name in NAMES:
            assert self.settled(name) == set().union(*self.stored.values())
        letters = {letter.event_id for letter in self.box.dead_letters()}
        rows = self.box._connection.execute("SELECT id FROM outbox_event").fetchall()
        assert {row[0] for row in rows} == letters

    def run_until_done(self, name: str) -> None:
        for _ in range(20 * self.count + 100):
            wait = self.lanes[name].step()
            if wait is None:
                return
            self.clock.seconds += wait
        raise AssertionError(f"{name} does not flow again")

    def settled(self, name: str) -> set[bytes]:
        letters = [self.box.event(letter.event_id) for letter in self.box.dead_letters(name)]
        dead = {letter.body for letter in letters if letter is not None}
        assert len(dead) == len(letters)
        assert dead <= self.poison
        return dead | {event.body for event in self.destinations[name].arrived}

    @invariant()
    def each_run_arrives_in_order_and_a_resend_is_the_same(self) -> None:
        for destination in self.destinations.values():
            for key in KEYS:
                arrived = [e for e in destination.arrived if e.ordering_key == key]
                firsts = list(dict.fromkeys(event.body for event in arrived))
                assert firsts == [body for body in self.stored[key] if body in set(firsts)]
                assert no_gap(firsts, self.stored[key], self.poison)
                bodies = {event.id: event.body for event in arrived}
                assert all(bodies[event.id] == event.body for event in arrived)


def no_gap(firsts: list[bytes], stored: list[bytes], poison: set[bytes]) -> bool:
    """Nothing that can be delivered was skipped: what arrived is where the stored begins."""
    deliverable: Iterator[bytes] = (body for body in stored if body not in poison)
    return all(got in poison or got == next(deliverable) for got in firsts)


TestOutbox = OutboxMachine.TestCase
TestOutbox.settings = settings(max_examples=50, stateful_step_count=40, deadline=None)
