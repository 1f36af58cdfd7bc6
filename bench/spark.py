"""What tracking costs a Spark job: a stream that does nothing, one with a function, a batch job.

Tracked and untracked take turns in one session. CPU is that of the driver's Python and of its JVM
together; wall times are printed beside it. A machine's speed changes from second to second by far
more than tracking costs, so each run is compared with its neighbour, and the median of all rounds
is printed with the interval that holds it 19 times out of 20.

A stream lives for months, so what each of its batches costs and what tracking costs once are told
apart: nothing is left out of their sum. The batches of a stream are counted after a time, and
nobody asks for them meanwhile. A batch job is measured whole, ``track`` and ``stop`` too; and as
the sum of its parts, where each write is compared with the same write of its neighbour: that tells
a percent from noise in minutes. Loading ``mainstem.spark``, once per process, is told apart.

``python bench/spark.py streams batch`` measures these alone, by the names in ``MEASURES``.

What tracking does itself happens in the driver's Python, which has nothing else to do here, on
Spark's listener threads and on those that answer Python. Their CPU is printed apart as ``ours``: it
is far steadier than the sum of all, in which the JVM's own compiler and the batches' work swim.
These are printed apart, too: ``compiler``, ``collector`` (of garbage) and ``tasks``.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pyspark.java_gateway import ensure_callback_server_started
from pyspark.sql import SparkSession

from mainstem.clock import now
from mainstem.lab.services.spark import spark_environment
from mainstem.spark import track
from mainstem.spark.inbox import Inbox
from mainstem.spark.listening import Ear, StreamListener

if TYPE_CHECKING:
    from collections.abc import Callable

STREAM_ROUNDS = int(os.environ.get("STREAM_ROUNDS", "8"))
FUNCTION_ROUNDS = int(os.environ.get("FUNCTION_ROUNDS", "4"))
FIRST_BATCHES = int(os.environ.get("FIRST_BATCHES", "20"))
SECONDS = float(os.environ.get("SECONDS", "10"))
BATCH_ROUNDS = int(os.environ.get("BATCH_ROUNDS", "14"))
LONG_ROUNDS = int(os.environ.get("LONG_ROUNDS", "7"))
TICKS = os.sysconf("SC_CLK_TCK")
POLL_SECONDS = 0.2
THREADS = {
    "ours": ("spark-listener-", "Thread-"),
    "compiler": ("C1 ", "C2 "),
    "collector": ("G1 ", "GC "),
    "tasks": ("Executor task",),
}
"""How the names of the JVM's threads begin, by what they do; the first call Python or answer it."""


class Job(NamedTuple):
    """A batch job: so many writes, each of the sums of so many rows.

    Numbers alone, which leave no garbage: collecting it takes a tenth of a job's time in one round
    and nothing in the next.
    """

    title: str
    writes: int
    rows: int


SHORT = Job("a batch job of 6 short writes", 6, 60_000_000)
LONG = Job("a batch job of 3 longer writes", 3, 500_000_000)


class Cost(NamedTuple):
    """Milliseconds."""

    cpu: float
    wall: float
    ours: float
    """CPU where tracking works: Python, and the JVM's threads that speak with it."""

    compiler: float
    collector: float
    tasks: float

    def per(self, count: float) -> Cost:
        return Cost(*(each / count for each in self))


class Meter:
    """What went by since the last lap."""

    def __init__(self, spark: Any) -> None:
        self._java = Path(f"/proc/{spark.sparkContext._gateway.proc.pid}")  # noqa: SLF001
        self._last = self._read()

    def lap(self) -> Cost:
        before, self._last = self._last, self._read()
        return Cost(*(now - then for now, then in zip(self._last, before, strict=True)))

    def _read(self) -> Cost:
        python = time.process_time()
        user, system = (self._java / "stat").read_text().rpartition(")")[2].split()[11:13]
        java = (int(user) + int(system)) / TICKS
        spent = dict.fromkeys(THREADS, 0.0)
        for thread in (self._java / "task").iterdir():
            _add(spent, thread)
        spent["ours"] += 1000 * python
        return Cost(1000 * (python + java), 1000 * time.perf_counter(), **spent)


def _add(spent: dict[str, float], thread: Path) -> None:
    try:
        name = (thread / "comm").read_text()
        for kind, begins in THREADS.items():
            if name.startswith(begins):
                spent[kind] += int((thread / "schedstat").read_text().split()[0]) / 1e6
    except OSError:  # it has ended
        return


Phases = dict[str, Cost]
EACH, OPEN, START, FIRST, END, CLOSE = (
    "each batch",
    "track()",
    "start() of a query",
    f"its first {FIRST_BATCHES} batches, while its plan is read and told",
    "stop() of a query",
    "stop() of the tracker",
)
WHOLE = "the whole job"


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


