"""Schemas that changed in a period, and whom that touches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F  # noqa: N812

from mainstem.pipeline.views import CHANGED

if TYPE_CHECKING:
    from datetime import datetime

    from pyspark.sql import Column, DataFrame

_FIELDS = "array<struct<name:string,type:string>>"


def changed(
    dataset_version: DataFrame,
    edge: DataFrame,
    reachability: DataFrame,
    *,
    since: datetime,
    until: datetime,
) -> DataFrame:
    """Every version first told in the period that follows another of the same producer."""
    changes = _changes(dataset_version).where(
        (F.col("at") >= F.lit(since)) & (F.col("at") < F.lit(until)) & F.col("before").isNotNull()
    )
    touched = changes.join(_readers(changes, edge), on=["dataset_id", "at"], how="left")
    counted = touched.join(_downstream(changes, reachability), on="dataset_id", how="left")
    found = (
        counted.withColumn("added", _missing("fields", "before"))
        .withColumn("removed", _missing("before", "fields"))
        .withColumn("retyped", _retyped())
        .withColumn("readers", F.coalesce("readers", F.array().cast("array<string>")))
        .withColumn("downstream", F.coalesce("downstream", F.lit(0)))
    )
    return CHANGED.of(found).orderBy(F.col("at").desc(), "namespace", "name", "producer")


def _changes(dataset_version: DataFrame) -> DataFrame:
    """Each version beside the one that the same producer told before it."""
    by_first = Window.partitionBy("dataset_id", "producer").orderBy("first_key")
    return dataset_version.select(
        "dataset_id",
        "namespace",
        "name",
        "producer",
        F.col("created_at").alias("at"),
        F.from_json("fields", _FIELDS).alias("fields"),
        F.from_json(F.lag("fields").over(by_first), _FIELDS).alias("before"),
    )


def _readers(changes: DataFrame, edge: DataFrame) -> DataFrame:
    """The jobs that read each dataset when it changed."""
    reads = edge.where(~F.col("written")).select(
        "dataset_id",
        F.concat_ws(" ", "job_namespace", "job_name").alias("reader"),
        "valid_from",
        "valid_to",
    )
    stands = (F.col("valid_from") <= F.col("at")) & (
        F.col("valid_to").isNull() | (F.col("valid_to") > F.col("at"))
    )
    return (
        reads.join(
            F.broadcast(changes.select("dataset_id", "at").distinct()), on="dataset_id", how="inner"
        )
        .where(stands)
        .groupBy("dataset_id", "at")
        .agg(F.sort_array(F.collect_set("reader")).alias("readers"))
    )


def _downstream(changes: DataFrame, reachability: DataFrame) -> DataFrame:
    ids = changes.select(F.col("dataset_id").alias("ancestor_id")).distinct()
    return (
        reachability.join(F.broadcast(ids), on="ancestor_id", how="left_semi")
        .groupBy(F.col("ancestor_id").alias("dataset_id"))
        .agg(F.count(F.lit(1)).alias("downstream"))
    )


def _missing(here: str, there: str) -> Column:
    """The names of columns that one schema has and the other has not."""
    return F.array_except(F.col(here)["name"], F.col(there)["name"])


def _retyped() -> Column:
    same_name = F.filter("fields", _other_type)
    return F.transform(same_name, lambda field: field["name"])


def _other_type(field: Column) -> Column:
    return F.exists(
        "before",
        lambda old: (old["name"] == field["name"]) & ~old["type"].eqNullSafe(field["type"]),
    )
