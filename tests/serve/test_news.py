"""What a page tells as having changed today: each kind of change, and nothing that did not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from mainstem.serve.model.news import Ran, column_changes, state_change
from serve_fixtures import dataset, post, run_event, schema

# The tests' clock stands at noon of the fifteenth.
DAYS_AGO = "2026-11-12T10:00:00Z"
YESTERDAY = "2026-11-14T11:00:00Z"
MORNING = "2026-11-15T09:00:00Z"
LATER = "2026-11-15T10:00:00Z"
HOURLY = {"jobType": {"emissionPattern": {"eventTrigger": "PERIODIC", "windowDuration": 3600}}}
SNAPSHOTS = {
    "jobType": {
        "emissionPattern": {
            "eventTrigger": "PERIODIC",
            "eventContentMode": "COMPLETE_SNAPSHOT",
            "windowDuration": 3600,
        }
    }
}


def run(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012}"


def news(client: TestClient, **params: int) -> list[dict[str, Any]]:
    answer = client.get("/api/v2/news", params=params)
    assert answer.status_code == 200, answer.text
    return answer.json()["items"]


def told(item: dict[str, Any]) -> tuple[str, str, str]:
    return item["what"], item["node"]["name"], item["at"]


def parts(listed: list[dict[str, Any]]) -> list[tuple[str, bool | None]]:
    return [(one["name"].rpartition(":")[2], one["written"]) for one in listed]


def test_new_jobs_and_datasets_are_told_and_old_ones_are_not(client: TestClient) -> None:
    post(
        client,
        run_event(job="old", time=DAYS_AGO, run=run(1), inputs=["a"]),
        run_event(job="new", time=MORNING, run=run(2), inputs=["a"], outputs=["b"]),
    )
    assert sorted(map(told, news(client))) == [("DATASET", "b", MORNING), ("JOB", "new", MORNING)]


def test_edges_that_came_and_went_are_told(client: TestClient) -> None:
    post(
        client,
        run_event(time=DAYS_AGO, run=run(1), inputs=["a", "b"], outputs=["out"]),
        run_event(time=DAYS_AGO, run=run(9), job="other", inputs=["c"]),
        run_event(time=MORNING, run=run(2), inputs=["a", "c"], outputs=["out"]),
    )
    (item,) = news(client)
    assert told(item) == ("EDGES", "job", MORNING)
    assert parts(item["added"]) == [("c", False)]
    assert parts(item["removed"]) == [("b", False)]


@pytest.mark.parametrize("ending", ["START", "FAIL"])
def test_a_run_that_is_not_done_takes_no_edge_away(client: TestClient, ending: str) -> None:
    post(
        client,
        run_event(time=DAYS_AGO, run=run(1), inputs=["a"], outputs=["out"]),
        run_event(ending, time=MORNING, run=run(2), inputs=["a"]),
    )
    assert [one["what"] for one in news(client)] == ([] if ending == "START" else ["STATE"])


def test_a_long_run_that_reads_one_more_and_one_less_is_told(client: TestClient) -> None:
    def heartbeat(time: str, *inputs: str) -> dict[str, Any]:
        return run_event("RUNNING", time=time, run=run(1), inputs=inputs, job_facets=SNAPSHOTS)

    post(
        client,
        run_event(job="other", time=DAYS_AGO, run=run(9), inputs=["c"]),
        heartbeat(DAYS_AGO, "a", "b"),
        heartbeat(MORNING, "a", "b", "c"),
        heartbeat(LATER, "a", "c"),
    )
    items = news(client)
    assert [(told(one)[2], parts(one["added"]), parts(one["removed"])) for one in items] == [
        (MORNING, [("c", False)], []),
        (MORNING, [], [("b", False)]),
    ]


def test_a_changed_schema_is_told_by_its_columns(client: TestClient) -> None:
    post(
        client,
        run_event(time=DAYS_AGO, outputs=[{**dataset("t"), "facets": schema("id", "old")}]),
        run_event(
            time=MORNING, run=run(2), outputs=[{**dataset("t"), "facets": schema("id", "new")}]
        ),
    )
    (item,) = news(client)
    assert told(item) == ("SCHEMA", "t", MORNING)
    assert parts(item["added"]) == [("new", None)]
    assert parts(item["removed"]) == [("old", None)]
    assert item["before"] != item["after"]


def test_another_configuration_is_told(client: TestClient) -> None:
    def ran(number: int, time: str, version: str) -> dict[str, Any]:
        facet = {"mainstem_connector": {"configVersion": version, "tasks": []}}
        return run_event(time=time, run=run(number), inputs=["a"], run_facets=facet)

    post(client, ran(1, DAYS_AGO, "c1"), ran(2, YESTERDAY, "c1"), ran(3, MORNING, "c2"))
    (item,) = news(client)
    assert (told(item), item["before"], item["after"]) == (("CONFIG", "job", MORNING), "c1", "c2")


def test_trouble_and_its_end_are_told_and_a_usual_day_is_not(client: TestClient) -> None:
    days = (DAYS_AGO, YESTERDAY, MORNING)
    lives = {
        "well": ("COMPLETE", "COMPLETE", "COMPLETE"),
        "broke": ("COMPLETE", "COMPLETE", "FAIL"),
        "mended": ("COMPLETE", "FAIL", "COMPLETE"),
        "still": ("FAIL", "FAIL", "FAIL"),
    }
    for number, (job, states) in enumerate(lives.items()):
        for day, (state, time) in enumerate(zip(states, days, strict=True)):
            post(client, run_event(state, job=job, time=time, run=run(10 * number + day)))
    items = {one["node"]["name"]: one for one in news(client)}
    assert items.keys() == {"broke", "mended"}
    assert (items["broke"]["before"], items["broke"]["after"]) == ("COMPLETED", "FAILED")
    assert (items["mended"]["before"], items["mended"]["after"]) == ("FAILED", "COMPLETED")


def test_a_run_that_stopped_reporting_today_is_told(client: TestClient) -> None:
    post(
        client,
        run_event("START", time=DAYS_AGO, job_facets=HOURLY),
        run_event("RUNNING", time="2026-11-15T08:00:00Z", job_facets=HOURLY),
    )
    (item,) = news(client)
    assert told(item) == ("STATE", "job", "2026-11-15T11:00:00Z")
    assert (item["before"], item["after"]) == ("RUNNING", "UNKNOWN")


def test_the_newest_come_first_and_what_is_left_out_is_said(client: TestClient) -> None:
    for number in range(4):
        post(
            client,
            run_event(job=f"job_{number}", run=run(number), time=f"2026-11-15T0{number}:00:00Z"),
        )
    answer = client.get("/api/v2/news", params={"limit": 2}).json()
    assert [one["node"]["name"] for one in answer["items"]] == ["job_3", "job_2"]
    assert answer["truncated"]
    assert not client.get("/api/v2/news").json()["truncated"]


def test_many_new_ones_of_a_namespace_are_one_piece_of_news(client: TestClient) -> None:
    many = [f"t{number}" for number in range(20)]
    few = [{"namespace": "s3://lake", "name": name} for name in ("a", "b")]
    post(
        client,
        run_event(job="broken", time=DAYS_AGO, run=run(1)),
        run_event("FAIL", job="broken", time=MORNING, run=run(2)),
        run_event(job="import", time=LATER, run=run(3), inputs=many, outputs=few),
    )
    items = [(one["what"], one["node"]["namespace"], one["count"]) for one in news(client)]
    assert sorted(items) == [
        ("DATASET", "postgres://db:5432", 20),
        *[("DATASET", "s3://lake", 1)] * 2,
        ("JOB", "jobs", 1),
        ("STATE", "jobs", 1),
    ]


RUNS = st.lists(
    st.tuples(st.sampled_from(["COMPLETED", "FAILED", "ABORTED", "RUNNING"]), st.integers(0, 100)),
    max_size=6,
)


@given(RUNS, st.integers(0, 100))
def test_a_state_change_is_between_trouble_and_none(
    said: list[tuple[str, int]], since: int
) -> None:
    times = sorted(at for _, at in said)
    runs = [
        Ran(str(n), at, at, None if state == "RUNNING" else at, state, None, "v")
        for n, ((state, _), at) in enumerate(zip(said, times, strict=True))
    ]
    found = state_change(runs, since, 1000)
    if found is not None:
        assert found.at >= since
        assert (found.before in {"FAILED", "ABORTED"}) != (found.after in {"FAILED", "ABORTED"})
        assert found.after in {state for state, _ in said}


NAMES = st.lists(st.sampled_from("abcdef"), unique=True)


@given(NAMES, NAMES)
def test_columns_are_added_removed_or_changed_exactly_once(old: list[str], new: list[str]) -> None:
    changes = column_changes(
        [{"name": name, "type": "int"} for name in old],
        [{"name": name, "type": "int" if name < "d" else "text"} for name in new],
    )
    assert set(changes.added) == set(new) - set(old)
    assert set(changes.removed) == set(old) - set(new)
    assert set(changes.changed) == {name for name in set(old) & set(new) if name >= "d"}
