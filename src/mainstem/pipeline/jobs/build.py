"""Raw events to tables: what is new is read, folded into what stands, and committed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.pipeline import states, tables
from mainstem.pipeline.jobs.graph import build_graph
from mainstem.pipeline.steps import runs as run_steps
from mainstem.pipeline.steps.dedupe import new_events, repeated_keys
from mainstem.pipeline.steps.parse import parse, part_of
from mainstem.pipeline.steps.uses import as_uses, fold_uses

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import DataFrame, SparkSession

    from mainstem.names.identity import Aliases
    from mainstem.pipeline.jobs.source import Source
    from mainstem.pipeline.jobs.target import Target
    from mainstem.pipeline.table import Table

BATCH = "batch "
"""What the ledger's names of a stream's batches begin with."""


class Built(Struct, frozen=True):
    """What a build did."""

    read: int
    """Lines or records that were new to it."""

    events: int
    """Events among them that were not known."""

    refused: int
    """Those that went to quarantine."""


NOTHING = Built(0, 0, 0)


def build(
    spark: SparkSession,
    source: Source,
    target: Target,
    *,
    aliases: Aliases,
    reach: bool = True,
    progress: Callable[[str], None] = lambda _: None,
) -> Built:
    """Read what is new in a source and bring every table up to date; told each step's name."""
    target.begin()
    raw, consumed = source.fresh(target.ledger.consumed)
    if raw is None:
        return NOTHING
    built = _fold(spark, raw, target, aliases=aliases, reach=reach, progress=progress)
    target.ledger.consumed |= consumed
    target.commit()
    return built


def fold_batch(
    spark: SparkSession, raw: DataFrame, target: Target, *, batch: str, aliases: Aliases
) -> Built:
    """Fold rows of ``value`` (binary) and ``origin`` (string), once per batch name.

    What the ledger knows is skipped: a stream that repeats a batch changes nothing.
    """
    query, _, number = batch.rpartition("/")
    target.begin()
    if int(target.ledger.consumed.get(BATCH + query, "-1")) >= int(number):
        return NOTHING
    built = _fold(spark, raw, target, aliases=aliases, reach=True, progress=lambda _: None)
    target.ledger.consumed[BATCH + query] = number
    target.commit()
    return built


def _fold(
    spark: SparkSession,
    raw: DataFrame,
    target: Target,
    *,
    aliases: Aliases,
    reach: bool,
    progress: Callable[[str], None],
) -> Built:
    progress("parse")
    place = target.scratch("parsed")
    rows = parse(raw)
    # Rows of several tables leave one pass; sorting them apart would cost more than the rest.
    spark.conf.set("spark.sql.maxConcurrentOutputFileWriters", "8")
    rows.write.mode("overwrite").partitionBy("part").parquet(place)
    parsed = spark.read.schema(rows.schema).parquet(place)
    refused = part_of(parsed, tables.QUARANTINE)
    every = part_of(parsed, tables.EVENT)
    repeated = repeated_keys(every, target.read(tables.EVENT)).localCheckpoint()
    events = every if repeated.isEmpty() else new_events(every, repeated)
    fresh = events.count()
    wrong = refused.count()
    if wrong:
        target.append(tables.QUARANTINE, refused)
    if not fresh:
        return Built(wrong, 0, wrong)
    target.append(tables.EVENT, events)
    for table in (states.CONTENT, states.SAID, states.NAME):
        _add_unknown(target, table, part_of(parsed, table))
    narrow = events.drop("raw")
    progress("runs")
    _fold_runs(target, narrow)
    uses = as_uses(narrow).unionByName(target.read(states.USE))
    target.replace(states.USE, fold_uses(uses))
    build_graph(spark, target, aliases, reach=reach, progress=progress)
    return Built(fresh + wrong, fresh, wrong)


def _add_unknown(target: Target, table: Table, rows: DataFrame) -> None:
    key = list(table.key)
    known = target.read(table).select(*key)
    target.append(table, rows.dropDuplicates(key).join(known, on=key, how="left_anti"))


def _fold_runs(target: Target, events: DataFrame) -> None:
    touched = events.select("run_id").distinct()
    standing = target.read(tables.RUN).join(touched, on="run_id", how="left_semi")
    parts = run_steps.as_runs(events).unionByName(run_steps.standing_runs(standing))
    folded = run_steps.fold_runs(parts)
    told = target.read(states.RUN_CONTENT).join(touched, on="run_id", how="left_semi")
    contents = run_steps.run_contents(events).unionByName(told)
    target.merge(states.RUN_CONTENT, run_steps.fold_run_contents(contents))
    target.merge(tables.RUN, folded)
