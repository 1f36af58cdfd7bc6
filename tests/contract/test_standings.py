"""How jobs stand now: the counts of a home page, and jobs by the state of their latest run."""

from __future__ import annotations

from starlette.testclient import TestClient

from serve_fixtures import post, run_event


def named(client: TestClient, path: str) -> list[str]:
    return [job["name"] for job in client.get(path).json()["jobs"]]


def test_counts_and_lists_follow_every_event(client: TestClient) -> None:
    post(client, run_event("START", run="1", job="a", time="2026-11-15T10:00:00Z"))
    post(client, run_event("FAIL", run="2", job="b", time="2026-11-15T10:01:00Z"))
    shown = client.get("/api/v2/summary").json()
    assert shown["states"] == {"RUNNING": 1, "FAILED": 1}
    assert [one["name"] for one in shown["failing"]] == ["b"]
    assert named(client, "/api/v1/jobs?lastRunStates=FAILED") == ["b"]

    post(client, run_event("COMPLETE", run="1", job="a", time="2026-11-15T10:02:00Z"))
    post(client, run_event("START", run="3", job="b", time="2026-11-15T10:03:00Z"))
    post(client, run_event("FAIL", run="4", job="c", time="2026-11-15T09:00:00Z"))
    shown = client.get("/api/v2/summary").json()
    assert shown["states"] == {"COMPLETED": 1, "RUNNING": 1, "FAILED": 1}
    assert [one["name"] for one in shown["failing"]] == ["c"]
    both = "lastRunStates=COMPLETED&lastRunStates=RUNNING"
    assert named(client, f"/api/v1/jobs?{both}") == ["b", "a"]
    assert named(client, f"/api/v1/namespaces/jobs/jobs?{both}&limit=1&offset=1") == ["a"]
    assert client.get(f"/api/v1/jobs?{both}&limit=0").json()["totalCount"] == 2


def test_a_late_word_on_an_old_run_changes_no_count(client: TestClient) -> None:
    post(client, run_event("COMPLETE", run="new", time="2026-11-15T10:00:00Z"))
    assert client.get("/api/v2/summary").json()["states"] == {"COMPLETED": 1}
    post(client, run_event("FAIL", run="old", time="2026-11-14T10:00:00Z"))
    shown = client.get("/api/v2/summary").json()
    assert (shown["states"], shown["failing"]) == ({"COMPLETED": 1}, [])


def test_a_run_that_missed_its_heartbeats_counts_as_stale(client: TestClient) -> None:
    promise = {"jobType": {"emissionPattern": {"windowDuration": 60}}}
    late, early = "2026-11-15T11:56:00Z", "2026-11-15T11:58:00Z"
    post(client, run_event("RUNNING", run="1", job="late", time=late, job_facets=promise))
    post(client, run_event("RUNNING", run="2", job="early", time=early, job_facets=promise))
    assert client.get("/api/v2/summary").json()["stale"] == 1


def test_jobs_are_listed_by_namespace_without_what_is_hidden(client: TestClient) -> None:
    for at, job in enumerate(["a", "b", "c"]):
        post(client, run_event(run=job, job=job, time=f"2026-11-15T10:0{at}:00Z"))
    elsewhere = run_event(run="elsewhere", job="d") | {
        "job": {"namespace": "other", "name": "d", "facets": {}}
    }
    post(client, elsewhere)
    assert client.delete("/api/v1/namespaces/jobs/jobs/b").status_code == 200
    assert named(client, "/api/v1/namespaces/jobs/jobs") == ["c", "a"]
    assert set(named(client, "/api/v1/jobs")) == {"a", "c", "d"}
    assert named(client, "/api/v1/namespaces/other/jobs") == ["d"]


def test_an_unknown_state_is_refused_with_those_there_are(client: TestClient) -> None:
    answer = client.get("/api/v1/jobs?lastRunStates=BANANA")
    assert answer.status_code == 400
    assert all(word in answer.json()["message"] for word in ("lastRunStates", "FAILED"))
