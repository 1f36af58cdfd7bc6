"""Kafka: the settings, the errors, and a real broker."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from uuid import NAMESPACE_URL, uuid5

import pytest
from confluent_kafka import Consumer, TopicPartition
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from mainstem.errors import BadRecipe, DestinationBusy, DestinationRefused
from mainstem.lab.services.kafka import KafkaBroker
from mainstem.outbox import (
    Configuration,
    Destination,
    Drainer,
    Outbox,
    StoredEvent,
    destinations_from_configuration,
)
from mainstem.outbox.destinations import kafka_settings
from outbox.doubles import store

PASSWORD = "s3cr3t-pa55"
NOBODY = "127.0.0.1:1"
PATIENT_SECONDS = 60.0


def destination(bootstrap: str, config: dict[str, object], topic: str = "t") -> Destination:
    transport: dict[str, object] = {
        "type": "kafka",
        "topic": topic,
        "config": {"bootstrap.servers": bootstrap, **config},
    }
    [made] = destinations_from_configuration(Configuration("environment", transport))
    return made


def event(body: bytes = b"{}") -> StoredEvent:
    return StoredEvent(1, "run-1", body, datetime(2026, 1, 2, tzinfo=UTC))


def test_nobody_there_is_for_later() -> None:
    with closing(destination(NOBODY, {"message.timeout.ms": 300})) as made:
        with pytest.raises(DestinationBusy) as busy:
            made.deliver(event())
        assert busy.value.whole


def test_an_event_too_large_for_kafka_is_refused() -> None:
    with (
        closing(destination(NOBODY, {"message.max.bytes": 2000})) as made,
        pytest.raises(DestinationRefused, match="MSG_SIZE_TOO_LARGE"),
    ):
        made.deliver(event(b"x" * 10_000))


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({"bootstrap.servers": NOBODY, "acks": "perhaps"}, "acks"),
        ({"bootstrap.servers": NOBODY, "no.such": "1"}, "no.such"),
        ({"security.protocol": "plaintext"}, "bootstrap.servers is missing"),
        ({"bootstrap.servers": NOBODY, "sasl.password": PASSWORD, "acks": PASSWORD}, "acks"),
        ("not a mapping", "config is"),
        (None, "config is missing"),
    ],
)
def test_wrong_settings_are_told_without_secrets(config: object, told: str) -> None:
    transport: dict[str, object] = {"type": "kafka", "topic": "t", "config": config}
    with pytest.raises(BadRecipe, match=told) as bad:
        destinations_from_configuration(Configuration("environment", transport))
    assert PASSWORD not in str(bad.value)


def test_without_the_package_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kafka_settings, "find_spec", lambda name: None)
    with pytest.raises(BadRecipe, match=r"pip install 'mainstem\[kafka\]'"):
        destination(NOBODY, {})


def new_topic(bootstrap: str, test: str, partitions: int) -> str:
    topic = f"outbox-{uuid5(NAMESPACE_URL, test)}"
    admin = AdminClient({"bootstrap.servers": bootstrap})
    made = admin.create_topics([NewTopic(topic, num_partitions=partitions, replication_factor=1)])
    made[topic].result(PATIENT_SECONDS)
    return topic


def read_all(bootstrap: str, topic: str, partitions: int) -> dict[int, list[tuple[bytes, bytes]]]:
    """Key and value of every message, per partition in order."""
    settings = {"bootstrap.servers": bootstrap, "group.id": topic, "auto.offset.reset": "earliest"}
    found: dict[int, list[tuple[bytes, bytes]]] = {}
    with closing(Consumer(settings)) as consumer:
        for partition in range(partitions):
            place = TopicPartition(topic, partition, 0)
            _, end = consumer.get_watermark_offsets(place, timeout=PATIENT_SECONDS)
            consumer.assign([place])
            found[partition] = []
            while len(found[partition]) < end:
                message = consumer.poll(PATIENT_SECONDS)
                assert message is not None
                assert message.error() is None
                found[partition].append((message.key() or b"", message.value() or b""))
    return found


@pytest.mark.lab
def test_events_lie_in_the_topic_as_stored_a_run_in_one_partition(
    kafka: KafkaBroker, box: Outbox
) -> None:
    topic = new_topic(kafka.bootstrap, "runs", partitions=3)
    store(box, *[(f"run-{number % 7}", str(number)) for number in range(70)])
    drainer = Drainer(box, [destination(kafka.bootstrap, {}, topic)])
    drainer.start()
    assert drainer.drain_until_empty(PATIENT_SECONDS)
    drainer.stop()
    partitions = read_all(kafka.bootstrap, topic, 3)
    homes: dict[bytes, set[int]] = {}
    told: dict[bytes, list[bytes]] = {}
    for partition, messages in partitions.items():
        for key, value in messages:
            homes.setdefault(key, set()).add(partition)
            told.setdefault(key, []).append(value)
    assert all(len(home) == 1 for home in homes.values())
    assert told == {
        f"run-{run}".encode(): [f'{{"is":"{n}"}}'.encode() for n in range(run, 70, 7)]
        for run in range(7)
    }


@pytest.mark.lab
def test_a_broker_that_dies_and_comes_back_gets_everything_in_order(
    kafka: KafkaBroker, box: Outbox
) -> None:
    topic = new_topic(kafka.bootstrap, "killed", partitions=1)
    drainer = Drainer(box, [destination(kafka.bootstrap, {"message.timeout.ms": 2000}, topic)])
    drainer.start()
    store(box, *[("run-1", str(number)) for number in range(20)])
    assert drainer.drain_until_empty(PATIENT_SECONDS)
    kafka.kill()
    store(box, *[("run-1", str(number)) for number in range(20, 40)])
    assert not drainer.drain_until_empty(1)
    kafka.start()
    assert drainer.drain_until_empty(PATIENT_SECONDS)
    drainer.stop()
    values = [value for _, value in read_all(kafka.bootstrap, topic, 1)[0]]
    assert list(dict.fromkeys(values)) == [f'{{"is":"{n}"}}'.encode() for n in range(40)]
