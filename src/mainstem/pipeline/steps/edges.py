"""When a job read or wrote a dataset, from runs in the order they began.

Consecutive runs that say the same are one stretch, so that datasets are looked at once per stretch
and not once per run.
"""

from __future__ import annotations

from functools import reduce
from operator import and_
from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F  # noqa: N812

from mainstem.pipeline.states import HABIT
from mainstem.pipeline.tables import EDGE, PAIR

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

COMPARED = ("now", "was", "is_new", "late", "state", "moves", "whole", "version")
"""What is added to ``tellings`` where runs are held against what was known of them."""
_DOUBTS = ("certain", "declared", "likely", "unknown")


def tellings(runs: DataFrame, *more: str) -> DataFrame:
    """What each run tells: ``told`` are its shapes and whether the word of each stands.

    ``shapes`` are those that do, none where no dataset is named; ``edges`` is how a watcher knows
    them. ``more`` are columns to keep.
    """
    snapshot = F.coalesce("snapshot", F.lit(False))

    def with_standing(one: Column) -> Column:
        stands = ~snapshot | (one.last_key == F.col("named_key"))
        return F.struct(one.shape_id, one.first_at, stands.alias("stands"))

    told = runs.select(
        "run_id", "job_id", "job_namespace", "job_name", "created_at", "config_version", "declared",
        "names_datasets", "edges", *more,
        F.sort_array(F.transform("told", with_standing)).alias("told"),
    )  # fmt: skip
    standing = F.transform(F.filter("told", lambda one: one.stands), lambda one: one.shape_id)
    none = F.array().cast("array<bigint>")
    return told.withColumn("shapes", F.when(F.col("names_datasets"), standing).otherwise(none))


def stretches(told: DataFrame) -> DataFrame:
    """Each run that named datasets, with the number of its stretch within its job.

    ``current`` is whether it is the job's latest.
    """
    in_order = Window.partitionBy("job_id").orderBy("created_at", "run_id")
    before = F.lag("shapes").over(in_order)
    differs = F.coalesce(F.col("shapes") != before, F.lit(False)).cast("int")
    is_last = F.lead("run_id").over(in_order).isNull()
    so_far = in_order.rowsBetween(Window.unboundedPreceding, Window.currentRow)
    compared = told.where("names_datasets").withColumns({"differs": differs, "current": is_last})
    return compared.select(*told.columns, "current", F.sum("differs").over(so_far).alias("stretch"))


def habits(stretched: DataFrame) -> DataFrame:
    """Rows of ``habit``: how the last stretch began, and what its last run tells."""
    settled = F.array_max(F.transform("told", lambda one: one.first_at)).alias("settled_at")
    turn = F.struct("created_at", "run_id")
    last = stretched.groupBy("job_id", "stretch").agg(
        F.max("current").alias("current"),
        F.min(F.struct("created_at", "run_id", settled)).alias("first"),
        F.max_by(F.struct("declared", "edges", "shapes"), turn).alias("last"),
    )
    return HABIT.of(last.where("current").select("job_id", "first.*", "last.*"))


def compared(changed: DataFrame, before: DataFrame) -> DataFrame:
    """``tellings`` of runs that are new or were told more of, beside the same as they ``was``.

    ``late`` is whether an event came that is older than all that were known.
    """
    signed = F.struct(
        "job_id", "created_at", "config_version", "declared", "names_datasets", "edges", "told",
        "shapes",
    )  # fmt: skip
    was = before.select("run_id", signed.alias("was"))
    rows = changed.withColumn("now", signed).join(was, on="run_id", how="left")
    late = F.coalesce(F.col("created_at") < F.col("was.created_at"), F.lit(False))
    return rows.withColumns({"is_new": F.col("was").isNull(), "late": late})


