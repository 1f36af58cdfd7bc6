"""Schemas inside records: read from a real broker's topics, without anybody noticing."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import confluent_kafka
import pytest
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from mainstem.errors import KafkaUnavailable
from mainstem.lab.services.connect import ConnectWorker
from mainstem.lab.services.kafka import KafkaBroker
from mainstem.lab.services.ports import free_port
from mainstem.watch.connect.fake import FakeConnect
from mainstem.watch.connect.fake_server import FakeConnectServer
from mainstem.watch.schema_registry.access import KafkaAccess
from mainstem.watch.schema_registry.client import Limits
from mainstem.watch.schema_registry.fields import NoSchema, SubjectFields
from mainstem.watch.schema_registry.last_records import RECORDS_OF_EACH_PARTITION, LastRecords
from watch.live import PATIENCE_SECONDS, Buttons, WatcherProcess
from watch.schema_registry.trees import lines

pytestmark = pytest.mark.lab

JSON = "org.apache.kafka.connect.json.JsonConverter"
_numbers = count(1)
Json = dict[str, Any]


def record(*fields: str, name: str | None = None) -> bytes:
    schema = {
        "type": "struct",
        "name": name,
        "fields": [{"type": "int64", "field": field} for field in fields],
    }
    return json.dumps({"schema": schema, "payload": dict.fromkeys(fields, 1)}).encode()


@pytest.fixture
def producer(kafka: KafkaBroker) -> confluent_kafka.Producer:
    return confluent_kafka.Producer({"bootstrap.servers": kafka.bootstrap})


@pytest.fixture
def reader(kafka: KafkaBroker, monkeypatch: pytest.MonkeyPatch) -> Iterator[LastRecords]:
    # each reading of a test is to see what was sent just before it
    monkeypatch.setattr("mainstem.watch.schema_registry.last_records.SAME_READING_SECONDS", -1.0)
    reader = LastRecords(KafkaAccess(kafka.bootstrap), Limits(seconds=30))
    yield reader
    reader.close()


@pytest.fixture
def topic(kafka: KafkaBroker) -> str:
    """A topic of three partitions that no other test uses."""
    name = f"last-records-{next(_numbers)}"
    admin = AdminClient({"bootstrap.servers": kafka.bootstrap})
    admin.create_topics([NewTopic(name, 3, 1)])[name].result(60)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while name not in admin.list_topics(timeout=60).topics:
        assert time.monotonic() < deadline, f"{name} was made and is not there"
    return name


Send = Callable[..., None]


@pytest.fixture
def send(producer: confluent_kafka.Producer, topic: str) -> Send:
    # Of records of one millisecond in several partitions, nobody can tell the newest.
    milliseconds = count(time.time_ns() // 1_000_000)

    def send(value: bytes | None, key: bytes | None = None, partition: int = 0) -> None:
        producer.produce(topic, value, key, partition=partition, timestamp=next(milliseconds))
        assert producer.flush(60) == 0

    return send


def told(found: SubjectFields | NoSchema) -> list[str] | str:
    return found.reason if isinstance(found, NoSchema) else lines(found.fields)


def test_key_and_value_by_the_newest_record_of_any_partition(
    reader: LastRecords, topic: str, send: Send
) -> None:
    assert told(reader.find(topic, "value")) == "the topic holds no record that could tell it"
    for number in range(3 * RECORDS_OF_EACH_PARTITION):
        send(record(f"older_{number}"), record("id"), partition=number % 2)
    send(record("a", "b"), b'{"schema": {"type": "string"}, "payload": "k"}', partition=2)
    assert told(reader.find(topic, "value")) == ["a int64", "b int64"]
    assert told(reader.find(topic, "key")) == [" string"]
    send(record("a", "b", "c"), record("id"))
    assert told(reader.find(topic, "value")) == ["a int64", "b int64", "c int64"]
    assert told(reader.find(topic, "key")) == ["id int64"]
    send(None, record("id"))
    assert told(reader.find(topic, "value")) == ["a int64", "b int64", "c int64"]
    send(b'{"a": 1}')
    assert (
        told(reader.find(topic, "value")) == "the last record is JSON without a schema of its own"
    )


def test_records_of_several_kinds_are_not_guessed_at(
    reader: LastRecords, topic: str, send: Send
) -> None:
    send(record("a", name="Order"))
    assert told(reader.find(topic, "value")) == ["a int64"]
    for _ in range(RECORDS_OF_EACH_PARTITION):
        send(record("b", name="Refund"))
    assert told(reader.find(topic, "value")) == "there are several kinds of records: Order, Refund"


def test_what_a_transaction_sent_is_found_behind_its_end(
    kafka: KafkaBroker, reader: LastRecords, topic: str
) -> None:
    settings = {"bootstrap.servers": kafka.bootstrap, "transactional.id": topic}
    producer = confluent_kafka.Producer(settings)
    producer.init_transactions(60)
    for field, end in (
        ("kept", producer.commit_transaction),
        ("lost", producer.abort_transaction),
    ):
        producer.begin_transaction()
        producer.produce(topic, record(field), partition=0)
        producer.flush(60)
        end(60)
    assert told(reader.find(topic, "value")) == ["kept int64"]


def test_nobody_notices_that_topics_are_read(
    kafka: KafkaBroker, reader: LastRecords, topic: str, send: Send
) -> None:
    send(record("a"))
    assert told(reader.find(topic, "value")) == ["a int64"]
    missing = f"{topic}-that-nobody-made"
    assert isinstance(reader.find(missing, "value"), NoSchema)
    admin = AdminClient({"bootstrap.servers": kafka.bootstrap})
    groups = admin.list_consumer_groups().result()
    assert not [each.group_id for each in groups.valid if "mainstem" in each.group_id]
    assert missing not in admin.list_topics(timeout=60).topics


def test_a_broker_that_is_not_there_is_told_and_closing_does_not_wait(tmp_path: Path) -> None:
    reader = LastRecords(KafkaAccess(f"127.0.0.1:{free_port()}"), Limits(seconds=0.5))
    with pytest.raises(KafkaUnavailable):
        reader.find("orders", "value")
    reader.close()
    assert told(reader.find("orders", "value")) == "the topic is not read any more"


def sink(topic: str, **more: str) -> dict[str, str]:
    return {
        "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
        "connection.url": "jdbc:postgresql://db:5432/wh",
        "topics": topic,
        "key.converter": "org.apache.kafka.connect.storage.StringConverter",
        "value.converter": JSON,
        **more,
    }


def names(event: Json, topic: str) -> list[str]:
    sides = (*event["inputs"], *event["outputs"])
    facets = next(each["facets"] for each in sides if each["name"] == topic)
    return [field["name"] for field in facets.get("schema", {}).get("fields", ())]


def recipe_for(url: str, kafka: KafkaBroker, directory: Path) -> Path:
    path = directory / "recipe.yml"
    client = {"bootstrap": kafka.bootstrap, "client": {"socket.timeout.ms": 5000}, "refresh": "1s"}
    path.write_text(json.dumps({"clusters": [{"urls": [url], "interval": 1, "kafka": client}]}))
    return path


def test_a_watcher_tells_the_columns_of_records_that_carry_their_schema(
    kafka: KafkaBroker, topic: str, send: Send, tmp_path: Path
) -> None:
    connect = FakeConnect()
    connect.create("plain", sink(topic))
    elsewhere = {"consumer.override.bootstrap.servers": "other:9092"}
    connect.create("elsewhere", sink(topic, **elsewhere))
    send(record("id"))
    with FakeConnectServer(connect) as server:
        watcher = WatcherProcess(tmp_path, recipe=recipe_for(server.url, kafka, tmp_path))
        watcher.start()
        try:
            first = watcher.wait_for_event("plain", lambda event: names(event, topic) == ["id"])
            (table,) = first["outputs"]
            assert [*table["facets"]["columnLineage"]["fields"]] == ["id"]
            assert "mainstem_schema" not in first["inputs"][0]["facets"]
            send(record("id", "price"))
            grown = watcher.wait_for_event(
                "plain", lambda event: names(event, topic) == ["id", "price"]
            )
            assert grown["eventType"] == "RUNNING"
            assert grown["run"]["runId"] == first["run"]["runId"]
            assert all(names(event, topic) == [] for event in watcher.events("elsewhere"))
        finally:
            watcher.kill()


def test_what_a_real_worker_s_converter_writes_is_read(
    kafka: KafkaBroker, connect: ConnectWorker, reader: LastRecords, tmp_path: Path
) -> None:
    name = f"last-records-{next(_numbers)}"
    (tmp_path / "in.txt").write_text("one\ntwo\n")
    apache = "org.apache.kafka.connect.transforms"
    buttons = Buttons(connect.url)
    buttons.put(
        name,
        {
            "connector.class": "org.apache.kafka.connect.file.FileStreamSourceConnector",
            "file": str(tmp_path / "in.txt"),
            "topic": name,
            "value.converter": JSON,
            "key.converter": JSON,
            "transforms": "hoist,when,key",
            "transforms.hoist.type": f"{apache}.HoistField$Value",
            "transforms.hoist.field": "line",
            "transforms.when.type": f"{apache}.InsertField$Value",
            "transforms.when.timestamp.field": "at",
            "transforms.key.type": f"{apache}.ValueToKey",
            "transforms.key.fields": "line",
        },
    )
    try:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while isinstance(found := reader.find(name, "value"), NoSchema):
            assert time.monotonic() < deadline, (found, buttons.status(name))
            time.sleep(0.2)
        assert told(found) == ["line string", "at timestamp-millis?"]
        assert told(reader.find(name, "key")) == ["line string"]
    finally:
        buttons.delete(name)
        buttons.close()
