"""Events in a column of an Iceberg table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.errors import AnalysisException
from pyspark.sql import functions as F  # noqa: N812

from mainstem.errors import BadRecipe
from mainstem.pipeline.jobs.sources.column import values

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class IcebergSource:
    """A table, read from the snapshot at which the last build stopped.

    Only what was appended since can be told apart. Where rows were replaced or that snapshot has
    expired, the whole is read again, and the events that are known count once.
    """

    def __init__(self, spark: SparkSession, table: str, column: str | None = None) -> None:
        self._spark = spark
        self._table = table
        self._column = column

    def fresh(self, consumed: dict[str, str]) -> tuple[DataFrame | None, dict[str, str]]:
        """What was appended since, or everything."""
        key = f"iceberg:{self._table}"
        known, history = consumed.get(key), self._history()
        if not history or known == history[-1][0]:
            return None, {}
        ids = [snapshot for snapshot, _ in history]
        since = ids.index(known) + 1 if known in ids else None
        reader = self._spark.read.format("iceberg").option("versionAsOf", ids[-1])
        if since is not None and all(kind == "append" for _, kind in history[since:]):
            reader = (
                self._spark.read.format("iceberg")
                .option("start-snapshot-id", str(known))
                .option("end-snapshot-id", ids[-1])
            )
        rows = reader.load(self._table)
        return values(rows, self._table, self._column, F.lit(key)), {key: ids[-1]}

    def _history(self) -> list[tuple[str, str]]:
        """The snapshots that the table's present state came from, oldest first."""
        try:
            rows = self._spark.sql(
                f"SELECT h.snapshot_id, s.operation FROM {self._table}.history h"  # noqa: S608
                f" JOIN {self._table}.snapshots s ON h.snapshot_id = s.snapshot_id"
                " WHERE h.is_current_ancestor ORDER BY h.made_current_at"
            ).collect()
        except AnalysisException as error:
            raise BadRecipe(
                "source", [f"iceberg:{self._table} cannot be read: {error.getCondition()}"]
            ) from error
        return [(str(row.snapshot_id), row.operation) for row in rows]
