"""Events that are new: each once, and none that is known already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MOST_TO_SEND = 2_000_000
"""So many places go to every worker; beyond, rows are shuffled."""


def repetitions(events: DataFrame, known: DataFrame | None) -> DataFrame:
    """The places of events that were told before; ``known`` tells which were, ``place`` where.

    Of a key that is told more than once the first place stays.
    """
    told = events.groupBy("key").agg(F.count("*").alias("times"), F.min("place").alias("first"))
    if known is None:
        again = told.where(F.col("times") > 1)
    else:
        before = known.select("key").withColumn("known", F.lit(True))
        again = (
            told.join(before, on="key", how="left")
            .where((F.col("times") > 1) | F.col("known"))
            .withColumn("first", F.when(F.col("known").isNull(), F.col("first")))
        )
    places = events.select("key", "place").join(again.select("key", "first"), "key", "inner")
    return places.where(~F.col("place").eqNullSafe(F.col("first"))).select("place")


def without(events: DataFrame, places: DataFrame, many: int) -> DataFrame:
    """Events but those at some places; these are few, and what was received is never shuffled."""
    left_out = F.broadcast(places) if many <= MOST_TO_SEND else places
    return events.join(left_out, on="place", how="left_anti")
