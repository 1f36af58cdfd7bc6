"""Events that are new: each once, and none that is known already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F  # noqa: N812

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MOST_TO_SEND = 500_000
"""So many small rows go to every worker; beyond, rows are shuffled."""


def repetitions(
    events: DataFrame, known: DataFrame | None, many: int, *, apart: bool = False
) -> DataFrame:
    """The places of events that were told before; ``known`` tells which were, ``place`` where.

    Of a key that is told more than once the first place stays. ``many`` is how many events come,
    ``apart`` whether none of them repeats another.
    """
    told = events.select("key", "place")
    before = None if known is None else known.select("key")
    if apart and many <= MOST_TO_SEND and before is not None:
        return before.join(F.broadcast(told), on="key", how="inner").select("place")
    if many > MOST_TO_SEND:
        told, before = _doubtful(told, before)
    elif before is not None:
        before = before.join(F.broadcast(told.select("key")), on="key", how="left_semi")
    if before is not None:
        told = told.unionByName(before, allowMissingColumns=True)
    # What is known has no place here, and comes first.
    in_order = Window.partitionBy("key").orderBy(F.col("place").asc_nulls_first())
    placed = told.withColumn("turn", F.row_number().over(in_order))
    return placed.where("turn > 1 and place is not null").select("place")


def _doubtful(told: DataFrame, known: DataFrame | None) -> tuple[DataFrame, DataFrame | None]:
    """What may be told twice, by a hash: most keys are told once, and few are compared whole."""
    hashed = F.xxhash64("key").alias("hash")
    told = told.select("key", "place", hashed)
    hashes = told.groupBy("hash").agg(F.count("*").alias("times")).where("times > 1").select("hash")
    if known is not None:
        known = known.select("key", hashed)
        hashes = hashes.unionByName(known.join(told, on="hash", how="left_semi").select("hash"))
    hashes = hashes.distinct().localCheckpoint()

    def among(rows: DataFrame) -> DataFrame:
        return rows.join(hashes, on="hash", how="left_semi").drop("hash")

    return among(told), None if known is None else among(known)


def marked(events: DataFrame, places: DataFrame) -> DataFrame:
    """Events and, as ``is_again``, whether they are at one of some places, which are few."""
    again = F.broadcast(places.withColumn("is_again", F.lit(True)))
    told = events.join(again, on="place", how="left")
    return told.withColumn("is_again", F.coalesce("is_again", F.lit(False)))


def without(events: DataFrame, places: DataFrame, many: int) -> DataFrame:
    """Events but those at some places; these are few, and what was received is never shuffled."""
    left_out = F.broadcast(places) if many <= MOST_TO_SEND else places
    return events.join(left_out, on="place", how="left_anti")
