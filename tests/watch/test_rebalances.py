"""Workers and brokers that die and come back, on a real cluster: never a false terminal event."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mainstem.lab.services.connect import ConnectWorker
from mainstem.lab.services.kafka import KafkaBroker
from mainstem.lab.services.library import Library
from mainstem.lab.services.stack import Stack
from watch.live import Buttons, WatcherProcess

pytestmark = pytest.mark.lab

JOBS = ("steady-1", "steady-2", "steady-3")
DELAY_SECONDS = 15.0
"""Session time-out and re-balance delay of the lab's workers, one after the other."""


@pytest.fixture(scope="module")
def stack(library: Library, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A broker and a worker of this module alone: they are killed here."""
    stack = Stack(tmp_path_factory.mktemp("rebalances"), library)
    yield stack
    stack.stop()


@pytest.fixture
def watcher(stack: Stack, tmp_path: Path) -> Iterator[WatcherProcess]:
    buttons = Buttons(stack.connect.url)
    for job in JOBS:
        buttons.put(
            job,
            {
                "connector.class": "FileStreamSink",
                "topics": "steady",
                "file": str(tmp_path / f"{job}.txt"),
            },
        )
    watcher = WatcherProcess(tmp_path, stack.connect.url, stack.kafka.bootstrap)
    watcher.start()
    for job in JOBS:
        watcher.wait_for(job, "START")
    yield watcher
    watcher.kill()
    for job in JOBS:
        buttons.delete(job)
    buttons.close()


def all_running(url: str) -> bool:
    buttons = Buttons(url)
    try:
        states = [buttons.status(job) for job in JOBS]
    finally:
        buttons.close()
    return all(
        [task["state"] for task in state.get("tasks", [])] == ["RUNNING"] for state in states
    )


def settle(url: str) -> None:
    """Return once every task is RUNNING again and a look has seen it."""
    deadline = time.monotonic() + 90
    while not all_running(url):
        assert time.monotonic() < deadline, "the connectors did not come back"
        time.sleep(0.5)
    time.sleep(2)


def nothing_ended(watcher: WatcherProcess) -> None:
    assert watcher.is_alive()
    for job in JOBS:
        assert watcher.without_running(job) == ["START"]


REPEATS = pytest.mark.parametrize(
    "times", [1, pytest.param(10, marks=pytest.mark.soak)], ids=["once", "ten times"]
)


@REPEATS
def test_a_worker_killed_and_back(stack: Stack, watcher: WatcherProcess, times: int) -> None:
    for _ in range(times):
        stack.connect.kill()
        stack.connect.start()
        settle(stack.connect.url)
    nothing_ended(watcher)


@REPEATS
def test_a_second_worker_joins_and_leaves_and_the_leader_is_killed(
    stack: Stack, watcher: WatcherProcess, times: int
) -> None:
    for turn in range(times):
        second: ConnectWorker = stack.connect.sibling(f"second-{turn}")
        second.start()
        settle(stack.connect.url)
        second.stop()
        settle(stack.connect.url)
        third = stack.connect.sibling(f"third-{turn}")
        third.start()
        stack.connect.kill()
        time.sleep(DELAY_SECONDS)
        settle(third.url)
        stack.connect.start()
        third.stop()
        settle(stack.connect.url)
    nothing_ended(watcher)


@REPEATS
def test_a_broker_down_and_back(stack: Stack, watcher: WatcherProcess, times: int) -> None:
    broker: KafkaBroker = stack.kafka
    for _ in range(times):
        broker.kill()
        time.sleep(5)
        broker.start()
        settle(stack.connect.url)
        time.sleep(3)
    nothing_ended(watcher)
