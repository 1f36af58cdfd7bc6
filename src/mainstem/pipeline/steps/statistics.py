"""How jobs do day by day, and how fresh datasets are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F  # noqa: N812

from mainstem.pipeline.steps.going_on import go_on
from mainstem.pipeline.steps.keys import time_of
from mainstem.pipeline.tables import DAILY_JOB_STATS, FRESHNESS

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


def daily_job_stats(runs: DataFrame) -> DataFrame:
    """Rows of ``daily_job_stats``."""

    def how_many(state: str) -> Column:
        return F.sum((F.col("state") == state).cast("bigint"))

    day = runs.where(~F.col("declared")).select(
        F.to_date("created_at").alias("day"), "job_id", "job_namespace", "job_name", "state",
        "rows_read", "rows_written", F.col("duration_ms").cast("double").alias("lasted"),
    )  # fmt: skip
    # Sorted once, its percentiles are two rows each; collecting what lasted would cost far more.
    mine = Window.partitionBy("job_id", "day")
    shortest_first = mine.orderBy(F.col("lasted").asc_nulls_last())
    placed = day.withColumns(
        {"place": F.row_number().over(shortest_first) - 1, "ended": F.count("lasted").over(mine)}
    )
    days = placed.groupBy("job_id", "day").agg(
        F.first("job_namespace").alias("job_namespace"),
        F.first("job_name").alias("job_name"),
        F.count("*").alias("runs"),
        how_many("COMPLETED").alias("completed"),
        how_many("FAILED").alias("failures"),
        how_many("ABORTED").alias("aborted"),
        _percentile(0.5).alias("p50_duration_ms"),
        _percentile(0.95).alias("p95_duration_ms"),
        F.sum("rows_read").alias("rows_read"),
        F.sum("rows_written").alias("rows_written"),
    )
    return DAILY_JOB_STATS.of(days)


def _percentile(share: float) -> Column:
    """Between the two rows about that share of those that lasted, by their ``place`` among them."""
    exact = (F.col("ended") - 1) * F.lit(share)
    below = F.floor(exact)
    above = exact - below
    weight = F.when(F.col("place") == below, 1 - above).when(F.col("place") == below + 1, above)
    return F.sum(F.when(F.col("lasted").isNotNull(), F.col("lasted") * weight))


def go_on_with_times(before: DataFrame, new: DataFrame) -> DataFrame:
    """When datasets were last spoken of, written and read: rows of ``freshness``, and ``new``."""
    wrote = F.when(F.col("written_key").isNotNull(), F.struct("written_key", "written_by"))
    earlier, later = (
        rows.select("dataset_id", "last_key", wrote.alias("wrote"), "read_key")
        for rows in (before, new)
    )
    registers = {"last_key": F.greatest, "wrote": F.greatest, "read_key": F.greatest}
    merged = go_on(earlier, later, FRESHNESS.key, registers)
    return merged.select("dataset_id", "last_key", "wrote.*", "read_key")


def go_on_with_freshness(before: DataFrame, new: DataFrame) -> DataFrame:
    """Rows of ``freshness`` where nothing but times has changed; ``new`` has no other dataset."""
    wrote = F.when(F.col("written_key").isNotNull(), F.struct("written_key", "written_by"))
    times = new.select(
        "dataset_id", F.col("last_key").alias("new_last"), wrote.alias("new_wrote"),
        F.col("read_key").alias("new_read"),
    )  # fmt: skip
    rows = before.withColumn("wrote", wrote).join(times, on="dataset_id", how="left")
    last, read = F.greatest("last_key", "new_last"), F.greatest("read_key", "new_read")
    rows = rows.withColumn("wrote", F.greatest("wrote", "new_wrote"))
    return FRESHNESS.of(
        rows.withColumns(
            {
                "last_key": last,
                "updated_at": time_of(last),
                "written_key": F.col("wrote.written_key"),
                "written_by": F.col("wrote.written_by"),
                "written_at": time_of(F.col("wrote.written_key")),
                "read_key": read,
                "read_at": time_of(read),
            }
        )
    )


def freshness(
    times: DataFrame, datasets: DataFrame, versions: DataFrame, edges: DataFrame
) -> DataFrame:
    """Rows of ``freshness``."""
    changed = versions.groupBy("dataset_id", "version").agg(
        F.min("created_at").alias("schema_changed_at")
    )
    now = (
        edges.where("valid_to is null")
        .groupBy("dataset_id")
        .agg(
            F.sum(F.col("written").cast("bigint")).alias("writers"),
            F.sum((~F.col("written")).cast("bigint")).alias("readers"),
        )
    )
    rows = (
        datasets.select("dataset_id", "namespace", "name", "version")
        .join(times, on="dataset_id", how="inner")
        .join(changed, on=["dataset_id", "version"], how="left")
        .join(now, on="dataset_id", how="left")
    )
    return FRESHNESS.of(
        rows.select(
            "dataset_id", "namespace", "name", "schema_changed_at", "written_by",
            time_of(F.col("last_key")).alias("updated_at"),
            time_of(F.col("written_key")).alias("written_at"),
            time_of(F.col("read_key")).alias("read_at"),
            F.coalesce("writers", F.lit(0)).alias("writers"),
            F.coalesce("readers", F.lit(0)).alias("readers"),
            "last_key", "written_key", "read_key",
        )
    )  # fmt: skip
