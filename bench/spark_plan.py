"""What the lineage of wide and deep plans costs, off the job's thread: 0.5 s is the bar.

Copying a plan out of the JVM is one call for its text, which is nearly all of it, and a few per
leaf. All figures but one are CPU seconds, which a busy machine does not disturb: the JVM thread's
that answers us, and Python's own. The first plan of all meets a JVM that has compiled nothing yet.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark.sql import SparkSession, functions

from mainstem.lab.services.spark import spark_environment
from mainstem.spark.capture import capture_plan
from mainstem.spark.captured import Place
from mainstem.spark.plan import lineage_of

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 7
COLUMNS = 300


def narrow(table: Any) -> Any:
    """300 columns, once projected."""
    return _projected(table).where("c1 > 1")


def wide(table: Any) -> Any:
    """300 columns, six times projected."""
    frame = table
    for _ in range(6):
        frame = _projected(frame)
    return frame.where("c1 > 1")


def _projected(frame: Any) -> Any:
    return frame.select(
        *((functions.col(each) + 1).alias(each) for each in frame.columns[: COLUMNS // 2]),
        *frame.columns[COLUMNS // 2 :],
    )


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
    java = session._jvm.java.lang.management.ManagementFactory.getThreadMXBean()  # noqa: SLF001
    somewhere = Place("HadoopFsRelation", locations=("file:/out",))
    in_java, in_python, waited = [], [], []
    for _ in range(ROUNDS):
        # Each thread of Python is answered by one thread of the JVM.
        began, java_began, started = (
            time.process_time(), java.getCurrentThreadCpuTime(), time.perf_counter()
        )  # fmt: skip
        captured = capture_plan(plan, session._jsparkSession)  # noqa: SLF001
        waited.append(time.perf_counter() - started)
        in_java.append((java.getCurrentThreadCpuTime() - java_began) / 1e9)
        lineage = lineage_of(replace(captured, target=somewhere, mode="Append"))
        in_python.append(time.process_time() - began)
    whole = [one + other for one, other in zip(in_java, in_python, strict=True)]
    columns = sum(map(len, lineage.columns.values()))
    print(
        f"{name}: {columns} columns, {len(captured.plan) / 1e6:.2f} MB of plan;"
        f" {statistics.median(whole) * 1e3:.0f} ms of CPU, the first {whole[0] * 1e3:.0f}"
        f" (JVM {statistics.median(in_java) * 1e3:.0f}, first {in_java[0] * 1e3:.0f};"
        f" Python {statistics.median(in_python) * 1e3:.0f}, first {in_python[0] * 1e3:.0f});"
        f" copying took {statistics.median(waited) * 1e3:.0f} ms of wall time"
    )


def main() -> None:
    plans: dict[str, Callable[[Any], Any]] = {
        "300 columns": narrow,
        "300 columns x 6 projections": wide,
        "49 x withColumn": chained,
        "20 joins": joined,
    }
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(spark_environment(Path(folder) / "java", os.environ))
        spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
        session = spark.config("spark.driver.host", "127.0.0.1").getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        path = str(Path(folder) / "table")
        session.range(2).select(
            *(functions.col("id").alias(f"c{number}") for number in range(COLUMNS))
        ).write.parquet(path)
        for name, make in plans.items():
            measure(name, make(session.read.parquet(path)), session)
        session.stop()


if __name__ == "__main__":
    main()
