"""Many small files made few, and what nobody needs any more taken away."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from mainstem.clock import now
from mainstem.pipeline.jobs.target import EVERY, IcebergTarget

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from mainstem.pipeline.jobs.target import ParquetTarget
    from mainstem.pipeline.table import Table

FEWEST_FILES = 4
"""Of so many small ones a larger is made."""
KEPT = timedelta(hours=1)
"""How long a reader that began before may go on."""


def compact(spark: SparkSession, target: IcebergTarget | ParquetTarget) -> None:
    """Rewrite small files, make the ledger follow, then drop what came before.

    A crash in between costs nothing: what the ledger names is dropped only when it names something
    else.
    """
    if isinstance(target, IcebergTarget):
        for table in EVERY:
            _call(spark, target, table, "rewrite_data_files", _OPTIONS)
            _call(spark, target, table, "rewrite_position_delete_files", _OPTIONS)
        target.written.update(EVERY)
        target.commit()
        before = f"TIMESTAMP '{(now() - KEPT).strftime('%Y-%m-%d %H:%M:%S')}'"
        for table in EVERY:
            _call(spark, target, table, "expire_snapshots", f"older_than => {before}")
        target.drop_empty_directories()
        return
    for table in EVERY:
        if len(target.ledger.tables.get(table.name, [])) >= FEWEST_FILES:
            target.replace(table, target.read(table))
    target.commit()


_OPTIONS = f"options => map('min-input-files', '{FEWEST_FILES}')"


def _call(
    spark: SparkSession, target: IcebergTarget, table: Table, procedure: str, more: str
) -> None:
    catalog, _, namespace = target.place.partition(".")
    spark.sql(
        f"CALL {catalog}.system.{procedure}(table => '{namespace}.{table.name}', {more})"
    ).collect()
