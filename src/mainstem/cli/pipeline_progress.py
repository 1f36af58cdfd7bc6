"""How far a build is, for people who wait: the step, and Spark's tasks in it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SECONDS_BETWEEN_LOOKS = 0.5


@contextmanager
def shown_steps(spark: SparkSession) -> Generator[Callable[[str], None]]:
    """A bar on a terminal; nowhere else, where it would be noise in a log."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    over = threading.Event()
    with Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True)) as bars:
        task = bars.add_task("starting", total=None)

        def watch() -> None:
            while not over.wait(SECONDS_BETWEEN_LOOKS):
                done, total = _tasks(spark)
                bars.update(task, completed=done, total=total or None)

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield lambda step: bars.update(task, description=step, completed=0, total=None)
        finally:
            over.set()
            watcher.join()


def _tasks(spark: SparkSession) -> tuple[int, int]:
    """Tasks that are done, and all, of the stages that run now."""
    tracker = spark.sparkContext.statusTracker()
    stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
    known = [stage for stage in stages if stage is not None]
    return sum(each.numCompletedTasks for each in known), sum(each.numTasks for each in known)
