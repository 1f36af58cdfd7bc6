"""The tables that follow from what was folded: all of them small beside the events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql.functions import broadcast

from mainstem.pipeline import states, tables
from mainstem.pipeline.steps import datasets as dataset_steps
from mainstem.pipeline.steps import edges as edge_steps
from mainstem.pipeline.steps import jobs as job_steps
from mainstem.pipeline.steps import mentions as mention_steps
from mainstem.pipeline.steps.identities import (
    alias_rows,
    aliases_said,
    identify,
    identities,
    is_renamed,
)
from mainstem.pipeline.steps.reachability import Graph, arcs, changed_parts, reachability
from mainstem.pipeline.steps.statistics import daily_job_stats, freshness

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import DataFrame, SparkSession

    from mainstem.names.identity import Aliases
    from mainstem.pipeline.jobs.target import Target
    from mainstem.pipeline.table import Table


def build_graph(
    spark: SparkSession,
    target: Target,
    chosen: Aliases,
    *,
    touched: DataFrame | None,
    reach: bool,
    progress: Callable[[str], None],
) -> None:
    """Make every table that follows from runs, uses and contents.

    What is known by job is made anew for the jobs that were ``touched``, or for all.
    """
    said, contents, runs = (target.read(one) for one in (states.SAID, states.CONTENT, tables.RUN))
    names = target.read(states.NAME)
    progress("names")
    known = not target.read(tables.REACHABILITY).isEmpty()
    before = _standing(target) if known else Graph()
    named = identify(names, chosen, aliases_said(said, names)).cache()
    target.replace(tables.ALIAS, alias_rows(named))
    if touched is not None and _is_renamed(target, named):
        touched = None
    runs = _of(touched, runs)
    _edges(target, runs, contents, named, touched=touched, progress=progress)
    progress("datasets")
    _datasets(target, said, contents, named)
    progress("statistics")
    _put(target, tables.DAILY_JOB_STATS, daily_job_stats(runs), touched)
    if reach:
        progress("reachability")
        _reach(spark, target, before)
    elif known:
        target.replace(tables.REACHABILITY, target.read(tables.REACHABILITY).limit(0))
    named.unpersist()


def _is_renamed(target: Target, named: DataFrame) -> bool:
    names, before = target.standing(states.NAME), target.standing(tables.ALIAS)
    return names is None or before is None or is_renamed(names, named, before)


def _of(touched: DataFrame | None, rows: DataFrame) -> DataFrame:
    return rows if touched is None else rows.join(broadcast(touched), "job_id", "left_semi")


def _put(target: Target, table: Table, rows: DataFrame, touched: DataFrame | None) -> None:
    """Let rows take the place of those of the jobs that were touched."""
    before = None if touched is None else target.standing(table)
    if before is not None and touched is not None:
        kept = before.join(broadcast(touched), "job_id", "left_anti")
        rows = table.of(rows).unionByName(table.of(kept))
    target.replace(table, rows)


def _edges(
    target: Target,
    runs: DataFrame,
    contents: DataFrame,
    named: DataFrame,
    *,
    touched: DataFrame | None,
    progress: Callable[[str], None],
) -> None:
    progress("edges")
    stretched = edge_steps.stretches(runs).cache()
    found = edge_steps.periods(stretched, contents, named)
    rows = edge_steps.edge_rows(found, stretched, identities(named), named)
    _put(target, tables.EDGE, rows, touched)
    progress("pairs")
    _put(target, tables.PAIR, edge_steps.pair_rows(stretched, contents, named), touched)
    progress("job versions")
    versions = job_steps.job_versions(runs, stretched, contents, named)
    _put(target, tables.JOB_VERSION, versions, touched)
    stretched.unpersist()
    progress("jobs")
    uses = _of(touched, target.read(states.USE))
    jobs = job_steps.fold_jobs(uses, contents, runs, target.read(tables.JOB_VERSION))
    _put(target, tables.JOB, jobs, touched)


def _datasets(target: Target, said: DataFrame, contents: DataFrame, named: DataFrame) -> None:
    uses = target.read(states.USE)
    mentioned = mention_steps.mentions(uses, contents, named).cache()
    words = mention_steps.column_words(uses, contents, said).cache()
    namings = dataset_steps.namings(mentioned, words, named)
    target.replace(
        tables.DATASET, dataset_steps.fold_datasets(mentioned, namings, said, identities(named))
    )
    target.replace(tables.DATASET_VERSION, dataset_steps.dataset_versions(mentioned, said, named))
    edges = target.read(tables.EDGE)
    target.replace(tables.COLUMN_EDGE, dataset_steps.column_edges(words, named, edges))
    fresh = freshness(
        target.read(tables.DATASET), mentioned, target.read(tables.DATASET_VERSION), edges
    )
    target.replace(tables.FRESHNESS, fresh)
    mentioned.unpersist()
    words.unpersist()


def _standing(target: Target) -> Graph:
    standing = target.read(tables.EDGE).where("valid_to is null")
    edges = standing.select("job_id", "dataset_id", "written").toLocalIterator()
    pairs = target.read(tables.PAIR).select(*tables.PAIR.names).toLocalIterator()
    return Graph(
        frozenset((one[0], one[1], one[2]) for one in edges),
        frozenset((one[0], one[1], one[2]) for one in pairs),
    )


def _reach(spark: SparkSession, target: Target, before: Graph) -> None:
    """Only parts that changed are walked again."""
    after = _standing(target)
    old, new = changed_parts(before, after)
    if not old and not new:
        return
    gone = spark.createDataFrame([(one,) for one in old], "component_id bigint")
    kept = target.read(tables.REACHABILITY).join(broadcast(gone), "component_id", "left_anti")
    walked = [one for one in arcs(after.edges, after.pairs) if one[0] in new]
    rows = reachability(spark, walked)
    target.replace(tables.REACHABILITY, tables.REACHABILITY.of(kept).unionByName(rows))
