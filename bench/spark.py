"""What tracking costs a Spark job: a query that does nothing, and a batch job.

Tracked and untracked take turns in one session. CPU seconds are those of the driver's Python and
of its JVM together; wall times are printed beside them. A machine's speed changes from second to
second by far more than tracking costs, so each run is compared with its neighbour, and the median
of all rounds is printed with the interval that holds it 19 times out of 20.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark.java_gateway import ensure_callback_server_started
from pyspark.sql import SparkSession

from mainstem.clock import now
from mainstem.lab.services.spark import spark_environment
from mainstem.spark import track
from mainstem.spark.inbox import Inbox
from mainstem.spark.listening import Ear, StreamListener

if TYPE_CHECKING:
    from collections.abc import Callable

STREAM_ROUNDS = int(os.environ.get("STREAM_ROUNDS", "6"))
BATCH_ROUNDS = int(os.environ.get("BATCH_ROUNDS", "15"))
WRITES = int(os.environ.get("WRITES", "6"))
BATCHES = int(os.environ.get("BATCHES", "150"))
TICKS = os.sysconf("SC_CLK_TCK")


def session(root: Path) -> Any:
    os.environ.update(spark_environment(root / "java", os.environ))
    spark = (
        SparkSession.builder.master("local[2]").appName("bench")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )  # fmt: skip
    spark.sparkContext.setLogLevel("OFF")
    return spark


def cpu_seconds(spark: Any) -> float:
    stat = Path(f"/proc/{spark.sparkContext._gateway.proc.pid}/stat").read_text()  # noqa: SLF001
    user, system = stat.rpartition(")")[2].split()[11:13]
    return time.process_time() + (int(user) + int(system)) / TICKS


def nothing(spark: Any, _root: Path) -> int:
    rows = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", 1).load()
    query = rows.writeStream.format("noop").queryName("nothing").start()
    java = query._jsq  # noqa: SLF001 - PySpark's own lastProgress costs more than a batch
    while java.lastProgress() is None or java.lastProgress().batchId() < BATCHES:
        time.sleep(0.1)
    done = java.lastProgress().batchId()
    query.stop()
    return done


def batch_job(spark: Any, root: Path) -> int:
    for _ in range(WRITES):
        rows = spark.range(4_000_000).selectExpr("id % 1000 as k", "cast(id as string) as v")
        sums = rows.groupBy("k").agg({"v": "max", "k": "count"}).toDF("k", "most", "n")
        sums.write.mode("overwrite").parquet(str(root / "out"))
    return WRITES


def measured(spark: Any, work: Callable[[Any, Path], int], root: Path) -> tuple[float, float]:
    """CPU and wall seconds for one of what the work counts."""
    cpu, wall = cpu_seconds(spark), time.perf_counter()
    done = work(spark, root)
    return (cpu_seconds(spark) - cpu) / done, (time.perf_counter() - wall) / done


def tracked(spark: Any, work: Callable[[Any, Path], int], root: Path) -> tuple[float, float]:
    """The same with the tracker, which is opened, told everything and closed in that time."""

    def with_tracker(spark: Any, root: Path) -> int:
        tracker = track(
            spark,
            destination={"type": "file", "log_file_path": str(root / "events"), "append": True},
            outbox=root / "box.db",
            heartbeat=10,
        )
        assert tracker.is_open
        done = work(spark, root)
        tracker.stop()
        return done

    return measured(spark, with_tracker, root)


def compare(
    spark: Any, name: str, work: Callable[[Any, Path], int], root: Path, rounds: int
) -> None:
    measured(spark, work, root)
    tracked(spark, work, root)
    figures: dict[str, list[tuple[float, float]]] = {"off": [], "on": []}
    for number in range(rounds):
        turns = ("off", "on") if number % 2 == 0 else ("on", "off")
        for turn in turns:
            run = measured if turn == "off" else tracked
            figures[turn].append(run(spark, work, root))
    for kind, place in (("CPU", 0), ("wall", 1)):
        off, on = ([one[place] for one in figures[turn]] for turn in ("off", "on"))
        # Each round against itself: the JVM grows faster from round to round.
        changes = [100 * (after / before - 1) for before, after in zip(off, on, strict=True)]
        print(
            f"{name}, {kind}: off {1000 * statistics.median(off):.2f} ms,"
            f" on {1000 * statistics.median(on):.2f} ms; {statistics.median(changes):+.1f} %"
            f" ({interval(changes)}; best of each: {100 * (min(on) / min(off) - 1):+.1f} %)"
        )


def interval(changes: list[float]) -> str:
    """Where the median lies in 19 cases of 20, by drawing rounds again and again."""
    chance = random.Random(1)  # noqa: S311 - not for secrets
    drawn = sorted(statistics.median(chance.choices(changes, k=len(changes))) for _ in range(2000))
    return f"between {drawn[50]:+.1f} and {drawn[1949]:+.1f}"


def callback(spark: Any) -> None:
    """The callback of one progress event alone, called as often as it takes to measure."""
    kept: list[Any] = []

    class Keeper(StreamListener):
        def onQueryProgress(self, event: Any) -> None:  # noqa: N802
            kept.append(event)

    gateway, manager = spark.sparkContext._gateway, spark._jsparkSession.streams()  # noqa: SLF001
    ensure_callback_server_started(gateway)
    ear = Ear(Inbox(), now)
    java = gateway.jvm.org.apache.spark.sql.streaming.PythonStreamingQueryListenerWrapper(
        Keeper(ear, manager)
    )
    manager.addListener(java)
    nothing(spark, Path())
    manager.removeListener(java)
    listener = StreamListener(ear, manager)
    cpu, calls = cpu_seconds(spark), 1000
    for _ in range(calls):
        listener.onQueryProgress(kept[0])
    print(f"a progress event's callback, CPU: {1000 * (cpu_seconds(spark) - cpu) / calls:.2f} ms")


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        spark = session(root)
        callback(spark)
        compare(spark, "a batch of a stream that does nothing", nothing, root, STREAM_ROUNDS)
        compare(spark, "a write of a batch job", batch_job, root, BATCH_ROUNDS)
        spark.stop()


if __name__ == "__main__":
    sys.exit(main())
