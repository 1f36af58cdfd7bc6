"""When a run starts, goes on and ends: pure, told the time."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from mainstem.spark.picture import Picture, picture_of
from mainstem.spark.progress import Activity

if TYPE_CHECKING:
    from mainstem.spark.lineage import QueryLineage
    from mainstem.spark.progress import Progress

MOST_PARTS = 500
"""A function that writes elsewhere in every batch must not make a run's events grow for ever."""

TICK = timedelta(milliseconds=1)


class Telling(StrEnum):
    """What is said of a run, as OpenLineage calls it."""

    START = "START"
    RUNNING = "RUNNING"
    COMPLETE = "COMPLETE"
    ABORT = "ABORT"
    FAIL = "FAIL"


class Kind(StrEnum):
    """What a run is a run of."""

    APPLICATION = "APPLICATION"
    """From ``track`` until the session or the process ends; the parent of all others."""
    STREAM = "STREAM"
    """A streaming query, from start to end."""
    BATCH = "BATCH"
    """One action that writes; or reads, where that was asked for."""
    STEP = "STEP"
    """A block of Python under ``run``."""


class Failure(Struct, frozen=True):
    """Why a run did not complete, without credentials."""

    message: str
    language: str = "JAVA"
    stack: str | None = None
    error_class: str | None = None
    """Spark's own name of the error, for instance ``DIVIDE_BY_ZERO``."""


class Identity(Struct, frozen=True):
    """What does not change while a run lives."""

    run_id: str
    job_name: str
    kind: Kind
    query_id: str | None = None
    """Kept in the checkpoint: the same after a restart, when the run is another."""

    query_name: str | None = None
    trigger: str | None = None


class RunName(Struct, frozen=True):
    """A run of some job, as a child names its parent."""

    namespace: str
    job: str
    run_id: str


class OpenRun(Struct, frozen=True, dict=True):
    """A run that has started and not ended."""

    identity: Identity
    told: datetime
    """The time of its last event."""

    parts: tuple[QueryLineage, ...] = ()
    activity: Activity = field(default_factory=Activity)
    unread: str | None = None
    """Why its lineage could not be read."""

    notes: tuple[str, ...] = ()

    @cached_property
    def picture(self) -> Picture:
        """All that it reads and writes."""
        return picture_of(self.parts)


class Statement(Struct, frozen=True):
    """One event to be: what is said of which run, when."""

    telling: Telling
    time: datetime
    run: OpenRun
    failure: Failure | None = None


def start(run: OpenRun) -> Statement:
    """The run's first event, at the time that it began."""
    return Statement(Telling.START, run.told, run)


def go_on(run: OpenRun, now: datetime) -> tuple[OpenRun, Statement]:
    """A sign of life with all that is known by now."""
    moved = replace(run, told=_later(run, now))
    return moved, Statement(Telling.RUNNING, moved.told, moved)


def end(run: OpenRun, telling: Telling, now: datetime, failure: Failure | None = None) -> Statement:
    """The run's last event; nothing may be told of it afterwards."""
    moved = replace(run, told=_later(run, now))
    return Statement(telling, moved.told, moved, failure)


def with_progress(run: OpenRun, progress: Progress) -> OpenRun:
    """The run after one more batch."""
    return replace(run, activity=run.activity.after(progress))


def with_part(run: OpenRun, part: QueryLineage, note: str | None = None) -> OpenRun:
    """The run with one more write; an equal run when that is nothing new."""
    if part in run.parts:
        return run
    if len(run.parts) >= MOST_PARTS:
        return _noted(run, f"more than {MOST_PARTS} different writes; the later ones are not told")
    return _noted(replace(run, parts=(*run.parts, part)), note)


def with_other_part(run: OpenRun, old: QueryLineage, new: QueryLineage) -> OpenRun:
    """The run with one part told better."""
    return replace(run, parts=tuple(new if part == old else part for part in run.parts))


def is_due(run: OpenRun, now: datetime, heartbeat: timedelta) -> bool:
    """Whether a sign of life is owed."""
    return now - run.told >= heartbeat


def _noted(run: OpenRun, note: str | None) -> OpenRun:
    known = note is None or note in run.notes
    return run if known else replace(run, notes=(*run.notes, note))


def _later(run: OpenRun, now: datetime) -> datetime:
    # A clock that was set back must not reorder the run's events.
    return max(now, run.told + TICK)
