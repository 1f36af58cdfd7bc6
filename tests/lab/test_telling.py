"""What people read."""

from __future__ import annotations

from datetime import UTC
from typing import Any

import pytest

from lab.scenarios.test_orders import AT
from mainstem.lab.scenarios.expected import expected
from mainstem.lab.scenarios.patterns import Pattern
from mainstem.lab.steps import Step
from mainstem.lab.telling import (
    News,
    breakage_lines,
    event_line,
    look_lines,
    next_lines,
    status_lines,
    step_line,
    times_line,
)

EVENT: dict[str, Any] = {
    "eventTime": "2026-01-02T03:04:05.678Z",
    "eventType": "START",
    "job": {"namespace": "kafka-connect://lab", "name": "orders-sink"},
    "run": {"runId": "x"},
    "inputs": [{"namespace": "kafka://h:1", "name": "orders"}],
    "outputs": [{"namespace": "file", "name": "/orders.txt"}],
}


def test_a_run_that_only_goes_on_is_no_news() -> None:
    going_on = {**EVENT, "eventType": "RUNNING"}
    news = News([EVENT])
    assert not news.is_in(going_on)
    assert news.is_in({**going_on, "outputs": []}), "it writes something else now"
    assert not news.is_in({**going_on, "outputs": []})
    assert news.is_in({**going_on, "run": {"runId": "y"}}), "another run"
    assert news.is_in({**EVENT, "eventType": "COMPLETE"}), "an end is always news"


def test_an_event_is_one_line_with_its_edge() -> None:
    line = event_line(EVENT, UTC)
    parts = ("03:04:05", "START", "orders-sink", "kafka://h:1 orders → file /orders.txt")
    assert [line.index(part) for part in parts] == sorted(line.index(part) for part in parts)
    assert "\n" not in line


def test_a_failure_says_why_with_its_first_line_only() -> None:
    facets = {"errorMessage": {"message": "Couldn't create file\n\tat some.java.Class"}}
    line = event_line({**EVENT, "eventType": "FAIL", "run": {"facets": facets}}, UTC)
    assert line.splitlines()[1].strip() == "Couldn't create file"
    assert "some.java.Class" not in line


def test_an_event_of_a_job_alone_and_without_datasets_can_be_read() -> None:
    line = event_line({"eventTime": EVENT["eventTime"], "job": EVENT["job"]}, UTC)
    assert "JOB" in line
    assert "(nothing) → (nothing)" in line


def test_a_step_shows_its_state_time_and_detail() -> None:
    line = step_line(Step("Kafka", "failed", 4.25, "no Java"))
    assert line.startswith("✗")
    assert all(part in line for part in ("4.2 s", "Kafka", "no Java"))


def status(**changes: object) -> dict[str, Any]:
    return {
        "services": {"kafka": True, "connect": False},
        "logs": {"kafka": "/k.log", "connect": "/c.log"},
        "pids": {"kafka": 4711, "connect": None},
        "memory": {"kafka": 315_000_000, "connect": 0},
        "memoryInAll": 2_300_000_000,
        "connectors": {},
        "postgres": "p",
        "kafka": "k",
        "connect": "c",
        "page": "w",
        "registry": "r",
        "s3": "o",
        "events": "e",
        "broken": None,
        **changes,
    }


def test_status_says_what_is_down_and_where_its_log_is() -> None:
    lines = status_lines(status())
    assert next(line for line in lines if "DOWN" in line).split()[0] == "connect"
    assert any("/c.log" in line for line in lines)
    assert lines[-1] == "Nothing is broken."


def test_status_says_who_holds_how_much_memory() -> None:
    first, kafka, *_ = status_lines(status())
    assert "2,300 MB" in first
    assert "315 MB" in kafka
    assert "pid 4711" in kafka


def test_a_start_says_when_each_part_was_there() -> None:
    line = times_line({"files": 0.2, "connectors": 41.4, "everything": 114.0})
    assert line.endswith("files after 0 s, connectors after 41 s, everything after 114 s.")


def test_status_says_what_is_broken_and_how_to_mend_it() -> None:
    assert status_lines(status(broken="pause"))[-1].startswith("Broken: pause; mend it")


def test_commands_to_try_are_shown_as_this_product_is_called_here() -> None:
    assert all(".venv/bin/mainstem lab" in line for line in next_lines(".venv/bin/mainstem")[1:])


def test_the_list_of_breakages_has_one_line_each() -> None:
    names = [line.split()[0] for line in breakage_lines()[1:]]
    assert len(names) == len(set(names)) > 1


@pytest.mark.parametrize("pattern", Pattern)
def test_the_page_to_look_at_comes_first_and_then_jobs_that_are_there(pattern: Pattern) -> None:
    first, *more = look_lines("http://127.0.0.1:20001", pattern)
    assert first.endswith("http://127.0.0.1:20001")
    assert all(line.startswith("  ") for line in more)
    jobs = {edge.job for edge in expected(AT, pattern).edges}
    assert any(f"the job {job}:" in line for line in more for job in jobs)
