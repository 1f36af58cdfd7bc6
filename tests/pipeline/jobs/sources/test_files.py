"""Events in files: what is new since the last time, whatever the files look like."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

from mainstem.errors import BadRecipe
from mainstem.pipeline.jobs.sources.files import FileSource
from mainstem.pipeline.jobs.sources.several import Several

pytestmark = pytest.mark.spark


def values(rows: DataFrame | None) -> list[bytes]:
    assert rows is not None
    assert rows.columns == ["value", "origin"]
    return sorted(bytes(row.value) for row in rows.collect())


def test_plain_and_gzipped_files_of_a_whole_tree_are_read(
    spark: SparkSession, tmp_path: Path
) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "a.ndjson").write_bytes(b'{"n":1}\n{"n":2}\n')
    (tmp_path / "deep" / "b.ndjson.gz").write_bytes(gzip.compress(b'{"n":3}\n'))
    rows, marks = FileSource(spark, str(tmp_path)).fresh({})
    assert values(rows) == [b'{"n":1}', b'{"n":2}', b'{"n":3}']
    assert len(marks) == 2


def test_only_what_is_new_or_has_grown_is_read_again(spark: SparkSession, tmp_path: Path) -> None:
    source = FileSource(spark, str(tmp_path))
    (tmp_path / "a.ndjson").write_bytes(b"1\n")
    (tmp_path / "b.ndjson").write_bytes(b"2\n")
    _, consumed = source.fresh({})
    assert source.fresh(consumed) == (None, {})
    (tmp_path / "b.ndjson").write_bytes(b"2\n3\n")
    (tmp_path / "c.ndjson").write_bytes(b"4\n")
    rows, marks = source.fresh(consumed)
    assert values(rows) == [b"2", b"3", b"4"]
    assert source.fresh({**consumed, **marks}) == (None, {})


def test_a_glob_is_a_glob_and_a_name_with_brackets_is_a_name(
    spark: SparkSession, tmp_path: Path
) -> None:
    (tmp_path / "day=1[a].ndjson").write_bytes(b"1\n")
    (tmp_path / "day=2.ndjson").write_bytes(b"2\n")
    (tmp_path / "other.ndjson").write_bytes(b"3\n")
    rows, _ = FileSource(spark, f"{tmp_path}/day=*").fresh({})
    assert values(rows) == [b"1", b"2"]


def test_bytes_that_are_no_text_arrive_as_they_are(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a.ndjson").write_bytes(b'{"n":"\xff"}\n')
    rows, _ = FileSource(spark, str(tmp_path)).fresh({})
    assert values(rows) == [b'{"n":"\xff"}']


def test_a_column_of_parquet_is_read_beside_lines(spark: SparkSession, tmp_path: Path) -> None:
    spark.createDataFrame([("k", "1")], "key string, raw string").write.parquet(f"{tmp_path}/p")
    (tmp_path / "a.ndjson").write_bytes(b"2\n")
    rows, _ = FileSource(spark, str(tmp_path)).fresh({})
    assert values(rows) == [b"1", b"2"]


def test_a_column_that_cannot_be_told_is_asked_for(spark: SparkSession, tmp_path: Path) -> None:
    rows = spark.createDataFrame([("a", "b", 1)], "one string, two string, three int")
    rows.write.parquet(f"{tmp_path}/p")
    with pytest.raises(BadRecipe, match="columns that hold text are: one, two"):
        FileSource(spark, str(tmp_path)).fresh({})
    with pytest.raises(BadRecipe, match="--column is 'three'"):
        FileSource(spark, str(tmp_path), "three").fresh({})
    found, _ = FileSource(spark, str(tmp_path), "two").fresh({})
    assert values(found) == [b"b"]


def test_a_path_that_leads_nowhere_is_said(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(BadRecipe, match="neither file, directory nor glob"):
        FileSource(spark, f"{tmp_path}/nothing").fresh({})


def test_several_sources_are_one(spark: SparkSession, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "f.ndjson").write_bytes(name.encode())
    source = Several([FileSource(spark, f"{tmp_path}/{name}") for name in ("a", "b")])
    rows, consumed = source.fresh({})
    assert values(rows) == [b"a", b"b"]
    os.utime(tmp_path / "b" / "f.ndjson", (0, 0))
    rows, _ = source.fresh(consumed)
    assert values(rows) == [b"b"]
