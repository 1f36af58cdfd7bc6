"""What lies downstream, along edges and along columns."""

from __future__ import annotations

import pytest
from pyspark.sql import DataFrame, SparkSession

from mainstem.pipeline import tables
from mainstem.pipeline.steps.impact import column_impact, impact
from pipeline.rows import filled

pytestmark = pytest.mark.spark
RAW, CLEAN, SUM, JOB = 1, 2, 3, 10


def columns(spark: SparkSession, *edges: tuple[int, str, int, str, bool, bool]) -> DataFrame:
    names = ("source_id", "source_field", "target_id", "target_field", "indirect", "masking")
    rows = [
        {
            **dict(zip(names, edge, strict=True)),
            "target_namespace": "n",
            "target_name": f"d{edge[2]}",
        }
        for edge in edges
    ]
    return filled(spark, tables.COLUMN_EDGE, *rows)


def test_impact_names_what_is_reached_and_how_far_it_is(spark: SparkSession) -> None:
    reach = filled(
        spark,
        tables.REACHABILITY,
        {"ancestor_id": RAW, "descendant_id": JOB, "distance": 1},
        {"ancestor_id": RAW, "descendant_id": CLEAN, "distance": 2},
        {"ancestor_id": CLEAN, "descendant_id": SUM, "distance": 2},
    )
    jobs = filled(spark, tables.JOB, {"job_id": JOB, "job_namespace": "spark", "job_name": "wash"})
    datasets = filled(
        spark,
        tables.DATASET,
        *({"dataset_id": id_, "namespace": "n", "name": f"d{id_}"} for id_ in (RAW, CLEAN, SUM)),
    )
    found = [tuple(row) for row in impact(reach, jobs, datasets, RAW).collect()]
    assert found == [(1, "job", "spark", "wash"), (2, "dataset", "n", "d2")]


def test_a_column_is_followed_through_every_hop_and_out_of_circles(spark: SparkSession) -> None:
    edges = columns(
        spark,
        (RAW, "price", CLEAN, "price", False, False),
        (CLEAN, "price", SUM, "total", False, False),
        (SUM, "total", RAW, "price", False, False),
        (RAW, "id", CLEAN, "id", False, False),
    )
    found = [tuple(row)[:4] for row in column_impact(edges, RAW, "price").collect()]
    assert found == [(1, "n", "d2", "price"), (2, "n", "d3", "total")]


def test_a_way_without_a_mask_counts_more_than_one_with_it(spark: SparkSession) -> None:
    edges = columns(
        spark,
        (RAW, "mail", CLEAN, "mail", False, True),
        (CLEAN, "mail", SUM, "mail", False, False),
        (RAW, "mail", SUM, "mail", True, False),
    )
    found = {row.name: row for row in column_impact(edges, RAW, "mail").collect()}
    assert (found["d2"].masked, found["d2"].indirect) == (True, False)
    # One way masks, the other only influences: neither is true of every way.
    assert (found["d3"].masked, found["d3"].indirect) == (False, False)
    assert found["d3"].distance == 1


def test_a_column_that_nothing_is_made_from_reaches_nothing(spark: SparkSession) -> None:
    edges = columns(spark, (RAW, "price", CLEAN, "price", False, False))
    assert column_impact(edges, CLEAN, "price").collect() == []
