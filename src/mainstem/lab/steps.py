"""The story of a start: each step with its state and time, written by one process, read by another.

::

    {"name": "Kafka", "state": "running"}
    {"name": "Kafka", "state": "done", "seconds": 4.1, "detail": "127.0.0.1:23456"}
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import asdict

from mainstem.clock import monotonic

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

State = Literal["running", "done", "failed", "ready"]


class Step(Struct, frozen=True):
    """One line of the story; ``ready`` is the last one of a start that went well."""

    name: str
    state: State
    seconds: float = 0.0
    detail: str = ""

    def to_json(self) -> str:
        """One line that ``from_json`` reads."""
        return json.dumps(asdict(self)) + "\n"

    @classmethod
    def from_json(cls, line: str) -> Step:
        """The step that ``to_json`` wrote."""
        return cls(**json.loads(line))


Task = tuple[str, Callable[[], str]]
"""What a step is called, and the function that does it and answers the detail to show."""


def perform(tasks: Iterable[Task], story: Path) -> None:
    """Do the tasks one after the other and write each into the story; a failure ends it."""
    begun = monotonic()
    for name, task in tasks:
        _write(story, Step(name, "running"))
        started = monotonic()
        try:
            detail = task()
        except BaseException as error:
            _write(story, Step(name, "failed", monotonic() - started, _reason(error)))
            raise
        _write(story, Step(name, "done", monotonic() - started, detail))
    _write(story, Step("the lab is ready", "ready", monotonic() - begun))


def _reason(error: BaseException) -> str:
    return str(error) or type(error).__name__


def _write(story: Path, step: Step) -> None:
    with story.open("a") as file:
        file.write(step.to_json())
