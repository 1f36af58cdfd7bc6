"""Raw events to tables: what is new is read, folded into what stands, and committed."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from pyspark.sql import DataFrame, Observation
from pyspark.sql import functions as F  # noqa: N812

from mainstem.pipeline import states, tables
from mainstem.pipeline.jobs.filesystem import find_files
from mainstem.pipeline.jobs.graph import build_graph
from mainstem.pipeline.jobs.taking import to_take
from mainstem.pipeline.jobs.touched import counted, touched_by, used_by
from mainstem.pipeline.steps import runs as run_steps
from mainstem.pipeline.steps.dedupe import MOST_TO_SEND, marked, repetitions, without
from mainstem.pipeline.steps.parse import PARTS, is_parsed_by_one, parse, part_of
from mainstem.pipeline.steps.uses import as_uses, fold_uses, go_on_with_uses
from mainstem.said.event import EventKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pyspark.sql import Column, SparkSession

    from mainstem.names.identity import Aliases
    from mainstem.pipeline.jobs.source import Source
    from mainstem.pipeline.jobs.target import Target
    from mainstem.pipeline.table import Table

SHARED = (states.CONTENT, states.SHAPE, states.SAID, states.NAME)
"""What many events repeat, kept once."""
BATCH = "batch "
"""What the ledger's names of a stream's batches begin with."""
MOST_LEFT_OUT = 0.1
"""Where a larger share of events repeats, the rest are copied: else readers pass over too much."""


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
    landing = target.landing(tables.EVENT)
    spellings = target.standing(states.SPELLING)
    parsed, seen = _parsed(spark, parse(raw, spellings), landing)
    wrong = seen[tables.QUARANTINE.name]
    if wrong:
        lies = f"{landing}/part={tables.QUARANTINE.name}"
        target.take(tables.QUARANTINE, part_of(parsed, tables.QUARANTINE), lies)
    if not seen[tables.EVENT.name]:
        return Built(wrong, 0, wrong)
    narrow, fresh = _take_new(spark, target, parsed, seen, landing)
    if not fresh:
        return Built(wrong, 0, wrong)
    added = _add_unknown(target, parsed, [one for one in SHARED if seen[one.name]])
    if seen[states.SPELLING.name]:
        _learn(target, part_of(parsed, states.SPELLING), spellings)
    few = fresh <= MOST_TO_SEND
    progress("runs")
    changes = _fold_runs(target, narrow, seen, few=few)
    progress("uses")
    touched, uses = None, fold_uses(as_uses(narrow))
    if changes is None:
        target.replace(states.USE, uses)
    else:
        uses, news = used_by(target, uses, few=few)
        grows = bool(news["unknown"])
        target.replace(states.USE, go_on_with_uses(target.read(states.USE), uses, grows=grows))
        touched = touched_by(target, *changes, uses=uses, news=news, few=few)
    named = not added & {states.SAID, states.NAME}
    build_graph(
        spark, target, aliases, touched=touched, named=named, reach=reach, progress=progress
    )
    return Built(fresh + wrong, fresh, wrong)


def _parsed(spark: SparkSession, rows: DataFrame, landing: str) -> tuple[DataFrame, dict[str, Any]]:
    """Rows of several tables, told apart by ``part``: what was received is read and parsed once.

    And how many each table has, and the first and the last key, and the least and the greatest run.
    """
    seen = Observation()
    counts = [F.count_if(F.col("part") == one.name).alias(one.name) for one in PARTS]
    first, last = F.min("key").alias("first"), F.max("key").alias("last")
    # Who only describes a job has a run of its own, which no earlier event can have told of.
    run = F.when(F.col("kind") == EventKind.RUN.value, F.col("run_id"))
    least, greatest = F.min(run).alias("least_run"), F.max(run).alias("greatest_run")
    watched = rows.observe(seen, *counts, first, last, least, greatest)
    to_take(watched).partitionBy("part").parquet(landing)
    return spark.read.schema(rows.schema).parquet(landing), seen.get


def _take_new(
    spark: SparkSession, target: Target, parsed: DataFrame, seen: dict[str, Any], landing: str
) -> tuple[DataFrame, int]:
    """Add events that are not known; answers them, without what was received, and their number."""
    told = seen[tables.EVENT.name]
    events = part_of(parsed, tables.EVENT, _place())
    known = target.standing(tables.EVENT)
    if known is not None:
        known = known.where(F.col("key").between(seen["first"], seen["last"]))
    landed = f"{landing}/part={tables.EVENT.name}"
    apart = is_parsed_by_one(find_files(spark, landed) or {}, told)
    found = repetitions(events, known, told, apart=apart)
    narrow, again, repeated = _once(events.drop("raw"), found, few=told <= MOST_TO_SEND)
    if repeated == told:
        return narrow, 0
    events = without(events, again, repeated) if repeated else events
    if repeated > MOST_LEFT_OUT * told:
        target.append(tables.EVENT, events)
    else:
        target.take(tables.EVENT, events, landed, again if repeated else None)
    return narrow, told - repeated


def _once(events: DataFrame, found: DataFrame, *, few: bool) -> tuple[DataFrame, DataFrame, int]:
    """Events but those at the places that were ``found``; these places; how many they are.

    Few events are kept: each step would have to look for repetitions among them again.
    """
    if few:
        told, has = counted(marked(events, found), few=False, repeated="is_again")
        again = told.where("is_again").select("place")
        return told.where("not is_again").drop("is_again"), again, has["repeated"]
    again, has = counted(found, few=False, repeated="true")
    repeated = has["repeated"]
    return (without(events, again, repeated) if repeated else events), again, repeated


def _place() -> Column:
    """Where a row of parsed files lies."""
    return F.struct("_metadata.file_name", "_metadata.row_index").alias("place")


def _add_unknown(target: Target, parsed: DataFrame, told: Sequence[Table]) -> set[Table]:
    """Add what no earlier build was told of some tables; answers those that grew."""
    standing = {one: target.standing(one) for one in told}
    known = {one: rows for one, rows in standing.items() if rows is not None}
    # Events mostly repeat what is known: one look at all of it spares a write of nothing to each.
    doubtful = _unknown(parsed, known) if known else set[str]()
    grown = {one for one in told if one not in known or one.name in doubtful}
    for table in grown:
        rows, key = part_of(parsed, table), list(table.key)
        if table in known:
            rows = rows.join(known[table].select(*key), on=key, how="left_anti")
        target.append(table, rows.dropDuplicates(key))
    return grown


def _learn(target: Target, told: DataFrame, before: DataFrame | None) -> None:
    """Keep one spelling of each, the latest build's: an agent that spells otherwise goes on so."""
    key = list(states.SPELLING.key)
    rows = told.dropDuplicates(key)
    if before is not None:
        rows = rows.unionByName(before.join(told, on=key, how="left_anti"))
    target.replace(states.SPELLING, rows)


