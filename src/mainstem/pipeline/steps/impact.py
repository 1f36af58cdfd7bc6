"""What lies downstream of a dataset, a job or a column."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812

from mainstem.pipeline.views import COLUMN_IMPACT, IMPACT

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def impact(reachability: DataFrame, job: DataFrame, dataset: DataFrame, start: int) -> DataFrame:
    """Everything that the data of ``start`` reaches, a dataset's or a job's id."""
    reached = reachability.where(F.col("ancestor_id") == start).select(
        F.col("descendant_id").alias("id"), "distance"
    )
    nodes = dataset.select(
        F.col("dataset_id").alias("id"), F.lit("dataset").alias("kind"), "namespace", "name"
    ).unionByName(
        job.select(
            F.col("job_id").alias("id"),
            F.lit("job").alias("kind"),
            F.col("job_namespace").alias("namespace"),
            F.col("job_name").alias("name"),
        )
    )
    found = nodes.join(F.broadcast(reached), on="id", how="inner")
    return IMPACT.of(found).orderBy(*IMPACT.names)


def column_impact(column_edge: DataFrame, start: int, field: str) -> DataFrame:
    """Every column that is made from one, by a walk that takes one hop at a time."""
    spark = column_edge.sparkSession
    edges = column_edge.select(
        F.col("source_id").alias("id"),
        F.col("source_field").alias("field"),
        "target_id",
        "target_field",
        F.coalesce("indirect", F.lit(False)).alias("by_influence"),
        F.coalesce("masking", F.lit(False)).alias("by_mask"),
    ).persist()
    seen = {(start, field, False, False): 0}
    frontier = [(start, field, False, False)]
    for distance in count(1):
        here = spark.createDataFrame(
            frontier, "id bigint, field string, indirect boolean, masked boolean"
        )
        hops = edges.join(F.broadcast(here), on=["id", "field"], how="inner").select(
            F.col("target_id").alias("id"),
            F.col("target_field").alias("field"),
            (F.col("indirect") | F.col("by_influence")).alias("indirect"),
            (F.col("masked") | F.col("by_mask")).alias("masked"),
        )
        frontier = [one for row in hops.distinct().collect() if (one := tuple(row)) not in seen]
        seen.update(dict.fromkeys(frontier, distance))
        if not frontier:
            break
    edges.unpersist()
    del seen[start, field, False, False]
    return _named(column_edge, [(*state, distance) for state, distance in seen.items()])


def _named(column_edge: DataFrame, found: list[tuple[object, ...]]) -> DataFrame:
    states = column_edge.sparkSession.createDataFrame(
        found, "id bigint, field string, indirect boolean, masked boolean, distance int"
    )
    columns = states.groupBy("id", "field").agg(
        F.min("distance").alias("distance"),
        F.min("indirect").alias("indirect"),
        F.min("masked").alias("masked"),
    )
    names = column_edge.select(
        F.col("target_id").alias("id"),
        F.col("target_namespace").alias("namespace"),
        F.col("target_name").alias("name"),
    ).distinct()
    named = names.join(F.broadcast(columns), on="id", how="inner")
    return COLUMN_IMPACT.of(named).orderBy(*COLUMN_IMPACT.names)
