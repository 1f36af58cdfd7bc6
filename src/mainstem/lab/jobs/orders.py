"""Orders as they lie on their topic, Avro behind Confluent's header, and how streams read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx2
from pyspark.sql.avro.functions import from_avro
from pyspark.sql.functions import expr

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.readwriter import DataStreamWriter

UNTIL_NOW = "until-now"
"""The argument that makes a stream end in order once it has read all that was there."""


def read_orders(spark: SparkSession, kafka: str, registry: str, topic: str) -> DataFrame:
    """Every order that was and will be written to the topic."""
    # The first version: new columns are appended, and Spark decodes each record with one schema,
    # which may be shorter than what was written, never longer.
    subject = f"{registry}/subjects/{topic}-value/versions/1"
    schema = httpx2.get(subject, trust_env=False).raise_for_status().json()["schema"]
    records = (
        spark.readStream.format("kafka")
        .option("kafka.bootstrap.servers", kafka)
        .option("subscribe", topic)
        .option("startingOffsets", "earliest")
        # Who deletes a record that nobody can read has decided that it is lost.
        .option("failOnDataLoss", "false")
        .load()
    )
    payload = expr("substring(value, 6, length(value) - 5)")
    return records.select(from_avro(payload, schema).alias("order")).select("order.*")


def paced(writer: DataStreamWriter, until: str) -> DataStreamWriter:
    """The writer, at work every five seconds for ever, or once through all that is there now."""
    if until == UNTIL_NOW:
        return writer.trigger(availableNow=True)
    return writer.trigger(processingTime="5 seconds")
