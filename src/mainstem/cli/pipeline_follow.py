"""``mainstem pipeline follow`` while it runs: started, told, and stopped by a signal."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mainstem.cli.pipeline_sources import KAFKA, kafka_settings, topic_in
from mainstem.errors import BadRecipe, StreamFailed

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from mainstem.names.identity import Aliases
    from mainstem.pipeline.jobs.build import Built
    from mainstem.pipeline.jobs.follow import Pace
    from mainstem.pipeline.jobs.target import IcebergTarget, ParquetTarget

SECONDS_BETWEEN_LOOKS = 0.5


def follow_until_stopped(
    spark: SparkSession,
    source: str,
    target: IcebergTarget | ParquetTarget,
    *,
    checkpoint: str,
    kafka_conf: Sequence[str],
    at_once: int | None,
    aliases: Aliases,
    pace: Pace,
    told: Callable[[int, Built], None],
) -> None:
    """Run the stream until it ends, fails, or SIGTERM or Ctrl-C comes."""
    from mainstem.pipeline.jobs.follow import follow

    query = follow(
        spark,
        _rows(spark, source, kafka_conf, at_once),
        target,
        checkpoint=checkpoint,
        aliases=aliases,
        pace=pace,
        told=told,
    )
    asked = threading.Event()
    before = signal.signal(signal.SIGTERM, lambda _number, _frame: asked.set())
    try:
        while query.isActive and not asked.wait(SECONDS_BETWEEN_LOOKS):
            continue
    finally:
        signal.signal(signal.SIGTERM, before)
        # What a batch that is cut short has written does not count: it is folded again.
        query.stop()
    failure = query.exception()
    if failure is not None and not asked.is_set():
        raise StreamFailed(source, str(failure).partition("\n")[0]) from failure


def _rows(
    spark: SparkSession, source: str, kafka_conf: Sequence[str], at_once: int | None
) -> DataFrame:
    from mainstem.pipeline.jobs.follow import (
        FILES_AT_ONCE,
        RECORDS_AT_ONCE,
        growing_directory,
        topic,
    )

    if source.startswith(KAFKA):
        client = kafka_settings(kafka_conf)
        return topic(spark, *topic_in(source), client, at_once or RECORDS_AT_ONCE)
    if ":" not in source and not Path(source).is_dir():
        raise BadRecipe("source", [f"{source} is no directory; finished files are moved into one"])
    return growing_directory(spark, source, at_once or FILES_AT_ONCE)
