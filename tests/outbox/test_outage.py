"""A backend away for three days under the heartbeats of 100 connectors."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mainstem.clock import monotonic
from mainstem.errors import DestinationBusy
from mainstem.outbox import Drainer, Outbox, OutboxItem, StoredEvent
from mainstem.outbox.destinations.http import HttpDestination, HttpSettings
from outbox.backend import running_backend
from outbox.doubles import MemoryDestination, SteppedClock, depth, open_lane, run_lane

CONNECTORS = 100
HEARTBEAT_SECONDS = 300
DRAINED_WITHIN_SECONDS = 300.0
PADDING = "x" * 3000


def beat(connector: int, number: int) -> OutboxItem:
    body = json.dumps({"key": f"run-{connector}", "n": number, "facets": PADDING})
    return OutboxItem(f"run-{connector}", body.encode())


def outage(box: Outbox, calendar: list[datetime], beats: int) -> MemoryDestination:
    """Store the heartbeats while the backend refuses; the clock is moved, nobody waits."""

    def refuse(event: StoredEvent) -> None:
        raise DestinationBusy("http", "cannot be reached", whole=True)

    away, clock = MemoryDestination("http", "http", fault=refuse), SteppedClock()
    lane = open_lane(box, away, clock)
    for number in range(beats):
        with box.transaction() as connection:
            box.append(connection, [beat(connector, number) for connector in range(CONNECTORS)])
        calendar[0] += timedelta(seconds=HEARTBEAT_SECONDS)
        run_lane(lane, clock, HEARTBEAT_SECONDS)
    return away


@pytest.mark.parametrize(
    "hours",
    [pytest.param(1, id="an-hour"), pytest.param(72, id="three-days", marks=pytest.mark.soak)],
)
def test_nothing_is_lost_and_it_drains_soon(tmp_path: Path, hours: int) -> None:
    calendar = [datetime(2026, 1, 2, tzinfo=UTC)]
    box = Outbox.open(tmp_path / "journal.db", lambda: calendar[0])
    beats = hours * 3600 // HEARTBEAT_SECONDS
    away = outage(box, calendar, beats)
    assert depth(box) == CONNECTORS * beats
    assert box.status()[0].oldest_age_seconds == hours * 3600
    # Asked at the capped pace, about once a minute, however much waits.
    assert len(away.tried) < hours * 3600 / 25
    with running_backend() as backend:
        began = monotonic()
        drainer = Drainer(box, [HttpDestination("http", HttpSettings(f"{backend.url}/in"))])
        drainer.start()
        assert drainer.drain_until_empty(DRAINED_WITHIN_SECONDS)
        seconds = monotonic() - began
        drainer.stop()
        numbers: dict[str, list[int]] = {}
        for told in map(json.loads, backend.accepted):
            numbers.setdefault(told["key"], []).append(told["n"])
    assert numbers == {f"run-{each}": list(range(beats)) for each in range(CONNECTORS)}
    print(f"\n{CONNECTORS * beats} events after {hours} h drained in {seconds:.0f} s")  # noqa: T201
