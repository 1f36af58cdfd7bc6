"""Parents, what became of a dataset, versions of a job: by the API, on both databases."""

from __future__ import annotations

from typing import Any

from starlette.testclient import TestClient

from serve_fixtures import dataset, post, run_event

PARENT_RUN = "00000000-0000-4000-8000-00000000000a"
ROOT_RUN = "00000000-0000-4000-8000-00000000000b"
CHILD_RUN = "00000000-0000-4000-8000-00000000000c"


def test_a_child_names_its_parent_and_its_root(client: TestClient) -> None:
    parent = {
        "parent": {
            "run": {"runId": PARENT_RUN},
            "job": {"namespace": "jobs", "name": "app"},
            "root": {"run": {"runId": ROOT_RUN}, "job": {"namespace": "jobs", "name": "dag"}},
        }
    }
    post(
        client,
        run_event(run=CHILD_RUN, job="app.write", outputs=["t"], run_facets=parent),
        run_event("START", run=PARENT_RUN, job="app"),
    )
    child = client.get("/api/v1/namespaces/jobs/jobs/app.write").json()
    assert (child["parentJobName"], child["simpleName"]) == ("app", "write")
    assert client.get("/api/v1/namespaces/jobs/jobs/app").json()["parentJobName"] is None
    run = client.get(f"/api/v1/jobs/runs/{CHILD_RUN}").json()
    assert run["facets"]["parent"] == parent["parent"]


def test_what_became_of_a_dataset_is_the_last_word_in_time(client: TestClient) -> None:
    def changed(how: str, minute: int) -> dict[str, Any]:
        facet = {"lifecycleStateChange": {"lifecycleStateChange": how}}
        table = {**dataset("t"), "facets": facet}
        time = f"2026-11-15T10:0{minute}:00Z"
        return run_event(run=f"r{minute}", time=time, outputs=[table])

    post(client, changed("DROP", 5), changed("CREATE", 1))
    place = "/api/v1/namespaces/postgres%3A%2F%2Fdb%3A5432/datasets/t"
    assert client.get(place).json()["lastLifecycleState"] == "DROP"


def test_a_job_has_a_version_for_each_set_of_datasets_and_config(client: TestClient) -> None:
    def ran(minute: int, config: str, **sides: Any) -> dict[str, Any]:
        facets = {"mainstem_connector": {"configVersion": config}}
        time = f"2026-11-15T10:0{minute}:00Z"
        return run_event(run=f"r{minute}", time=time, run_facets=facets, **sides)

    post(
        client,
        ran(1, "v1", inputs=["a"], outputs=["b"]),
        ran(2, "v1", inputs=["a"], outputs=["b"]),
        ran(3, "v2", inputs=["a"], outputs=["b"]),
        ran(4, "v2", inputs=["a"], outputs=["b", "c"]),
        ran(5, "v1", inputs=["a"], outputs=["b"]),
    )
    place = "/api/v1/namespaces/jobs/jobs/job"
    versions = client.get(f"{place}/versions").json()["versions"]
    assert len({one["version"] for one in versions}) == len(versions) == 3
    runs = client.get(f"{place}/runs").json()["runs"]
    of_run = {one["startedAt"] or one["createdAt"]: one["jobVersion"]["version"] for one in runs}
    first, second, config, more, back = (of_run[at] for at in sorted(of_run))
    assert first == second == back
    assert len({first, config, more}) == 3


def test_the_runs_behind_a_run_are_the_last_that_wrote_what_it_read(client: TestClient) -> None:
    ids = {name: f"00000000-0000-4000-8000-00000000000{at}" for at, name in enumerate("abcde")}
    for minute, (run, job, inputs, outputs) in enumerate(
        [
            ("a", "raw", [], ["x"]),
            ("b", "make", ["x"], ["y"]),
            ("c", "make", ["x"], ["z"]),
            ("d", "read", ["y", "x"], []),
            ("e", "raw", [], ["x"]),
        ]
    ):
        time = f"2026-11-15T10:0{minute}:00Z"
        post(client, run_event(run=ids[run], job=job, inputs=inputs, outputs=outputs, time=time))

    def behind(depth: int) -> dict[str, dict[str, str]]:
        asked = {"runId": ids["d"], "depth": depth}
        told = client.get("/api/v1/runlineage/upstream", params=asked).json()["runs"]
        return {
            one["run"]["id"]: {each["name"]: each["producedByRunId"] for each in one["inputs"]}
            for one in told
        }

    made = {ids["d"]: {"y": ids["b"], "x": ids["a"]}}  # neither the later c nor e
    assert behind(0) == made
    assert behind(5) == {**made, ids["b"]: {"x": ids["a"]}, ids["a"]: {}}
