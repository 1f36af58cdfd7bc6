"""From the states that Connect shows to one word of health."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.watch.connect.snapshot import ObservedConnector, ObservedTask, State
from mainstem.watch.runs.model import Health

if TYPE_CHECKING:
    from collections.abc import Sequence

_RESTING = frozenset({State.PAUSED, State.STOPPED})
_UNSETTLED = frozenset({State.UNASSIGNED, State.RESTARTING, State.UNKNOWN})


def health_of(connector: ObservedConnector) -> tuple[Health, str | None]:
    """Its health, and in words why where it is not simply working."""
    failed = [task for task in connector.tasks if task.state is State.FAILED]
    if connector.state is State.FAILED:
        return Health.FAILED, "the connector failed"
    if failed and _all_failed(connector, failed):
        return Health.FAILED, _tasks_failed(connector, failed)
    if connector.state is not State.RUNNING:
        health = Health.RESTING if connector.state in _RESTING else Health.UNSETTLED
        return health, f"the connector is {connector.state}"
    if failed:
        return Health.DEGRADED, _tasks_failed(connector, failed)
    unsettled = [task for task in connector.tasks if task.state in _UNSETTLED]
    if unsettled:
        return Health.UNSETTLED, f"task {unsettled[0].id} is {unsettled[0].state}"
    return Health.WORKING, None


def any_task_running(connector: ObservedConnector) -> bool:
    """Whether a task is RUNNING, or the connector is RUNNING and has no task to expect."""
    if connector.state is not State.RUNNING:
        return False
    if not connector.tasks:
        return connector.expected_tasks == 0
    return any(task.state is State.RUNNING for task in connector.tasks)


def settled_tasks(connector: ObservedConnector) -> tuple[tuple[int, str], ...]:
    """Task ids and states that are worth an event when they change; workers are not."""
    return tuple((task.id, task.state.value) for task in connector.tasks)


def _all_failed(connector: ObservedConnector, failed: Sequence[ObservedTask]) -> bool:
    """Every task there is and every task still to come; a new task's state appears late."""
    return len(failed) == len(connector.tasks) >= connector.expected_tasks


def _tasks_failed(connector: ObservedConnector, failed: Sequence[ObservedTask]) -> str:
    ids = ", ".join(str(task.id) for task in failed)
    total = max(len(connector.tasks), connector.expected_tasks)
    return f"{len(failed)} of {total} tasks failed ({ids})"
