"""The terminal's side of the lab, without any service."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mainstem.errors import ServiceFailed
from mainstem.lab.scenarios.breakages import Told
from mainstem.lab.session import LineageFile, Session
from mainstem.lab.steps import Step


@pytest.fixture
def session(tmp_path: Path) -> Session:
    session = Session({"MAINSTEM_HOME": str(tmp_path)})
    session.place.directory.mkdir()
    return session


def test_a_supervisor_that_ended_is_told_with_its_last_words(session: Session) -> None:
    session.place.steps.write_text(Step("Kafka", "failed", 1.0, "no Java").to_json())
    session.place.supervisor_log.write_text("first\nkafka: no Java\n")
    steps = session.steps()
    assert next(steps).detail == "no Java"
    with pytest.raises(ServiceFailed, match="did not start: kafka: no Java") as failed:
        next(steps)
    assert failed.value.log == str(session.place.supervisor_log)


def test_nothing_follows_the_step_that_says_ready(session: Session) -> None:
    session.place.steps.write_text(Step("lab", "ready").to_json())
    assert [step.state for step in session.steps()] == ["ready"]


def test_there_is_nothing_to_end_where_nothing_runs(session: Session) -> None:
    assert not session.is_running()
    assert not session.end()


def test_events_are_given_up_to_the_awaited_one(session: Session) -> None:
    events = [
        {"eventType": kind, "job": {"name": job}}
        for kind, job in [("RUNNING", "sink"), ("FAIL", "source"), ("FAIL", "sink"), ("START", "x")]
    ]
    session.place.events.write_text("".join(f"{json.dumps(event)}\n" for event in events))
    assert list(LineageFile(session.place).until(Told("FAIL", "sink"))) == events[:3]
