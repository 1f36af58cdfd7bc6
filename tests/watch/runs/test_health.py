from __future__ import annotations

import pytest

from mainstem.watch.connect.snapshot import ObservedConnector, ObservedTask, State
from mainstem.watch.runs.health import any_task_running, health_of
from mainstem.watch.runs.model import Health


def connector(state: str, *tasks: str, expected: int | None = None) -> ObservedConnector:
    return ObservedConnector(
        name="c",
        type="sink",
        connector_class="C",
        state=State(state),
        worker_id="w",
        config={},
        config_version="v",
        tasks=tuple(ObservedTask(n, State(task), "w") for n, task in enumerate(tasks)),
        expected_tasks=len(tasks) if expected is None else expected,
    )


@pytest.mark.parametrize(
    ("seen", "health"),
    [
        (connector("RUNNING"), Health.WORKING),
        (connector("RUNNING", expected=1), Health.WORKING),
        (connector("RUNNING", "RUNNING", "RUNNING"), Health.WORKING),
        (connector("RUNNING", "PAUSED", "RUNNING"), Health.WORKING),
        (connector("RUNNING", "RUNNING", "FAILED"), Health.DEGRADED),
        (connector("RUNNING", "FAILED", expected=2), Health.DEGRADED),
        (connector("RUNNING", "FAILED", "UNASSIGNED"), Health.DEGRADED),
        (connector("RUNNING", "FAILED", "FAILED"), Health.FAILED),
        (connector("FAILED"), Health.FAILED),
        (connector("FAILED", "RUNNING"), Health.FAILED),
        (connector("PAUSED", "RUNNING"), Health.RESTING),
        (connector("STOPPED"), Health.RESTING),
        (connector("PAUSED", "FAILED"), Health.FAILED),
        (connector("UNASSIGNED", "RUNNING"), Health.UNSETTLED),
        (connector("RUNNING", "UNASSIGNED"), Health.UNSETTLED),
        (connector("RESTARTING", "RUNNING"), Health.UNSETTLED),
        (connector("UNKNOWN"), Health.UNSETTLED),
    ],
)
def test_states_in_one_word(seen: ObservedConnector, health: Health) -> None:
    assert health_of(seen)[0] is health


def test_a_connector_that_stays_running_over_failed_tasks_does_not_run() -> None:
    assert not any_task_running(connector("RUNNING", "RESTARTING"))
    assert not any_task_running(connector("RUNNING", expected=1))
    assert any_task_running(connector("RUNNING", "RUNNING", "FAILED"))
    assert any_task_running(connector("RUNNING"))