def tracking(spark: Any, root: Path) -> Any:
    tracker = track(
        spark,
        destination={"type": "file", "log_file_path": str(root / "events"), "append": True},
        outbox=root / "box.db",
        heartbeat=10,
    )
    assert tracker.is_open
    return tracker


def rows(spark: Any) -> Any:
    return spark.readStream.format("rate-micro-batch").option("rowsPerBatch", 1).load()


def start_nothing(spark: Any) -> Any:
    return rows(spark).writeStream.format("noop").queryName("nothing").start()


WRITING = threading.Event()


def start_function(spark: Any) -> Any:
    def write(batch: Any, _number: int) -> None:
        if WRITING.is_set():
            batch.write.format("noop").mode("append").save()

    WRITING.set()
    return rows(spark).writeStream.foreachBatch(write).queryName("function").start()


def wait_for(query: Any, batch: int) -> int:
    """Until this batch is over; answers which one is, by then."""
    java = query._jsq  # noqa: SLF001 - PySpark's own lastProgress costs more than a batch
    while True:
        progress = java.lastProgress()
        if progress is not None and (done := progress.batchId()) >= batch:
            return done
        time.sleep(POLL_SECONDS)


def stream(start: Callable[[Any], Any], spark: Any, root: Path, *, tracked: bool) -> Phases:
    meter, phases = Meter(spark), Phases()
    tracker = tracking(spark, root) if tracked else None
    phases[OPEN] = meter.lap()
    query = start(spark)
    phases[START] = meter.lap()
    first = wait_for(query, FIRST_BATCHES)
    phases[FIRST] = meter.lap().per((first + 1) / FIRST_BATCHES)
    time.sleep(SECONDS)
    last = wait_for(query, first + 1)
    phases[EACH] = meter.lap().per(last - first)
    # Spark prints thousands of lines where a write inside a function is interrupted.
    WRITING.clear()
    wait_for(query, last + 2)
    meter.lap()
    query.stop()
    phases[END] = meter.lap()
    if tracker is not None:
        tracker.stop()
    phases[CLOSE] = meter.lap()
    return phases


def batch_job(job: Job, spark: Any, root: Path, *, tracked: bool) -> Phases:
    meter, phases = Meter(spark), Phases()
    tracker = tracking(spark, root) if tracked else None
    phases[OPEN] = meter.lap()
    for number in range(job.writes):
        numbers = spark.range(job.rows).selectExpr("id % 1000 as k", "id * 31 % 1009 as v")
        sums = numbers.groupBy("k").agg({"v": "sum", "k": "count"}).toDF("k", "sum", "n")
        sums.write.mode("overwrite").parquet(str(root / "out"))
        phases[f"write {number}"] = meter.lap()
    if tracker is not None:
        tracker.stop()
    phases[CLOSE] = meter.lap()
    phases[WHOLE] = Cost(*(sum(costs) for costs in zip(*phases.values(), strict=True)))
    return phases


def take_turns(
    spark: Any, work: Callable[..., Phases], root: Path, rounds: int
) -> tuple[list[Phases], list[Phases]]:
    """Untracked and tracked, round by round; the first of each warms the JVM up."""
    off: list[Phases] = []
    on: list[Phases] = []
    for number in range(rounds + 1):
        turns = (off, on) if number % 2 == 0 else (on, off)
        for turn in turns:
            turn.append(work(spark, root, tracked=turn is on))
    return off[1:], on[1:]


def print_change(title: str, what: str, off: list[Phases], on: list[Phases]) -> None:
    for kind in Cost._fields:
        # Each round against itself: the JVM grows faster from round to round.
        pairs = [
            (getattr(one[what], kind), getattr(two[what], kind))
            for one, two in zip(off, on, strict=True)
        ]
        whole = [getattr(one[what], _of_what(kind)) for one in off]
        more = [tracked - untracked for untracked, tracked in pairs]
        changes = [100 * each / base for each, base in zip(more, whole, strict=True)]
        of_what = " of all CPU" if _of_what(kind) != kind else ""
        print(
            f"{title}, {what}, {kind}: off {statistics.median(one for one, _ in pairs):.2f} ms,"
            f" on {statistics.median(two for _, two in pairs):.2f} ms;"
            f" {statistics.median(changes):+.1f} %{of_what} ({interval(changes)}),"
            f" {statistics.median(more):+.2f} ms ({interval(more)})"
        )


def _of_what(kind: str) -> str:
    """A part of the CPU is told as a part of all of it."""
    return "cpu" if kind in THREADS else kind


def print_parts(job: Job, off: list[Phases], on: list[Phases]) -> None:
    """A batch job as what it pays once and what each of its writes pays."""
    rounds = list(zip(off, on, strict=True))
    chance = random.Random(1)  # noqa: S311 - not for secrets
    for kind in Cost._fields:
        drawn = sorted(
            _parts(job, chance.choices(rounds, k=len(rounds)), kind).percent for _ in range(2000)
        )
        told = _parts(job, rounds, kind)
        print(
            f"{job.title}, the sum of its parts, {kind}: {told.percent:+.1f} %"
            f" (between {drawn[50]:+.1f} and {drawn[1949]:+.1f}):"
            f" {told.opened:+.1f} ms for track(), {told.closed:+.1f} ms for stop(),"
            f" {told.each:+.1f} ms for each write, first to last"
            f" {', '.join(f'{each:+.0f}' for each in told.writes)}"
        )


