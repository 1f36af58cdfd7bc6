"""Events in an Iceberg table: what was appended since, and everything where that cannot be told."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from mainstem.errors import BadRecipe
from mainstem.pipeline.jobs.session import CATALOG
from mainstem.pipeline.jobs.sources.iceberg import IcebergSource

pytestmark = pytest.mark.spark
TABLE = f"{CATALOG}.landing.events"


@pytest.fixture
def source(spark: SparkSession) -> IcebergSource:
    spark.sql(f"CREATE NAMESPACE IF NOT EXISTS {CATALOG}.landing")
    spark.sql(f"DROP TABLE IF EXISTS {TABLE}")
    spark.sql(f"CREATE TABLE {TABLE} (raw string) USING iceberg")
    return IcebergSource(spark, TABLE)


def read(source: IcebergSource, consumed: dict[str, str]) -> tuple[list[str], dict[str, str]]:
    rows, marks = source.fresh(consumed)
    found = [] if rows is None else sorted(bytes(row.value).decode() for row in rows.collect())
    return found, {**consumed, **marks}


def test_only_what_was_appended_is_read(spark: SparkSession, source: IcebergSource) -> None:
    assert read(source, {}) == ([], {})
    spark.sql(f"INSERT INTO {TABLE} VALUES ('1'), ('2')")
    found, consumed = read(source, {})
    assert found == ["1", "2"]
    assert read(source, consumed) == ([], consumed)
    spark.sql(f"INSERT INTO {TABLE} VALUES ('3')")
    spark.sql(f"INSERT INTO {TABLE} VALUES ('4')")
    assert read(source, consumed)[0] == ["3", "4"]


def test_what_was_replaced_is_read_as_a_whole(spark: SparkSession, source: IcebergSource) -> None:
    spark.sql(f"INSERT INTO {TABLE} VALUES ('1')")
    _, consumed = read(source, {})
    spark.sql(f"INSERT OVERWRITE {TABLE} VALUES ('2'), ('3')")
    assert read(source, consumed)[0] == ["2", "3"]


def test_a_table_that_is_not_there_is_said(spark: SparkSession) -> None:
    with pytest.raises(BadRecipe, match="cannot be read"):
        IcebergSource(spark, f"{CATALOG}.landing.none").fresh({})
