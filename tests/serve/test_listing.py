"""Jobs and datasets, narrowed down."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from serve_fixtures import client_of, open_backend, post, run_event, sqlite_url

TAGS = {"tags": {"tags": [{"key": "pii", "value": "true", "source": "TEST"}]}}
TOPIC = {"namespace": "kafka://b:9092", "name": "orders", "facets": TAGS}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    backend = open_backend(sqlite_url(tmp_path))
    client = client_of(backend)
    connect = {"jobType": {"processingType": "STREAMING", "integration": "KAFKA_CONNECT"}}
    post(
        client,
        run_event("COMPLETE", job="load", inputs=["customers"], outputs=[TOPIC]),
        run_event(
            "FAIL",
            job="sink",
            run="00000000-0000-4000-8000-000000000002",
            inputs=[TOPIC],
            job_facets=connect,
        ),
    )
    yield client
    backend.close()


def names(client: TestClient, **wanted: Any) -> list[str]:
    answer = client.get("/api/v2/nodes", params=wanted).json()
    assert answer["total"] >= len(answer["nodes"])
    return [node["name"] for node in answer["nodes"]]


def test_everything_is_listed_by_name(client: TestClient) -> None:
    assert names(client) == ["customers", "load", "orders", "sink"]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({"type": "JOB"}, ["load", "sink"]),
        ({"type": "DATASET"}, ["customers", "orders"]),
        ({"namespace": "kafka://b:9092"}, ["orders"]),
        ({"platform": "kafka"}, ["orders"]),
        ({"platform": "postgres", "type": "DATASET"}, ["customers"]),
        ({"cluster": "kafka://b:9092"}, ["orders"]),
        ({"cluster": "kafka://b:9092", "q": "ord"}, ["orders"]),
        ({"cluster": "kafka://b:9092", "q": "sink"}, []),
        ({"kind": "TOPIC"}, ["orders"]),
        ({"kind": "KAFKA_CONNECT"}, ["sink"]),
        ({"state": "FAILED"}, ["sink"]),
        ({"state": "UNKNOWN"}, []),
        ({"tag": "pii"}, ["orders"]),
        ({"q": "ord"}, ["orders"]),
        ({"q": "sink"}, ["sink"]),
        ({"q": "jobs", "type": "JOB"}, ["load", "sink"]),
        ({"q": "ord", "state": "FAILED"}, []),
    ],
)
def test_each_filter_narrows_it_down(
    client: TestClient, wanted: dict[str, str], found: list[str]
) -> None:
    assert names(client, **wanted) == found


def test_a_connect_cluster_is_a_platform_s_cluster(client: TestClient) -> None:
    connector = run_event(job="cdc", run="00000000-0000-4000-8000-000000000003", outputs=[TOPIC])
    connector["job"]["namespace"] = "kafka-connect://production"
    post(client, connector)
    assert names(client, cluster="kafka-connect://production") == ["cdc"]
    assert names(client, platform="kafka-connect", q="c") == ["cdc"]
    # A job's namespace that is a plain word names no platform.
    assert client.get("/api/v2/platforms").json()["platforms"] == [
        {"name": "kafka", "clusters": ["kafka://b:9092"]},
        {"name": "kafka-connect", "clusters": ["kafka-connect://production"]},
        {"name": "postgres", "clusters": ["postgres://db:5432"]},
    ]


def test_pages_follow_each_other(client: TestClient) -> None:
    pages = [names(client, limit=1, offset=at) for at in range(5)]
    assert pages == [["customers"], ["load"], ["orders"], ["sink"], []]
    assert client.get("/api/v2/nodes", params={"limit": 1}).json()["total"] == 4


def test_a_type_that_does_not_exist_is_refused(client: TestClient) -> None:
    assert client.get("/api/v2/nodes", params={"type": "BANANA"}).status_code == 400