def judged(rows: DataFrame, habit: DataFrame, jobs: DataFrame) -> DataFrame:
    """Whether each run ``moves`` the edges of its job; those of every other job stand as they are.

    ``rows`` are ``compared``; ``jobs`` are rows of ``job`` as they were. Of a job that has no run
    that wants the ``whole`` of them all that moves edges began after its last run, and they go on
    from those that stand.
    """
    kept = rows.columns
    told = F.struct("declared", "edges", "shapes")
    last = F.struct("created_at", "run_id")
    known = habit.select("job_id", told.alias("habit"), last.alias("first"), "settled_at")
    current = F.struct(F.col("current_run_at"), F.col("current_run_id")).alias("current")
    ran = jobs.where("current_run_id is not null").select(
        "job_id", current, "latest_run_id", "others_until"
    )
    rows = rows.join(known, on="job_id", how="left").join(ran, on="job_id", how="left")
    # A run that begins when the first one had told all that it tells can begin no edge earlier.
    settled = F.col("created_at") >= F.col("settled_at")
    repeats = told.eqNullSafe(F.col("habit")) & (last > F.col("first")) & settled
    was = F.col("was")
    same = [
        was[name].eqNullSafe(F.col(name))
        for name in ("job_id", "config_version", "declared", "names_datasets", "edges", "shapes")
    ]
    # Which run is the latest, and the last of its version, must not be in doubt.
    is_latest = (F.col("latest_run_id") == F.col("run_id")) & (
        F.col("current.current_run_id") == F.col("run_id")
    )
    stays = ~F.col("late") | (is_latest & (F.col("created_at") > F.col("others_until")))
    of_a_new_one = ~F.col("names_datasets") | F.coalesce(repeats, F.lit(False))
    alike = reduce(and_, same) & repeats & stays
    of_a_known_one = F.col("now").eqNullSafe(was) | F.coalesce(alike, F.lit(False))
    stands = F.when(F.col("is_new"), of_a_new_one).otherwise(of_a_known_one)
    # The habit may be older than the last run, which repeated it.
    goes_on = F.col("habit").isNull() | (settled & (last > F.col("current")))
    whole = ~stands & ~(F.col("is_new") & F.coalesce(goes_on, F.lit(False)))
    return rows.select(*kept, (~stands).alias("moves"), whole.alias("whole"))


def jobs_of(rows: DataFrame) -> DataFrame:
    """The jobs that ``compared`` runs belong to or did before, each perhaps several times."""
    was = rows.select("was.job_id").where(F.col("job_id").isNotNull())
    return rows.select("job_id").unionByName(was)


def go_on_with_tellings(habit: DataFrame, new: DataFrame) -> DataFrame:
    """``tellings`` of jobs that go on: what each told last as its first run, then ``new`` runs."""
    told = F.transform(
        "shapes",
        lambda one: F.struct(
            one.alias("shape_id"),
            F.col("settled_at").alias("first_at"),
            F.lit(True).alias("stands"),
        ),
    )
    last = habit.withColumns({"told": told, "names_datasets": F.lit(True)})
    return new.unionByName(last.drop("settled_at"), allowMissingColumns=True)


def periods(
    stretched: DataFrame, shapes: DataFrame, names: DataFrame, standing: DataFrame | None = None
) -> DataFrame:
    """Every period of every edge: job, dataset, written, from, to.

    ``standing`` are edges of jobs that go on, which began before their first run here.
    """
    per_stretch = (
        stretched.select("job_id", "stretch", F.explode("told").alias("one"))
        .groupBy("job_id", "stretch", "one.shape_id", "one.stands")
        .agg(F.min("one.first_at").alias("first_at"))
    )
    sides = (
        per_stretch.join(shapes.select("shape_id", "sides"), "shape_id", "inner")
        .select("job_id", "stretch", "stands", "first_at", F.explode("sides").alias("one"))
        .select("job_id", "stretch", "stands", "first_at", "one.name_id", "one.written")
        .join(names.select("name_id", "dataset_id"), on="name_id", how="inner")
        .groupBy("job_id", "stretch", "dataset_id", "written")
        .agg(F.min("first_at").alias("first_at"), F.max("stands").alias("stands"))
        .where("stands")
    )
    if standing is not None:
        place = ("job_id", "dataset_id", "written", "stretch")
        since = standing.withColumn("stretch", F.lit(0)).select(*place, "valid_from")
        first_at = F.least("first_at", "valid_from")
        sides = sides.join(since, on=list(place), how="left").withColumn("first_at", first_at)
    edge = Window.partitionBy("job_id", "dataset_id", "written").orderBy("stretch")
    island = F.col("stretch") - F.row_number().over(edge)
    whole = (
        sides.withColumn("island", island)
        .groupBy("job_id", "dataset_id", "written", "island")
        .agg(F.min("first_at").alias("valid_from"), (F.max("stretch") + 1).alias("stretch"))
    )
    begun = stretched.groupBy("job_id", "stretch").agg(F.min("created_at").alias("valid_to"))
    ended = whole.join(begun, on=["job_id", "stretch"], how="left")
    return ended.where("valid_to is null or valid_from < valid_to").select(
        "job_id", "dataset_id", "written", "valid_from", "valid_to"
    )


