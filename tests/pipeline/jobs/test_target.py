"""Rows that take the place of others, and what is left of those."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from mainstem.pipeline.jobs import compact as compacting
from mainstem.pipeline.jobs import target as targets
from mainstem.pipeline.jobs.target import LANDED, IcebergTarget, ParquetTarget
from mainstem.pipeline.tables import DAILY_JOB_STATS, RUN
from pipeline.rows import filled

pytestmark = pytest.mark.spark
Target = IcebergTarget | ParquetTarget


def rows(spark: SparkSession, states: dict[str, str]) -> DataFrame:
    return filled(spark, RUN, *({"run_id": run, "state": one} for run, one in states.items()))


def merge(spark: SparkSession, target: Target, **states: str) -> None:
    """Begin a build with states of runs, of which some may be known."""
    target.begin()
    known = target.located(RUN)
    assert known is not None
    target.merge(RUN, rows(spark, states), known.where(F.col("run_id").isin(list(states))))


def states(target: Target) -> dict[str, str]:
    found = target.read(RUN).collect()
    assert len({row.run_id for row in found}) == len(found)
    return {row.run_id: row.state for row in found}


def landed(target: IcebergTarget) -> list[str]:
    """The builds that left runs, and places of those that they replaced."""
    directory = Path(target._loaded(RUN).location()) / LANDED
    return sorted(one.name for one in directory.iterdir())


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
    target.append(RUN, rows(spark, {"one": "a"}))
    target.append(RUN, rows(spark, {"two": "b"}))
    target.commit()
    merge(spark, target, one="A", three="c")
    assert states(target) == {"one": "A", "two": "b", "three": "c"}
    # It did not count: the next build begins from what stood.
    target.begin()
    assert states(target) == {"one": "a", "two": "b"}
    for told in ({"one": "B", "three": "d"}, {"one": "C"}, {"four": "e"}):
        merge(spark, target, **told)
        target.commit()
    target.begin()
    assert states(target) == {"one": "C", "two": "b", "three": "d", "four": "e"}


def test_places_of_what_was_replaced_are_kept_as_long_as_they_count(
    spark: SparkSession, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = IcebergTarget(spark, "mainstem.replacing", place)
    target.begin()
    target.append(RUN, rows(spark, {"one": "a"}))
    target.commit()
    merge(spark, target, one="b")
    assert landed(target) == ["1", "2"]
    target.begin()
    assert landed(target) == ["1"]
    merge(spark, target, one="b")
    target.commit()
    target.begin()
    assert landed(target) == ["1", "2"]
    monkeypatch.setattr(compacting, "KEPT", timedelta(hours=-1))
    monkeypatch.setattr(compacting, "EVERY", (RUN,))
    monkeypatch.setattr(
        compacting, "_OPTIONS", "options => map('rewrite-all', 'true', 'min-input-files', '1')"
    )
    compacting.compact(spark, target)
    assert landed(target) == []
    assert states(target) == {"one": "b"}


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


def test_a_reader_leaves_a_build_of_another_process_alone(spark: SparkSession, place: str) -> None:
    target = IcebergTarget(spark, "mainstem.reading", place)
    target.begin()
    target.append(RUN, rows(spark, {"one": "a"}))
    target.commit()
    merge(spark, target, one="b")
    assert states(IcebergTarget(spark, target.place, place)) == {"one": "b"}
    target.commit()
    target.begin()
    assert states(target) == {"one": "b"}


def test_what_others_wrote_since_the_last_build_does_not_count(
    spark: SparkSession, place: str
) -> None:
    target = IcebergTarget(spark, "mainstem.meddled", place)
    target.begin()
    target.append(RUN, rows(spark, {"one": "a"}))
    target.commit()
    spark.sql(f"DELETE FROM {target.place}.run WHERE run_id = 'one'")
    target.begin()
    assert states(target) == {"one": "a"}
