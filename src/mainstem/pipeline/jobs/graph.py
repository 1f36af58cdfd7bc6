"""The tables that follow from what was folded: all of them small beside the events."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from pyspark.sql import Observation
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.functions import broadcast

from mainstem import __version__
from mainstem.pipeline import states, tables
from mainstem.pipeline.jobs.touched import counted, sent
from mainstem.pipeline.steps import datasets as dataset_steps
from mainstem.pipeline.steps import edges as edge_steps
from mainstem.pipeline.steps import jobs as job_steps
from mainstem.pipeline.steps import mentions as mention_steps
from mainstem.pipeline.steps import news as news_steps
from mainstem.pipeline.steps.identities import (
    alias_rows,
    aliases_said,
    identified,
    identify,
    identities,
    is_renamed,
)
from mainstem.pipeline.steps.reachability import Graph, arcs, changed_parts, reachability
from mainstem.pipeline.steps.runs import resumed
from mainstem.pipeline.steps.statistics import (
    daily_job_stats,
    freshness,
    go_on_with_freshness,
    go_on_with_times,
)

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
    shapes = target.read(states.SHAPE)
    progress("names")
    names, stand = _named(target, chosen, said, named=named, goes_on=touched is not None)
    if touched is not None and not stand and _is_renamed(target, names):
        touched = None
    told = _Told(contents, shapes, said, names)
    stretched = None
    if touched is None:
        stretched = edge_steps.stretches(edge_steps.tellings(runs)).cache()
    else:
        # To look through every run for those of no job at all would cost as much as for some.
        is_whole = touched.has["whole"]
        runs = resumed(_of(touched.whole, runs)).localCheckpoint() if is_whole else None
        if touched.has["moves"]:
            # A cache would be made again once habits are written, and of these.
            stretched = edge_steps.stretches(_tellings(target, runs, touched)).localCheckpoint()
    if stretched is not None:
        _edges(target, stretched, told, touched=touched, progress=progress)
    whole = None if runs is None or stretched is None else _Whole(runs, stretched)
    _jobs(target, whole, told, touched=touched, progress=progress)
    if stretched is not None:
        stretched.unpersist()
    progress("datasets")
    _datasets(target, told, touched, named=stand)
    progress("statistics")
    _daily(target, touched)
    if reach:
        progress("reachability")
        _reach(spark, target, touched)
    elif target.ledger.reached:
        target.replace(tables.REACHABILITY, target.read(tables.REACHABILITY).limit(0))
    target.ledger.reached = reach
    names.unpersist()


def _named(
    target: Target, chosen: Aliases, said: DataFrame, *, named: bool, goes_on: bool
) -> tuple[DataFrame, bool]:
    """Every name with its canonical one, and whether all are what an earlier build found."""
    names, naming = target.read(states.NAME), _naming(chosen)
    aliases = target.standing(tables.ALIAS) if named and target.ledger.naming == naming else None
    target.ledger.naming = naming
    if aliases is not None:
        found = identified(names, aliases)
        # A build that goes on looks at them once or twice.
        return (found if goes_on else found.cache()), True
    found = identify(names, chosen, aliases_said(said, names)).cache()
    target.replace(tables.ALIAS, alias_rows(found))
    return found, False


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


class _Told(NamedTuple):
    """What events say, or as much of it as a build needs."""

    contents: DataFrame
    shapes: DataFrame
    said: DataFrame
    names: DataFrame


class _Whole(NamedTuple):
    """Runs of jobs of which all runs count: every one, or those of jobs that do not go on."""

    runs: DataFrame
    stretched: DataFrame
    """Those of them that named datasets, and others of jobs that go on."""


def _tellings(target: Target, whole: DataFrame | None, touched: Touched) -> DataFrame:
    """What runs tell that edges follow from; of jobs that go on, their habit and new runs."""
    goes_on = touched.moved.join(touched.whole, "job_id", "left_anti")
    habit = _of(goes_on, target.read(states.HABIT))
    new = _of(goes_on, touched.told.where("is_new").drop(*edge_steps.COMPARED))
    told = edge_steps.go_on_with_tellings(habit, new)
    return told if whole is None else edge_steps.tellings(whole).unionByName(told)


def _edges(
    target: Target,
    stretched: DataFrame,
    told: _Told,
    *,
    touched: Touched | None,
    progress: Callable[[str], None],
) -> None:
    shapes, named = told.shapes, told.names
    progress("edges")
    if touched is None:
        moved = None
        found = edge_steps.periods(stretched, shapes, named)
        rows = edge_steps.edge_rows(found, stretched, identities(named), named)
    else:
        moved = touched.moved
        going_on = _of(moved, target.read(tables.EDGE)).join(touched.whole, "job_id", "left_anti")
        standing = going_on.where("valid_to is null")
        found = edge_steps.periods(stretched, shapes, named, standing)
        rows = edge_steps.edge_rows(found, stretched, identities(named), named)
        rows = rows.unionByName(tables.EDGE.of(going_on.where("valid_to is not null")))
    _put(target, tables.EDGE, rows, moved)
    _put(target, states.HABIT, edge_steps.habits(stretched), moved)
    progress("pairs")
    _put(target, tables.PAIR, edge_steps.pair_rows(stretched, shapes, named), moved)


def _jobs(
    target: Target,
    whole: _Whole | None,
    told: _Told,
    *,
    touched: Touched | None,
    progress: Callable[[str], None],
) -> None:
    progress("job versions")
    _versions(target, whole, told, touched)
    progress("jobs")
    ran = None if whole is None else job_steps.latest_runs(whole.runs)
    versions, uses = target.read(tables.JOB_VERSION), target.read(states.USE)
    if touched is None:
        assert ran is not None  # noqa: S101 - for the type checker
        target.replace(tables.JOB, job_steps.fold_jobs(uses, told.contents, ran, versions))
        return
    new, retold = job_steps.latest_of(touched.told, touched.uses), None
    jobs = target.read(tables.JOB)
    if touched.has["job_is_news"] or touched.has["whole"]:
        new, retold = sent(new, few=touched.few), touched.retold
        jobs = _but(retold, target, tables.JOB)
    rows = job_steps.go_on_with_jobs(jobs, touched.hinted(new), versions)
    if retold is not None:
        goes_on = retold.join(touched.whole, "job_id", "left_anti")
        latest = job_steps.go_on_with_latest_runs(
            _of(goes_on, target.read(tables.JOB)), _of(goes_on, new)
        )
        ran = latest if ran is None else ran.unionByName(latest)
        again = job_steps.fold_jobs(_of(retold, uses), told.contents, ran, _of(retold, versions))
        rows = rows.unionByName(again)
    target.replace(tables.JOB, rows)


def _versions(target: Target, whole: _Whole | None, told: _Told, touched: Touched | None) -> None:
    table = tables.JOB_VERSION
    if touched is None:
        assert whole is not None  # noqa: S101 - for the type checker
        used = job_steps.counted(job_steps.signatures(whole.stretched, whole.runs))
        named = job_steps.name_versions(used, told.shapes, told.names)
        target.replace(table, job_steps.fold_versions(named))
        return
    goes_on = job_steps.go_on_with_signatures(touched.told)
    if not touched.has["unrecognized"] and whole is None:
        new = touched.hinted(job_steps.fold_versions(job_steps.counted_apart(goes_on)))
        kept = target.read(table)
        target.replace(table, job_steps.go_on_with_job_versions(kept, new, grows=False))
        return
    goes_on = goes_on.join(touched.whole, "job_id", "left_anti")
    known, signed = goes_on.where("version is not null"), goes_on.where("version is null")
    signed, kept = signed.drop("version"), target.read(table)
    if whole is not None:
        mine = job_steps.signatures(_of(touched.whole, whole.stretched), whole.runs)
        signed = signed.unionByName(mine)
        kept = _but(touched.whole, target, table)
    named = job_steps.name_versions(job_steps.counted(signed), told.shapes, told.names)
    new = job_steps.fold_versions(named.unionByName(job_steps.counted_apart(known)))
    new = sent(new, few=touched.few)
    target.replace(table, job_steps.go_on_with_job_versions(kept, new, grows=True))


def _daily(target: Target, touched: Touched | None) -> None:
    """Statistics are made again of the jobs and days that runs began on."""
    runs, table = target.read(tables.RUN), tables.DAILY_JOB_STATS
    if touched is None:
        target.replace(table, daily_job_stats(runs))
        return
    days = touched.began_on
    if not days:
        return
    # Said of the time itself, so that what lies apart from these days is passed over.
    began = F.col("created_at")
    since, until = F.lit(min(days)), F.date_add(F.lit(max(days)), 1)
    runs = runs.where((began >= since.cast("timestamp")) & (began < until.cast("timestamp")))
    new = daily_job_stats(_of(touched.days, runs.withColumn("day", F.to_date("created_at"))))
    kept = _but(touched.days, target, table).where(F.col("day").isin(days))
    target.replace(table, new.unionByName(table.of(kept)), within=days)


def _datasets(target: Target, told: _Told, touched: Touched | None, *, named: bool) -> None:
    """Datasets, their schemas, columns and times; of what has no news only times go on."""
    if touched is None:
        tellers = target.read(states.USE).select(*mention_steps.TELLER)
        namings = mention_steps.namings(tellers, told.contents, told.names).cache()
        _tell_datasets(target, told, namings, None)
        _columns(target, told, None)
        _freshness(target, namings.groupBy("dataset_id").agg(*dataset_steps.times()))
        namings.unpersist()
        return
    few = touched.few
    telling = touched.uses.select("mentions", "sources", "job_id", "last_key", "is_news")
    namings = mention_steps.mentioned(telling, told.names)
    spoken = news_steps.spoken_of(namings, told.said, target.read(states.WORD))
    if named and not touched.has["is_news"] and not touched.has["moves"]:
        # Words that are known may still contradict those that stand, which is seen on the way.
        seen = Observation()
        watched = spoken.observe(seen, F.count_if("is_news").alias("news"))
        before = target.read(tables.FRESHNESS)
        target.replace(tables.FRESHNESS, go_on_with_freshness(before, touched.hinted(watched)))
        if not seen.get["news"] and not touched.has["columns_are_news"]:
            return
    spoken, has = counted(spoken, few=few, is_news="is_news")
    has_news = bool(has["is_news"])
    news = spoken.where("is_news").select("dataset_id")
    if not named:
        news = sent(news.unionByName(_newly_named(target, told.names)).distinct(), few=few)
        has_news = not news.isEmpty()
    if has_news:
        _tell_again(target, told, news, few=few)
    if touched.has["columns_are_news"] or touched.has["moves"]:
        retold = touched.uses.where("columns_are_news").select("job_id")
        _columns(target, told, sent(retold.unionByName(touched.moved).distinct(), few=few))
    before = target.read(tables.FRESHNESS)
    if has_news or touched.has["moves"]:
        _freshness(target, go_on_with_times(before, spoken))
    else:
        target.replace(tables.FRESHNESS, go_on_with_freshness(before, spoken))


def _newly_named(target: Target, names: DataFrame) -> DataFrame:
    """Datasets that have a new name, which may tell of what kind they are."""
    known = target.standing(states.NAME)
    if known is not None:
        names = names.join(known.select("name_id"), "name_id", "left_anti")
    return names.select("dataset_id")


def _tell_again(target: Target, told: _Told, news: DataFrame, *, few: bool) -> None:
    """Make datasets from all that was ever said of them: keys of their words did not go on."""
    names = told.names.join(news, "dataset_id", "left_semi")
    tellers = target.read(states.USE).select(*mention_steps.TELLER)
    contents = target.read(states.CONTENT)
    namings = mention_steps.namings(tellers, contents, broadcast(names) if few else names).cache()
    _tell_datasets(target, told, namings, news)
    namings.unpersist()


def _tell_datasets(target: Target, told: _Told, namings: DataFrame, news: DataFrame | None) -> None:
    said, names = told.said, told.names
    datasets = dataset_steps.tell_datasets(namings, said).cache()
    _put(target, tables.DATASET, dataset_steps.dataset_rows(datasets, identities(names)), news)
    _put(target, states.WORD, news_steps.word_rows(datasets), news)
    versions = dataset_steps.dataset_versions(namings, said, names)
    _put(target, tables.DATASET_VERSION, versions, news)
    datasets.unpersist()


def _columns(target: Target, told: _Told, jobs: DataFrame | None) -> None:
    uses, edges = (_of(jobs, target.read(one)) for one in (states.USE, tables.EDGE))
    words = mention_steps.column_words(uses, told.contents, told.said)
    _put(target, tables.COLUMN_EDGE, dataset_steps.column_edges(words, told.names, edges), jobs)


def _freshness(target: Target, times: DataFrame) -> None:
    read = (tables.DATASET, tables.DATASET_VERSION, tables.EDGE)
    target.replace(tables.FRESHNESS, freshness(times, *(target.read(one) for one in read)))


def _reach(spark: SparkSession, target: Target, touched: Touched | None) -> None:
    """Only parts that changed are walked again."""
    known = target.ledger.reached
    if known and touched is not None and _stands(target, touched):
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


def _stands(target: Target, touched: Touched) -> bool:
    """Whether the graph of jobs is what it was."""
    if not touched.has["moves"]:
        return True
    return _graph(target.standing, touched.moved) == _graph(target.read, touched.moved)


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
