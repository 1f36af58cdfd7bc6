"""Jobs that no longer run, by their own rhythm or by what they promised."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pyspark.sql import SparkSession

from mainstem.pipeline import tables
from mainstem.pipeline.steps.stale import stale
from pipeline.rows import filled

pytestmark = pytest.mark.spark
NOW = datetime(2026, 3, 1, tzinfo=UTC)


def runs(name: str, *hours_ago: float, **more: Any) -> list[dict[str, Any]]:
    return [
        {
            "run_id": f"{name}-{number}",
            "job_id": hash(name) % 1000,
            "job_namespace": "n",
            "job_name": name,
            "declared": False,
            "state": "COMPLETED",
            "created_at": NOW - timedelta(hours=ago),
            "updated_at": NOW - timedelta(hours=ago),
            **more,
        }
        for number, ago in enumerate(hours_ago)
    ]


def found(spark: SparkSession, *rows: dict[str, Any], times: float = 3) -> dict[str, Any]:
    table = filled(spark, tables.RUN, *rows)
    return {row.name: row for row in stale(table, at=NOW, times=times).collect()}


def test_a_job_is_stale_when_it_is_silent_for_longer_than_its_rhythm_allows(
    spark: SparkSession,
) -> None:
    rows = [
        *runs("hourly-gone", 13, 12, 11, 10),
        *runs("hourly-alive", 3, 2, 1),
        *runs("weekly", 24 * 15, 24 * 8, 24),
        *runs("seen-twice", 101, 100),
    ]
    told = found(spark, *rows)
    assert set(told) == {"hourly-gone"}
    gone = told["hourly-gone"]
    assert (gone.why, gone.runs, gone.usual_gap_s, gone.times) == ("rhythm", 4, 3600.0, 10.0)
    assert gone.last_run_at.astimezone(UTC) == NOW - timedelta(hours=10)


def test_a_pause_that_it_had_before_is_no_news(spark: SparkSession) -> None:
    # Hourly on workdays: the weekend was longer than this silence.
    rows = runs("workdays", 80, 79, 78, 20, 19, 18)
    assert found(spark, *rows) == {}
    assert set(found(spark, *runs("workdays", 80, 79, 78, 77, 76, 75))) == {"workdays"}


def test_a_promise_is_believed_before_a_rhythm(spark: SparkSession) -> None:
    late = runs("late", 5, state="RUNNING", overdue_after=NOW - timedelta(hours=2))
    due = runs("due", 5, state="RUNNING", overdue_after=NOW + timedelta(hours=2))
    told = found(spark, *late, *due)
    assert {name: (row.why, row.times) for name, row in told.items()} == {"late": ("promise", 5.0)}


def test_what_came_after_the_moment_is_not_looked_at(spark: SparkSession) -> None:
    rows = runs("future", 13, 12, 11, 10, -1)
    assert set(found(spark, *rows)) == {"future"}


def test_a_declaration_is_no_run(spark: SparkSession) -> None:
    assert found(spark, *runs("declared", 13, 12, 11, 10, declared=True)) == {}
