"""How many rows went over an edge, and how fast: as producers count them."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from serve_fixtures import run_event

HEARTBEAT = {"jobType": {"emissionPattern": {"eventTrigger": "PERIODIC", "windowDuration": 30}}}
CONNECTOR = {"mainstem_connector": {"tasks": [], "edges": [], "control": []}}


def table(name: str, rows: object = None, *, written: bool = False) -> dict[str, Any]:
    said: dict[str, Any] = {"namespace": "postgres://db:5432", "name": name}
    if rows is None:
        return said
    side, facet = ("output", "outputStatistics") if written else ("input", "inputStatistics")
    return {**said, f"{side}Facets": {facet: {"rowCount": rows}}}


def edges(client: TestClient, *events: dict[str, Any]) -> list[tuple[int | None, float | None]]:
    for event in events:
        assert client.post("/api/v1/lineage", json=event).status_code == 201
    answer = client.get("/api/v2/lineage", params={"node": "job:jobs:job"}).json()
    return [(edge["rows"], edge["rowsPerMinute"]) for edge in answer["edges"]]


def test_a_watcher_counts_since_its_last_report(client: TestClient) -> None:
    said = run_event(
        "RUNNING",
        time="2026-11-15T11:59:30Z",
        inputs=[table("a", 500)],
        outputs=[table("b", 250, written=True)],
        run_facets=CONNECTOR,
        job_facets=HEARTBEAT,
    )
    assert edges(client, said) == [(500, 1000.0), (250, 500.0)]


def test_every_other_producer_counts_the_whole_run(client: TestClient) -> None:
    start = run_event("START", time="2026-11-15T11:50:00Z", job_facets=HEARTBEAT)
    later = run_event("RUNNING", time="2026-11-15T11:59:00Z", inputs=[table("a", 900)])
    assert edges(client, start, later) == [(900, 100.0)]


def test_a_run_that_ended_or_went_silent_has_no_pace(client: TestClient) -> None:
    said = {"inputs": [table("a", 7)], "run_facets": CONNECTOR, "job_facets": HEARTBEAT}
    assert edges(client, run_event("RUNNING", time="2026-11-15T11:00:00Z", **said)) == [(7, None)]
    assert edges(client, run_event("COMPLETE", time="2026-11-15T11:59:50Z", **said)) == [(7, None)]


@pytest.mark.parametrize("odd", [-1, True, "12", 1.5, [], None])
def test_what_is_no_count_is_not_shown(client: TestClient, odd: object) -> None:
    assert edges(client, run_event("RUNNING", inputs=[table("a", odd)])) == [(None, None)]