class Parts(NamedTuple):
    """Milliseconds more, and what they are of the untracked job."""

    opened: float
    closed: float
    each: float
    writes: tuple[float, ...]
    percent: float


def _parts(job: Job, rounds: list[tuple[Phases, Phases]], kind: str) -> Parts:
    def more(*whats: str) -> float:
        return statistics.median(
            getattr(on[what], kind) - getattr(off[what], kind)
            for off, on in rounds
            for what in whats
        )

    writes = [f"write {number}" for number in range(job.writes)]
    opened, closed, each = more(OPEN), more(CLOSE), more(*writes)
    whole = statistics.median(getattr(off[WHOLE], _of_what(kind)) for off, _ in rounds)
    percent = 100 * (opened + closed + job.writes * each) / whole
    return Parts(opened, closed, each, tuple(map(more, writes)), percent)


def print_once(title: str, what: str, off: list[Phases], on: list[Phases]) -> None:
    """What tracking costs no more than once, as milliseconds."""
    told: list[str] = []
    for kind in ("cpu", "wall"):
        before, after = (
            statistics.median(getattr(one[what], kind) for one in t) for t in (off, on)
        )
        told.append(f"{kind} off {before:.0f} ms, on {after:.0f} ms")
    print(f"{title}, once, {what}: {'; '.join(told)}")


def interval(values: list[float]) -> str:
    """Where the median lies in 19 cases of 20, by drawing rounds again and again."""
    chance = random.Random(1)  # noqa: S311 - not for secrets
    drawn = sorted(statistics.median(chance.choices(values, k=len(values))) for _ in range(2000))
    return f"between {drawn[50]:+.2f} and {drawn[1949]:+.2f}"


def callback(spark: Any, _root: Path) -> None:
    """The callback of one progress event alone, called as often as it takes to measure."""
    kept: list[Any] = []

    class Keeper(StreamListener):
        def onQueryProgress(self, event: Any) -> None:  # noqa: N802
            kept.append(event)

    gateway, manager = spark.sparkContext._gateway, spark._jsparkSession.streams()  # noqa: SLF001
    ensure_callback_server_started(gateway)
    ear = Ear(Inbox(), now)
    java = gateway.jvm.org.apache.spark.sql.streaming.PythonStreamingQueryListenerWrapper(
        Keeper(ear, manager, None)
    )
    manager.addListener(java)
    query = start_nothing(spark)
    wait_for(query, FIRST_BATCHES)
    query.stop()
    manager.removeListener(java)
    listener = StreamListener(ear, manager, None)
    for calls in (1000, 1000):
        meter = Meter(spark)
        for _ in range(calls):
            listener.onQueryProgress(kept[0])
        cost = meter.lap().per(calls)
    print(f"a progress event's callback alone: CPU {cost.cpu:.2f} ms, wall {cost.wall:.2f} ms")


def loading(_spark: Any, _root: Path) -> None:
    """What a process pays for ``import mainstem.spark``, beside PySpark's own import."""
    program = (
        "import time, pyspark.sql; began = time.process_time();"
        " import mainstem.spark; print(time.process_time() - began)"
    )
    spent = [
        float(
            subprocess.run([sys.executable, "-c", program], check=True, capture_output=True).stdout
        )
        for _ in range(5)
    ]
    print(f"loading mainstem.spark, once per process: CPU {1000 * statistics.median(spent):.0f} ms")


def streams(spark: Any, root: Path) -> None:
    for title, start, rounds in (
        ("a stream that does nothing", start_nothing, STREAM_ROUNDS),
        ("a stream whose function writes", start_function, FUNCTION_ROUNDS),
    ):
        off, on = take_turns(spark, partial(stream, start), root, rounds)
        print_change(title, EACH, off, on)
        for what in (OPEN, START, FIRST, END, CLOSE):
            print_once(title, what, off, on)


def batch(job: Job, rounds: int, spark: Any, root: Path) -> None:
    off, on = take_turns(spark, partial(batch_job, job), root, rounds)
    print_change(job.title, WHOLE, off, on)
    print_parts(job, off, on)


MEASURES: dict[str, Callable[[Any, Path], None]] = {
    "loading": loading,
    "callback": callback,
    "streams": streams,
    "batch": partial(batch, SHORT, BATCH_ROUNDS),
    "longer": partial(batch, LONG, LONG_ROUNDS),
}


def main(*chosen: str) -> None:
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        spark = session(root)
        for name in chosen or MEASURES:
            MEASURES[name](spark, root)
        spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
