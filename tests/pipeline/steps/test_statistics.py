"""What a day of a job says is what its runs say, percentiles as Spark's own function has them."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest
from chispa import assert_df_equality
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from mainstem.pipeline.steps.statistics import daily_job_stats
from mainstem.pipeline.tables import DAILY_JOB_STATS, RUN

pytestmark = pytest.mark.spark
DAY = datetime(2026, 3, 1, tzinfo=UTC)
STATES = ("COMPLETED", "FAILED", "ABORTED", "RUNNING")


def runs_of_chance(spark: SparkSession) -> DataFrame:
    """Days of one run and of many; some that have not ended, some that only describe a job."""
    draw = random.Random(7)
    rows = [
        {
            "run_id": str(number),
            "job_id": number % 5,
            "job_namespace": "n",
            "job_name": f"j{number % 5}",
            "declared": draw.random() < 0.05,
            "state": draw.choice(STATES),
            "created_at": DAY + timedelta(hours=draw.randrange(24 * (number % 5 + 1))),
            "duration_ms": draw.choice([None, 0, draw.randrange(10**6)]),
            "rows_read": draw.choice([None, number]),
            "rows_written": draw.choice([None, 2 * number]),
        }
        for number in range(300)
    ]
    kinds = {one.name: one.type for one in RUN.columns}
    schema = ", ".join(f"{name} {kinds[name]}" for name in rows[0])
    return spark.createDataFrame([tuple(row.values()) for row in rows], schema)


def test_days_and_percentiles(spark: SparkSession) -> None:
    runs = runs_of_chance(spark).cache()
    lasted = F.percentile("duration_ms", F.array(F.lit(0.5), F.lit(0.95)))
    expected = (
        runs.where("not declared")
        .groupBy(F.to_date("created_at").alias("day"), "job_id", "job_namespace", "job_name")
        .agg(
            F.count("*").alias("runs"),
            F.count_if(F.col("state") == "COMPLETED").alias("completed"),
            F.count_if(F.col("state") == "FAILED").alias("failures"),
            F.count_if(F.col("state") == "ABORTED").alias("aborted"),
            F.round(lasted[0], 6).alias("p50_duration_ms"),
            F.round(lasted[1], 6).alias("p95_duration_ms"),
            F.sum("rows_read").alias("rows_read"),
            F.sum("rows_written").alias("rows_written"),
        )
    )
    rounded = {name: F.round(name, 6) for name in ("p50_duration_ms", "p95_duration_ms")}
    found = daily_job_stats(runs).withColumns(rounded)
    assert_df_equality(
        found, expected.select(*DAILY_JOB_STATS.names), ignore_row_order=True, ignore_nullable=True
    )
