"""The story of a start is written as it happens, its failure too."""

from __future__ import annotations

from pathlib import Path

import pytest

from mainstem.errors import ServiceFailed
from mainstem.lab.steps import Step, perform


def told(story: Path) -> list[tuple[str, str, str]]:
    steps = [Step.from_json(line) for line in story.read_text().splitlines()]
    return [(step.name, step.state, step.detail) for step in steps]


def test_each_step_is_told_when_it_begins_and_when_it_is_done(tmp_path: Path) -> None:
    story = tmp_path / "story"
    seen_by_second: list[tuple[str, str, str]] = []

    def second() -> str:
        seen_by_second.extend(told(story))
        return "two"

    perform([("first", lambda: "one"), ("second", second)], story)
    assert seen_by_second == [
        ("first", "running", ""),
        ("first", "done", "one"),
        ("second", "running", ""),
    ]
    assert [state for _name, state, _detail in told(story)][-2:] == ["done", "ready"]


def test_a_failed_step_is_told_and_ends_the_start(tmp_path: Path) -> None:
    def fail() -> str:
        raise ServiceFailed("kafka", "no room on the disk")

    tasks = [("first", fail), ("second", lambda: pytest.fail("went on after a failure"))]
    with pytest.raises(ServiceFailed):
        perform(tasks, tmp_path / "story")
    assert told(tmp_path / "story")[-1] == ("first", "failed", "kafka: no room on the disk")
