"""The lifecycle table as one pure function per situation; see ``advance``."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zlib import crc32

from msgspec.structs import replace

from mainstem.watch.runs.model import (
    Ended,
    Health,
    Policy,
    RunMemory,
    Sighting,
    Telling,
    Transition,
)

MakeRunId = Callable[[datetime], str]
"""The run id for a run first seen at that time; derived, so that a replay repeats it."""

Step = tuple[RunMemory, tuple[Transition, ...]]

TICK = timedelta(milliseconds=1)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def advance(
    previous: RunMemory | None,
    sighting: Sighting,
    now: datetime,
    policy: Policy,
    make_run_id: MakeRunId,
) -> Step:
    """The next memory and what is to be said, from what was remembered and what is seen."""
    memory = previous or RunMemory(run_id=None)
    if memory.run_id is None:
        return _without_run(memory, sighting, now, make_run_id)
    return _with_run(memory, memory.run_id, sighting, now, policy)


def forget(previous: RunMemory, now: datetime, policy: Policy) -> tuple[Transition, ...]:
    """What is to be said of a connector that a whole look no longer showed: it was deleted."""
    if previous.run_id is None:
        return ()
    time = _not_before(previous, now)
    return (Transition(policy.on_delete, time, previous.run_id, "the connector was deleted"),)


def leave(previous: RunMemory, now: datetime) -> Step:
    """What is remembered and said of a connector that the recipe names no longer."""
    if previous.run_id is None:
        return previous, ()
    time = _not_before(previous, now)
    left = RunMemory(None, time, ended=Ended.RESTED)
    why = "the recipe leaves it out"
    return left, (Transition(Telling.COMPLETE, time, previous.run_id, why),)


def _without_run(
    memory: RunMemory, sighting: Sighting, now: datetime, make_run_id: MakeRunId
) -> Step:
    match sighting.health:
        case Health.WORKING | Health.DEGRADED if _may_start(memory, sighting):
            return _start(memory, sighting, now, make_run_id)
        case Health.FAILED if memory.ended is not Ended.FAILED:
            return _start_and_fail(memory, sighting, now, make_run_id)
        case Health.RESTING if memory.fingerprint != sighting.fingerprint:
            return _tell_job(memory, sighting, now)
        case _:
            return memory, ()


def _may_start(memory: RunMemory, sighting: Sighting) -> bool:
    """A failed connector counts as running again only once a task of it is seen to run.

    The connector itself stays RUNNING while all its tasks are FAILED or are being restarted.
    """
    return memory.ended is not Ended.FAILED or sighting.any_task_running


def _start(memory: RunMemory, sighting: Sighting, now: datetime, make_run_id: MakeRunId) -> Step:
    time = _not_before(memory, now)
    run_id = make_run_id(time)
    degraded = sighting.reason if sighting.health is Health.DEGRADED else None
    started = RunMemory(run_id, time, sighting.fingerprint, degraded)
    return started, (Transition(Telling.START, time, run_id, "it is running", degraded),)


def _start_and_fail(
    memory: RunMemory, sighting: Sighting, now: datetime, make_run_id: MakeRunId
) -> Step:
    time = _not_before(memory, now)
    run_id = make_run_id(time)
    fail = time + TICK
    failed = RunMemory(None, fail, sighting.fingerprint, ended=Ended.FAILED)
    return failed, (
        Transition(Telling.START, time, run_id, "it failed before it was seen to run"),
        Transition(Telling.FAIL, fail, run_id, sighting.reason or "it failed"),
    )


def _tell_job(memory: RunMemory, sighting: Sighting, now: datetime) -> Step:
    time = _not_before(memory, now)
    told = replace(memory, last_time=time, fingerprint=sighting.fingerprint)
    return told, (Transition(Telling.JOB, time, None, "it is known, but does not run"),)


def _with_run(
    memory: RunMemory, run_id: str, sighting: Sighting, now: datetime, policy: Policy
) -> Step:
    match sighting.health:
        case Health.FAILED:
            reason = sighting.reason or "it failed"
            return _end(memory, run_id, sighting, now, (Telling.FAIL, reason, Ended.FAILED))
        case Health.RESTING:
            reason = sighting.reason or "it was paused or stopped"
            return _end(memory, run_id, sighting, now, (Telling.COMPLETE, reason, Ended.RESTED))
        case Health.UNSETTLED:
            return _wait(memory, run_id, sighting, now, policy)
        case Health.WORKING | Health.DEGRADED:
            return _go_on(memory, run_id, sighting, now, policy)


def _end(
    memory: RunMemory,
    run_id: str,
    sighting: Sighting,
    now: datetime,
    ending: tuple[Telling, str, Ended],
) -> Step:
    telling, reason, ended = ending
    time = _not_before(memory, now)
    after = RunMemory(None, time, sighting.fingerprint, ended=ended)
    return after, (Transition(telling, time, run_id, reason),)


def _wait(
    memory: RunMemory, run_id: str, sighting: Sighting, now: datetime, policy: Policy
) -> Step:
    """Silence within the grace; past it RUNNING with the reason, and never a terminal word."""
    since = memory.unsettled_since or now
    waiting = replace(memory, unsettled_since=since)
    if now - since < policy.grace:
        return waiting, ()
    reason = sighting.reason or "not assigned to a worker"
    if memory.degraded == reason and not _heartbeat_due(memory, now, policy):
        return waiting, ()
    time = _not_before(memory, now)
    told = replace(waiting, last_time=time, degraded=reason)
    return told, (Transition(Telling.RUNNING, time, run_id, "unsettled past grace", reason),)


def _go_on(
    memory: RunMemory, run_id: str, sighting: Sighting, now: datetime, policy: Policy
) -> Step:
    degraded = sighting.reason if sighting.health is Health.DEGRADED else None
    settled = replace(memory, unsettled_since=None) if memory.unsettled_since else memory
    if memory.fingerprint != sighting.fingerprint or memory.degraded != degraded:
        why = "lineage, tasks or config changed"
    elif _heartbeat_due(memory, now, policy):
        why = "heartbeat"
    else:
        return settled, ()
    time = _not_before(memory, now)
    told = replace(settled, last_time=time, fingerprint=sighting.fingerprint, degraded=degraded)
    return told, (Transition(Telling.RUNNING, time, run_id, why, degraded),)


def _heartbeat_due(memory: RunMemory, now: datetime, policy: Policy) -> bool:
    """Whether the run's own beat came since its last event, which is never longer ago than one.

    Each run has a beat of its own: ten thousand that started in one look must not all speak again
    in one.
    """
    if memory.last_time is None:
        return True
    return now - EPOCH >= _next_beat(memory.run_id or "", memory.last_time, policy.heartbeat)


@lru_cache(maxsize=32_768)
def _next_beat(run_id: str, last_time: datetime, heartbeat: timedelta) -> timedelta:
    """When the run's first beat after a time comes; asked for in every look, and ever the same."""
    own = heartbeat * (crc32(run_id.encode()) / 2**32)
    beats = (last_time - EPOCH - own) // heartbeat
    return own + (beats + 1) * heartbeat


def _not_before(memory: RunMemory, now: datetime) -> datetime:
    """Now, or a moment after the last event where the clock was stepped back."""
    if memory.last_time is None or now > memory.last_time:
        return now
    return memory.last_time + TICK
