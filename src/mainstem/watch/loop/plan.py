"""What is to be said and remembered after one look, as data; ``apply`` performs it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from operator import itemgetter
from typing import TYPE_CHECKING

import orjson
from msgspec import Struct

from mainstem.traces import message_of
from mainstem.watch.events.subject import trace_of
from mainstem.watch.runs import (
    Policy,
    RunMemory,
    Sighting,
    Telling,
    Transition,
    advance,
    forget,
)
from mainstem.watch.runs.health import any_task_running, health_of, settled_tasks

if TYPE_CHECKING:
    from mainstem.watch.connect.snapshot import ObservedConnector
    from mainstem.watch.events import Subject
    from mainstem.watch.loop.basis import Basis
    from mainstem.watch.resolvers.model import Resolution

MakeRunId = Callable[[datetime, str], str]
"""The run id for a run first seen at that time, of the connector of that name."""


class Step(Struct, frozen=True):
    """What one connector's look leads to."""

    connector: str
    memory: RunMemory | None
    """None: it is gone."""

    transitions: tuple[Transition, ...]
    subject: Subject | None
    """None for one that is gone or left out: its last event tells its lineage."""

    summary: bytes
    """What ``status`` shows of it."""

    holds: bool = False
    """Whether the jobs below it that it no longer shows may be there all the same."""

    @property
    def merely_goes_on(self) -> bool:
        """Whether no run begins or ends with it."""
        return all(each.telling is Telling.RUNNING for each in self.transitions)


def sighting_of(observed: ObservedConnector, resolution: Resolution) -> Sighting:
    """What a look at a connector means for its run."""
    health, reason = health_of(observed)
    return Sighting(
        health=health,
        fingerprint=_fingerprint(observed, resolution),
        any_task_running=any_task_running(observed),
        reason=reason,
    )


def plan_seen(
    connector: str,
    sighting: Sighting,
    previous: RunMemory | None,
    *,
    now: datetime,
    policy: Policy,
    make_run_id: MakeRunId,
) -> tuple[RunMemory, tuple[Transition, ...]]:
    """What is remembered and said of a connector that is there."""
    return advance(previous, sighting, now, policy, lambda time: make_run_id(time, connector))


def plan_gone(
    memories: Mapping[str, RunMemory], there: Collection[str], now: datetime, policy: Policy
) -> tuple[Step, ...]:
    """The steps of the connectors that were remembered and that a whole look did not show."""
    gone = sorted(name for name in memories if name not in there)
    return tuple(
        Step(name, None, forget(memories[name], now, policy), subject=None, summary=b"{}")
        for name in gone
    )


def summary_of(subject: Subject, basis: Basis) -> bytes:
    """What ``status`` shows of a connector."""
    observed, resolution = subject.observed, subject.resolution
    health, reason = health_of(observed)
    trace = trace_of(observed)
    return orjson.dumps(
        {
            "job": {"namespace": subject.job_namespace, "name": subject.job_name},
            "class": observed.connector_class,
            "type": observed.type,
            "state": observed.state,
            "health": health,
            "reason": reason,
            "error": message_of(trace) if trace else None,
            "tasks": [{"id": task.id, "state": task.state} for task in observed.tasks],
            "inputs": [[name.namespace, name.name] for name in resolution.inputs],
            "outputs": [[name.namespace, name.name] for name in resolution.outputs],
            "unresolved": resolution.unresolved,
            "notes": notes_of(resolution, basis.unasked),
            "unasked": basis.unasked if basis.holds else None,
            "quiet_since": basis.quiet_since,
        }
    )


def notes_of(resolution: Resolution, unasked: str | None) -> tuple[str, ...]:
    """What a person should know of a connector, with why its topics could not be asked."""
    if unasked is None or unasked in resolution.unresolved:
        return resolution.notes
    return (*resolution.notes, unasked)


def summary_of_left_out(observed: ObservedConnector) -> bytes:
    """What ``status`` shows of a connector that the recipe no longer lets through."""
    return orjson.dumps(
        {
            "class": observed.connector_class,
            "type": observed.type,
            "state": observed.state,
            "tasks": [{"id": task.id, "state": task.state} for task in observed.tasks],
            "left_out": True,
        }
    )


def _fingerprint(observed: ObservedConnector, resolution: Resolution) -> str:
    """Of all that is worth an event of its own; workers come and go without one."""
    parts = (
        observed.config_version,
        observed.version,
        settled_tasks(observed),
        resolution.inputs,
        resolution.outputs,
        resolution.edges,
        resolution.control,
        resolution.columns,
        sorted(resolution.symlinks.items()),
        sorted(resolution.schemas.items(), key=itemgetter(0)),
        resolution.unresolved,
        resolution.notes,
    )
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
