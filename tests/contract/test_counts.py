"""Counts are kept, not counted: they are what counting would give, at every bound."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import orjson
import pytest
from starlette.testclient import TestClient

from mainstem.said.times import to_micros
from mainstem.serve.api.backend import Backend
from mainstem.serve.ingest.upkeep import prune
from mainstem.serve.store.events import AT_ONCE, NEWEST, OLDEST, page
from serve_fixtures import NOON, post, run_event

STEP = timedelta(minutes=7)
FIRST = NOON - STEP * 60
TIMES = [
    *(FIRST + STEP * at for at in range(60)),
    datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC),
    datetime(1, 1, 1, tzinfo=UTC),
    datetime(9999, 12, 31, tzinfo=UTC),
]
JSON = {"Content-Type": "application/json"}
TYPES = ("START", "COMPLETE", "FAIL", "RUNNING")


@pytest.fixture
def told(client: TestClient) -> TestClient:
    post(
        client,
        *(
            run_event(TYPES[at % 4], run=f"run {at}", job=f"job {at % 8}", time=time.isoformat())
            for at, time in enumerate(TIMES)
        ),
    )
    return client


def total(client: TestClient, after: datetime | None, before: datetime | None) -> int:
    bounds = {"after": after, "before": before}
    asked = {name: bound.isoformat() for name, bound in bounds.items() if bound is not None}
    answer = client.get("/api/v1/events/lineage", params={**asked, "limit": 0}).json()
    return answer["totalCount"]


def test_a_period_has_as_many_events_as_there_are(told: TestClient) -> None:
    assert total(told, None, None) == len(TIMES)
    second = timedelta(seconds=1)
    bounds = [FIRST + STEP * at + second * (at % 3 - 1) for at in (0, 3, 8, 9, 15, 44, 59)]
    for after in (None, TIMES[-3], *bounds):
        for before in (None, *bounds):
            expected = [
                time
                for time in TIMES
                if (after is None or time >= after) and (before is None or time < before)
            ]
            assert total(told, after, before) == len(expected), (after, before)


def test_repetitions_are_not_counted_and_what_is_forgotten_no_longer(
    told: TestClient, backend: Backend
) -> None:
    post(told, run_event(TYPES[0], run="run 0", job="job 0", time=TIMES[0].isoformat()))
    assert total(told, None, None) == len(TIMES)
    with backend.read() as connection:
        forgotten, _ = prune(connection, to_micros(NOON), to_micros(NOON))
    assert forgotten > 20
    assert total(told, None, None) == len(TIMES) - forgotten
    listed = told.get("/api/v1/events/lineage?limit=1000").json()
    assert len(listed["events"]) == listed["totalCount"]


def test_statistics_are_what_counting_gives(told: TestClient) -> None:
    shown = told.get("/api/v1/stats/lineage-events?period=DAY").json()
    by_hand = {
        word: sum(time.hour == 10 for at, time in enumerate(TIMES[:60]) if TYPES[at % 4] == word)
        for word in TYPES
    }
    ten = next(one for one in shown if one["startInterval"] == "2026-11-15T10:00:00Z")
    assert (ten["start"], ten["complete"]) == (by_hand["START"], by_hand["COMPLETE"])
    assert sum(one["fail"] for one in shown) == 15
    half = told.get("/api/v1/stats/lineage-events?period=DAY&timezone=Asia/Kolkata").json()
    assert sum(one["fail"] for one in half) == 15
    jobs = told.get("/api/v1/stats/jobs?period=WEEK").json()
    # Two jobs are as old as the oldest events; the others are of the last day.
    assert [one["count"] for one in jobs] == [2] * 6 + [8]
    assert sum(one["events"] for one in told.get("/api/v2/summary").json()["eventsByHour"]) == 63


def test_a_page_of_events_is_read_in_parts_and_bounded_in_bytes(
    client: TestClient, backend: Backend
) -> None:
    many = AT_ONCE * 2 + 10
    events = [
        run_event(run=f"run {at}", time=(FIRST + timedelta(seconds=at // 3)).isoformat())
        for at in range(many)
    ]
    answer = client.post("/api/v1/lineage/batch", content=orjson.dumps(events), headers=JSON)
    assert answer.json()["summary"]["successful"] == many
    everything = (-(2**61), 2**61)
    with backend.read() as connection:
        bodies = [
            [orjson.loads(one)["run"]["runId"] for one in page(connection, everything, *asked)]
            for asked in (
                (OLDEST, many + 1, 0),
                (NEWEST, many + 1, 0),
                (OLDEST, AT_ONCE + 1, AT_ONCE + 5),
            )
        ]
        room = 5 * len(orjson.dumps(events[0]))
        short = page(connection, everything, OLDEST, many, 0, room=room)
    told = [event["run"]["runId"] for event in events]
    assert bodies == [told, told[::-1], told[AT_ONCE + 5 : 2 * AT_ONCE + 6]]
    assert 4 <= len(short) <= 6
