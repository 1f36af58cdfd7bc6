"""Schemas that changed in a period, and whom that touches."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pyspark.sql import SparkSession

from mainstem.pipeline import tables
from mainstem.pipeline.steps.changed import changed
from pipeline.rows import filled

pytestmark = pytest.mark.spark
DAY = datetime(2026, 3, 1, tzinfo=UTC)


def version(at: datetime, producer: str = "spark", **fields: str) -> dict[str, Any]:
    told = [{"name": name, "type": kind, "tags": []} for name, kind in fields.items()]
    return {
        "dataset_id": 1,
        "namespace": "n",
        "name": "orders",
        "version": f"{at}{fields}",
        "producer": producer,
        "fields": json.dumps(told),
        "created_at": at,
        "first_key": at.isoformat(),
    }


def reads(job: str, since: datetime, until: datetime | None = None) -> dict[str, Any]:
    return {
        "job_namespace": "airflow",
        "job_name": job,
        "dataset_id": 1,
        "written": False,
        "valid_from": since,
        "valid_to": until,
    }


def found(spark: SparkSession, versions: list[dict[str, Any]], *edges: dict[str, Any]) -> list[Any]:
    reach = [{"ancestor_id": 1, "descendant_id": each, "distance": 1} for each in (2, 3)]
    return changed(
        filled(spark, tables.DATASET_VERSION, *versions),
        filled(spark, tables.EDGE, *edges),
        filled(spark, tables.REACHABILITY, *reach),
        since=DAY,
        until=DAY + timedelta(days=1),
    ).collect()


def test_a_change_says_what_it_did_and_whom_it_touches(spark: SparkSession) -> None:
    versions = [
        version(DAY - timedelta(days=9), id="int", price="int", note="text"),
        version(DAY + timedelta(hours=1), id="int", price="decimal", tax="decimal"),
    ]
    edges = [
        reads("now", DAY),
        reads("before", DAY - timedelta(days=9), DAY - timedelta(days=1)),
        reads("later", DAY + timedelta(hours=2)),
    ]
    (row,) = found(spark, versions, *edges)
    assert (row.name, row.producer) == ("orders", "spark")
    assert (row.added, row.removed, row.retyped) == (["tax"], ["note"], ["price"])
    assert (row.readers, row.downstream) == (["airflow now"], 2)


def test_the_first_word_of_a_producer_is_no_change(spark: SparkSession) -> None:
    versions = [
        version(DAY - timedelta(days=9), id="int"),
        version(DAY + timedelta(hours=1), producer="flink", value="bytes"),
    ]
    assert found(spark, versions) == []


def test_a_change_outside_of_the_period_is_not_told(spark: SparkSession) -> None:
    moments = (DAY - timedelta(days=2), DAY - timedelta(days=1), DAY + timedelta(days=1))
    versions = [version(at, **{f"c{number}": "int"}) for number, at in enumerate(moments)]
    assert found(spark, versions) == []
