"""The thread that turns what callbacks left into runs and lineage, off the job's threads."""

from __future__ import annotations

import threading
from datetime import timedelta
from itertools import count
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from mainstem.clock import monotonic
from mainstem.names.run_id import run_id
from mainstem.spark.capture import capture_plan, capture_stream, plans_to_tell
from mainstem.spark.captured import with_topics
from mainstem.spark.failures import failure_of, text_of
from mainstem.spark.guard import kept_from_the_job, reason_of
from mainstem.spark.inbox import (
    ActionEnded,
    Declared,
    Finished,
    Inbox,
    Item,
    Outcome,
    RemoteStarted,
    RemoteWritten,
    StepEnded,
    StepStarted,
    StreamEnded,
    StreamProgressed,
    StreamStarted,
)
from mainstem.spark.lineage import QueryLineage
from mainstem.spark.plan import datasets_of, lineage_of, stream_columns
from mainstem.spark.progress import Activity, read_progress, topics_of
from mainstem.spark.reading import (
    BOUNDED_TRIGGERS,
    rows_written,
    session_of_stream,
    shape_of,
    sink_of,
    stop_hearing_batches,
    trigger_of,
)
from mainstem.spark.runs import Failure, Identity, Kind, OpenRun, Telling

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from mainstem.spark.captured import CapturedPlan
    from mainstem.spark.desk import Desk
    from mainstem.spark.job_names import JobNames
    from mainstem.spark.jvm import Jvm
    from mainstem.spark.scope import StreamColumn
    from mainstem.spark.settings import Settings
    from mainstem.spark.teller import Teller

TICK_SECONDS = 1.0
COUNTED = frozenset({"append", "overwrite"})
"""What is done to an output of which the rows can be told."""

NOTHING = QueryLineage((), ())
DECLARED = "inputs, outputs or columns were declared by the job"
LATE = "tracking began after the query did; batches and rows are those since then"
JVM_GONE = Outcome(Telling.FAIL, Telling.FAIL, Failure("the JVM of the driver is gone", "JAVA"))


class Stream(Struct):
    """A streaming query that runs, as far as it could be read."""

    captured: CapturedPlan | None = None
    lineage: QueryLineage = NOTHING
    columns: Mapping[int, StreamColumn] = field(default_factory=dict)
    sink: str = "stream"
    session: str | None = None
    trigger: str | None = None
    topics: frozenset[str] = frozenset()
    shapes: dict[str, float] = field(default_factory=dict)
    """The writes of its batches that were looked at within a heartbeat, and when."""


class Batch(Struct, frozen=True):
    """An action that is over, ready to be told."""

    lineage: QueryLineage
    began: datetime
    at: datetime
    failure: Failure | None = None
    activity: Activity = field(default_factory=Activity)
    notes: tuple[str, ...] = ()
    unread: str | None = None
    """Why no more than its datasets could be read."""


