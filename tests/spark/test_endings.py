"""Each way an application can end, by a real process and a real signal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mainstem.clock import now
from mainstem.spark.delivery import Delivery
from mainstem.spark.settings import read_settings
from openlineage_schemas import assert_valid_event
from outbox.backend import Reply, running_backend
from spark.told import Event, events_in, message, of_job, types

pytestmark = pytest.mark.spark

PROGRAM = Path(__file__).with_name("ending_program.py")


class Running:
    """A tracked application whose stream has had its first batch."""

    def __init__(self, process: subprocess.Popen[str], jvm: int) -> None:
        self.process = process
        self.jvm = jvm


@contextmanager
def application(
    ending: str, directory: Path, variables: dict[str, str], *url: str
) -> Iterator[Running]:
    log = directory / "log"
    with log.open("a") as errors:
        process = subprocess.Popen(
            [sys.executable, PROGRAM, ending, directory, *url],
            env=variables, stdout=subprocess.PIPE, stderr=errors, text=True,
        )  # fmt: skip
        try:
            assert process.stdout is not None
            line = process.stdout.readline().split()
            assert line[:1] == ["ready"], log.read_text()
            yield Running(process, int(line[2]))
            process.wait(120)
        finally:
            process.kill()
            process.wait()


def told(directory: Path) -> tuple[list[Event], list[Event]]:
    """What was said of the application and of its stream."""
    events = events_in(directory / "events")
    return of_job(events, "ending"), of_job(events, "ending.rates")


def told_of_step(directory: Path) -> list[str]:
    """What was said of the block of plain Python in which the application waited."""
    return types(of_job(events_in(directory / "events"), "ending.report"))


def wait_for_step(directory: Path) -> None:
    """Until it was said that the block began: what is killed before that was never told."""
    patience = time.monotonic() + 60
    while "ending.report" not in (directory / "events").read_text():
        assert time.monotonic() < patience, (directory / "log").read_text()
        time.sleep(0.05)


ENDINGS = {
    # what happens: (application, stream, exit code)
    "main ends": ("COMPLETE", "COMPLETE", 0),
    "spark.stop()": ("COMPLETE", "COMPLETE", 0),
    "query.stop()": ("COMPLETE", "COMPLETE", 0),
    "main raises": ("FAIL", "ABORT", 1),
    "stop in finally": ("FAIL", "ABORT", 1),
    "sys.exit(3)": ("FAIL", "ABORT", 3),
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_program_ends(ending: str, tmp_path: Path, spark_variables: dict[str, str]) -> None:
    with application(ending, tmp_path, spark_variables) as running:
        pass
    of_application, of_stream = told(tmp_path)
    ends = ENDINGS[ending]
    assert types(of_application) == ["START", ends[0]]
    assert types(of_stream) == ["START", ends[1]]
    assert running.process.returncode == ends[2], (tmp_path / "log").read_text()
    assert "hunter2" not in (tmp_path / "events").read_text()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_aborts(
    number: signal.Signals, tmp_path: Path, spark_variables: dict[str, str]
) -> None:
    with application("wait", tmp_path, spark_variables) as running:
        wait_for_step(tmp_path)
        running.process.send_signal(number)
    for events in told(tmp_path):
        assert types(events) == ["START", "ABORT"], (tmp_path / "log").read_text()
        assert message(events[-1]) == f"ended by {number.name}"
    assert told_of_step(tmp_path) == ["START", "ABORT"]
    assert running.process.returncode != 0
    if number is signal.SIGTERM:
        assert running.process.returncode == -signal.SIGTERM


def test_a_killed_jvm_fails(tmp_path: Path, spark_variables: dict[str, str]) -> None:
    with application("wait", tmp_path, spark_variables) as running:
        wait_for_step(tmp_path)
        os.kill(running.jvm, signal.SIGKILL)
    for events in told(tmp_path):
        assert types(events) == ["START", "FAIL"], (tmp_path / "log").read_text()
        assert message(events[-1]) == "the JVM of the driver is gone"
    assert told_of_step(tmp_path) == ["START", "FAIL"]


def test_a_killed_driver_is_ended_by_its_next_start(
    tmp_path: Path, spark_variables: dict[str, str]
) -> None:
    with application("wait", tmp_path, spark_variables) as first:
        wait_for_step(tmp_path)
        first.process.kill()
    for events in told(tmp_path):
        assert types(events) == ["START"]
    with application("spark.stop()", tmp_path, spark_variables):
        pass
    of_application, of_stream = told(tmp_path)
    for events in (of_application, of_stream):
        runs = {event["run"]["runId"]: [] for event in events}
        for event in events:
            runs[event["run"]["runId"]].append(event)
        before, after = runs.values()
        assert types(before) == ["START", "ABORT"]
        assert types(after) == ["START", "COMPLETE"]
        assert before[-1]["eventTime"] <= after[0]["eventTime"]
        assert message(before[-1]) is not None
    assert told_of_step(tmp_path) == ["START", "ABORT"]
    queries = {event["run"]["facets"]["mainstem_spark"]["queryId"] for event in of_stream}
    assert len(queries) == 1, "the checkpoint keeps the query's id over the restart"


def test_what_no_destination_took_is_delivered_by_the_next_start(
    tmp_path: Path, spark_variables: dict[str, str]
) -> None:
    with running_backend() as backend:
        backend.behaviour = lambda _request: Reply(deed="reset")
        with application("main ends", tmp_path, spark_variables, backend.url) as running:
            pass
        assert running.process.returncode == 0, (tmp_path / "log").read_text()
        assert backend.requests, "it was tried"
        assert not backend.accepted
        backend.behaviour = lambda _request: Reply()
        given = {"url": backend.url, "outbox": tmp_path / "box.db", "app": "ending"}
        delivery = Delivery(read_settings(given, {}, {}), now)
        delivery.start()
        delivery.stop()
    events = [assert_valid_event(body) for body in backend.accepted]
    for job in ("ending", "ending.rates"):
        assert types(of_job(events, job)) == ["START", "COMPLETE"]