def _unknown(parsed: DataFrame, known: Mapping[Table, DataFrame]) -> set[str]:
    """The names of tables of which something was told that no earlier build knew."""

    def number(table: Table) -> Column:
        (key,) = table.key
        return F.col(f"{table.name}.{key}")

    mine = parsed.where(F.col("part").isin([one.name for one in known]))
    told = mine.select("part", F.coalesce(*map(number, known)).alias("number"))
    before = [
        rows.select(F.lit(one.name), *one.key).toDF("part", "number") for one, rows in known.items()
    ]
    unknown = told.join(reduce(DataFrame.unionAll, before), on=["part", "number"], how="left_anti")
    return {row.part for row in unknown.select("part").distinct().collect()}


def _fold_runs(
    target: Target, events: DataFrame, seen: dict[str, Any], *, few: bool
) -> tuple[DataFrame, DataFrame] | None:
    """Bring runs up to date; answers those that changed, and them as they were before.

    None where nothing stood before.
    """
    runs, standing = run_steps.as_runs(events), target.located(tables.RUN)
    if standing is None:
        target.append(tables.RUN, run_steps.fold_runs(runs))
        return None
    mine = events.select("run_id").distinct()
    # Ids of runs mostly tell their time, and runs lie in that order: old ones are passed over.
    standing = standing.where(F.col("run_id").between(seen["least_run"], seen["greatest_run"]))
    known = standing.join(F.broadcast(mine) if few else mine, on="run_id", how="left_semi")
    before = run_steps.resumed(known).localCheckpoint()
    parts = runs.unionByName(run_steps.standing_runs(before))
    return target.merge(tables.RUN, run_steps.fold_runs(parts), before), before
