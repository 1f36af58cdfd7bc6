"""Events that are new: each once, and none that is known already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MOST_TO_SEND = 500_000
"""So many small rows go to every worker; beyond, rows are shuffled."""


def repetitions(events: DataFrame, known: DataFrame | None) -> DataFrame:
    """The places of events that were told before; ``known`` tells which were, ``place`` where.

    Of a key that is told more than once the first place stays.
    """
    hashed = F.xxhash64("key").alias("hash")
    told = events.select("key", "place", hashed)
    twice = told.groupBy("hash").agg(F.count("*").alias("times")).where("times > 1").select("hash")
    doubtful = twice
    if known is not None:
        known = known.select("key", hashed)
        doubtful = twice.unionByName(known.join(told, on="hash", how="left_semi").select("hash"))
    # Most keys are told once: few are compared whole.
    doubtful = doubtful.distinct().localCheckpoint()
    told = told.join(doubtful, on="hash", how="left_semi")
    firsts = told.groupBy("key").agg(F.min("place").alias("first"))
    if known is not None:
        before = known.join(doubtful, on="hash", how="left_semi").select("key").distinct()
        firsts = firsts.join(before.withColumn("known", F.lit(True)), on="key", how="left").select(
            "key", F.when(F.col("known").isNull(), F.col("first")).alias("first")
        )
    places = told.join(firsts, on="key", how="inner")
    return places.where(~F.col("place").eqNullSafe(F.col("first"))).select("place")


def without(events: DataFrame, places: DataFrame, many: int) -> DataFrame:
    """Events but those at some places; these are few, and what was received is never shuffled."""
    left_out = F.broadcast(places) if many <= MOST_TO_SEND else places
    return events.join(left_out, on="place", how="left_anti")
