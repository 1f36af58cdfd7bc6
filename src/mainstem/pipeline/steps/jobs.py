"""Jobs with their latest runs, and what they read and wrote under each configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F  # noqa: N812

from mainstem.pipeline.steps.going_on import go_on, plus
from mainstem.pipeline.steps.keys import latest, time_of
from mainstem.pipeline.tables import JOB, JOB_VERSION
from mainstem.said.versions import job_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pyarrow as pa
    from pyspark.sql import Column, DataFrame

_FACETS = ("type", "documentation", "location", "ownership", "tags")
_JOB = ("job_id", "job_namespace", "job_name")
_SIGNED = (*_JOB, "config_version", "contents", "created_at", "run_id")


def signatures(naming: DataFrame, runs: DataFrame) -> DataFrame:
    """What each run is counted by: ``naming`` are those that name datasets, with their contents."""
    silent = runs.where("not names_datasets").withColumn(
        "contents", F.array().cast("array<bigint>")
    )
    return naming.select(*_SIGNED).unionByName(silent.select(*_SIGNED))


def job_versions(signed: DataFrame, contents: DataFrame, names: DataFrame) -> DataFrame:
    """Rows of ``job_version``; the version's name is a hash that no built-in knows."""
    used = signed.groupBy(*_JOB, "config_version", "contents").agg(
        F.count("*").alias("runs"),
        F.min("created_at").alias("created_at"),
        F.max(F.struct("created_at", "run_id")).alias("last"),
    )
    sides = (
        used.withColumn("content_id", F.explode_outer("contents"))
        .join(contents.select("content_id", "mentions"), "content_id", "left")
        .withColumn("one", F.explode_outer("mentions"))
        .select(*used.columns, "one.name_id", "one.written")
        .join(names.select("name_id", "namespace", "name"), on="name_id", how="left")
    )
    name = F.struct("namespace", "name")
    rows = sides.groupBy(*used.columns).agg(
        F.array_sort(F.collect_set(F.when(~F.col("written"), name))).alias("inputs"),
        F.array_sort(F.collect_set(F.when(F.col("written"), name))).alias("outputs"),
    )
    schema = JOB_VERSION.schema()
    named = JOB_VERSION.of(
        rows.select(
            *_JOB, "config_version", "runs", "created_at", "inputs", "outputs",
            F.col("last.created_at").alias("last_run_at"),
            F.col("last.run_id").alias("last_run_id"),
            F.lit(None).alias("version"),
        )
    )  # fmt: skip
    merged = (
        named.mapInArrow(_named, schema)
        .groupBy("job_id", "version")
        .agg(
            *[
                F.first(one).alias(one)
                for one in ("job_namespace", "job_name", "inputs", "outputs", "config_version")
            ],
            F.min("created_at").alias("created_at"),
            F.max(F.struct("last_run_at", "last_run_id")).alias("last"),
            F.sum("runs").alias("runs"),
        )
    )
    return JOB_VERSION.of(merged.select("*", "last.*"))


def go_on_with_job_versions(before: DataFrame, new: DataFrame) -> DataFrame:
    """Rows of ``job_version``: those ``before``, and ``new`` ones of runs not counted there."""
    last = F.struct("last_run_at", "last_run_id").alias("last")
    others = [one for one in JOB_VERSION.names if one not in ("last_run_at", "last_run_id")]
    earlier, later = (rows.select(*others, last) for rows in (before, new))
    registers = {"created_at": F.least, "last": F.greatest, "runs": plus}
    merged = go_on(earlier, later, JOB_VERSION.key, registers)
    return JOB_VERSION.of(merged.select(*others, "last.*"))


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


def latest_runs(runs: DataFrame) -> DataFrame:
    """Of each job: its ``last`` run, the ``current`` one that named datasets, how many it had."""
    is_run = ~F.col("declared")
    last = F.max(F.when(is_run, F.struct("created_at", "run_id", "state")))
    current = F.max(F.when(F.col("names_datasets"), F.struct("created_at", "run_id")))
    return runs.groupBy("job_id").agg(
        last.alias("last"), current.alias("current"),
        F.sum(is_run.cast("bigint")).alias("runs"),
    )  # fmt: skip


def latest_of(changed: DataFrame, new_runs: DataFrame) -> DataFrame:
    """``latest_runs`` of runs that changed, of which only the new ones are counted."""
    counted = new_runs.where(~F.col("declared")).groupBy("job_id").agg(F.count("*").alias("runs"))
    return latest_runs(changed).drop("runs").join(counted, "job_id", "left")


def go_on_with_latest_runs(before: DataFrame, new: DataFrame) -> DataFrame:
    """``latest_runs`` from rows of ``job`` and ``latest_of`` what changed.

    Right for jobs of which no run began earlier than it was known to, or went to another job.
    """
    last = F.struct(
        F.col("latest_run_at").alias("created_at"),
        F.col("latest_run_id").alias("run_id"),
        F.col("latest_state").alias("state"),
    )
    current = F.struct(
        F.col("current_run_at").alias("created_at"), F.col("current_run_id").alias("run_id")
    )
    standing = before.select(
        "job_id",
        F.when(F.col("latest_run_id").isNotNull(), last).alias("last"),
        F.when(F.col("current_run_id").isNotNull(), current).alias("current"),
        "runs",
    )
    registers = {"last": _later, "current": F.greatest, "runs": plus}
    return go_on(standing, new, ("job_id",), registers)


def _later(standing: Column, new: Column) -> Column:
    """The later run; of one run, what is new of it."""
    is_later = (standing.created_at > new.created_at) | (
        (standing.created_at == new.created_at) & (standing.run_id > new.run_id)
    )
    return F.when(new.isNull() | is_later, standing).otherwise(new)


def fold_jobs(
    uses: DataFrame, contents: DataFrame, ran: DataFrame, versions: DataFrame
) -> DataFrame:
    """Rows of ``job``; ``ran`` is ``latest_runs``."""
    told = uses.where(F.col("job_id") != 0).join(
        contents.select("content_id", "job"), on="content_id", how="left"
    )
    key = F.col("last_key")
    parent = F.max(F.when(F.col("parent_key").isNotNull(), F.struct("parent_key", "parent")))
    words = told.groupBy("job_id", "job_namespace", "job_name").agg(
        F.min("first_key").alias("first_key"),
        F.max(key).alias("last_key"),
        parent["parent"].alias("parent"),
        *[latest(key, F.col(f"job.{name}")).alias(name) for name in _FACETS],
    )
    version = versions.groupBy("job_id").agg(
        F.max_by("version", F.struct("last_run_at", "last_run_id")).alias("version")
    )
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
            F.col("last.run_id").alias("latest_run_id"),
            F.col("last.created_at").alias("latest_run_at"),
            F.col("last.state").alias("latest_state"),
            F.col("current.run_id").alias("current_run_id"),
            F.col("current.created_at").alias("current_run_at"),
            F.col("version").alias("current_version"),
            F.coalesce("runs", F.lit(0)).alias("runs"),
        )
    )  # fmt: skip
