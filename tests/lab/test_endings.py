"""Each way to end each Spark job of the lab leaves its runs in their true state."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from lab.conftest import OPEN, RunningLab
from mainstem.lab.jobs.orders import UNTIL_NOW
from mainstem.lab.scenarios.expected import (
    INGESTION,
    LIVE_ANALYTICS,
    SUMMARY,
    SUMMARY_APPLICATION,
)
from mainstem.lab.scenarios.patterns import Pattern
from mainstem.lab.services.service import Service
from mainstem.lab.services.spark_job import SparkJob

pytestmark = [pytest.mark.lab, pytest.mark.soak]

STREAMS = {
    "live_analytics": ("live-analytics", LIVE_ANALYTICS),
    "ingestion": ("ingestion", INGESTION),
}
BY_HAND = {"ingestion": (INGESTION,)}
with_mainstem = pytest.mark.parametrize("running_lab", [Pattern.MAINSTEM], indirect=True)
each_stream = pytest.mark.parametrize(
    ("running_lab", "stream", "jobs"),
    [
        *((Pattern.MAINSTEM, stream, jobs) for stream, jobs in STREAMS.items()),
        *((Pattern.MANUAL, stream, jobs) for stream, jobs in BY_HAND.items()),
    ],
    indirect=["running_lab"],
)
Jobs = tuple[str, ...]


@pytest.fixture
def running(running_lab: RunningLab, stream: str) -> SparkJob:
    """A stream of the lab that runs, and that a test before may have ended."""
    job: SparkJob = getattr(running_lab.pipeline, stream)
    if not job.is_alive():
        job.start()
    return job


def press_ctrl_c(job: SparkJob) -> None:
    """What a terminal does: it interrupts the driver and its JVM at once."""
    assert job.pid is not None
    os.killpg(job.pid, signal.SIGINT)
    assert job.wait() != 0


def terminate(job: SparkJob) -> None:
    """What ``kill`` does."""
    assert job.pid is not None
    os.kill(job.pid, signal.SIGTERM)
    assert job.wait() != 0


def terminate_all(job: SparkJob) -> None:
    """What a service manager does: it terminates the driver and its JVM at once."""
    assert job.pid is not None
    os.killpg(job.pid, signal.SIGTERM)
    assert job.wait() != 0


each_signal = pytest.mark.parametrize("interrupt", [press_ctrl_c, terminate, terminate_all])


@contextmanager
def unanswering(service: Service) -> Iterator[None]:
    """A service that takes connections and says nothing."""
    assert service.pid is not None
    os.kill(service.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(service.pid, signal.SIGCONT)


def open_runs(lab: RunningLab, jobs: Jobs) -> dict[str, list[str]]:
    """The ends of the runs before the one that each job has open."""
    ends = {job: lab.ends(job) for job in jobs}
    assert {each[-1] for each in ends.values()} == {OPEN}
    return {job: each[:-1] for job, each in ends.items()}


@each_signal
@each_stream
def test_a_signal_aborts_a_stream(
    running_lab: RunningLab, running: SparkJob, jobs: Jobs, interrupt: object
) -> None:
    assert callable(interrupt)
    before = open_runs(running_lab, jobs)
    interrupt(running)
    for job in jobs:
        running_lab.await_ends(job, [*before[job], "ABORT"])


@each_stream
def test_a_stream_that_is_through_with_all_is_complete(
    running_lab: RunningLab, running: SparkJob, jobs: Jobs
) -> None:
    before = open_runs(running_lab, jobs)
    running.stop()
    running.also(UNTIL_NOW).run()
    for job in jobs:
        running_lab.await_ends(job, [*before[job], "ABORT", "COMPLETE"])


@each_stream
def test_a_killed_stream_is_ended_by_its_next_start_unless_told_by_hand(
    running_lab: RunningLab, running: SparkJob, jobs: Jobs
) -> None:
    before = open_runs(running_lab, jobs)
    running.kill()
    assert open_runs(running_lab, jobs) == before, "the dead tell nothing"
    running.start()
    by_hand = running_lab.pipeline.pattern is Pattern.MANUAL
    for job in jobs:
        running_lab.await_ends(job, [*before[job], OPEN if by_hand else "ABORT", OPEN])


@pytest.mark.parametrize("stream", ["ingestion"])
@pytest.mark.parametrize("running_lab", [Pattern.MAINSTEM, Pattern.MANUAL], indirect=True)
def test_a_record_that_nobody_can_read_fails_both_streams(
    running_lab: RunningLab, running: SparkJob
) -> None:
    lab = running_lab
    by_hand = BY_HAND if lab.pipeline.pattern is Pattern.MANUAL else {}
    jobs = tuple(job for each in {**STREAMS, **by_hand}.values() for job in each)
    lab.pipeline.restart_what_failed()
    before = open_runs(lab, jobs)
    lab.break_and_see("record")
    assert not running.is_alive()
    for job in jobs:
        lab.await_ends(job, [*before[job], "FAIL"])
    lab.heal_and_see()
    assert running.is_alive()
    for job in jobs:
        lab.await_ends(job, [*before[job], "FAIL", OPEN])


@each_signal
@with_mainstem
def test_a_signal_aborts_the_batch_job(running_lab: RunningLab, interrupt: object) -> None:
    assert callable(interrupt)
    summary, before = running_lab.pipeline.summary, running_lab.ends(SUMMARY_APPLICATION)
    writes = running_lab.ends(SUMMARY)
    # It cannot be through before it is interrupted.
    with unanswering(running_lab.pipeline.objects):
        summary.start()
        interrupt(summary)
    running_lab.await_ends(SUMMARY_APPLICATION, [*before, "ABORT"])
    assert running_lab.ends(SUMMARY) == writes, "it had not begun to write"


@with_mainstem
def test_a_killed_batch_job_is_ended_by_its_next_run(running_lab: RunningLab) -> None:
    summary, before = running_lab.pipeline.summary, running_lab.ends(SUMMARY_APPLICATION)
    writes = running_lab.ends(SUMMARY)
    with unanswering(running_lab.pipeline.objects):
        summary.start()
        summary.kill()
    assert running_lab.ends(SUMMARY_APPLICATION) == [*before, OPEN]
    summary.run()
    running_lab.await_ends(SUMMARY_APPLICATION, [*before, "ABORT", "COMPLETE"])
    running_lab.await_ends(SUMMARY, [*writes, "COMPLETE"])


@with_mainstem
def test_a_batch_job_that_raises_has_failed(running_lab: RunningLab) -> None:
    before, writes = running_lab.ends(SUMMARY_APPLICATION), running_lab.ends(SUMMARY)
    running_lab.break_and_see("table")
    running_lab.await_ends(SUMMARY_APPLICATION, [*before, "FAIL"])
    running_lab.heal_and_see()
    running_lab.await_ends(SUMMARY_APPLICATION, [*before, "FAIL", "COMPLETE"])
    running_lab.await_ends(SUMMARY, [*writes, "COMPLETE"])
