"""Datasets, their schema versions and their columns, as the fold of what was said of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812

from mainstem.pipeline.steps.keys import time_of
from mainstem.pipeline.tables import COLUMN_EDGE, DATASET, DATASET_VERSION

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_FACETS = ("source", "documentation", "lifecycle", "type", "links", "ownership", "tags")


def times() -> list[Column]:
    """When a dataset was last spoken of, written, by which job, and read: of all its namings."""
    key, written = F.col("last_key"), F.col("written")
    wrote = F.max(F.when(written, F.struct("last_key", "job_id")))
    return [
        F.max(key).alias("last_key"),
        wrote["last_key"].alias("written_key"),
        wrote["job_id"].alias("written_by"),
        F.max(F.when(~written, key)).alias("read_key"),
    ]


def schema_class() -> Column:
    """A registry's word on a schema stands before all others, and a writer's before a reader's."""
    registered = F.coalesce(F.col("registered"), F.lit(False)).cast("int")
    return 2 * registered + F.coalesce(F.col("written"), F.lit(False)).cast("int")


def tell_datasets(named: DataFrame, said: DataFrame) -> DataFrame:
    """What is told of each dataset: registers, each with the key of its word."""
    told = named.join(said.drop("name_id"), on="said_id", how="left")
    strength = F.struct(schema_class().alias("class"), F.col("last_key").alias("key"))
    vouched = F.coalesce(F.col("registered"), F.lit(False)).alias("vouched")
    schema = F.struct(
        strength.alias("strength"), "version", "fields", vouched, F.col("schema_word").alias("word")
    )
    return told.groupBy("dataset_id").agg(
        F.min("first_key").alias("first_key"),
        F.max(F.when(F.col("version").isNotNull(), schema)).alias("schema"),
        *[_last_word(name).alias(name) for name in _FACETS],
    )


def _last_word(facet: str) -> Column:
    word, value = F.col(f"{facet}_word"), F.col(f"facets.{facet}")
    said = F.struct(F.col("last_key").alias("key"), value.alias("value"), word.alias("word"))
    return F.max(F.when(word.isNotNull(), said))


def dataset_rows(told: DataFrame, identities: DataFrame) -> DataFrame:
    """Rows of ``dataset``; ``identities`` has every dataset's canonical name and its kind."""
    rows = told.join(identities, on="dataset_id", how="inner")
    kind = F.coalesce("type.value.kind", "links.value.kind", F.col("kind"))
    return DATASET.of(
        rows.select(
            "dataset_id", "namespace", "name",
            kind.alias("kind"),
            time_of(F.col("first_key")).alias("created_at"),
            F.col("schema.version").alias("version"),
            F.coalesce("schema.fields", F.lit("[]")).alias("fields"),
            F.coalesce("schema.vouched", F.lit(False)).alias("schema_registered"),
            F.coalesce("source.value.name", F.lit("default")).alias("source"),
            F.col("documentation.value.description").alias("description"),
            F.col("lifecycle.value.state").alias("lifecycle"),
            F.coalesce("ownership.value.owners", F.array()).alias("owners"),
            F.coalesce("tags.value.tags", F.array()).alias("tags"),
        )
    )  # fmt: skip


def dataset_versions(named: DataFrame, said: DataFrame, names: DataFrame) -> DataFrame:
    """Rows of ``dataset_version``."""
    told = named.join(
        said.where(F.col("version").isNotNull()).drop("name_id"), on="said_id", how="inner"
    )
    written = F.coalesce(F.col("written"), F.lit(False))
    first = F.struct("first_key", "fields", "registered")
    writer = F.when(written, F.struct("first_key", "first_run_id"))
    merged = told.groupBy("name_id", "version", "producer").agg(
        F.min(first).alias("first"), F.min(writer).alias("writer")
    )
    rows = merged.join(names, on="name_id", how="inner")
    return DATASET_VERSION.of(
        rows.select(
            "dataset_id", F.col("canonical_namespace").alias("namespace"),
            F.col("canonical_name").alias("name"), "version", "producer",
            F.col("namespace").alias("said_namespace"), F.col("name").alias("said_name"),
            "first.fields", "first.registered", "first.first_key",
            time_of(F.col("first.first_key")).alias("created_at"),
            F.col("writer.first_run_id").alias("run_id"),
            F.col("writer.first_key").alias("written_key"),
        )
    )  # fmt: skip


def column_edges(words: DataFrame, names: DataFrame, edges: DataFrame) -> DataFrame:
    """Rows of ``column_edge``: of what a job still writes, or of what no job is said to make."""
    last = words.groupBy("job_id", "name_id").agg(
        F.max(F.struct("last_key", "turn", "columns")).alias("word")
    )
    one = last.select(
        "job_id", "name_id", "word.last_key", F.explode("word.columns").alias("way")
    ).select("job_id", "name_id", "last_key", "way.*")
    target = names.select(
        "name_id", F.col("dataset_id").alias("target_id"),
        F.col("canonical_namespace").alias("target_namespace"),
        F.col("canonical_name").alias("target_name"),
    )  # fmt: skip
    source = names.select(
        F.col("name_id").alias("said_source"), F.col("dataset_id").alias("source_id"),
        F.col("canonical_namespace").alias("source_namespace"),
        F.col("canonical_name").alias("source_name"),
    )  # fmt: skip
    rows = (
        one.withColumnRenamed("source_id", "said_source")
        .join(target, on="name_id", how="inner")
        .join(source, on="said_source", how="inner")
    )
    writes = edges.where(F.col("valid_to").isNull() & F.col("written")).select(
        "job_id", F.col("dataset_id").alias("target_id"), F.lit(True).alias("writes")
    )
    current = rows.join(writes, on=["job_id", "target_id"], how="left").where(
        (F.col("job_id") == 0) | F.col("writes")
    )
    place = ("target_id", "target_field", "source_id", "source_field", "job_id")
    others = [one for one in COLUMN_EDGE.names if one not in place]
    # Two names of one dataset may each tell the same way; the later word stands.
    merged = current.groupBy(*place).agg(F.max(F.struct("last_key", *others)).alias("one"))
    return COLUMN_EDGE.of(merged.select(*place, "one.*"))
