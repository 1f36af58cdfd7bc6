"""Datasets that nobody reads."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pyspark.sql import SparkSession

from mainstem.pipeline import tables
from mainstem.pipeline.steps.orphans import orphans
from pipeline.rows import filled

pytestmark = pytest.mark.spark
DAY = datetime(2026, 3, 1, tzinfo=UTC)


def test_what_is_unread_is_told_and_what_is_written_for_nobody_comes_first(
    spark: SparkSession,
) -> None:
    freshness = [
        {"dataset_id": 1, "namespace": "n", "name": "read", "writers": 1, "readers": 2},
        {"dataset_id": 2, "namespace": "n", "name": "old", "writers": 0, "readers": 0},
        {"dataset_id": 3, "namespace": "n", "name": "waste", "writers": 1, "readers": 0,
         "written_at": DAY, "written_by": 9},
        {"dataset_id": 4, "namespace": "n", "name": "dropped", "writers": 1, "readers": 0},
    ]  # fmt: skip
    datasets = [{"dataset_id": 4, "namespace": "n", "name": "dropped", "lifecycle": "DROP"}]
    jobs = [{"job_id": 9, "job_namespace": "spark", "job_name": "nightly"}]
    found = orphans(
        filled(spark, tables.FRESHNESS, *freshness),
        filled(spark, tables.DATASET, *datasets),
        filled(spark, tables.JOB, *jobs),
    ).collect()
    assert [(row.name, row.written_by) for row in found] == [
        ("waste", "spark nightly"),
        ("old", None),
    ]
