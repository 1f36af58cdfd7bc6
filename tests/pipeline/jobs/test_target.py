"""Rows that take the place of others, and what a build that dies leaves of it."""

from __future__ import annotations

from datetime import date

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812

from mainstem.pipeline.jobs import target as targets
from mainstem.pipeline.jobs.target import IcebergTarget, ParquetTarget
from mainstem.pipeline.states import NAME
from mainstem.pipeline.tables import DAILY_JOB_STATS
from pipeline.rows import filled

pytestmark = pytest.mark.spark
Target = IcebergTarget | ParquetTarget


def merge(spark: SparkSession, target: Target, **names: str) -> None:
    """Begin a build with names by their numbers, of which some may be known."""
    target.begin()
    numbers = [int(one.removeprefix("n")) for one in names]
    rows = [
        {"name_id": number, "namespace": "n", "name": name}
        for number, name in zip(numbers, names.values(), strict=True)
    ]
    known = target.located(NAME)
    assert known is not None
    target.merge(NAME, filled(spark, NAME, *rows), known.where(F.col("name_id").isin(numbers)))


def names(target: Target) -> list[tuple[int, str]]:
    return sorted((row.name_id, row.name) for row in target.read(NAME).collect())


@pytest.mark.parametrize("kind", ["by place", "by key", "parquet"])
def test_rows_take_the_place_of_those_with_their_keys(
    spark: SparkSession, place: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Where Iceberg reads files by other means than Hadoop's, Spark may write none beside them.
    monkeypatch.setattr(targets, "can_take", lambda _: kind == "by place")
    target: Target = ParquetTarget(spark, place)
    if kind != "parquet":
        target = IcebergTarget(spark, f"mainstem.merging_{kind.replace(' ', '_')}", place)
    target.begin()
    target.append(NAME, filled(spark, NAME, {"name_id": 1, "name": "a"}))
    target.append(NAME, filled(spark, NAME, {"name_id": 2, "name": "b"}))
    target.commit()
    merge(spark, target, n1="A", n3="c")
    assert names(target) == [(1, "A"), (2, "b"), (3, "c")]
    # It did not count: the next build begins from what stood.
    target.begin()
    assert names(target) == [(1, "a"), (2, "b")]
    for told in ({"n1": "B", "n3": "d"}, {"n1": "C"}, {"n4": "e"}):
        merge(spark, target, **told)
        target.commit()
    target.begin()
    assert names(target) == [(1, "C"), (2, "b"), (3, "d"), (4, "e")]


@pytest.mark.parametrize("kind", [IcebergTarget, ParquetTarget])
def test_the_rows_of_some_days_are_replaced_alone(
    spark: SparkSession, place: str, kind: type[Target]
) -> None:
    target: Target = ParquetTarget(spark, place)
    if kind is IcebergTarget:
        target = IcebergTarget(spark, "mainstem.days", place)

    def put(within: list[date] | None, **runs: int) -> None:
        days = [{"day": date(2026, 5, int(day[1:])), "runs": many} for day, many in runs.items()]
        target.replace(DAILY_JOB_STATS, filled(spark, DAILY_JOB_STATS, *days), within)

    target.begin()
    put(None, d1=1, d2=2, d3=3)
    target.commit()
    put([date(2026, 5, 2), date(2026, 5, 3), date(2026, 5, 4)], d2=20, d4=40)
    found = target.read(DAILY_JOB_STATS).select("day", "runs").collect()
    assert sorted((row.day.day, row.runs) for row in found) == [(1, 1), (2, 20), (4, 40)]
