"""A real schema registry: subjects come, change and go in every format while a watcher looks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count, groupby
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2
import orjson
import pytest

from mainstem.lab.services.registry import SchemaRegistry
from mainstem.watch.connect.fake import FakeConnect
from mainstem.watch.connect.fake_server import FakeConnectServer
from mainstem.watch.schema_registry.access import RegistryAccess
from mainstem.watch.schema_registry.client import RegistryClient, SubjectFields
from mainstem.watch.schema_registry.fake import FakeRegistry
from openlineage_schemas import assert_valid_event
from serve_fixtures import sqlite_url
from serve_running import running
from watch.live import WatcherProcess
from watch.schema_registry.trees import lines

pytestmark = pytest.mark.lab

_numbers = count(1)


class Desk:
    """Where schemas are registered and deleted."""

    def __init__(self, url: str) -> None:
        kind = {"Content-Type": "application/vnd.schemaregistry.v1+json"}
        self._http = httpx2.Client(base_url=url, headers=kind, timeout=30, trust_env=False)

    def register(self, subject: str, schema: Any, kind: str = "AVRO", **more: Any) -> int:
        """A new version; the schema's id."""
        text = schema if isinstance(schema, str) else json.dumps(schema)
        body = {"schemaType": kind, "schema": text, **more}
        answer = self._http.post(f"/subjects/{quote(subject, safe='')}/versions", json=body)
        assert answer.is_success, answer.text
        return answer.json()["id"]

    def delete(self, subject: str) -> None:
        """Delete all versions."""
        answer = self._http.delete(f"/subjects/{quote(subject, safe='')}")
        assert answer.is_success, answer.text

    def close(self) -> None:
        """Give back the connections."""
        self._http.close()


@pytest.fixture
def desk(schema_registry: SchemaRegistry) -> Iterator[Desk]:
    desk = Desk(schema_registry.url)
    yield desk
    desk.close()


@pytest.fixture
def topic() -> str:
    """A name that no other test uses."""
    return f"live-topic-{next(_numbers)}"


def avro(*fields: str) -> tuple[Any, str]:
    named = [{"name": name, "type": "long"} for name in fields]
    return {"type": "record", "name": "Live", "namespace": "shop", "fields": named}, "AVRO"


def json_schema(*fields: str) -> tuple[Any, str]:
    return {"type": "object", "properties": {name: {"type": "integer"} for name in fields}}, "JSON"


def protobuf(*fields: str) -> tuple[Any, str]:
    inside = " ".join(f"int64 {name} = {number};" for number, name in enumerate(fields, 1))
    return f'syntax = "proto3"; package shop; message Live {{ {inside} }}', "PROTOBUF"


CONVERTERS = {
    "AVRO": "io.confluent.connect.avro.AvroConverter",
    "JSON": "io.confluent.connect.json.JsonSchemaConverter",
    "PROTOBUF": "io.confluent.connect.protobuf.ProtobufConverter",
}


def facets(event: dict[str, Any], topic: str) -> dict[str, Any]:
    return next(each["facets"] for each in event["inputs"] if each["name"] == topic)


def names(event: dict[str, Any], topic: str) -> list[str]:
    return [field["name"] for field in facets(event, topic).get("schema", {}).get("fields", ())]


def is_without(event: dict[str, Any], topic: str) -> bool:
    """Whether the event says that the registry has nothing for the topic's value."""
    notes = event["run"]["facets"]["mainstem_connector"]["notes"]
    return any(f"has no subject {topic}-value" in note for note in notes)


def sink(topic: str, kind: str, url: str) -> dict[str, str]:
    return {
        "connector.class": "FileStreamSink",
        "topics": topic,
        "file": f"/tmp/{topic}",  # noqa: S108  a name in a config; nothing writes there
        "key.converter": "org.apache.kafka.connect.storage.StringConverter",
        "value.converter": CONVERTERS[kind],
        "value.converter.schema.registry.url": url,
    }


def versions_in_the_backend(url: str, topic: str) -> list[list[str]]:
    """The fields of each version of the topic, the oldest first."""
    dataset = f"/api/v1/namespaces/{quote('kafka://b:9092', safe='')}/datasets/{topic}"
    answer = httpx2.get(f"{url}{dataset}/versions", trust_env=False)
    assert answer.is_success, answer.text
    newest_first = answer.json()["versions"]
    return [[field["name"] for field in one["fields"]] for one in reversed(newest_first)]


