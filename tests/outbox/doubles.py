"""A destination and a clock that do as the test says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from mainstem.outbox import Outbox, OutboxItem, StoredEvent
from mainstem.outbox.connection import Durability, connect
from mainstem.outbox.lane import Lane
from mainstem.outbox.ledger import Ledger
from mainstem.outbox.patience import Patience, Schedule


@dataclass
class MemoryDestination:
    """Remembers what it was given; ``fault`` may raise before an event is taken."""

    name: str = "memory"
    kind: str = "memory"
    fault: Callable[[StoredEvent], None] = lambda event: None
    taken: list[StoredEvent] = field(default_factory=list[StoredEvent])
    tried: list[str] = field(default_factory=list[str])

    def deliver(self, event: StoredEvent) -> None:
        self.tried.append(event.ordering_key)
        self.fault(event)
        self.taken.append(event)

    def close(self) -> None:
        pass

    @property
    def bodies(self) -> list[bytes]:
        return [event.body for event in self.taken]


@dataclass
class SteppedClock:
    """A monotonic clock that moves only when told."""

    seconds: float = 1000.0

    def __call__(self) -> float:
        return self.seconds


def items(*pairs: tuple[str, str]) -> list[OutboxItem]:
    return [OutboxItem(key, f'{{"is":"{text}"}}'.encode()) for key, text in pairs]


def store(box: Outbox, *pairs: tuple[str, str]) -> None:
    with box.transaction() as connection:
        box.append(connection, items(*pairs))


def depth(box: Outbox) -> int:
    """Deliveries that the configured destinations still wait for, all together."""
    return sum(status.depth for status in box.status() if status.configured)


def texts(events: Iterable[StoredEvent]) -> list[str]:
    return [event.body.decode().split('"')[3] for event in events]


def open_lane(
    box: Outbox, destination: MemoryDestination, monotonic: Callable[[], float] | None = None
) -> Lane:
    """A lane that steps in the test's own thread; the schedule has no chance in it."""
    box.configure({destination.name: destination.kind})
    ledger = Ledger(connect(box.path, Durability.PROCESS_DEATH), destination.name)
    patience = Patience(Schedule(first=1.0, cap=60.0, jitter=lambda: 0.0))
    return Lane(destination, ledger, patience, monotonic=monotonic or SteppedClock())


def run_lane(lane: Lane, clock: SteppedClock, seconds: float) -> None:
    """Step until nothing is left to do or the time is over, moving the clock instead of waiting."""
    end = clock.seconds + seconds
    while (wait := lane.step()) is not None:
        clock.seconds += wait
        if clock.seconds > end:
            return
