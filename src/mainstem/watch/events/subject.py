"""What an event is about; the official client is not needed to know it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.watch.connect.snapshot import ObservedConnector, State

if TYPE_CHECKING:
    from datetime import timedelta

    from mainstem.watch.resolvers.model import Resolution
    from mainstem.watch.runs.movement import Flow


class Subject(Struct, frozen=True):
    """All that an event says of a connector besides what happens to its run."""

    job_namespace: str
    job_name: str
    observed: ObservedConnector
    resolution: Resolution
    worker_version: str
    heartbeat: timedelta
    whole_traces: bool = False
    """Send stack traces whole; else the exceptions' classes and first lines."""

    flow: Flow | None = None
    """How its data moves, where that was read."""


def trace_of(observed: ObservedConnector) -> str | None:
    """The connector's own trace, else that of its first failed task."""
    if observed.trace:
        return observed.trace
    return next(
        (task.trace for task in observed.tasks if task.state is State.FAILED and task.trace), None
    )
