"""Events on a Kafka topic: its whole range, from where the last build stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from py4j.protocol import Py4JJavaError
from pyspark.sql import functions as F  # noqa: N812

from mainstem.errors import KafkaUnavailable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import Column, DataFrame, SparkSession

DESERIALIZER = "org.apache.kafka.common.serialization.ByteArrayDeserializer"
MILLISECONDS_TO_ANSWER = 30_000


class KafkaSource:
    """A topic; each partition counts as read up to an offset."""

    def __init__(
        self, spark: SparkSession, bootstrap: str, topic: str, client: Mapping[str, str]
    ) -> None:
        self._spark = spark
        self._bootstrap = bootstrap
        self._topic = topic
        self._client = {**client, "bootstrap.servers": bootstrap}

    def fresh(self, consumed: dict[str, str]) -> tuple[DataFrame | None, dict[str, str]]:
        """What every partition holds behind the offset that is known."""
        starts: dict[str, int] = {}
        ends: dict[str, int] = {}
        for partition, (first, end) in self._ranges().items():
            # What the broker has deleted meanwhile cannot be read any more.
            starts[partition] = max(first, int(consumed.get(self._key(partition), "0")))
            ends[partition] = end
        if all(starts[partition] >= end for partition, end in ends.items()):
            return None, {}
        options = {f"kafka.{key}": value for key, value in self._client.items()}
        rows = (
            self._spark.read.format("kafka")
            .options(**options)
            .option("subscribe", self._topic)
            .option("startingOffsets", orjson.dumps({self._topic: starts}).decode())
            .option("endingOffsets", orjson.dumps({self._topic: ends}).decode())
            .load()
        )
        return rows.select("value", kafka_origin()), {
            self._key(partition): str(end) for partition, end in ends.items()
        }

    def _key(self, partition: str) -> str:
        return f"kafka:{self._bootstrap}/{self._topic}/{partition}"

    def _ranges(self) -> dict[str, tuple[int, int]]:
        """By partition its first offset and the one behind its last."""
        jvm: Any = self._spark.sparkContext._jvm  # noqa: SLF001 - Spark's own client, no second one
        settings = jvm.java.util.HashMap()
        for key, value in {
            "default.api.timeout.ms": str(MILLISECONDS_TO_ANSWER),
            **self._client,
            "key.deserializer": DESERIALIZER,
            "value.deserializer": DESERIALIZER,
        }.items():
            settings.put(key, value)
        try:
            consumer = jvm.org.apache.kafka.clients.consumer.KafkaConsumer(settings)
            try:
                return self._asked(jvm, consumer)
            finally:
                consumer.close()
        except Py4JJavaError as error:
            reason = str(error.java_exception.getMessage())
            raise KafkaUnavailable(self._bootstrap, reason) from error

    def _asked(self, jvm: Any, consumer: Any) -> dict[str, tuple[int, int]]:
        partitions = jvm.java.util.ArrayList()
        for info in consumer.partitionsFor(self._topic):
            partitions.add(
                jvm.org.apache.kafka.common.TopicPartition(info.topic(), info.partition())
            )
        first, behind = consumer.beginningOffsets(partitions), consumer.endOffsets(partitions)
        return {str(each.partition()): (first[each], behind[each]) for each in partitions}


def kafka_origin() -> Column:
    """Where a record came from: topic, partition and offset."""
    return F.concat_ws("/", F.lit("kafka"), "topic", "partition", "offset").alias("origin")
