"""Events on a topic: its whole range, from where the last build stopped."""

from __future__ import annotations

import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic
from pyspark.sql import SparkSession

from mainstem.errors import KafkaUnavailable
from mainstem.lab.services.kafka import KafkaBroker
from mainstem.lab.services.ports import free_port
from mainstem.pipeline.jobs.sources.kafka import KafkaSource

pytestmark = [pytest.mark.spark, pytest.mark.lab]
TOPIC = "lineage-range"


def put(kafka: KafkaBroker, *records: tuple[int, str]) -> None:
    producer = Producer({"bootstrap.servers": kafka.bootstrap})
    for partition, value in records:
        producer.produce(TOPIC, value=value.encode(), partition=partition)
    producer.flush()


def test_every_partition_goes_on_where_it_was(spark: SparkSession, kafka: KafkaBroker) -> None:
    admin = AdminClient({"bootstrap.servers": kafka.bootstrap})
    admin.create_topics([NewTopic(TOPIC, 2, 1)])[TOPIC].result()
    source = KafkaSource(spark, kafka.bootstrap, TOPIC, {})
    assert source.fresh({}) == (None, {})
    put(kafka, (0, "a"), (1, "b"))
    rows, consumed = source.fresh({})
    assert rows is not None
    found = {row.origin: bytes(row.value) for row in rows.collect()}
    assert found == {f"kafka/{TOPIC}/0/0": b"a", f"kafka/{TOPIC}/1/0": b"b"}
    assert source.fresh(consumed) == (None, {})
    put(kafka, (1, "c"))
    rows, _ = source.fresh(consumed)
    assert rows is not None
    assert [bytes(row.value) for row in rows.collect()] == [b"c"]


def test_a_broker_that_is_not_there_is_said(spark: SparkSession) -> None:
    nobody = f"127.0.0.1:{free_port()}"
    client = {"default.api.timeout.ms": "1500", "request.timeout.ms": "1000"}
    with pytest.raises(KafkaUnavailable, match=nobody):
        KafkaSource(spark, nobody, "t", client).fresh({})
