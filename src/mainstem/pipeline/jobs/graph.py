"""The tables that follow from what was folded: all of them small beside the events."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.functions import broadcast

from mainstem import __version__
from mainstem.pipeline import states, tables
from mainstem.pipeline.steps import datasets as dataset_steps
from mainstem.pipeline.steps import edges as edge_steps
from mainstem.pipeline.steps import jobs as job_steps
from mainstem.pipeline.steps import mentions as mention_steps
from mainstem.pipeline.steps.identities import (
    alias_rows,
    aliases_said,
    identified,
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
    from mainstem.pipeline.jobs.touched import Touched
    from mainstem.pipeline.table import Table


def build_graph(
    spark: SparkSession,
    target: Target,
    chosen: Aliases,
    *,
    touched: Touched | None,
    named: bool,
    reach: bool,
    progress: Callable[[str], None],
) -> None:
    """Make every table that follows from runs, uses and contents.

    What is known by job is made anew for the jobs that were ``touched``, or for all; ``named`` is
    whether nothing new was said of names.
    """
    said, contents, runs = (target.read(one) for one in (states.SAID, states.CONTENT, tables.RUN))
    names = target.read(states.NAME)
    progress("names")
    naming = _naming(chosen)
    aliases = target.standing(tables.ALIAS) if named and target.ledger.naming == naming else None
    if aliases is not None:
        names = identified(names, aliases).cache()
    else:
        names = identify(names, chosen, aliases_said(said, names)).cache()
        target.replace(tables.ALIAS, alias_rows(names))
        if touched is not None and _is_renamed(target, names):
            touched = None
    target.ledger.naming = naming
    _edges(target, runs, contents, names, touched=touched, progress=progress)
    progress("datasets")
    _datasets(target, said, contents, names)
    progress("statistics")
    days = None if touched is None else touched.days
    began = runs if days is None else runs.withColumn("day", F.to_date("created_at"))
    _put(target, tables.DAILY_JOB_STATS, daily_job_stats(_of(days, began)), days)
    if reach:
        progress("reachability")
        _reach(spark, target, None if touched is None else touched.moved)
    elif target.standing(tables.REACHABILITY) is not None:
        target.replace(tables.REACHABILITY, target.read(tables.REACHABILITY).limit(0))
    names.unpersist()


def _naming(chosen: Aliases) -> str:
    """What names are made one by, beside what is said: a user's aliases and our own rules."""
    told = repr((__version__, sorted(chosen.namespaces), sorted(chosen.datasets)))
    return hashlib.blake2b(told.encode(), digest_size=16).hexdigest()


def _is_renamed(target: Target, named: DataFrame) -> bool:
    names, before = target.standing(states.NAME), target.standing(tables.ALIAS)
    return names is None or before is None or is_renamed(names, named, before)


def _of(touched: DataFrame | None, rows: DataFrame) -> DataFrame:
    """Rows of what was touched."""
    if touched is None:
        return rows
    return rows.join(touched, touched.columns, "left_semi")


def _but(touched: DataFrame, target: Target, table: Table) -> DataFrame:
    """What an earlier build made of all that was not touched."""
    return target.read(table).join(touched, touched.columns, "left_anti")


def _put(target: Target, table: Table, rows: DataFrame, touched: DataFrame | None) -> None:
    """Let rows take the place of those of what was touched."""
    if touched is not None:
        rows = table.of(rows).unionByName(table.of(_but(touched, target, table)))
    target.replace(table, rows)


def _edges(
    target: Target,
    runs: DataFrame,
    contents: DataFrame,
    named: DataFrame,
    *,
    touched: Touched | None,
    progress: Callable[[str], None],
) -> None:
    progress("edges")
    jobs, moved = (None, None) if touched is None else (touched.jobs, touched.moved)
    mine = _of(moved, runs)
    stretched = edge_steps.stretches(edge_steps.tellings(mine)).cache()
    found = edge_steps.periods(stretched, contents, named)
    rows = edge_steps.edge_rows(found, stretched, identities(named), named)
    _put(target, tables.EDGE, rows, moved)
    _put(target, states.HABIT, edge_steps.habits(stretched), moved)
    progress("pairs")
    _put(target, tables.PAIR, edge_steps.pair_rows(stretched, contents, named), moved)
    progress("job versions")
    signed, counted = job_steps.signatures(stretched, mine), None
    if touched is not None:
        others = touched.new_runs.join(touched.moved, "job_id", "left_anti")
        signed = signed.unionByName(others.select(*signed.columns))
        counted = _but(touched.moved, target, tables.JOB_VERSION)
    versions = job_steps.job_versions(signed, contents, named, before=counted)
    target.replace(tables.JOB_VERSION, versions)
    stretched.unpersist()
    progress("jobs")
    uses = _of(jobs, target.read(states.USE))
    versions = _of(jobs, target.read(tables.JOB_VERSION))
    _put(target, tables.JOB, job_steps.fold_jobs(uses, contents, _of(jobs, runs), versions), jobs)


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


def _reach(spark: SparkSession, target: Target, moved: DataFrame | None) -> None:
    """Only parts that changed are walked again; ``moved`` are jobs that edges moved of."""
    known = not target.read(tables.REACHABILITY).isEmpty()
    if known and moved is not None and _graph(target.standing, moved) == _graph(target.read, moved):
        return
    before = _graph(target.standing) if known else Graph()
    after = _graph(target.read)
    old, new = changed_parts(before, after)
    if not old and not new:
        return
    gone = spark.createDataFrame([(one,) for one in old], "component_id bigint")
    kept = target.read(tables.REACHABILITY).join(broadcast(gone), "component_id", "left_anti")
    walked = [one for one in arcs(after.edges, after.pairs) if one[0] in new]
    rows = reachability(spark, walked)
    target.replace(tables.REACHABILITY, tables.REACHABILITY.of(kept).unionByName(rows))


def _graph(read: Callable[[Table], DataFrame | None], of: DataFrame | None = None) -> Graph:
    """The edges that stand and the pairs, all or those of some jobs."""
    edges, pairs = read(tables.EDGE), read(tables.PAIR)
    if edges is None or pairs is None:
        return Graph()
    standing = _of(of, edges.where("valid_to is null").select("job_id", "dataset_id", "written"))
    said = _of(of, pairs.select(*tables.PAIR.names))
    return Graph(
        frozenset((one[0], one[1], one[2]) for one in standing.toLocalIterator()),
        frozenset((one[0], one[1], one[2]) for one in said.toLocalIterator()),
    )
