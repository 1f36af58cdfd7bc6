"""Rows of a table from the few columns that a test speaks of; the others are null."""

from __future__ import annotations

from typing import Any

from pyspark.sql import DataFrame, SparkSession

from mainstem.pipeline.table import Table


def filled(spark: SparkSession, table: Table, *rows: dict[str, Any]) -> DataFrame:
    for row in rows:
        assert set(row) <= set(table.names), f"{table.name} has no such columns"
    values = [tuple(row.get(name) for name in table.names) for row in rows]
    return spark.createDataFrame(values, table.schema())
