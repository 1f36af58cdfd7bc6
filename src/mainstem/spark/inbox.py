"""What callbacks leave for the worker: copied references, in the order they came.

A callback runs on a thread of Spark's, so it does not wait for the worker. Progress is bounded, and
the oldest goes first: the next one says more. What starts or ends something is never dropped. An
action that is over keeps its whole query in the JVM's memory, so where too many of them wait,
Spark's listener thread, which no job waits for, is held for a moment with each further one.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from mainstem.spark.lineage import QueryLineage
    from mainstem.spark.remote_plan import RemoteWrite
    from mainstem.spark.runs import Failure, Telling

MOST_PROGRESS = 1000
MOST_ACTIONS = 200
HOLD_SECONDS = 1.0


class StreamStarted(Struct, frozen=True):
    """A streaming query has started; ``query`` is Spark's own object."""

    run_id: str
    query_id: str
    name: str | None
    at: datetime
    query: Any
    actions: Any
    """Our listener, as Spark knows it, that hears of the actions in the query's batches."""

    late: bool = False
    """Whether it ran before somebody listened."""


class StreamProgressed(Struct, frozen=True):
    """One batch, as the JSON that Spark tells."""

    text: str


class StreamEnded(Struct, frozen=True):
    """A streaming query has ended; ``exception`` is its whole text."""

    run_id: str
    at: datetime
    exception: str | None
    error_class: str | None
    settled: bool = False
    """Whether the writes of its last batch have surely been heard of."""


class ActionEnded(Struct, frozen=True):
    """An action of a batch has ended; ``execution`` is Spark's own object."""

    execution: Any
    at: datetime
    nanoseconds: int | None = None
    exception: Any | None = None


class RemoteStarted(Struct, frozen=True):
    """A streaming query of Spark Connect has started; ``read`` asks the server for names."""

    run_id: str
    query_id: str
    name: str | None
    at: datetime
    write: RemoteWrite
    read: Callable[[], QueryLineage]


class RemoteWritten(Struct, frozen=True):
    """A batch write through Spark Connect is over; ``read`` asks the server for names."""

    began: datetime
    at: datetime
    write: RemoteWrite
    read: Callable[[], QueryLineage]
    error: Exception | None


class StepStarted(Struct, frozen=True):
    """A block under ``run`` was entered."""

    run_id: str
    job: str
    at: datetime
    lineage: QueryLineage


class StepEnded(Struct, frozen=True):
    """A block under ``run`` was left."""

    run_id: str
    at: datetime
    telling: Telling
    failure: Failure | None


class Declared(Struct, frozen=True):
    """The user says what a query reads and writes."""

    query: str
    """Its run id, or its name where it has not started yet."""

    lineage: QueryLineage


class Outcome(Struct, frozen=True):
    """How the application ends, and how that which is still open ends with it."""

    telling: Telling
    streams: Telling
    failure: Failure | None = None


class Finished(Struct, frozen=True):
    """Nothing more will come."""

    outcome: Outcome
    done: threading.Event


Item = (
    StreamStarted
    | StreamProgressed
    | StreamEnded
    | ActionEnded
    | RemoteStarted
    | RemoteWritten
    | StepStarted
    | StepEnded
    | Declared
    | Finished
)


class Inbox:
    """A queue from any thread to the worker."""

    def __init__(
        self,
        most_progress: int = MOST_PROGRESS,
        most_actions: int = MOST_ACTIONS,
        hold_seconds: float = HOLD_SECONDS,
    ) -> None:
        self._most_progress = most_progress
        self._most_actions = most_actions
        self._hold_seconds = hold_seconds
        self._kept: deque[tuple[int, Item]] = deque()
        self._progress: deque[tuple[int, Item]] = deque()
        self._number = 0
        self._actions = 0
        # Re-entrant: a signal's handler may put while its own thread is putting.
        lock = threading.RLock()
        self._filled = threading.Condition(lock)
        self._roomy = threading.Condition(lock)
        self.dropped = 0
        """Progress that was never looked at."""

    def put(self, item: Item) -> None:
        """Leave this for the worker; only an action may be held, and only for a moment."""
        with self._filled:
            if isinstance(item, ActionEnded):
                if self._actions >= self._most_actions:
                    self._roomy.wait(self._hold_seconds)
                self._actions += 1
            self._number += 1
            if isinstance(item, StreamProgressed):
                self._progress.append((self._number, item))
                if len(self._progress) > self._most_progress:
                    self._progress.popleft()
                    self.dropped += 1
            else:
                self._kept.append((self._number, item))
            self._filled.notify()

    def take(self, seconds: float) -> Item | None:
        """The oldest item, waited for at most this long."""
        with self._filled:
            if not self._kept and not self._progress:
                self._filled.wait(seconds)
            heads = [queue for queue in (self._kept, self._progress) if queue]
            if not heads:
                return None
            _, item = min(heads, key=lambda queue: queue[0][0]).popleft()
            if isinstance(item, ActionEnded):
                self._actions -= 1
                self._roomy.notify()
            return item
