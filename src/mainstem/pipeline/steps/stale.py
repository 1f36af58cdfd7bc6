"""Jobs that no longer run, each measured by its own rhythm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F  # noqa: N812

from mainstem.pipeline.views import STALE

if TYPE_CHECKING:
    from datetime import datetime

    from pyspark.sql import Column, DataFrame

FEWEST_RUNS = 3
"""Two runs have one gap between them, and one gap is no rhythm."""
WINDOWS_OF_PATIENCE = 3
"""After so many promised windows the fold calls a run overdue."""


def stale(run: DataFrame, *, at: datetime, times: float) -> DataFrame:
    """Jobs that were silent at ``at`` for more than ``times`` their usual gap."""
    runs = run.where(~F.col("declared") & (F.col("created_at") <= F.lit(at))).select(
        "job_id", "job_namespace", "job_name", "run_id", "state", "created_at", "updated_at",
        "overdue_after",
    )  # fmt: skip
    latest = runs.groupBy("job_id").agg(
        F.max_by(F.struct(*runs.columns), F.struct("created_at", "run_id")).alias("last")
    )
    gaps = latest.join(_rhythm(runs), on="job_id", how="left")
    last = F.col("last")
    promised = last["overdue_after"].isNotNull()
    heard = F.when(promised, last["updated_at"]).otherwise(last["created_at"])
    window = (_epoch(last["overdue_after"]) - _epoch(last["updated_at"])) / WINDOWS_OF_PATIENCE
    told = gaps.select(
        last["job_namespace"].alias("namespace"),
        last["job_name"].alias("name"),
        F.when(promised, "promise").otherwise("rhythm").alias("why"),
        last["created_at"].alias("last_run_at"),
        last["state"].alias("last_state"),
        "runs",
        "usual_gap_s",
        "longest_gap_s",
        (_epoch(F.lit(at)) - _epoch(heard)).alias("silent_s"),
        last["overdue_after"].alias("overdue_after"),
        F.when(promised, window).otherwise(F.col("usual_gap_s")).alias("unit"),
    ).withColumn("times", F.round(F.col("silent_s") / F.nullif("unit", F.lit(0)), 1))
    out_of_rhythm = (
        (F.col("runs") >= FEWEST_RUNS)
        & (F.col("silent_s") > times * F.col("usual_gap_s"))
        & (F.col("silent_s") > F.col("longest_gap_s"))
    )
    broken = F.when(F.col("why") == "promise", F.col("overdue_after") < F.lit(at))
    found = told.where(broken.otherwise(out_of_rhythm))
    return STALE.of(found).orderBy(F.col("times").desc_nulls_last(), "namespace", "name")


def _rhythm(runs: DataFrame) -> DataFrame:
    """The gaps between the starts of each job's runs."""
    by_start = Window.partitionBy("job_id").orderBy("created_at", "run_id")
    before = F.lag("created_at").over(by_start)
    gaps = runs.select("job_id", (_epoch(F.col("created_at")) - _epoch(before)).alias("gap"))
    return gaps.groupBy("job_id").agg(
        F.count(F.lit(1)).alias("runs"),
        F.median("gap").alias("usual_gap_s"),
        F.max("gap").alias("longest_gap_s"),
    )


def _epoch(time: Column) -> Column:
    return F.unix_micros(time) / 1_000_000
