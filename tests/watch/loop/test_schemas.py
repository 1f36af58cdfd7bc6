"""Schemas of topics in what the watcher tells, with a fake cluster and a fake registry."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest
from structlog.testing import capture_logs

from mainstem.watch.connect.answering import AnsweringServer
from mainstem.watch.connect.fake import FakeConnect
from mainstem.watch.loop.schemas import SchemaBook
from mainstem.watch.schema_registry.access import NO_REGISTRY, KafkaAccess
from mainstem.watch.schema_registry.client import Limits
from mainstem.watch.schema_registry.fake import FakeRegistry
from mainstem.watch.schema_registry.fields import Field, SubjectFields
from mainstem.watch.schema_registry.subjects import Questions, RecordQuestion
from openlineage_schemas import assert_valid_event
from watch.loop.world import FILE_SINK, World

KAFKA_S_OWN = "org.apache.kafka.connect.transforms"
AVRO = "io.confluent.connect.avro.AvroConverter"
STRINGS = "org.apache.kafka.connect.storage.StringConverter"
AVRO_SINK = {**FILE_SINK, "value.converter": AVRO, "key.converter": STRINGS}


def record(*fields: str) -> dict[str, Any]:
    named = [{"name": name, "type": "string"} for name in fields]
    return {"type": "record", "name": "Line", "fields": named}


@pytest.fixture
def registry() -> FakeRegistry:
    return FakeRegistry()


@pytest.fixture
def server(registry: FakeRegistry) -> Iterator[AnsweringServer]:
    with AnsweringServer(registry.answer) as server:
        yield server


def topic(event: dict[str, Any], name: str = "lines") -> dict[str, Any]:
    sides = (*event["inputs"], *event["outputs"])
    return next(dataset["facets"] for dataset in sides if dataset["name"] == name)


def names(event: dict[str, Any], name: str = "lines") -> list[str]:
    return [field["name"] for field in topic(event, name).get("schema", {}).get("fields", ())]


def look_until_told(world: World) -> list[tuple[str, str]]:
    """What the first look says that says anything; an answer takes its time."""
    for _ in range(600):
        if told := world.look(timedelta(milliseconds=1)):
            return told
        time.sleep(0.1)
    return []


def test_start_tells_the_schema_and_a_new_version_is_told_in_the_next_look(
    registry: FakeRegistry, server: AnsweringServer, tmp_path: Path
) -> None:
    registry.register("lines-value", record("a"))
    with World(tmp_path / "j", schema_registry={"urls": [server.url]}) as world:
        world.connect.create("sink", AVRO_SINK)
        assert world.look() == [("sink", "START")]
        start = world.events()[-1]
        assert names(start) == ["a"]
        assert topic(start)["mainstem_schema"]["version"] == 1
        assert world.look() == []
        number = registry.register("lines-value", record("a", "b"))
        assert world.look() == [("sink", "RUNNING")]
        told = world.events()[-1]
        assert told["run"]["runId"] == start["run"]["runId"]
        assert names(told) == ["a", "b"]
        facet = topic(told)["mainstem_schema"]
        assert (facet["registryId"], facet["subject"], facet["version"], facet["format"]) == (
            number, "lines-value", 2, "AVRO"
        )  # fmt: skip
        registry.delete("lines-value")
        assert world.look() == [("sink", "RUNNING")]
        assert names(world.events()[-1]) == []
        assert world.look() == []
        for event in world.events():
            assert_valid_event(orjson.dumps(event))


def test_lineage_goes_out_without_a_registry_that_is_down_and_is_completed_later(
    registry: FakeRegistry, server: AnsweringServer, tmp_path: Path
) -> None:
    registry.register("lines-value", record("a"))
    registry.trouble = 503
    part = {"urls": [server.url]}
    with World(tmp_path / "j", schema_registry=part, heartbeat="9d") as world:
        world.connect.create("sink", AVRO_SINK)
        with capture_logs() as logs:
            assert world.look() == [("sink", "START")]
            for _ in range(5):
                assert world.look() == []
        said = [each for each in logs if "asked" in each]
        assert [each["log_level"] for each in said] == ["warning"]
        assert len(registry.requests) < 6
        registry.trouble = None
        # it is not waited for, so its answer may count in this look or in a later one
        told = world.look(timedelta(minutes=2)) or look_until_told(world)
        assert told == [("sink", "RUNNING")]
        assert names(world.events()[-1]) == ["a"]
        registry.trouble = 503
        assert world.look() == []
        assert names(world.events()[-1]) == ["a"]


def test_a_registry_that_hangs_is_not_waited_for_again(
    registry: FakeRegistry, tmp_path: Path
) -> None:
    registry.register("lines-value", record("a"))
    let_go = threading.Event()

    def answer(target: str) -> tuple[int, str, bytes]:
        let_go.wait(60)
        return registry.answer(target)

    with (
        AnsweringServer(answer) as server,
        World(
            tmp_path / "j", schema_registry={"urls": [server.url], "timeout": 60}, heartbeat="9d"
        ) as world,
    ):
        world.connect.create("sink", AVRO_SINK)
        assert world.look() == [("sink", "START")]
        for _ in range(20):
            assert world.look() == []
        let_go.set()
        assert look_until_told(world) == [("sink", "RUNNING")]
        assert names(world.events()[-1]) == ["a"]


def test_each_topic_has_its_own_schema_and_its_key_s(
    registry: FakeRegistry, server: AnsweringServer, tmp_path: Path
) -> None:
    registry.register("lines-value", record("a"))
    registry.register("others-value", record("b", "c"))
    registry.register("others-key", '"long"')
    with World(tmp_path / "j", schema_registry={"urls": [server.url]}) as world:
        config = {**AVRO_SINK, "topics": "lines,others", "key.converter": AVRO}
        world.connect.create("sink", config)
        world.look()
        start = world.events()[-1]
        assert (names(start), names(start, "others")) == (["a"], ["b", "c", "$key"])
        assert topic(start, "others")["mainstem_schema"]["key"]["subject"] == "others-key"


def test_a_connector_s_registry_is_asked_only_where_the_recipe_knows_its_host(
    registry: FakeRegistry, server: AnsweringServer, tmp_path: Path
) -> None:
    registry.register("lines-value", record("a"))
    own = {**AVRO_SINK, "value.converter.schema.registry.url": server.url}
    with World(tmp_path / "closed", FakeConnect()) as world:
        world.connect.create("sink", own)
        world.look()
        assert (names(world.events()[-1]), registry.requests) == ([], [])
        facet = world.events()[-1]["run"]["facets"]["mainstem_connector"]
        assert any("schema_registry.hosts" in note for note in facet["notes"])
    with World(tmp_path / "open", schema_registry={"hosts": ["127.0.0.1"]}) as world:
        world.connect.create("sink", own)
        world.look()
        assert names(world.events()[-1]) == ["a"]


def test_the_worker_s_file_names_converter_and_registry(
    registry: FakeRegistry, server: AnsweringServer, tmp_path: Path
) -> None:
    registry.register("lines-value", record("a"))
    worker = tmp_path / "worker.properties"
    worker.write_text(
        f"value.converter={AVRO}\nvalue.converter.schema.registry.url={server.url}\n"
        f"key.converter={STRINGS}\n"
    )
    with World(tmp_path / "j", worker_properties=str(worker)) as world:
        world.connect.create("sink", FILE_SINK)
        world.connect.create("plain", {**FILE_SINK, "topics": "raw", "value.converter": STRINGS})
        world.look()
        told = {event["job"]["name"]: event for event in world.events()}
        assert names(told["sink"]) == ["a"]
        assert not any("raw" in request for request in registry.requests)


def test_who_has_no_registry_asks_nothing_and_a_missing_schema_is_said(
    registry: FakeRegistry, server: AnsweringServer, tmp_path: Path
) -> None:
    with World(tmp_path / "j", schema_registry={"urls": [server.url]}) as world:
        world.connect.create("sink", AVRO_SINK)
        world.connect.create("silent", {**FILE_SINK, "topics": "silent"})
        world.look()
        told = {event["job"]["name"]: event["run"]["facets"] for event in world.events()}
        assert told["sink"]["mainstem_connector"]["notes"] == [
            "no schema for the value of lines: the registry has no subject lines-value"
        ]
        assert told["silent"]["mainstem_connector"]["notes"] == []


def test_a_look_asks_each_subject_once_and_no_more_than_its_budget(
    registry: FakeRegistry, server: AnsweringServer, tmp_path: Path
) -> None:
    part = {"urls": [server.url], "questions_per_look": 2}
    with World(tmp_path / "j", schema_registry=part) as world:
        topics = [f"t{number}" for number in range(5)]
        for each in topics:
            registry.register(f"{each}-value", record(each))
        for number in range(3):
            config = {**AVRO_SINK, "topics": ",".join(topics)}
            world.connect.create(f"sink-{number}", config)
        asked = []
        for _ in range(5):
            before = len(registry.requests)
            world.look()
            asked.append(len(registry.requests) - before)
        assert asked == [2, 2, 2, 2, 2]
        assert len(set(registry.requests)) == 5
        last = world.events()[-1]
        assert [names(last, each) for each in topics] == [[each] for each in topics]


@pytest.mark.parametrize(
    ("keys", "subject"),
    [
        ({"value.converter.value.subject.name.strategy": "x.RecordNameStrategy"}, "lines.Value"),
        ({"value.converter.value.subject.name.strategy": "x.TopicRecordNameStrategy"}, "lines-a.B"),
        (
            {
                "value.converter.value.subject.name.strategy": "x.RecordNameStrategy",
                "transforms": "name",
                "transforms.name.type": f"{KAFKA_S_OWN}.SetSchemaMetadata$Value",
                "transforms.name.schema.name": "shop.Line",
            },
            "shop.Line",
        ),
        ({"value.converter.value.subject.name.strategy": "x.Own"}, "lines-value"),
    ],
)
def test_subjects_are_named_as_the_converter_is_told_to(
    registry: FakeRegistry,
    server: AnsweringServer,
    tmp_path: Path,
    keys: dict[str, str],
    subject: str,
) -> None:
    registry.register(subject, record("a"))
    with World(tmp_path / "j", schema_registry={"urls": [server.url]}) as world:
        world.connect.create("sink", {**AVRO_SINK, **keys})
        world.look()
        assert topic(world.events()[-1])["mainstem_schema"]["subject"] == subject


def test_the_recipe_may_say_the_subject(
    registry: FakeRegistry, server: AnsweringServer, tmp_path: Path
) -> None:
    registry.register("acme.Line", record("a"))
    part = {"urls": [server.url], "subjects": {"lines-value": "acme.Line"}}
    with World(tmp_path / "j", schema_registry=part) as world:
        world.connect.create("sink", AVRO_SINK)
        world.look()
        assert names(world.events()[-1]) == ["a"]


@pytest.mark.parametrize("status", [None, 401, 500])
def test_a_registry_s_credentials_are_told_to_nobody_else(
    registry: FakeRegistry, server: AnsweringServer, tmp_path: Path, status: int | None
) -> None:
    registry.register("lines-value", record("a"))
    registry.trouble = status
    address = server.url.removeprefix("http://")
    with World(tmp_path / "j", schema_registry={"hosts": ["127.0.0.1"]}) as world:
        own = {"value.converter.schema.registry.url": f"http://ann:hunter2@{address}"}
        world.connect.create("sink", {**AVRO_SINK, **own})
        with capture_logs() as logs:
            world.look()
        assert (names(world.events()[-1]) == ["a"]) is (status is None)
        told = f"{world.events()} {logs} {world.last!r} {world.watched.settings!r}"
        assert "hunter2" not in told
    assert b"hunter2" not in b"".join(file.read_bytes() for file in tmp_path.iterdir())


class Topics:
    """Reads topics as slowly as the test wants."""

    name, at_once, is_waited_for, pause = "b1:9092", 1, False, timedelta(minutes=1)

    def __init__(self) -> None:
        self.read: list[str] = []
        self.let_go = threading.Event()

    def find(self, topic: str, side: str) -> SubjectFields:
        self.let_go.wait(60)
        self.read.append(f"{topic} {side}")
        return SubjectFields(None, (Field(f"{side}{len(self.read)}", "int64"),))

    def close(self) -> None:
        self.let_go.set()


def test_topics_are_read_beside_the_look_and_again_only_after_the_pause() -> None:
    topics = Topics()
    book = SchemaBook(Limits(), 100, open_client=lambda _access, _limits: topics)
    asked = {
        "lines": Questions(NO_REGISTRY, RecordQuestion(KafkaAccess("b1:9092"), "lines", "value"))
    }
    now = datetime(2026, 11, 16, 12, tzinfo=UTC)
    try:
        for second in range(5):
            book.ask(asked.values(), now + timedelta(seconds=second), timedelta(hours=1))
            assert book.fields(asked) == {}
        topics.let_go.set()
        later = now + timedelta(seconds=59)
        while not (fields := book.fields(asked)):
            book.ask(asked.values(), later, timedelta(hours=1))
        assert (fields["lines"].value[0].name, fields["lines"].value_schema) == ("value1", None)
        assert topics.read == ["lines value"]
        due = now + timedelta(seconds=60)
        while book.fields(asked) == fields:
            book.ask(asked.values(), due, timedelta(hours=1))
        assert topics.read == ["lines value"] * 2
    finally:
        book.close()


def test_the_kafka_of_the_recipe_is_not_read_for_connectors_that_work_on_another(
    tmp_path: Path,
) -> None:
    nowhere = {"bootstrap": "127.0.0.1:1", "client": {}}
    with World(tmp_path / "j", kafka=nowhere) as world:
        world.connect.create("here", FILE_SINK)
        other = {"consumer.override.bootstrap.servers": "other:9092"}
        world.connect.create("there", {**FILE_SINK, **other})
        world.look()
        asked = world.watched.questions
        assert isinstance(asked.held("here")["lines"].value, RecordQuestion)
        assert asked.held("there")["lines"].value is NO_REGISTRY


def test_a_note_that_changes_is_told(
    registry: FakeRegistry, server: AnsweringServer, tmp_path: Path
) -> None:
    with World(tmp_path / "j", schema_registry={"urls": [server.url]}) as world:
        world.connect.create("sink", AVRO_SINK)
        assert world.look() == [("sink", "START")]
        assert "no subject" in str(notes(world.events()[-1]))
        registry.register("lines-value", "{", "AVRO")
        assert world.look() == [("sink", "RUNNING")]
        assert "Avro schema" in str(notes(world.events()[-1]))
        assert world.look() == []


def notes(event: dict[str, Any]) -> list[str]:
    return event["run"]["facets"]["mainstem_connector"]["notes"]