def test_subjects_come_change_and_go_while_the_watcher_looks(
    schema_registry: SchemaRegistry, desk: Desk, tmp_path: Path
) -> None:
    connect = FakeConnect()
    formats = {f"live-{each.__name__}": each for each in (avro, json_schema, protobuf)}
    for topic, schema in formats.items():
        connect.create(topic, sink(topic, schema()[1], schema_registry.url))
    recipe = tmp_path / "recipe.yml"
    with FakeConnectServer(connect) as server, running(sqlite_url(tmp_path)) as backend:
        recipe.write_text(
            json.dumps(
                {
                    "clusters": [
                        {"urls": [server.url], "interval": 1, "kafka": {"bootstrap": "b:9092"}}
                    ],
                    "schema_registry": {"hosts": ["127.0.0.1"]},
                }
            )
        )
        watcher = WatcherProcess(tmp_path, recipe=recipe)
        watcher.start()
        try:
            for topic, schema in formats.items():
                watcher.wait_for_event(topic, lambda event, t=topic: is_without(event, t))
                told: dict[str, Any] = {}
                for fields in (("id",), ("id", "price")):
                    number = desk.register(f"{topic}-value", *schema(*fields))
                    told = watcher.wait_for_event(
                        topic,
                        lambda event, t=topic, f=fields: names(event, t) == list(f),
                    )
                    assert told["eventType"] == "RUNNING"
                    assert facets(told, topic)["mainstem_schema"]["registryId"] == number
                    assert facets(told, topic)["mainstem_schema"]["version"] == len(fields)
                desk.delete(f"{topic}-value")
                watcher.wait_for_event(
                    topic,
                    lambda event, t=topic, last=told["eventTime"]: (
                        event["eventTime"] > last and is_without(event, t)
                    ),
                )
                events = watcher.events(topic)
                assert events[0]["eventType"] == "START"
                assert len({event["run"]["runId"] for event in events}) == 1
                # What a slow answer adds to the first look is told in an event of its own.
                said = [fields for fields, _ in groupby(names(event, topic) for event in events)]
                assert said == [[], ["id"], ["id", "price"], []]
                for event in events:
                    body = orjson.dumps(event)
                    assert_valid_event(body)
                    answer = httpx2.post(
                        f"{backend.url}/api/v1/lineage", content=body, trust_env=False
                    )
                    assert answer.status_code == 201, answer.text
                kept = versions_in_the_backend(backend.url, topic)
                assert [one for one in kept if one] == [["id"], ["id", "price"]]
        finally:
            watcher.kill()


@pytest.mark.parametrize("schema", [avro, json_schema, protobuf])
def test_the_fake_answers_as_the_real_one(
    schema: Any, schema_registry: SchemaRegistry, desk: Desk, topic: str
) -> None:
    fake = FakeRegistry()
    told: list[list[Any]] = []
    access = RegistryAccess((schema_registry.url,))
    with RegistryClient(access) as real:
        pretended = RegistryClient(access, http=fake.http())
        for client, register, delete in (
            (real, desk.register, desk.delete),
            (pretended, fake.register, fake.delete),
        ):
            story: list[Any] = [client.find([topic])]
            for fields in (("a",), ("a", "b")):
                number = register(topic, *schema(*fields))
                found = client.find([topic])
                assert isinstance(found, SubjectFields)
                assert found.schema is not None
                assert found.schema.id == number
                story.append((found.fields, found.schema.version, found.schema.format))
            story.append(client.subjects(topic))
            delete(topic)
            story.extend([client.find([topic]), client.subjects(topic)])
            told.append(story)
    assert told[0] == told[1]


def test_references_of_the_real_registry(
    schema_registry: SchemaRegistry, desk: Desk, topic: str
) -> None:
    desk.register(f"{topic}-money", {"type": "record", "name": "Money", "fields": [
        {"name": "cents", "type": "long"}]})  # fmt: skip
    order = {"type": "record", "name": "Order", "fields": [{"name": "price", "type": "Money"}]}
    there = {"name": "Money", "subject": f"{topic}-money", "version": 1}
    desk.register(f"{topic}-avro", order, references=[there])
    desk.register(f"{topic}-part", 'syntax = "proto3"; package p; message Part { int32 n = 1; }',
                  "PROTOBUF")  # fmt: skip
    whole = 'syntax = "proto3"; import "part.proto"; message Whole { p.Part part = 1; }'
    here = {"name": "part.proto", "subject": f"{topic}-part", "version": 1}
    desk.register(f"{topic}-proto", whole, "PROTOBUF", references=[here])
    with RegistryClient(RegistryAccess((schema_registry.url,))) as client:
        for subject, expected in (
            ("avro", ["price record", "price.cents long"]),
            ("proto", ["part message?", "part.n int32"]),
        ):
            found = client.find([f"{topic}-{subject}"])
            assert isinstance(found, SubjectFields), found
            assert lines(found.fields) == expected
