"""Which events carry something that no other does."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pyspark.sql import SparkSession

from mainstem.pipeline import tables
from mainstem.pipeline.steps.publishing import carrying
from pipeline.rows import filled

pytestmark = pytest.mark.spark


def told(number: int, type_: str, output: str = "a", run: str = "r", **more: Any) -> dict[str, Any]:
    raw = {"eventTime": str(number), "eventType": type_, "run": {"runId": run}, "outputs": output}
    return {"key": f"{number:03}", "run_id": run, "type": type_, "raw": json.dumps(raw), **more}


def kept(spark: SparkSession, *events: dict[str, Any]) -> list[int]:
    rows = carrying(filled(spark, tables.EVENT, *events)).orderBy("key").collect()
    return [int(row.key) for row in rows]


def test_between_two_equal_words_of_a_run_nothing_is_kept(spark: SparkSession) -> None:
    beats = [told(number, "RUNNING") for number in range(2, 9)]
    events = [told(1, "START"), *beats, told(9, "COMPLETE")]
    assert kept(spark, *events) == [1, 9]


def test_other_words_and_other_runs_are_kept(spark: SparkSession) -> None:
    events = [
        told(1, "START"),
        told(2, "RUNNING", output="b"),
        told(3, "RUNNING"),
        told(4, "RUNNING"),
        told(5, "RUNNING", run="s"),
    ]
    assert kept(spark, *events) == [1, 2, 4, 5]


def test_every_end_and_every_count_is_kept(spark: SparkSession) -> None:
    events = [
        told(1, "START"),
        told(2, "FAIL"),
        told(3, "COMPLETE"),
        told(4, "RUNNING", rows_written=5),
        told(5, "RUNNING", rows_written=5),
        told(6, "RUNNING"),
    ]
    assert kept(spark, *events) == [1, 2, 3, 4, 5, 6]
