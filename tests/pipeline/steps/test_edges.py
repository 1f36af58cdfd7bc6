"""Which jobs' edges what is new may have moved."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from chispa import assert_df_equality
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from mainstem.pipeline.states import HABIT
from mainstem.pipeline.steps.edges import compared, jobs_of, judged
from mainstem.pipeline.tables import JOB
from pipeline.rows import filled

pytestmark = pytest.mark.spark
TELLING = (
    "run_id string, job_id bigint, created_at timestamp, config_version string, declared boolean,"
    " names_datasets boolean, edges array<struct<dataset_id:bigint,evidence:string>>,"
    " told array<struct<shape_id:bigint,first_at:timestamp,stands:boolean>>,"
    " shapes array<bigint>"
)
LAST = "repeated it"
START, END = 7, 8
"""What a run of these jobs tells when it starts and when it ends."""


def at(minute: int) -> datetime:
    return datetime(2026, 5, 1, 12, minute, tzinfo=UTC)


def telling(
    run: str, job: int, minute: int, *said: tuple[int, int], config: str = "", **more: Any
) -> tuple[Any, ...]:
    """A run that told shapes, each with the minute it first did."""
    told = [(shape, at(first), True) for shape, first in said]
    shapes = [shape for shape, _ in said]
    return (run, job, at(minute), config, False, bool(said), more.get("edges"), told, shapes)


def jobs_moved(
    spark: SparkSession, changed: list[tuple[Any, ...]], before: list[tuple[Any, ...]]
) -> DataFrame:
    """Every job has the habit of a run that began at minute 10 and ended at minute 15.

    Another run that began at minute 18 repeated it; one that ran before it, at minute 16.
    """
    told = {"declared": False, "shapes": [START, END], "settled_at": at(15)}
    habits = [
        {"job_id": job, "run_id": f"old{job}", "created_at": at(10), **told} for job in range(1, 12)
    ]
    now, was = (spark.createDataFrame(rows, TELLING) for rows in (changed, before))
    last = {"latest_run_id": LAST, "current_run_id": LAST, "current_run_at": at(18)}
    jobs = [{"job_id": job, "others_until": at(16), **last} for job in range(1, 12)]
    rows = judged(compared(now, was), filled(spark, HABIT, *habits), filled(spark, JOB, *jobs))
    moved, whole = (jobs_of(rows.where(one)).distinct() for one in ("moves", "whole"))
    known = whole.withColumn("whole", F.lit(True))
    return moved.join(known, "job_id", "left").fillna({"whole": False})


def test_runs_that_repeat_the_habit_move_nothing(spark: SparkSession) -> None:
    again = [
        telling("later", 1, 20, (START, 20), (END, 25)),
        telling("silent", 2, 20),
        telling("at once", 3, 15, (START, 15), (END, 16)),
        telling("known", 4, 12, (START, 12), (END, 13)),
        telling("known, says the same sooner", 5, 16, (START, 16), (END, 16)),
        telling(LAST, 6, 17, (START, 17), (END, 19)),
    ]
    known = [
        telling("known", 4, 12, (START, 12), (END, 13)),
        telling("known, says the same sooner", 5, 16, (START, 16), (END, 17)),
        telling(LAST, 6, 18, (START, 18), (END, 19)),
    ]
    assert jobs_moved(spark, again, known).isEmpty()


def test_a_run_that_began_earlier_than_known_is_in_doubt(spark: SparkSession) -> None:
    """Unless it was the last one, and began after all others all the same."""
    both = (START, 18), (END, 19)
    now = [
        telling("another", 1, 17, *both),
        telling(LAST, 2, 16, *both),
        telling(LAST, 3, 12, *both),
        telling(LAST, 4, 17, (END, 19)),
    ]
    was = [telling(one[0], one[1], 18, *both) for one in now]
    expected = spark.createDataFrame(
        [(job, True) for job in range(1, 5)], "job_id bigint, whole boolean"
    )
    found = jobs_moved(spark, now, was)
    assert_df_equality(found, expected, ignore_row_order=True, ignore_nullable=True)


def test_whatever_else_comes_may_have_moved_edges(spark: SparkSession) -> None:
    watched = [(1, "seen")]
    changed = [
        telling("began before", 1, 9, (START, 9), (END, 30)),
        telling("tells less", 2, 20, (START, 20)),
        telling("before it was settled", 3, 14, (START, 14), (END, 14)),
        telling("known, tells more", 4, 20, (START, 20), (END, 25)),
        telling("known, another configuration", 5, 20, (START, 20), (END, 25), config="b"),
        telling("known, of another job", 6, 20, (START, 20), (END, 25)),
        telling("its evidence", 8, 20, (START, 20), (END, 25), edges=watched),
        telling("before the last one", 9, 17, (START, 17)),
        telling("a new job", 99, 20, (START, 20), (END, 25)),
    ]
    before = [
        telling("known, tells more", 4, 20, (START, 20)),
        telling("known, another configuration", 5, 20, (START, 20), (END, 25), config="a"),
        telling("known, of another job", 7, 20, (START, 20), (END, 25)),
    ]
    # Of jobs without whole history all that is new came after what they told last.
    going_on = (2, 8, 99)
    jobs = [(job, job not in going_on) for job in (*range(1, 10), 99)]
    expected = spark.createDataFrame(jobs, "job_id bigint, whole boolean")
    found = jobs_moved(spark, changed, before)
    assert_df_equality(found, expected, ignore_row_order=True, ignore_nullable=True)
