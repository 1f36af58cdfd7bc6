"""What the lineage of wide and deep plans costs, off the job's thread: 0.5 s is the bar.

Copying a plan out of the JVM is a few calls that wait for it; thinking is Python's own time. The
longest times are those of the first plan, before the JVM has warmed up.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark.sql import SparkSession, functions

from mainstem.spark.capture import capture_plan
from mainstem.spark.captured import Place
from mainstem.spark.plan import lineage_of

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 7
COLUMNS = 300


def wide(table: Any) -> Any:
    """300 columns, six times projected."""
    frame = table
    for _ in range(6):
        frame = frame.select(
            *((functions.col(each) + 1).alias(each) for each in frame.columns[: COLUMNS // 2]),
            *frame.columns[COLUMNS // 2 :],
        )
    return frame.where("c1 > 1")


def chained(table: Any) -> Any:
    """49 calls of withColumn, each a projection of its own."""
    frame = table.select(*table.columns[:20])
    for number in range(49):
        frame = frame.withColumn(f"n{number}", functions.col("c1") + number)
    return frame


def joined(table: Any) -> Any:
    """Twenty joins."""
    frame = table.select("c0", "c1")
    for number in range(20):
        other = table.select(functions.col("c0").alias(f"k{number}"), f"c{number + 2}")
        frame = frame.join(other, functions.col("c0") == functions.col(f"k{number}"))
    return frame


def measure(name: str, frame: Any, session: Any) -> None:
    plan = frame._jdf.queryExecution().analyzed()  # noqa: SLF001
    somewhere = Place("HadoopFsRelation", locations=("file:/out",))
    copying, thinking = [], []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        captured = replace(capture_plan(plan, session), target=somewhere, mode="Append")
        copying.append(time.perf_counter() - started)
        started = time.process_time()
        lineage = lineage_of(captured)
        thinking.append(time.process_time() - started)
    columns = sum(map(len, lineage.columns.values()))
    print(
        f"{name}: {columns} columns, {len(captured.plan) / 1e6:.2f} MB of plan; copied in "
        f"{statistics.median(copying) * 1e3:.0f} ms (first {copying[0] * 1e3:.0f}), thought in "
        f"{statistics.median(thinking) * 1e3:.0f} ms of CPU (longest {max(thinking) * 1e3:.0f})"
    )


def main() -> None:
    plans: dict[str, Callable[[Any], Any]] = {
        "300 columns x 6 projections": wide,
        "49 x withColumn": chained,
        "20 joins": joined,
    }
    with tempfile.TemporaryDirectory() as folder:
        spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
        session = spark.config("spark.driver.host", "127.0.0.1").getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        path = str(Path(folder) / "table")
        session.range(2).select(
            *(functions.col("id").alias(f"c{number}") for number in range(COLUMNS))
        ).write.parquet(path)
        for name, make in plans.items():
            measure(name, make(session.read.parquet(path)), session._jsparkSession)  # noqa: SLF001
        session.stop()


if __name__ == "__main__":
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    main()
