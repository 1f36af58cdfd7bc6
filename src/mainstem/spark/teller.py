"""Keeps the open runs and says what becomes of them: every word is stored before it is sent."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.errors import JournalUnwritable
from mainstem.logs import log
from mainstem.spark import runs
from mainstem.spark.events import build
from mainstem.spark.journal import Told
from mainstem.spark.runs import OpenRun, Telling

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from mainstem.clock import Clock
    from mainstem.spark.events import Application
    from mainstem.spark.inbox import Outcome
    from mainstem.spark.journal import SparkJournal
    from mainstem.spark.lineage import QueryLineage
    from mainstem.spark.progress import Activity, Progress
    from mainstem.spark.runs import Failure, Identity, Statement


class Teller:
    """One application's runs; the worker uses it, and at the very end perhaps the main thread."""

    def __init__(
        self,
        application: Application,
        journal: SparkJournal,
        prepare: Callable[[bytes], bytes | None],
        clock: Clock,
    ) -> None:
        self._application = application
        self._journal = journal
        self._prepare = prepare
        self._clock = clock
        self._open: dict[str, OpenRun] = {}
        self._unsaved: list[Statement] = []
        """What the disk did not take; never a mere sign of life."""
        self._lock = threading.RLock()

    def begin(
        self,
        identity: Identity,
        at: datetime,
        lineage: QueryLineage | None,
        *,
        unread: str | None = None,
        notes: tuple[str, ...] = (),
    ) -> None:
        """A run has started."""
        parts = () if lineage is None else (lineage,)
        run = OpenRun(identity, told=at, parts=parts, unread=unread, notes=notes)
        with self._lock:
            self._open[identity.run_id] = run
            self._say(runs.start(run))

    def progress(self, progress: Progress) -> None:
        """A batch of a stream is over; a sign of life follows when one is due."""
        with self._lock:
            run = self._open.get(progress.run_id)
            if run is not None:
                self._open[progress.run_id] = runs.with_progress(run, progress)

    def widen(self, run_id: str, part: QueryLineage, note: str | None = None) -> None:
        """A run reads or writes more than was known; said at once."""
        with self._lock:
            run = self._open.get(run_id)
            if run is None:
                return
            wider = runs.with_part(run, part, note)
            if wider != run:
                self._go_on(wider)

    def replace_part(self, run_id: str, old: QueryLineage, new: QueryLineage) -> None:
        """A part turned out to be another, for instance once the topics of a pattern are seen."""
        with self._lock:
            run = self._open.get(run_id)
            if run is not None and old != new:
                self._go_on(runs.with_other_part(run, old, new))

    def end(
        self,
        run_id: str,
        telling: Telling,
        at: datetime,
        failure: Failure | None = None,
    ) -> None:
        """A run is over; nothing where it is not open."""
        with self._lock:
            run = self._open.pop(run_id, None)
            if run is not None:
                self._say(runs.end(run, telling, at, failure))

    def tell_whole(
        self, run: OpenRun, telling: Telling, at: datetime, failure: Failure | None, rows: Activity
    ) -> None:
        """A run that was over before it could be told: its first and last words, stored at once."""
        last = runs.end(replace(run, activity=rows), telling, at, failure)
        with self._lock:
            self._say(runs.start(run), last)

    def beat(self) -> None:
        """A sign of life of every run that owes one."""
        now = self._clock()
        with self._lock:
            self._save_the_unsaved()
            for run in tuple(self._open.values()):
                if runs.is_due(run, now, self._application.heartbeat):
                    self._go_on(run)

    def end_all(self, outcome: Outcome) -> None:
        """End everything that is open, the application last."""
        with self._lock:
            own = self._open.pop(self._application.run_id or "", None)
            for run in self._open.values():
                self._say(runs.end(run, outcome.streams, self._clock(), outcome.failure))
            self._open.clear()
            if own is not None:
                self._say(runs.end(own, outcome.telling, self._clock(), outcome.failure))

    def _go_on(self, run: OpenRun) -> None:
        moved, statement = runs.go_on(run, self._clock())
        self._open[run.identity.run_id] = moved
        self._say(statement)

    def _say(self, *statements: Statement) -> None:
        try:
            self._save_the_unsaved()
            self._save(*statements)
        except JournalUnwritable as error:
            self._unsaved += [one for one in statements if one.telling is not Telling.RUNNING]
            log.warning("an event could not be stored; tried again later", reason=error.reason)

    def _save_the_unsaved(self) -> None:
        while self._unsaved:
            self._save(self._unsaved[0])
            del self._unsaved[0]

    def _save(self, *statements: Statement) -> None:
        self._journal.save(*map(self._told, statements))

    def _told(self, statement: Statement) -> Told:
        event = build(statement, self._application)
        return Told(statement, event, self._prepare(event))
