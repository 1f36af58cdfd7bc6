"""Jobs with their latest runs, and what they read and wrote under each configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F  # noqa: N812

from mainstem.pipeline.steps.going_on import go_on, plus
from mainstem.pipeline.steps.keys import latest, time_of
from mainstem.pipeline.tables import JOB, JOB_VERSION
from mainstem.said.versions import job_version

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    import pyarrow as pa
    from pyspark.sql import Column, DataFrame

_FACETS = ("type", "documentation", "location", "ownership", "tags")
_JOB = ("job_id", "job_namespace", "job_name")
_OF_A_VERSION = ("job_namespace", "job_name", "inputs", "outputs", "config_version")
_LATEST = {"last": ("created_at", "run_id", "state"), "current": ("created_at", "run_id")}
_OF_RUNS = (
    "latest_run_id", "latest_run_at", "latest_state", "current_run_id", "current_run_at", "runs",
    "others_until",
)  # fmt: skip
_SIGNED = (*_JOB, "config_version", "shapes", "created_at", "run_id", "counts", "late")


def signatures(naming: DataFrame, runs: DataFrame) -> DataFrame:
    """What each run is counted by: ``naming`` are those that name datasets, with their shapes."""
    silent = runs.where("not names_datasets").withColumn("shapes", F.array().cast("array<bigint>"))
    counted = {"counts": F.lit(1).cast("bigint"), "late": F.lit(False)}
    naming, silent = (rows.withColumns(counted) for rows in (naming, silent))
    return naming.select(*_SIGNED).unionByName(silent.select(*_SIGNED))


def go_on_with_signatures(told: DataFrame) -> DataFrame:
    """``signatures`` of runs that are new or began earlier than known; only new ones count."""
    counts = F.when(F.col("is_new"), 1).otherwise(0).cast("bigint")
    return told.where("is_new or late").withColumn("counts", counts).select(*_SIGNED, "version")


def counted(signed: DataFrame) -> DataFrame:
    """How many runs have a configuration and shapes in common, and when they began."""
    used = signed.groupBy(*_JOB, "config_version", "shapes").agg(
        F.sum("counts").alias("runs"),
        F.min("created_at").alias("created_at"),
        F.max(F.struct("created_at", "run_id")).alias("last"),
        F.max("late").alias("late"),
    )
    return used.withColumn("signature", _signature())


def _signature() -> Column:
    return F.xxhash64("config_version", "shapes")


def recognized(told: DataFrame, versions: DataFrame) -> DataFrame:
    """What runs tell, with the version of each that rows of ``job_version`` know."""
    known = versions.select("job_id", "version", F.explode("signatures").alias("signature"))
    signed = told.withColumn("signature", _signature())
    return signed.join(known, on=["job_id", "signature"], how="left").drop("signature")


def name_versions(used: DataFrame, shapes: DataFrame, names: DataFrame) -> DataFrame:
    """What was ``counted`` with its version, whose name is a hash that no built-in knows."""
    sides = (
        used.withColumn("shape_id", F.explode_outer("shapes"))
        .join(shapes.select("shape_id", "sides"), "shape_id", "left")
        .withColumn("one", F.explode_outer("sides"))
        .select(*used.columns, "one.name_id", "one.written")
        .join(names.select("name_id", "namespace", "name"), on="name_id", how="left")
    )
    name = F.struct("namespace", "name")
    rows = sides.groupBy(*used.columns).agg(
        F.array_sort(F.collect_set(F.when(~F.col("written"), name))).alias("inputs"),
        F.array_sort(F.collect_set(F.when(F.col("written"), name))).alias("outputs"),
    )
    unnamed = rows.withColumn("version", F.lit(None).cast("string"))
    return unnamed.mapInArrow(_named, unnamed.schema)


def counted_apart(signed: DataFrame) -> DataFrame:
    """Runs whose version was ``recognized`` in the shape of ``name_versions``, one by one."""
    nothing = F.lit(None).cast("array<struct<namespace:string,name:string>>")
    one = {
        "runs": F.col("counts"), "last": F.struct("created_at", "run_id"),
        "signature": _signature(), "inputs": nothing, "outputs": nothing,
    }  # fmt: skip
    return signed.withColumns(one).drop("counts", "run_id")


def fold_versions(named: DataFrame) -> DataFrame:
    """Rows of ``job_version`` of runs whose versions are known, each with what is ``late``."""
    merged = named.groupBy("job_id", "version").agg(
        *[F.first(one, ignorenulls=True).alias(one) for one in _OF_A_VERSION],
        F.min("created_at").alias("created_at"),
        F.max("last").alias("last"),
        F.sum("runs").alias("runs"),
        F.max("late").alias("late"),
        F.array_sort(F.collect_set("signature")).alias("signatures"),
    )
    return merged.select(
        "*",
        F.col("last.created_at").alias("last_run_at"),
        F.col("last.run_id").alias("last_run_id"),
    ).select(*JOB_VERSION.names, "late")


def go_on_with_job_versions(before: DataFrame, new: DataFrame, *, grows: bool) -> DataFrame:
    """Rows of ``job_version``: those ``before``, and ``new`` ones of ``fold_versions``."""
    others = [one for one in JOB_VERSION.names if one not in ("last_run_at", "last_run_id")]
    last = F.struct(
        F.col("last_run_at").alias("created_at"), F.col("last_run_id").alias("run_id"), "late"
    )
    before = before.withColumn("late", F.lit(False))
    earlier, later = (rows.select(*others, last.alias("last")) for rows in (before, new))
    registers = {
        "created_at": F.least, "last": _later, "runs": plus, "signatures": _united,
    }  # fmt: skip
    merged = go_on(earlier, later, JOB_VERSION.key, registers, grows=grows)
    return JOB_VERSION.of(
        merged.select(
            *others,
            F.col("last.created_at").alias("last_run_at"),
            F.col("last.run_id").alias("last_run_id"),
        )
    )


def _united(standing: Column, new: Column) -> Column:
    return F.when(new.isNull(), standing).otherwise(F.array_sort(F.array_union(standing, new)))


def _named(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa  # noqa: PLC0415 - workers alone need it

    for batch in batches:
        versions = [_version(row) for row in batch.to_pylist()]
        at = batch.schema.get_field_index("version")
        columns = [*batch.columns[:at], pa.array(versions, pa.string()), *batch.columns[at + 1 :]]
        yield pa.RecordBatch.from_arrays(columns, schema=batch.schema)


def _version(row: dict[str, Any]) -> str:
    inputs, outputs = (
        [(one["namespace"], one["name"]) for one in row[side]] for side in ("inputs", "outputs")
    )
    config = row["config_version"]
    return job_version(row["job_namespace"], row["job_name"], inputs, outputs, config)


def latest_runs(runs: DataFrame, *more: Column) -> DataFrame:
    """Of each job: its ``last`` run, the ``current`` one that named datasets, how many it had.

    And ``times`` when the two latest runs began, be they declared or not; ``more`` is told instead
    of how many they are.
    """
    is_run = ~F.col("declared")
    last = F.max(F.when(is_run, F.struct("created_at", "run_id", "state")))
    current = F.max(F.when(F.col("names_datasets"), F.struct("created_at", "run_id")))
    times = F.sort_array(F.collect_list("created_at"), asc=False)
    return runs.groupBy("job_id").agg(
        last.alias("last"), current.alias("current"), F.slice(times, 1, 2).alias("times"),
        *(more or [F.sum(is_run.cast("bigint")).alias("runs")]),
    )  # fmt: skip


def latest_of(told: DataFrame, uses: DataFrame) -> DataFrame:
    """``latest_runs`` of runs that changed, of which only the new ones are counted.

    ``told`` are these runs ``compared`` with what they were. And when new ``uses`` speak of each
    job: the ``first_key`` and the ``last_key``.
    """
    noted = {one for parts in _LATEST.values() for one in parts}
    run = ("job_id", *sorted(noted), "declared", "names_datasets", "is_new", "late")
    spoken = uses.where("job_id != 0").select("job_id", "first_key", "last_key")
    both = told.select(*run).unionByName(spoken, allowMissingColumns=True)
    rows = latest_runs(
        both,
        F.sum((F.col("is_new") & ~F.col("declared")).cast("bigint")).alias("runs"),
        F.max("late").alias("late"), F.min("first_key").alias("first_key"),
        F.max("last_key").alias("last_key"),
    )  # fmt: skip
    late = F.coalesce("late", F.lit(False)).alias("late")
    noted = {
        name: F.when(F.col(name).isNotNull(), F.struct(*[f"{name}.{one}" for one in parts], late))
        for name, parts in _LATEST.items()
    }
    return rows.withColumns(noted).drop("late")


def go_on_with_latest_runs(before: DataFrame, new: DataFrame) -> DataFrame:
    """``latest_runs`` from rows of ``job`` and ``latest_of`` what changed.

    Right for jobs of which no run went to another job, and none but the latest began earlier than
    it was known to, yet after all others.
    """
    ran = ("job_id", *_RAN)
    rows = go_on(_standing(before).select(*ran), new.select(*ran), ("job_id",), _RAN)
    return rows.withColumns({name: F.col(name).dropFields("late") for name in _LATEST})


def go_on_with_jobs(before: DataFrame, new: DataFrame, versions: DataFrame) -> DataFrame:
    """Rows of ``job`` of which nothing but times and runs may have changed; no job is new.

    ``new`` is ``latest_of`` what changed, ``versions`` are rows of ``job_version``.
    """
    spoken = new.withColumn("created_at", time_of(F.col("first_key")))
    registers = {**_RAN, "created_at": F.least, "last_key": F.greatest}
    rows = go_on(_standing(before), spoken, ("job_id",), registers, grows=False)
    rows = rows.join(_current_versions(versions), on="job_id", how="left")
    version = F.coalesce("version", "current_version").alias("current_version")
    shown = {
        "updated_at": time_of(F.col("last_key")).alias("updated_at"), "current_version": version,
    }  # fmt: skip
    kept = [one for one in JOB.names if one not in (*shown, *_OF_RUNS)]
    return JOB.of(rows.select(*kept, *shown.values(), *_shown_runs()))


def _standing(jobs: DataFrame) -> DataFrame:
    """Rows of ``job`` with what ``latest_runs`` tells."""
    on_time = F.lit(False).alias("late")
    last = F.struct(
        F.col("latest_run_at").alias("created_at"),
        F.col("latest_run_id").alias("run_id"),
        F.col("latest_state").alias("state"),
        on_time,
    )
    current = F.struct(
        F.col("current_run_at").alias("created_at"),
        F.col("current_run_id").alias("run_id"),
        on_time,
    )
    return jobs.select(
        "*",
        F.when(F.col("latest_run_id").isNotNull(), last).alias("last"),
        F.when(F.col("current_run_id").isNotNull(), current).alias("current"),
        F.array(F.greatest("latest_run_at", "current_run_at"), "others_until").alias("times"),
    )


def _later(standing: Column, new: Column) -> Column:
    """The later run; of one run, what is new of it.

    Where the one that stands came ``late`` to its true beginning, it is among the new ones.
    """
    is_later = (standing.created_at > new.created_at) | (
        (standing.created_at == new.created_at) & (standing.run_id > new.run_id)
    )
    return F.when(new.isNull() | (~new.late & is_later), standing).otherwise(new)


def _two_latest(standing: Column, new: Column) -> Column:
    """The two latest of some times; a run that is in both may stand twice, which is no less."""
    both = F.concat(standing, F.coalesce(new, F.array().cast("array<timestamp>")))
    return F.slice(F.sort_array(both, asc=False), 1, 2)


def fold_jobs(
    uses: DataFrame, contents: DataFrame, ran: DataFrame, versions: DataFrame
) -> DataFrame:
    """Rows of ``job``; ``ran`` is ``latest_runs``."""
    told = uses.where(F.col("job_id") != 0).join(
        contents.select("content_id", "job", "columns_id"), on="content_id", how="left"
    )
    key = F.col("last_key")
    parent = F.max(F.when(F.col("parent_key").isNotNull(), F.struct("parent_key", "parent")))
    words = told.groupBy("job_id", "job_namespace", "job_name").agg(
        F.min("first_key").alias("first_key"),
        F.max(key).alias("last_key"),
        parent["parent"].alias("parent"),
        *[latest(key, F.col(f"job.{name}")).alias(name) for name in _FACETS],
        latest(key, F.col("columns_id"))["value"].alias("columns_word"),
    )
    version = _current_versions(versions)
    rows = words.join(ran, on="job_id", how="left").join(version, on="job_id", how="left")
    return JOB.of(
        rows.select(
            "job_id", "job_namespace", "job_name", "last_key",
            time_of(F.col("first_key")).alias("created_at"),
            time_of(key).alias("updated_at"),
            F.coalesce("type.value.processing", F.lit("BATCH")).alias("processing_type"),
            F.col("type.value.integration").alias("integration"),
            F.col("type.value.job_type").alias("job_type"),
            F.col("documentation.value.description").alias("description"),
            F.col("location.value.url").alias("location"),
            F.coalesce("ownership.value.owners", F.array()).alias("owners"),
            F.coalesce("tags.value.tags", F.array()).alias("tags"),
            F.col("parent.namespace").alias("parent_namespace"),
            F.col("parent.name").alias("parent_name"),
            F.col("version").alias("current_version"),
            "columns_word",
            *_shown_runs(),
        )
    )  # fmt: skip


def _current_versions(versions: DataFrame) -> DataFrame:
    """The version of each job's last run."""
    last = F.struct("last_run_at", "last_run_id")
    return versions.groupBy("job_id").agg(F.max_by("version", last).alias("version"))


def _shown_runs() -> list[Column]:
    """What ``latest_runs`` tells as columns of ``job``."""
    shown = (
        F.col("last.run_id"), F.col("last.created_at"), F.col("last.state"),
        F.col("current.run_id"), F.col("current.created_at"), F.coalesce("runs", F.lit(0)),
        F.try_element_at("times", F.lit(2)),
    )  # fmt: skip
    return [one.alias(name) for one, name in zip(shown, _OF_RUNS, strict=True)]


_RAN: Mapping[str, Callable[[Column, Column], Column]] = {
    "last": _later, "current": _later, "runs": plus, "times": _two_latest,
}  # fmt: skip
"""What of a job goes on with its runs, each with how."""
