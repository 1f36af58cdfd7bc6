"""The same tables kept current: every micro-batch of a stream is folded into them once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from pyspark.sql import functions as F  # noqa: N812

from mainstem.pipeline.jobs.build import fold_batch
from mainstem.pipeline.jobs.compact import compact
from mainstem.pipeline.jobs.sources.kafka import kafka_origin

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

    from mainstem.names.identity import Aliases
    from mainstem.pipeline.jobs.build import Built
    from mainstem.pipeline.jobs.target import IcebergTarget, ParquetTarget

QUERY_ID = "sql.streaming.queryId"
FILES_AT_ONCE = 1000
RECORDS_AT_ONCE = 500_000
"""What one batch takes at most where nobody says otherwise."""


class Pace(Struct, frozen=True):
    """How a stream goes on."""

    every: float
    """Seconds from the start of one batch to the next."""

    once: bool
    """Whether it ends when all that is there now was folded."""

    compact_every: int
    """After how many batches small files are made few; 0 is never."""


def growing_directory(
    spark: SparkSession, directory: str, at_once: int = FILES_AT_ONCE
) -> DataFrame:
    """The lines of every file that is, or will be, put into a directory."""
    return (
        spark.readStream.format("text")
        .option("recursiveFileLookup", "true")
        .option("maxFilesPerTrigger", at_once)
        .load(directory)
        .select(
            F.col("value").cast("binary").alias("value"),
            F.col("_metadata.file_path").alias("origin"),
        )
    )


def topic(
    spark: SparkSession,
    bootstrap: str,
    name: str,
    client: Mapping[str, str],
    at_once: int = RECORDS_AT_ONCE,
) -> DataFrame:
    """The records of a topic, from its first on."""
    return (
        spark.readStream.format("kafka")
        .options(**{f"kafka.{key}": value for key, value in client.items()})
        .option("kafka.bootstrap.servers", bootstrap)
        .option("subscribe", name)
        .option("startingOffsets", "earliest")
        .option("maxOffsetsPerTrigger", at_once)
        .load()
        .select("value", kafka_origin())
    )


def follow(
    spark: SparkSession,
    rows: DataFrame,
    target: IcebergTarget | ParquetTarget,
    *,
    checkpoint: str,
    aliases: Aliases,
    pace: Pace,
    told: Callable[[int, Built], None],
) -> StreamingQuery:
    """A query that folds each batch; ``told`` hears its number and what it brought."""

    def fold(batch: DataFrame, number: int) -> None:
        built = fold_batch(spark, batch, target, batch=batch_name(batch, number), aliases=aliases)
        if pace.compact_every and (number + 1) % pace.compact_every == 0:
            compact(spark, target)
        told(number, built)

    writer: Any = rows.writeStream.foreachBatch(fold).option("checkpointLocation", checkpoint)
    if pace.once:
        return writer.trigger(availableNow=True).start()
    return writer.trigger(processingTime=f"{pace.every} seconds").start()


def batch_name(batch: DataFrame, number: int) -> str:
    """The batch's name in the ledger: a checkpoint that is begun anew counts from zero again."""
    query = batch.sparkSession.sparkContext.getLocalProperty(QUERY_ID)
    return f"{query}/{number}"
