"""A schema that changes in the registry is a new version of the dataset in the backend."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.testclient import TestClient

from mainstem.watch.connect.answering import AnsweringServer
from mainstem.watch.schema_registry.fake import FakeRegistry
from serve_fixtures import run_event
from watch.loop.world import FILE_SINK, World

TOPIC = f"/api/v1/namespaces/{quote('kafka://b1:9092', safe='')}/datasets/lines"


def record(*fields: str) -> dict[str, Any]:
    named = [{"name": name, "type": "string"} for name in fields]
    return {"type": "record", "name": "Line", "fields": named}


def fields(resource: dict[str, Any]) -> list[str]:
    return [field["name"] for field in resource["fields"]]


def tell(client: TestClient, events: list[dict[str, Any]]) -> None:
    for event in events:
        assert client.post("/api/v1/lineage", json=event).status_code == 201


def test_a_new_version_in_the_registry_is_a_new_version_of_the_topic(
    client: TestClient, tmp_path: Path
) -> None:
    registry = FakeRegistry()
    registry.register("lines-value", record("a"))
    with (
        AnsweringServer(registry.answer) as server,
        World(tmp_path / "journal", schema_registry={"urls": [server.url]}) as world,
    ):
        world.connect.create("sink", FILE_SINK)
        world.look()
        tell(client, world.events())
        first = client.get(TOPIC).json()
        registry.register("lines-value", record("a", "b"))
        world.look()
        tell(client, world.events())
        second = client.get(TOPIC).json()
        assert (fields(first), fields(second)) == (["a"], ["a", "b"])
        assert first["currentVersion"] != second["currentVersion"]
        versions = client.get(f"{TOPIC}/versions").json()["versions"]
        assert sorted(fields(each) for each in versions) == [["a"], ["a", "b"]]
        spark = {"fields": [{"name": "value", "type": "binary"}]}
        topic = {"namespace": "kafka://b1:9092", "name": "lines", "facets": {"schema": spark}}
        later = run_event(time="2027-01-01T00:00:00Z", inputs=[topic], producer="urn:spark")
        tell(client, [later])
        assert fields(client.get(TOPIC).json()) == ["a", "b"]
