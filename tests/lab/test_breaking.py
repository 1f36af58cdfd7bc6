"""Everything that can be broken and mended, told by whoever tells of it in each pattern."""

from __future__ import annotations

import pytest

from lab.conftest import RunningLab
from mainstem.lab.jobs.orders import UNTIL_NOW
from mainstem.lab.scenarios import orders
from mainstem.lab.scenarios.breakages import BREAKAGES
from mainstem.lab.scenarios.expected import INGESTION, LIVE_ANALYTICS
from mainstem.lab.scenarios.patterns import Pattern

SILENT = ("database", "worker")
ENDINGS = ("record", "table")
"""Broken and mended in test_endings."""
NAMES = ("names",)
"""Broken and mended in test_misnaming."""
TOLD = {
    Pattern.MAINSTEM: ("connector", "schema", "job", "s3", "pause", "delete"),
    # Only what this pattern tells in other words.
    Pattern.LISTENER: ("job", "record", "table"),
    Pattern.MANUAL: ("s3",),
}


def test_everything_that_can_be_broken_is_broken_by_a_test() -> None:
    assert {*TOLD[Pattern.MAINSTEM], *SILENT, *ENDINGS, *NAMES} == {each.name for each in BREAKAGES}


@pytest.mark.lab
@pytest.mark.soak
@pytest.mark.parametrize(
    ("running_lab", "name"),
    [(pattern, name) for pattern, names in TOLD.items() for name in names],
    indirect=["running_lab"],
)
def test_what_is_broken_and_mended_is_told(running_lab: RunningLab, name: str) -> None:
    running_lab.pipeline.restart_what_failed()
    running_lab.break_and_see(name)
    running_lab.heal_and_see()
    assert running_lab.pipeline.ingestion.is_alive()
    assert running_lab.pipeline.live_analytics.is_alive()


@pytest.mark.lab
@pytest.mark.soak
@pytest.mark.parametrize("running_lab", [Pattern.MAINSTEM], indirect=True)
def test_streams_read_orders_of_before_and_after_a_schema_change(running_lab: RunningLab) -> None:
    pipeline = running_lab.pipeline
    pipeline.restart_what_failed()
    streams = (pipeline.ingestion, pipeline.live_analytics)
    for stream in streams:
        stream.stop()
    pipeline.order_through()
    running_lab.break_and_see("schema")
    for stream in streams:
        stream.also(UNTIL_NOW).run()
    running_lab.heal_and_see()
    for stream in streams:
        stream.also(UNTIL_NOW).run()
    pipeline.restart_what_failed()


@pytest.mark.lab
@pytest.mark.soak
@pytest.mark.parametrize("running_lab", [Pattern.MAINSTEM], indirect=True)
def test_nothing_ends_because_somebody_is_silent(running_lab: RunningLab) -> None:
    running_lab.pipeline.restart_what_failed()
    jobs = (*orders.CONNECTORS, LIVE_ANALYTICS, INGESTION)
    before = [running_lab.ends(job) for job in jobs]
    for name in SILENT:
        running_lab.break_and_see(name)
        running_lab.heal_and_see()
    # A worker that is asked to end leaves in order, and its connectors go on when it is back.
    running_lab.pipeline.stack.connect.stop()
    running_lab.pipeline.stack.connect.start()
    running_lab.pipeline.order_through()
    assert [running_lab.ends(job) for job in jobs] == before
