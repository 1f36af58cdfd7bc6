"""What lineage-rules say of events, seen through the API, on both databases."""

from __future__ import annotations

import gzip
import json
import math
from itertools import pairwise
from typing import Any
from urllib.parse import quote

import orjson
import pytest
from starlette.testclient import TestClient

from serve_fixtures import columns, dataset, post, run_event, schema

NODE = "job:jobs:job"
STREAM = {
    "jobType": {
        "processingType": "STREAMING",
        "integration": "KAFKA_CONNECT",
        "emissionPattern": {
            "eventTrigger": "PERIODIC",
            "eventContentMode": "COMPLETE_SNAPSHOT",
            "windowDuration": 300,
        },
    }
}


def job(client: TestClient, name: str = "job") -> dict[str, Any]:
    answer = client.get(f"/api/v1/namespaces/jobs/jobs/{name}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def names(listed: list[dict[str, str]]) -> list[str]:
    return [one["name"] for one in listed]


def graph(client: TestClient, **asked: Any) -> dict[str, Any]:
    answer = client.get("/api/v2/lineage", params={"node": NODE, **asked})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_late_start_never_reopens_a_run(client: TestClient) -> None:
    post(
        client,
        run_event("COMPLETE", time="2026-11-15T10:05:00Z"),
        run_event("START", time="2026-11-15T10:00:00Z"),
    )
    run = job(client)["latestRun"]
    assert (run["state"], run["durationMs"]) == ("COMPLETED", 300_000)


def test_one_sided_and_empty_events_add(client: TestClient) -> None:
    post(
        client,
        run_event("START", inputs=["a"]),
        run_event("RUNNING", time="2026-11-15T10:01:00Z"),
        run_event("COMPLETE", time="2026-11-15T10:02:00Z", outputs=["b"]),
    )
    assert (names(job(client)["inputs"]), names(job(client)["outputs"])) == (["a"], ["b"])


def test_a_snapshot_replaces(client: TestClient) -> None:
    post(
        client,
        run_event("START", inputs=["a"], outputs=["b"], job_facets=STREAM),
        run_event(
            "RUNNING", time="2026-11-15T10:05:00Z", inputs=["c"], outputs=["b"], job_facets=STREAM
        ),
    )
    assert names(job(client)["inputs"]) == ["c"]


def test_a_silent_stream_is_stale_when_read(client: TestClient) -> None:
    post(client, run_event("RUNNING", time="2026-11-15T11:44:59Z", job_facets=STREAM))
    assert job(client)["latestRun"]["stale"] is True
    post(client, run_event("RUNNING", time="2026-11-15T11:59:00Z", job_facets=STREAM))
    assert job(client)["latestRun"]["stale"] is False
    assert job(client)["latestRun"]["state"] == "RUNNING"


def test_explicit_pairs_are_not_multiplied(client: TestClient) -> None:
    entries = [
        {**dataset(to), "type": "DATASET", "inputs": [{**dataset(of), "type": "DATASET"}]}
        for of, to in (("a", "x"), ("b", "y"))
    ]
    facets = {"lineage": {"entries": entries}}
    post(client, run_event("START", inputs=["a", "b"], outputs=["x", "y"], job_facets=facets))
    found = client.get("/api/v2/impact", params={"node": "dataset:postgres://db:5432:a"}).json()
    assert [row["node"]["name"] for row in found["rows"]] == ["job", "x"]


def test_a_symlink_that_comes_late_merges_two_nodes_and_can_be_undone(client: TestClient) -> None:
    path = {"namespace": "s3://lake", "name": "orders"}
    table = {"namespace": "hive://meta:9083", "name": "shop.orders"}
    post(client, run_event(job="writer", outputs=[path]))
    post(client, run_event(job="reader", run="r2", inputs=[table]))
    node = {"node": "dataset:hive://meta:9083:shop.orders", "depth": 1}
    before = client.get("/api/v2/lineage", params=node).json()["nodes"]
    assert {one["name"] for one in before} == {"shop.orders", "reader"}
    linked = {**path, "facets": {"symlinks": {"identifiers": [{**table, "type": "TABLE"}]}}}
    post(client, run_event(job="writer", run="r3", time="2026-11-15T11:00:00Z", outputs=[linked]))
    merged = client.get("/api/v2/lineage", params=node).json()["nodes"]
    assert {one["name"] for one in merged} == {"orders", "reader", "writer"}
    alias = {**path, "otherNamespace": table["namespace"], "otherName": table["name"]}
    assert client.request("DELETE", "/api/v2/aliases", json=alias).status_code == 200
    assert client.get("/api/v2/lineage", params=node).json()["nodes"] == before
    assert client.put("/api/v2/aliases", json=alias).status_code == 200
    assert client.get("/api/v2/lineage", params=node).json()["nodes"] == merged


def test_built_in_spellings_are_one_dataset(client: TestClient) -> None:
    post(client, run_event(job="writer", outputs=[{"namespace": "s3a://lake", "name": "t"}]))
    post(
        client, run_event(job="reader", run="r2", inputs=[{"namespace": "s3://lake", "name": "t"}])
    )
    walked = client.get("/api/v2/lineage", params={"node": "dataset:s3://lake:t"}).json()
    assert {one["name"] for one in walked["nodes"]} == {"t", "reader", "writer"}


def test_the_graph_as_of_a_time_and_what_changed_since(client: TestClient) -> None:
    post(client, run_event(run="r1", inputs=["a"], outputs=["z"], time="2026-11-10T10:00:00Z"))
    post(client, run_event(run="r2", inputs=["b"], outputs=["z"], time="2026-11-12T10:00:00Z"))
    then = graph(client, asOf="2026-11-11T00:00:00Z")
    assert {one["name"] for one in then["nodes"]} == {"job", "a", "z"}
    assert {one["name"] for one in graph(client)["nodes"]} == {"job", "b", "z"}
    asked = {"node": NODE, "before": "2026-11-11T00:00:00Z"}
    changed = client.get("/api/v2/lineage/diff", params=asked).json()
    assert [edge["source"].rsplit(":", 1)[1] for edge in changed["added"]] == ["b"]
    assert [edge["source"].rsplit(":", 1)[1] for edge in changed["removed"]] == ["a"]
    assert len(changed["kept"]) == 1


def test_columns_are_followed_across_the_whole_path(client: TestClient) -> None:
    for at in range(3):
        made = {**schema("c"), **columns(c=[(f"t{at}", "c")])}
        output = {**dataset(f"t{at + 1}"), "facets": made}
        post(client, run_event(job=f"j{at}", run=f"r{at}", inputs=[f"t{at}"], outputs=[output]))
    node = {"node": "datasetField:postgres://db:5432:t0:c"}
    found = client.get("/api/v2/impact", params=node).json()
    assert [(row["node"]["name"], row["columns"]) for row in found["rows"]] == [
        ("t1", ["c"]),
        ("t2", ["c"]),
        ("t3", ["c"]),
    ]


def test_two_producers_do_not_make_a_version_at_every_event(client: TestClient) -> None:
    for at in range(6):
        fields = schema("key", "value") if at % 2 else schema("id", "price")
        topic = {**dataset("t"), "facets": fields}
        sides: dict[str, Any] = {"inputs": [topic]} if at % 2 else {"outputs": [topic]}
        post(
            client,
            run_event(run=f"r{at}", job=f"j{at % 2}", time=f"2026-11-15T10:0{at}:00Z", **sides),
        )
    place = "/api/v1/namespaces/postgres%3A%2F%2Fdb%3A5432/datasets/t"
    assert client.get(place + "/versions").json()["totalCount"] == 2
    fields = client.get(place).json()["fields"]
    assert [one["name"] for one in fields] == ["id", "price"]


def test_a_batch_has_an_answer_per_event(client: TestClient) -> None:
    good, bad = run_event(), {"eventTime": "never"}
    array = client.post("/api/v1/lineage/batch", json=[good, bad, 7])
    assert [one["status"] for one in array.json()["results"]] == [201, 422, 422]
    lines = b"\n".join(map(orjson.dumps, [good, bad])) + b"\nnot json\n"
    headers = {"Content-Type": "application/x-ndjson", "Content-Encoding": "gzip"}
    packed = client.post("/api/v1/lineage/batch", content=gzip.compress(lines), headers=headers)
    assert [one["status"] for one in packed.json()["results"]] == [201, 422, 400]
    assert client.get("/api/v1/events/lineage").json()["totalCount"] == 1


@pytest.mark.parametrize(
    "name", ["a/b", "50%", "a b", "x:y", "9lives", "é✓", "a%2Fb", "+plus", "?q#"]
)
def test_any_name_round_trips(client: TestClient, name: str) -> None:
    post(client, run_event(job=name, outputs=[{"namespace": "s3://l", "name": name}]))
    found = client.get(f"/api/v1/namespaces/jobs/jobs/{quote(name, safe='')}").json()
    assert found["name"] == name
    shown = client.get(f"/api/v1/namespaces/s3%3A%2F%2Fl/datasets/{quote(name, safe='')}").json()
    assert shown["name"] == name
    node = client.get("/api/v1/search", params={"q": name}).json()["results"][0]["nodeId"]
    assert client.get("/api/v1/lineage", params={"nodeId": node}).status_code == 200


@pytest.mark.parametrize("place", ["job.namespace", "job.name", "inputs[0].name"])
def test_an_empty_name_is_refused_and_stops_nothing_else(client: TestClient, place: str) -> None:
    event = run_event(inputs=[{"namespace": "s3://l", "name": "a"}])
    holder = event["job"] if place.startswith("job") else event["inputs"][0]
    holder[place.rpartition(".")[2]] = ""
    refused = client.post("/api/v1/lineage", json=event)
    assert refused.status_code == 422
    assert place in refused.json()["message"]
    post(client, run_event(job="after"))
    assert [one["name"] for one in client.get("/api/v1/namespaces").json()["namespaces"]] == [
        "default",
        "jobs",
    ]
    shown = client.get("/api/v2/nodes").json()["nodes"]
    assert [one["name"] for one in shown] == ["after"]


def test_a_name_that_is_only_an_alias_makes_no_namespace(client: TestClient) -> None:
    table = {"namespace": "hive://meta:9083", "name": "shop.orders", "type": "TABLE"}
    linked = {
        "namespace": "s3://lake",
        "name": "orders",
        "facets": {"symlinks": {"identifiers": [table]}},
    }
    post(client, run_event(outputs=[linked]))
    shown = client.get("/api/v2/nodes", params={"type": "DATASET"}).json()["nodes"]
    assert [one["name"] for one in shown] == ["orders"]
    namespaces = client.get("/api/v1/namespaces").json()["namespaces"]
    assert "hive://meta:9083" not in {one["name"] for one in namespaces}


def test_search_finds_columns_tags_and_owners(client: TestClient) -> None:
    facets = {**schema("customer_email"), "ownership": {"owners": [{"name": "team:data"}]}}
    post(client, run_event(outputs=[{**dataset("orders"), "facets": facets}]))
    for word, matched in (("omer_em", "column"), ("EAM:DA", "owner"), ("or", "name")):
        hits = client.get("/api/v2/search", params={"q": word}).json()["hits"]
        assert ("orders", matched) in [(one["name"], one["matched"]) for one in hits]


def test_every_error_has_one_shape(client: TestClient) -> None:
    asked = [
        client.get("/api/v1/nope"),
        client.delete("/api/v1/lineage"),
        client.get("/api/v1/lineage"),
        client.get("/api/v2/lineage?node=garbage"),
        client.get("/api/v1/jobs?limit=-1"),
        client.post("/api/v1/lineage", content=b"{", headers={"Content-Type": "application/json"}),
        client.put("/api/v2/aliases", content=b"x"),
    ]
    for answer in asked:
        body = answer.json()
        assert 400 <= answer.status_code < 500
        assert (body["code"], type(body["message"])) == (answer.status_code, str)


def test_explicit_pairs_hold_in_the_past_too(client: TestClient) -> None:
    entries = [
        {**dataset(to), "type": "DATASET", "inputs": [{**dataset(of), "type": "DATASET"}]}
        for of, to in (("a", "x"), ("b", "y"))
    ]
    paired = {"lineage": {"entries": entries}}
    sides: dict[str, Any] = {"inputs": ["a", "b"], "outputs": ["x", "y"]}
    post(client, run_event(run="r1", time="2026-11-10T10:00:00Z", job_facets=paired, **sides))
    post(client, run_event(run="r2", time="2026-11-12T10:00:00Z", **sides))
    asked = {"node": "dataset:postgres://db:5432:a", "direction": "downstream", "depth": 2}
    then = client.get("/api/v2/lineage", params={**asked, "asOf": "2026-11-11T00:00:00Z"}).json()
    assert {one["name"] for one in then["nodes"]} == {"a", "job", "x"}
    now = client.get("/api/v2/lineage", params=asked).json()
    assert {one["name"] for one in now["nodes"]} == {"a", "job", "x", "y"}
    assert (then["pairs"], now["pairs"]) == ({}, {})


def test_pairs_are_told_now_in_the_past_and_where_two_times_are_compared(
    client: TestClient,
) -> None:
    def told(run: str, day: int, *pairs: tuple[str, str]) -> None:
        entries = [
            {**dataset(to), "type": "DATASET", "inputs": [{**dataset(of), "type": "DATASET"}]}
            for of, to in pairs
        ]
        sides: dict[str, Any] = {"inputs": ["a", "b"], "outputs": ["x", "y"]}
        facets = {"lineage": {"entries": entries}}
        post(
            client, run_event(run=run, time=f"2026-11-{day}T10:00:00Z", job_facets=facets, **sides)
        )

    told("r1", 10, ("a", "x"), ("b", "y"))
    told("r2", 12, ("a", "x"), ("b", "x"))
    asked = {"node": "job:jobs:job", "pairs": True}

    def pairs(path: str, **more: str) -> set[tuple[str, ...]]:
        answer = client.get(f"/api/v2/{path}", params={**asked, **more}).json()["pairs"]
        ends = [(pair["source"], pair["target"]) for pair in answer["job:jobs:job"]]
        return {tuple(one.split(":")[-1] for one in pair) for pair in ends}

    assert pairs("lineage") == {("a", "x"), ("b", "x")}
    then = "2026-11-11T00:00:00Z"
    assert pairs("lineage", asOf=then) == {("a", "x"), ("b", "y")}
    assert pairs("lineage/diff", before=then) == {("a", "x"), ("b", "x"), ("b", "y")}


def test_columns_as_of_a_time_and_what_changed_since(client: TestClient) -> None:
    for day, source in ((10, "a"), (12, "b")):
        output = {**dataset("z"), "facets": {**schema("c"), **columns(c=[(source, "c")])}}
        post(
            client,
            run_event(
                run=f"r{day}",
                time=f"2026-11-{day}T10:00:00Z",
                inputs=[source],
                outputs=[output],
            ),
        )
    asked = {"node": "datasetField:postgres://db:5432:z:c"}

    def sources(**more: str) -> list[str]:
        found = client.get("/api/v2/columns", params={**asked, **more}).json()["edges"]
        return [edge["source"].split(":")[-2] for edge in found]

    assert sources() == ["b"]
    assert sources(asOf="2026-11-11T00:00:00Z") == ["a"]
    assert sources(asOf="2026-11-09T00:00:00Z") == []
    down = {"node": "datasetField:postgres://db:5432:a:c", "asOf": "2026-11-11T00:00:00Z"}
    assert len(client.get("/api/v2/columns", params=down).json()["edges"]) == 1
    changed = client.get(
        "/api/v2/columns/diff", params={**asked, "before": "2026-11-11T00:00:00Z"}
    ).json()
    assert [edge["source"].split(":")[-2] for edge in changed["added"]] == ["b"]
    assert [edge["source"].split(":")[-2] for edge in changed["removed"]] == ["a"]
    assert changed["kept"] == []


def test_a_column_that_nobody_knows_is_not_said_to_lead_nowhere(client: TestClient) -> None:
    output = {**dataset("z"), "facets": {**schema("c", "alone"), **columns(c=[("a", "x")])}}
    post(client, run_event(inputs=["a"], outputs=[output]))

    def asked(path: str, dataset: str, field: str, **more: str) -> int:
        node = {"node": f"datasetField:postgres://db:5432:{dataset}:{field}"}
        return client.get(f"/api/v2/{path}", params={**node, **more}).status_code

    for path in ("columns", "impact"):
        assert asked(path, "z", "c") == 200
        assert asked(path, "z", "alone") == 200  # of the schema alone
        assert asked(path, "a", "x") == 200  # of no schema, but something is made from it
        assert asked(path, "z", "typo") == 404
    assert asked("columns", "a", "x", direction="upstream") == 200
    assert asked("columns", "z", "typo", asOf="2026-11-01T00:00:00Z") == 200


def test_search_ranks_over_everything_and_counts_truly(client: TestClient) -> None:
    for at in range(30):
        outputs = [f"zz_hit_{at}_{one}" for one in range(100)]
        post(client, run_event(run=f"r{at}", job=f"job_{at}", outputs=outputs))
    post(client, run_event(run="last", job="other", outputs=["HIT_me", "a_hit"]))
    found = client.get("/api/v1/search", params={"q": "hit", "limit": 3}).json()
    assert [one["name"] for one in found["results"]] == ["HIT_me", "a_hit", "zz_hit_0_0"]
    assert found["totalCount"] == 3002
    only = client.get("/api/v1/search", params={"q": "job", "filter": "JOB"}).json()
    assert only["totalCount"] == 30
    page = client.get("/api/v2/search", params={"q": "hit", "offset": 3000}).json()
    assert (len(page["hits"]), page["total"]) == (2, 3002)


def test_an_alias_is_found_once(client: TestClient) -> None:
    path = {"namespace": "s3://lake", "name": "warehouse/orders"}
    table = {"namespace": "hive://meta:9083", "name": "shop.orders"}
    linked = {**path, "facets": {"symlinks": {"identifiers": [{**table, "type": "TABLE"}]}}}
    post(client, run_event(outputs=[linked]), run_event(run="r2", job="j2", inputs=[table]))
    found = client.get("/api/v1/search", params={"q": "orders"}).json()
    assert (found["totalCount"], len(found["results"])) == (1, 1)


def test_a_path_is_told_in_the_order_that_data_takes(client: TestClient) -> None:
    # The first job that is told is the last on the way: numbers and names go against it.
    for job, source, output in (("a", "y", "x"), ("b", "z", "y")):
        post(
            client, run_event(run=job, job=job, inputs=[dataset(source)], outputs=[dataset(output)])
        )
    namespace = dataset("x")["namespace"]
    ends = {"from": f"dataset:{namespace}:z", "to": f"dataset:{namespace}:x"}
    path = client.get("/api/v2/path", params=ends).json()
    along = [ends["from"], "job:jobs:b", f"dataset:{namespace}:y", "job:jobs:a", ends["to"]]
    assert path["nodes"] == along
    steps = [(edge["source"], edge["target"]) for edge in path["edges"]]
    assert steps == list(pairwise(along))


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../../etc/passwd", ""])
def test_an_unknown_time_zone_is_utc_as_marquez_has_it(client: TestClient, zone: str) -> None:
    for what in ("jobs", "lineage-events"):
        asked = client.get(f"/api/v1/stats/{what}?period=DAY&timezone={zone}")
        assert asked.status_code == 200
        assert len(asked.json()) == 24


@pytest.mark.parametrize(
    ("method", "path", "said"),
    [
        ("GET", "/api/v1/namespaces/%00", None),
        ("GET", "/api/v2/search?q=a%00b", None),
        ("GET", "/api/v1/stats/jobs?period=DAY&timezone=UTC%00", None),
        ("GET", "/api/v2/nodes?namespace=%00", None),
        ("PUT", "/api/v1/namespaces/%00", {"ownerName": "me"}),
        ("PUT", "/api/v1/namespaces/n", {"ownerName": "\0"}),
        ("PUT", "/api/v1/namespaces/n", {"ownerName": "me", "description": "\0"}),
        ("PUT", "/api/v1/sources/s", {"type": "DB", "connectionUrl": "\0"}),
        ("PUT", "/api/v1/tags/%00", {}),
        ("PUT", "/api/v1/tags/T", {"description": "\0"}),
        ("PUT", "/api/v1/namespaces/n", {"ownerName": "\ud800"}),
        ("PUT", "/api/v1/namespaces/n/jobs/j", {"type": "\ud800", "location": "\ud800"}),
        ("PUT", "/api/v1/namespaces/n/datasets/d", {"sourceName": "s", "extra": math.inf}),
        ("POST", "/api/v1/namespaces/n/jobs/j/runs", {"args": {"a": "\ud800"}}),
        ("PUT", "/api/v2/aliases", {"namespace": "\ud800", "otherNamespace": "b"}),
        ("POST", "/api/v2/session", {"token": "\ud800"}),
    ],
)
def test_what_cannot_be_stored_everywhere_is_refused_everywhere(
    client: TestClient, method: str, path: str, said: Any
) -> None:
    body = None if said is None else json.dumps(said).encode()
    answer = client.request(
        method, path, content=body, headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 400, answer.text
    assert answer.json()["code"] == 400


def test_every_body_is_bounded(client: TestClient) -> None:
    large = b'{"ownerName":"%b"}' % (b"x" * 9_000_000)
    answer = client.put(
        "/api/v1/namespaces/n", content=large, headers={"Content-Type": "application/json"}
    )
    assert (answer.status_code, answer.json()["code"]) == (413, 413)
    assert "8388608 bytes" in answer.json()["message"]
