"""Another terminal finds the supervisor, and only its owner is answered."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from mainstem.errors import ServiceFailed
from mainstem.lab.control import (
    Answer,
    ControlSocket,
    ask,
    become_the_only_one,
    running_supervisor,
)
from mainstem.lab.place import Place


@pytest.fixture
def place(tmp_path: Path) -> Place:
    (tmp_path / "lab").mkdir()
    return Place(tmp_path / "lab")


def handle(request: dict[str, str]) -> Answer:
    if request["do"] == "fail":
        raise ServiceFailed("kafka", "is gone", "/kafka.log")
    return {"heard": request}


@pytest.fixture
def answering(place: Place) -> Iterator[Place]:
    """A lab that answers one request."""
    lock = become_the_only_one(place)
    control = ControlSocket()
    control.publish(place)
    thread = threading.Thread(target=control.answer_one, args=(handle, 10))
    thread.start()
    yield place
    thread.join()
    os.close(lock)


def test_the_lock_says_who_runs_and_is_free_afterwards(place: Place) -> None:
    assert running_supervisor(place) is None
    lock = become_the_only_one(place)
    assert running_supervisor(place) == os.getpid()
    os.close(lock)
    assert running_supervisor(place) is None


def test_a_second_lab_refuses_to_start(place: Place) -> None:
    lock = become_the_only_one(place)
    with pytest.raises(ServiceFailed, match="running already"):
        become_the_only_one(place)
    os.close(lock)


def test_a_request_is_answered_without_its_token(answering: Place) -> None:
    assert ask(answering, do="break", name="task") == {"heard": {"do": "break", "name": "task"}}


def test_a_failure_comes_back_as_the_same_failure(answering: Place) -> None:
    with pytest.raises(ServiceFailed, match="kafka: is gone") as failed:
        ask(answering, do="fail")
    assert failed.value.log == "/kafka.log"


def test_a_stranger_is_not_answered(answering: Place) -> None:
    reach = json.loads(answering.state.read_text())
    answering.state.write_text(json.dumps({**reach, "token": "guessed"}))
    with pytest.raises(ServiceFailed, match="belongs to somebody else"):
        ask(answering, do="status")


def test_only_the_owner_can_read_the_token(answering: Place) -> None:
    assert answering.state.stat().st_mode & 0o077 == 0
    ask(answering, do="status")


def test_no_lab_is_a_clear_sentence(place: Place) -> None:
    with pytest.raises(ServiceFailed, match="mainstem lab up"):
        ask(place, do="status")


def test_a_lab_that_is_still_starting_says_so(place: Place) -> None:
    lock = become_the_only_one(place)
    with pytest.raises(ServiceFailed, match="still starting"):
        ask(place, do="status")
    os.close(lock)
