"""The events that carry the graph and its history, without those that only repeat them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F  # noqa: N812

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

TERMINAL = ("COMPLETE", "ABORT", "FAIL")
_CONTENTS = ("$.run", "$.job", "$.inputs", "$.outputs", "$.dataset", "$.producer")


def carrying(event: DataFrame) -> DataFrame:
    """Of every run its first event, its ends, and of equal contents the first and the last.

    What lies between two equal words of one run adds nothing that a fold could see: registers take
    the last word, edges the first and the last. Events that count rows are all kept, since counts
    are added up.
    """
    told = event.select(
        "key",
        "run_id",
        "raw",
        F.col("type").isin(*TERMINAL).alias("ends"),
        (F.col("rows_read").isNotNull() | F.col("rows_written").isNotNull()).alias("counts"),
        F.xxhash64(*[F.get_json_object("raw", path) for path in _CONTENTS]).alias("contents"),
    )
    alike = Window.partitionBy("run_id", "contents")
    kept = told.select(
        "key",
        "raw",
        (
            F.coalesce("ends", F.lit(False))
            | F.col("counts")
            | (F.col("key") == F.min("key").over(alike))
            | (F.col("key") == F.max("key").over(alike))
        ).alias("carries"),
    )
    return kept.where("carries").select("key", "raw")
