"""The tracker of one application: what ``track`` answers."""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from mainstem.names.run_id import run_id
from mainstem.spark.declaring import declared_lineage
from mainstem.spark.inbox import Declared, StepEnded, StepStarted

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from mainstem.clock import Clock
    from mainstem.spark.declaring import ColumnWords, DatasetWords
    from mainstem.spark.endings import Endings
    from mainstem.spark.inbox import Inbox, Item, Outcome
    from mainstem.spark.listening import Ear
    from mainstem.spark.worker import Worker

WORKER_SECONDS = 10.0
"""How long the end of the job waits for what is still to be told; then runs end without it."""


class Parts(Struct, frozen=True):
    """What an open tracker is made of."""

    inbox: Inbox
    ear: Ear
    worker: Worker
    endings: Endings


class Tracker:
    """Tells what an application's queries read and write, until it ends."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._numbers = count(1)
        self._parts: Parts | None = None
        self._ending = threading.Lock()

    @property
    def is_open(self) -> bool:
        """Whether anything is told; False once the application ended, or where tracking is off."""
        return self._parts is not None

    def declare(
        self,
        query: Any,
        *,
        inputs: Iterable[DatasetWords] = (),
        outputs: Iterable[DatasetWords] = (),
        columns: ColumnWords | None = None,
    ) -> None:
        """Say what a streaming query reads and writes where its plan cannot tell.

        ``query`` is the ``StreamingQuery``, or its name if it has not started yet.

        Raises:
            BadRecipe: with every mistake: key, value, and what is allowed.
        """
        lineage = declared_lineage("declare", inputs, outputs, columns)
        key = query if isinstance(query, str) else str(query.runId)
        self._put(Declared(key, lineage))

    @contextmanager
    def run(
        self,
        job: str,
        inputs: Iterable[DatasetWords] = (),
        outputs: Iterable[DatasetWords] = (),
        columns: ColumnWords | None = None,
    ) -> Generator[None]:
        """Tell the block as a run: START, then COMPLETE, FAIL or ABORT however it is left.

        What leaves it means for the run what it would mean for the application: an exit with code
        0 is no failure, an interrupt is an ABORT.

        Raises:
            BadRecipe: with every mistake: key, value, and what is allowed.
        """
        lineage = declared_lineage(f"run({job!r})", inputs, outputs, columns)
        began = self._clock()
        run = str(run_id(began, job, str(next(self._numbers)), str(threading.get_ident())))
        self._put(StepStarted(run, job, began, lineage))
        left_by: BaseException | None = None
        try:
            yield
        except BaseException as error:
            left_by = error
            raise
        finally:
            if self._parts is not None:
                how = self._parts.endings.outcome(left_by)
                self._put(StepEnded(run, self._clock(), how.telling, how.failure))

    def stop(self) -> None:
        """End what is open, deliver what can be delivered, and track no more."""
        if self._parts is not None:
            endings = self._parts.endings
            endings.finish(endings.outcome(sys.exc_info()[1]))

    def open(self, parts: Parts) -> None:
        """Begin to take what is to be told."""
        self._parts = parts

    def finish(self, outcome: Outcome) -> None:
        """End everything, once; a second call while the first is at it returns at once."""
        if not self._ending.acquire(blocking=False) or self._parts is None:
            return
        parts = self._parts
        parts.worker.finish(outcome, WORKER_SECONDS)
        parts.ear.open = False
        if parts.worker.desk is not None:
            parts.worker.desk.delivery.stop()
        parts.endings.unhook()
        self._parts = None

    def abandon(self) -> None:
        """Nothing can be told; the hooks stay, with nothing to do, where this is another thread."""
        if self._parts is not None:
            self._parts.ear.open = False
            self._parts = None

    def _put(self, item: Item) -> None:
        if self._parts is not None:
            self._parts.inbox.put(item)
