"""Which contents were told of which job by which producer, from when until when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812

from mainstem.pipeline.states import USE
from mainstem.pipeline.steps.going_on import go_on

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_PLACE = ("content_id", "job_id", "job_namespace", "job_name", "producer")


def as_uses(events: DataFrame) -> DataFrame:
    """Every event as a use of its contents."""
    parent = F.struct("parent.namespace", "parent.name")
    named = F.col("parent.namespace").isNotNull() & (F.col("parent.name") > "")
    return events.select(
        *_PLACE,
        F.col("key").alias("first_key"),
        F.col("run_id").alias("first_run_id"),
        F.col("key").alias("last_key"),
        F.when(named, F.col("key")).alias("parent_key"),
        F.when(named, parent).alias("parent"),
    )


def fold_uses(parts: DataFrame) -> DataFrame:
    """Rows of ``use``, merged from parts."""
    first = F.min(F.struct("first_key", "first_run_id"))
    parent = F.max(F.when(F.col("parent_key").isNotNull(), F.struct("parent_key", "parent")))
    merged = parts.groupBy(*_PLACE).agg(
        first.alias("first"), F.max("last_key").alias("last_key"), parent.alias("told")
    )
    return _as_rows(merged)


def go_on_with_uses(before: DataFrame, new: DataFrame, *, grows: bool) -> DataFrame:
    """Rows of ``use``: those ``before``, and ``new`` ones; it ``grows`` if some are not known."""
    first = F.struct("first_key", "first_run_id").alias("first")
    told = F.when(F.col("parent_key").isNotNull(), F.struct("parent_key", "parent")).alias("told")
    earlier, later = (rows.select(*_PLACE, first, "last_key", told) for rows in (before, new))
    registers = {"first": F.least, "last_key": F.greatest, "told": F.greatest}
    return _as_rows(go_on(earlier, later, USE.key, registers, grows=grows))


def _as_rows(merged: DataFrame) -> DataFrame:
    return USE.of(merged.select(*_PLACE, "first.*", "last_key", "told.parent_key", "told.parent"))
