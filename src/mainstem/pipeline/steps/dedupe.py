"""Events that are new: each once, and none that is known already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def repeated_keys(events: DataFrame, known: DataFrame) -> DataFrame:
    """The keys that were told more than once, or before; ``known`` tells which."""
    told = events.select("key").groupBy("key").agg(F.count("*").alias("times"))
    before = known.select("key").withColumn("known", F.lit(True))
    return (
        told.join(before, on="key", how="left")
        .where((F.col("times") > 1) | F.col("known"))
        .select("key", F.coalesce("known", F.lit(False)).alias("known"))
    )


def new_events(events: DataFrame, repeated: DataFrame) -> DataFrame:
    """Each event once, without those that are known; repetitions are few, and never shuffle all."""
    once = events.join(F.broadcast(repeated.select("key")), on="key", how="left_anti")
    again = repeated.where(~F.col("known")).select("key")
    several = events.join(F.broadcast(again), on="key", how="left_semi").dropDuplicates(["key"])
    return once.select(*events.columns).unionByName(several.select(*events.columns))
