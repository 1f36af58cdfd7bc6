"""What the run machine remembers, is shown, and says."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from msgspec import Struct


class Health(StrEnum):
    """A connector and its tasks in one word."""

    WORKING = "working"
    """RUNNING; its tasks too, or they are about to appear, or it has none."""

    DEGRADED = "degraded"
    """RUNNING, and some but not all of its tasks FAILED."""

    FAILED = "failed"
    """The connector itself or every one of its tasks FAILED."""

    RESTING = "resting"
    """PAUSED or STOPPED by somebody's will."""

    UNSETTLED = "unsettled"
    """On its way: UNASSIGNED, RESTARTING, or a word we do not know."""


class Sighting(Struct, frozen=True):
    """What one look showed of one connector, as far as its run is concerned."""

    health: Health
    fingerprint: str
    """Changes with lineage, schemas, settled task states and config, and with nothing else."""

    any_task_running: bool = False
    """At least one task RUNNING, or RUNNING without any task to expect."""

    reason: str | None = None
    """Why it is degraded or unsettled, in words."""


class Telling(StrEnum):
    """What is said of a run, or of a job without a run."""

    START = "START"
    RUNNING = "RUNNING"
    COMPLETE = "COMPLETE"
    ABORT = "ABORT"
    FAIL = "FAIL"
    JOB = "JOB"
    """A JobEvent: the connector's lineage is known, but it does not run."""


TERMINAL = frozenset({Telling.COMPLETE, Telling.ABORT, Telling.FAIL})


class Transition(Struct, frozen=True):
    """One thing to say, at one time."""

    telling: Telling
    time: datetime
    run_id: str | None
    """None for a JobEvent."""

    reason: str
    """Why it is said, for ``explain`` and the log."""

    degraded: str | None = None


class Ended(StrEnum):
    """How the last run ended, which decides what may start the next."""

    NEVER_RAN = "never ran"
    RESTED = "rested"
    FAILED = "failed"


class RunMemory(Struct, frozen=True):
    """What must survive a restart of the watcher, per connector."""

    run_id: str | None
    """The open run; None while there is none."""

    last_time: datetime | None = None
    """The time of the last event; the next is later."""

    fingerprint: str | None = None
    """Of the last event."""

    degraded: str | None = None
    """The reason in the last event, if it was marked degraded."""

    unsettled_since: datetime | None = None
    ended: Ended = Ended.NEVER_RAN


class Policy(Struct, frozen=True):
    """The recipe's word on time and endings."""

    heartbeat: timedelta = timedelta(minutes=5)
    grace: timedelta = timedelta(minutes=6)
    """How long UNASSIGNED and RESTARTING pass without a word; Connect's own delay is 5 minutes."""

    on_delete: Telling = Telling.COMPLETE
    ends_left_out: bool = False
    """Whether a run ends once the recipe leaves its connector out, for nobody looks again."""
