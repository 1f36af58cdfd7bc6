"""Size and age caps: off by default, oldest first, counted."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.outbox import Caps, Outbox, OutboxItem
from outbox.doubles import MemoryDestination, SteppedClock, depth, open_lane, run_lane, store, texts


class Calendar:
    def __init__(self) -> None:
        self.instant = datetime(2026, 1, 2, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.instant


def test_what_is_too_old_is_dropped_and_counted(tmp_path: Path) -> None:
    calendar = Calendar()
    box = Outbox.open(tmp_path / "journal.db", calendar, Caps(max_age_seconds=60))
    destination, clock = MemoryDestination(), SteppedClock()
    lane = open_lane(box, destination, clock)
    store(box, ("r1", "old"), ("r1", "old too"))
    calendar.instant += timedelta(seconds=61)
    store(box, ("r1", "new"))
    assert (box.status()[0].dropped, box.status()[0].depth) == (2, 1)
    run_lane(lane, clock, 0)
    assert texts(destination.taken) == ["new"]


@pytest.mark.parametrize("cap", [10, 100, 1000])
def test_what_is_too_much_goes_oldest_first(tmp_path: Path, cap: int) -> None:
    box = Outbox.open(tmp_path / "journal.db", caps=Caps(max_bytes=cap))
    destination, clock = MemoryDestination(), SteppedClock()
    lane = open_lane(box, destination, clock)
    bodies = [str(number).encode() for number in range(100, 300)]
    for body in bodies:
        with box.transaction() as connection:
            box.append(connection, [OutboxItem("r1", body)])
    assert box.size().bytes <= cap
    dropped = box.status()[0].dropped
    run_lane(lane, clock, 0)
    assert destination.bodies == bodies[dropped:]
    assert len(destination.bodies) == min(len(bodies), cap // 3)


def test_without_a_cap_nothing_is_dropped(tmp_path: Path) -> None:
    calendar = Calendar()
    box = Outbox.open(tmp_path / "journal.db", calendar)
    open_lane(box, MemoryDestination())
    store(box, *[("r1", "x" * 1000)] * 50)
    calendar.instant += timedelta(days=3650)
    store(box, ("r1", "new"))
    assert (box.status()[0].dropped, depth(box)) == (0, 51)


@settings(max_examples=25, deadline=None)
@given(sizes=st.lists(st.integers(0, 500), max_size=20), delivered=st.integers(0, 20))
def test_the_totals_are_those_of_the_rows(sizes: list[int], delivered: int) -> None:
    with tempfile.TemporaryDirectory() as directory:
        box = Outbox.open(Path(directory) / "journal.db")
        lane = open_lane(box, MemoryDestination())
        with box.transaction() as connection:
            box.append(connection, [OutboxItem("r1", b"x" * size) for size in sizes])
        for _ in range(delivered):
            lane.step()
        rest = sizes[delivered:]
        assert (box.size().events, box.size().bytes) == (len(rest), sum(rest))
        box.close()