class Worker:
    """Takes from the inbox until it is told that nothing more comes."""

    def __init__(
        self,
        inbox: Inbox,
        open_desk: Callable[[], Desk],
        names: JobNames,
        settings: Settings,
        jvm: Jvm,
    ) -> None:
        self._inbox = inbox
        self._open_desk = open_desk
        self.desk: Desk | None = None
        """Where it tells; none before its thread has opened it."""
        self._names = names
        self._settings = settings
        self._jvm = jvm
        self._streams: dict[str, Stream] = {}
        self._declared: dict[str, list[QueryLineage]] = {}
        self._settled: dict[str, str | None] = {}
        self._ended = False
        self._numbers = count(1)
        self._handlers: Mapping[type[Item], Callable[[Any], None]] = {
            StreamStarted: self._stream_started,
            StreamProgressed: self._stream_progressed,
            StreamEnded: self._stream_ended,
            ActionEnded: self._action_ended,
            RemoteStarted: self._remote_started,
            RemoteWritten: self._remote_written,
            StepStarted: self._step_started,
            StepEnded: self._step_ended,
            Declared: self._declare,
            Finished: self._finish,
        }
        self.farewells: list[Callable[[], None]] = []
        """What is taken back at the end, on this thread: a signal may have cut into a call of
        the main thread's to the JVM."""
        self._thread = threading.Thread(target=self._run, name="mainstem-spark", daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def finish(self, outcome: Outcome, seconds: float) -> None:
        """Tell what is still to be told, then end everything; after so long, end it untold."""
        done = threading.Event()
        self._inbox.put(Finished(outcome, done))
        deadline = monotonic() + seconds
        while self._thread.is_alive() and monotonic() < deadline:
            if done.wait(TICK_SECONDS / 20):
                return
        if self.desk is not None:
            self.desk.teller.end_all(outcome)

    @property
    def _teller(self) -> Teller:
        assert self.desk is not None, "opened before anything is handled"  # noqa: S101
        return self.desk.teller

    def _run(self) -> None:
        with kept_from_the_job("the start of tracking"):
            self.desk = self._open_desk()
        if self.desk is None:
            self._say_farewell()
            return
        while not self._ended:
            self._handle_next()
            if not self._ended:
                with kept_from_the_job("the sign of life"):
                    self._look_around()

    def _handle_next(self) -> None:
        # Named nowhere else: what is kept while the next one is waited for, the JVM keeps, too.
        item = self._inbox.take(TICK_SECONDS)
        if item is not None:
            with kept_from_the_job(f"handling {type(item).__name__}"):
                self._handle(item)

    def _look_around(self) -> None:
        if self._jvm.is_gone():
            self._end(JVM_GONE)
        else:
            self._teller.beat()

    def _handle(self, item: Item) -> None:
        self._handlers[type(item)](item)

    def _step_started(self, item: StepStarted) -> None:
        step = Identity(item.run_id, self._names.of_step(item.job), Kind.STEP)
        self._teller.begin(step, item.at, item.lineage)

    def _step_ended(self, item: StepEnded) -> None:
        self._teller.end(item.run_id, item.telling, item.at, item.failure)

    def _finish(self, item: Finished) -> None:
        try:
            self._jvm.wait_for_listeners()
            while (late := self._inbox.take(0.0)) is not None:
                with kept_from_the_job(f"handling {type(late).__name__}"):
                    self._handle(late)
            self._end(JVM_GONE if self._jvm.is_gone() else item.outcome)
            self._say_farewell()
        finally:
            self._ended = True
            item.done.set()

    def _say_farewell(self) -> None:
        for farewell in self.farewells if not self._jvm.is_gone() else ():
            with kept_from_the_job("taking back a listener"):
                farewell()

    def _end(self, outcome: Outcome) -> None:
        self._ended = True
        self._teller.end_all(outcome)

    def _stream_started(self, item: StreamStarted) -> None:
        if item.run_id in self._streams:  # it started while running ones were asked for
            return
        stream = self._streams[item.run_id] = Stream()
        unread = self._read_stream(stream, item.query)
        self._begin_stream(item, stream, unread, (LATE,) if item.late else ())
        stop_hearing_batches(item.query, item.actions)

    def _remote_started(self, item: RemoteStarted) -> None:
        stream = self._streams[item.run_id] = Stream(
            sink=item.write.sink, trigger=item.write.trigger
        )
        unread = None
        try:
            stream.lineage = item.read()
        except Exception as error:  # noqa: BLE001 - a stream that cannot be read is still a run
            unread = reason_of(error)
        self._begin_stream(item, stream, unread, item.write.notes)

    def _begin_stream(
        self,
        item: StreamStarted | RemoteStarted,
        stream: Stream,
        unread: str | None,
        notes: tuple[str, ...] = (),
    ) -> None:
        name = self._names.of_stream(item.name, stream.lineage, stream.sink)
        query = Identity(item.run_id, name, Kind.STREAM, item.query_id, item.name, stream.trigger)
        self._teller.begin(query, item.at, stream.lineage, unread=unread, notes=notes)
        for declared in self._declared.get(item.name or "", ()):
            self._teller.widen(item.run_id, declared, DECLARED)

    def _read_stream(self, stream: Stream, query: Any) -> str | None:
        """Fill in what can be read; answers why the rest cannot."""
        try:
            stream.trigger = trigger_of(query)
            stream.session = session_of_stream(query)
            stream.sink = sink_of(query)
            stream.captured = capture_stream(query)
        except Exception as error:  # noqa: BLE001 - a stream that cannot be read is still a run
            return reason_of(error)
        stream.lineage, unread = thought_out(stream.captured, {})
        if not stream.lineage.outputs and unread is None:
            stream.columns = stream_columns(stream.captured)
        return unread

    def _stream_progressed(self, item: StreamProgressed) -> None:
        progress = read_progress(item.text)
        self._teller.progress(progress)
        stream = self._streams.get(progress.run_id)
        topics = topics_of(progress)
        if stream is None or stream.captured is None or topics <= stream.topics:
            return
        stream.topics |= topics
        seen = with_topics(stream.captured, stream.topics)
        if seen != stream.captured:
            before, stream.lineage = stream.lineage, lineage_of(seen)
            stream.columns = stream_columns(seen) if stream.columns else {}
            self._teller.replace_part(progress.run_id, before, stream.lineage)

    def _stream_ended(self, item: StreamEnded) -> None:
        stream = self._streams.get(item.run_id)
        if stream is None:
            return
        if not item.settled and not stream.lineage.outputs:
            # Its writes come on another of Spark's queues, perhaps after its end.
            self._jvm.wait_for_listeners()
            self._inbox.put(replace(item, settled=True))
            return
        del self._streams[item.run_id]
        if item.exception is not None:
            failure = failure_of(item.exception, item.error_class)
            self._teller.end(item.run_id, Telling.FAIL, item.at, failure)
            return
        bounded = stream.trigger in BOUNDED_TRIGGERS
        telling = Telling.COMPLETE if bounded else self._settings.on_stop
        self._teller.end(item.run_id, telling, item.at)

    def _action_ended(self, item: ActionEnded) -> None:
        plans = plans_to_tell(item.execution, reads=self._settings.reads)
        if not plans:
            return
        session = item.execution.sparkSession()
        found = self._stream_of_session(session.sessionUUID()) if self._streams else None
        for plan in plans:
            if found is not None:
                self._write_of_batch(plan, session, *found)
            elif not self._settings.agent:
                self._batch(item, plan, session)

    def _stream_of_session(self, session: str) -> tuple[str, Stream] | None:
        return next(
            ((key, one) for key, one in self._streams.items() if one.session == session), None
        )

    def _write_of_batch(self, plan: Any, session: Any, run: str, stream: Stream) -> None:
        now, heartbeat = monotonic(), self._settings.heartbeat.total_seconds()
        stream.shapes = {
            shape: looked for shape, looked in stream.shapes.items() if now - looked < heartbeat
        }
        shape = shape_of(plan)
        if shape in stream.shapes:
            return
        stream.shapes[shape] = now
        lineage, unread = self._thought_out(plan, session)
        if lineage.outputs:
            self._teller.widen(run, lineage, unread and f"a write could not be read: {unread}")

    def _batch(self, item: ActionEnded, plan: Any, session: Any) -> None:
        lineage, unread = self._thought_out(plan, session)
        if not lineage.outputs and not (self._settings.reads and lineage.inputs):
            return
        began = item.at - timedelta(microseconds=(item.nanoseconds or 0) / 1000)
        failed = item.exception is not None
        failure = failure_of(text_of(item.exception)) if failed else None
        activity = Activity()
        if lineage.mode in COUNTED and not failed:
            with kept_from_the_job("counting rows"):
                activity = Activity(output_rows=rows_written(item.execution))
        self._tell_batch(Batch(lineage, began, item.at, failure, activity, unread=unread))

    def _remote_written(self, item: RemoteWritten) -> None:
        failure = None
        if item.error is not None:
            failure = Failure(reason_of(item.error), "PYTHON")
        self._tell_batch(Batch(item.read(), item.began, item.at, failure, notes=item.write.notes))

    def _tell_batch(self, batch: Batch) -> None:
        name = self._names.of_action(batch.lineage)
        words = (self._settings.namespace, name, str(batch.at), str(next(self._numbers)))
        run = str(run_id(batch.began, *words))
        whole = OpenRun(
            Identity(run, name, Kind.BATCH),
            told=batch.began,
            parts=(batch.lineage,),
            unread=batch.unread,
            notes=batch.notes,
        )
        telling = Telling.FAIL if batch.failure else Telling.COMPLETE
        self._teller.tell_whole(whole, telling, batch.at, batch.failure, batch.activity)

    def _thought_out(self, plan: Any, session: Any) -> tuple[QueryLineage, str | None]:
        captured = capture_plan(plan, session, self._settled)
        return thought_out(captured, self._stream_columns())

    def _stream_columns(self) -> dict[int, StreamColumn]:
        return {key: value for one in self._streams.values() for key, value in one.columns.items()}

    def _declare(self, item: Declared) -> None:
        if item.query in self._streams:
            self._teller.widen(item.query, item.lineage, DECLARED)
        else:
            self._declared.setdefault(item.query, []).append(item.lineage)


def thought_out(
    captured: CapturedPlan, streams: Mapping[int, StreamColumn]
) -> tuple[QueryLineage, str | None]:
    """The lineage of a plan; where our thinking fails, its datasets alone, and why."""
    try:
        return lineage_of(captured, streams), None
    except Exception as error:  # noqa: BLE001 - what is read and written is known all the same
        return datasets_of(captured), reason_of(error)
