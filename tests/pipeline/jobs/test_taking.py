"""Events are written once: the files that parsing wrote become the table's, repetitions aside."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import orjson
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from mainstem.names.identity import NO_ALIASES
from mainstem.pipeline.jobs import build as building
from mainstem.pipeline.jobs import compact as compacting
from mainstem.pipeline.jobs.build import Built, build
from mainstem.pipeline.jobs.sources.files import FileSource
from mainstem.pipeline.jobs.taking import to_take
from mainstem.pipeline.jobs.target import LANDED, IcebergTarget, ParquetTarget
from mainstem.pipeline.steps import parse
from mainstem.pipeline.tables import EVENT, QUARANTINE
from pipeline.logs import put

pytestmark = pytest.mark.spark


@pytest.fixture(autouse=True)
def events_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What follows from events is looked at elsewhere, and is most of a build's time."""
    monkeypatch.setattr(building, "build_graph", lambda *_, **__: None)


class Died(Exception):
    """A build that ends before it counts."""


class DyingIceberg(IcebergTarget):
    def commit(self) -> None:
        raise Died


class DyingParquet(ParquetTarget):
    def commit(self) -> None:
        raise Died


def told(first: int, last: int) -> list[str]:
    """One START a second, spelled with blanks and letters beyond ASCII."""
    return [
        orjson.dumps(
            {
                "eventTime": datetime(2026, 3, 1, 0, second // 60, second % 60, 250000, UTC),
                "producer": "https://a",
                "eventType": "START",
                "run": {"runId": f"01a1e0c3-0000-7000-8000-{second:012}"},
                "job": {"namespace": "j", "name": f"größe {second}"},
                "inputs": [{"namespace": "pg://b", "name": "t"}],
            },
            option=orjson.OPT_INDENT_2,
        )
        .decode()
        .replace("\n", " ")
        for second in range(first, last)
    ]


def built(spark: SparkSession, events: Path, target: IcebergTarget | ParquetTarget) -> Built:
    source = FileSource(spark, str(events))
    return build(spark, source, target, aliases=NO_ALIASES, reach=False)


def raw(target: IcebergTarget | ParquetTarget) -> Counter[str]:
    return Counter(row.raw for row in target.read(EVENT).select("raw").collect())


def landed(target: IcebergTarget) -> dict[str, list[str]]:
    """By build: the directories that are left of its landing."""
    root = Path(target._loaded(EVENT).location()) / LANDED
    return {one.name: sorted(each.name for each in one.iterdir()) for one in root.iterdir()}


def files(spark: SparkSession, target: IcebergTarget) -> list[tuple[bool, int]]:
    """Of each file of the table: whether it holds what is left out, and how many rows."""
    found = spark.table(f"{target.place}.event.files").select("content", "record_count")
    return sorted((row.content == 1, row.record_count) for row in found.collect())


def test_a_repetition_counts_once_across_files_and_builds(
    spark: SparkSession, tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As if it were much: a task for each file.
    monkeypatch.setattr(parse, "LITTLE", 0)
    target, events = IcebergTarget(spark, "mainstem.taking", place), tmp_path / "events"
    put(told(0, 40), events, 0, 1)
    put([*told(38, 40), *told(40, 60)], events, 1, 1)
    assert built(spark, events, target) == Built(60, 60, 0)
    assert files(spark, target) == [(False, 22), (False, 40), (True, 2)]
    put([*told(0, 2), *told(60, 90)], events, 2, 1)
    assert built(spark, events, target) == Built(30, 30, 0)
    assert files(spark, target) == [(False, 22), (False, 32), (False, 40), (True, 2), (True, 2)]
    assert landed(target) == {"1": ["part=event"], "2": ["part=event"]}
    assert raw(target) == Counter(told(0, 90))
    assert target.read(EVENT).schema == EVENT.schema()
    first = target.read(EVENT).orderBy("key").selectExpr("job_name", "cast(time as string) time")
    assert first.head() == ("größe 0", "2026-03-01 00:00:00.25")
    # Once more than a tenth repeats, as in a file that has grown, the others are copied.
    with (events / "part-2.ndjson").open("a") as grown:
        grown.write("\n".join(told(90, 100)) + "\n")
    assert built(spark, events, target) == Built(10, 10, 0)
    assert landed(target) == {"1": ["part=event"], "2": ["part=event"], "3": ["1"]}
    monkeypatch.setattr(compacting, "KEPT", timedelta(hours=-1))
    compacting.compact(spark, target)
    assert landed(target) == {}
    assert not any(left_out for left_out, _ in files(spark, target))
    assert raw(target) == Counter(told(0, 100))


def test_a_build_that_dies_before_it_counts_leaves_no_event(
    spark: SparkSession, tmp_path: Path, place: str
) -> None:
    events = tmp_path / "events"
    target = IcebergTarget(spark, "mainstem.dying", place)
    put(told(0, 40), events, 0, 2)
    built(spark, events, target)
    put(told(39, 60), events, 2, 1)
    dying = DyingIceberg(spark, target.place, place)
    with pytest.raises(Died):
        built(spark, events, dying)
    assert raw(dying) == Counter(told(0, 60))
    target.begin()
    assert landed(target) == {"1": ["part=event"]}
    assert raw(target) == Counter(told(0, 40))
    assert built(spark, events, target) == Built(20, 20, 0)
    assert raw(target) == Counter(told(0, 60))


def test_directories_of_parquet_take_what_repeats_nothing(
    spark: SparkSession, tmp_path: Path, place: str
) -> None:
    target, events = ParquetTarget(spark, place), tmp_path / "events"
    put(told(0, 40), events, 0, 2)
    built(spark, events, target)
    assert target.ledger.tables["event"] == ["part1/part=event"]
    put(told(39, 60), events, 2, 1)
    with pytest.raises(Died):
        built(spark, events, DyingParquet(spark, place))
    assert built(spark, events, target) == Built(20, 20, 0)
    assert target.ledger.tables["event"] == ["part1/part=event", "part3"]
    table = Path(place) / "event"
    assert sorted(one.name for one in table.iterdir()) == ["part1", "part3"]
    assert [one.name for one in (table / "part1").iterdir()] == ["part=event"]
    assert raw(target) == Counter(told(0, 60))
    assert target.read(EVENT).schema == EVENT.schema()
    target.replace(EVENT, target.read(EVENT))
    target.commit()
    assert raw(target) == Counter(told(0, 60))


def refused(target: IcebergTarget | ParquetTarget) -> list[str]:
    return sorted(row.raw for row in target.read(QUARANTINE).select("raw").collect())


def test_what_could_not_be_read_lies_with_its_own_table(
    spark: SparkSession, tmp_path: Path, place: str
) -> None:
    events, beside = tmp_path / "events", f"{place}-parquet"
    iceberg = IcebergTarget(spark, "mainstem.refusing", place)
    parquet = ParquetTarget(spark, beside)
    put([*told(0, 3), "no event", "[]"], events, 0, 1)
    for target in (iceberg, parquet):
        assert built(spark, events, target) == Built(5, 3, 2)
    put(["{}"], events, 1, 1)
    for target in (iceberg, parquet):
        assert built(spark, events, target) == Built(1, 0, 1)
        assert refused(target) == ["[]", "no event", "{}"]
        assert target.read(QUARANTINE).schema == QUARANTINE.schema()
        assert raw(target) == Counter(told(0, 3))
    assert landed(iceberg)["1"] == ["part=event"]
    own = Path(iceberg._loaded(QUARANTINE).location()) / LANDED
    assert sorted(one.name for one in own.iterdir()) == ["1", "2"]
    assert parquet.ledger.tables["quarantine"] == ["part1", "part2"]
    with (events / "part-1.ndjson").open("a") as grown:
        grown.write("{]\n")
    with pytest.raises(Died):
        built(spark, events, DyingIceberg(spark, iceberg.place, place))
    iceberg.begin()
    assert refused(iceberg) == ["[]", "no event", "{}"]


def test_rows_in_order_lie_in_groups_that_readers_pass_over(
    spark: SparkSession, tmp_path: Path
) -> None:
    # Groups are measured as they are compressed.
    text = "array_join(transform(sequence(1, 10), i -> sha2(concat(id, '-', i), 512)), '')"
    rows = spark.range(20_000).selectExpr("id", f"{text} AS text")
    to_take(rows.coalesce(1), in_order=True).parquet(str(tmp_path / "small"))
    (file,) = (tmp_path / "small").glob("*.parquet")
    told = pq.ParquetFile(file).metadata
    last = [told.row_group(at).column(0).statistics.max for at in range(told.num_row_groups)]
    assert len(last) > 1
    assert last == sorted(last)
