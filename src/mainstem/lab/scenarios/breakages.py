"""What a person can break, how to mend it, and what the lineage must say about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mainstem.lab.scenarios import orders

if TYPE_CHECKING:
    from mainstem.lab.scenarios.pipeline import Pipeline

Action = Callable[["Pipeline"], None]


@dataclass(frozen=True, slots=True)
class Told:
    """An event that must follow."""

    type: str
    job: str

    def __str__(self) -> str:
        return f"{self.type} of {self.job}"


@dataclass(frozen=True, slots=True)
class Breakage:
    """One thing to break; what is told is None where silence is right."""

    name: str
    summary: str
    broken: Action
    healed: Action
    told_when_broken: Told | None
    told_when_healed: Told | None
    expect_when_broken: str
    expect_when_healed: str


def _fail_task(pipeline: Pipeline) -> None:
    nowhere = pipeline.addresses.file.parent / "no-such-directory" / "orders.txt"
    wrong = orders.sink_config(replace(pipeline.addresses, file=nowhere))
    pipeline.connectors.configure(orders.SINK, wrong)
    pipeline.connectors.wait_until_failed(orders.SINK)


def _create_sink(pipeline: Pipeline) -> None:
    pipeline.connectors.configure(orders.SINK, orders.sink_config(pipeline.addresses))
    pipeline.connectors.wait_until_running(orders.SINK)


BREAKAGES = (
    Breakage(
        name="task",
        summary="point the sink at a directory that does not exist, so that its task fails",
        broken=_fail_task,
        healed=_create_sink,
        told_when_broken=Told("FAIL", orders.SINK),
        told_when_healed=Told("START", orders.SINK),
        expect_when_broken="FAIL: the sink's run ends, and says why",
        expect_when_healed="START: a new run of the sink",
    ),
    Breakage(
        name="pause",
        summary="pause the source connector",
        broken=lambda pipeline: pipeline.connectors.pause(orders.SOURCE),
        healed=lambda pipeline: pipeline.connectors.resume(orders.SOURCE),
        told_when_broken=Told("COMPLETE", orders.SOURCE),
        told_when_healed=Told("START", orders.SOURCE),
        expect_when_broken="COMPLETE: the source's run ends in order",
        expect_when_healed="START: a new run of the source",
    ),
    Breakage(
        name="delete",
        summary="delete the sink connector",
        broken=lambda pipeline: pipeline.connectors.delete(orders.SINK),
        healed=_create_sink,
        told_when_broken=Told("COMPLETE", orders.SINK),
        told_when_healed=Told("START", orders.SINK),
        expect_when_broken="COMPLETE: the sink's run ends, with the edges that it had",
        expect_when_healed="START: a new run of the sink",
    ),
    Breakage(
        name="database",
        summary="stop PostgreSQL under the running source connector",
        broken=lambda pipeline: pipeline.stack.postgres.stop(),
        healed=lambda pipeline: pipeline.stack.postgres.start(),
        told_when_broken=None,
        told_when_healed=None,
        expect_when_broken="no end: Debezium tries again and again, and Connect calls it RUNNING",
        expect_when_healed="nothing new: the same run goes on",
    ),
    Breakage(
        name="worker",
        summary="kill -9 the Connect worker",
        broken=lambda pipeline: pipeline.stack.connect.kill(),
        healed=lambda pipeline: pipeline.stack.connect.start(),
        told_when_broken=None,
        told_when_healed=None,
        expect_when_broken="silence: what does not answer is not known to have ended",
        expect_when_healed="nothing new: the same runs go on",
    ),
)
"""Everything that ``mainstem lab break`` knows."""


def find(name: str) -> Breakage | None:
    """The breakage of this name."""
    return next((each for each in BREAKAGES if each.name == name), None)