def edge_rows(
    found: DataFrame, stretched: DataFrame, identities: DataFrame, names: DataFrame
) -> DataFrame:
    """Rows of ``edge``; the edges of each job's current run stand."""
    told = stretched.where("current").select(
        "job_id", "job_namespace", "job_name", "declared", "edges"
    )
    known = (
        told.select("job_id", F.explode("edges").alias("one"))
        .select("job_id", F.col("one.dataset_id").alias("name_id"), "one.evidence")
        .join(names.select("name_id", "dataset_id"), on="name_id", how="inner")
        .groupBy("job_id", "dataset_id")
        .agg(F.min(F.struct(_doubt(F.col("evidence")).alias("doubt"), "evidence")).alias("best"))
        .select("job_id", "dataset_id", F.col("best.evidence").alias("told"))
    )
    watched = told.withColumn("watched", F.col("edges").isNotNull()).drop("edges")
    rows = (
        found.join(watched, on="job_id", how="inner")
        .join(known, on=["job_id", "dataset_id"], how="left")
        .join(identities.select("dataset_id", "namespace", "name"), "dataset_id", "inner")
    )
    otherwise = F.when(F.col("watched"), "unknown").otherwise("reported")
    evidence = F.when(F.col("valid_to").isNull(), F.coalesce("told", otherwise))
    rows = rows.withColumn("evidence", evidence)
    described = F.col("declared") & (F.col("evidence") == "reported")
    words = F.array(*[F.lit(one) for one in _DOUBTS])
    sure = F.element_at(words, _doubt(F.col("evidence")) + 1)
    confidence = F.when(described, "declared").otherwise(sure)
    standing = F.when(F.col("evidence").isNotNull(), confidence)
    return EDGE.of(rows.withColumn("confidence", standing))


def pair_rows(stretched: DataFrame, shapes: DataFrame, names: DataFrame) -> DataFrame:
    """Rows of ``pair``; a job that says that nothing becomes anything has one without datasets."""
    mine = stretched.where("current").select("job_id", F.explode("shapes").alias("shape_id"))
    said = mine.join(
        shapes.where(F.col("pairs").isNotNull()).select("shape_id", "pairs"),
        on="shape_id",
        how="inner",
    ).select("job_id", F.explode_outer("pairs").alias("one"))
    ids = names.select("name_id", "dataset_id")
    source = ids.toDF("source_name", "source_id")
    target = ids.toDF("target_name", "target_id")
    rows = (
        said.select(
            "job_id", F.col("one.source").alias("source_name"),
            F.col("one.target").alias("target_name"),
        )
        .join(source, on="source_name", how="left")
        .join(target, on="target_name", how="left")
    )  # fmt: skip
    pairs = rows.select("job_id", "source_id", "target_id").distinct()
    some = Window.partitionBy("job_id")
    most = F.max(F.col("source_id").isNotNull()).over(some)
    return PAIR.of(pairs.withColumn("some", most).where("source_id is not null or not some"))


def _doubt(evidence: Column) -> Column:
    """Nought for the surest, as the backend's table has it for a job that ran."""
    return (
        F.when(evidence.isin("seen", "reported"), 0)
        .when(evidence == "declared", 1)
        .when(evidence == "config", 2)
        .otherwise(3)
    )
