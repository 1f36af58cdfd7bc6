"""Datasets, their schema versions and their columns, as the fold of what was said of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812

from mainstem.pipeline.steps.going_on import go_on
from mainstem.pipeline.steps.keys import latest, time_of
from mainstem.pipeline.tables import COLUMN_EDGE, DATASET, DATASET_VERSION

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_FACETS = ("source", "documentation", "lifecycle", "type", "links", "ownership", "tags")


def namings(mentioned: DataFrame, words: DataFrame, names: DataFrame) -> DataFrame:
    """Every naming of a dataset, be it as a source of columns only."""
    sources = words.select(F.explode("column_sources").alias("name_id"), "first_key", "last_key")
    named = sources.join(names.select("name_id", "dataset_id"), on="name_id", how="inner")
    columns = ("dataset_id", "first_key", "last_key")
    return mentioned.select(*columns).unionByName(named.select(*columns))


def tell_datasets(mentioned: DataFrame, named: DataFrame, said: DataFrame) -> DataFrame:
    """What is told of each dataset: registers, each with the key of its word."""
    spoken = named.groupBy("dataset_id").agg(
        F.min("first_key").alias("first_key"), F.max("last_key").alias("last_key")
    )
    told = mentioned.join(said.drop("name_id"), on="said_id", how="left")
    key, written = F.col("last_key"), F.coalesce(F.col("written"), F.lit(False))
    registered = F.coalesce(F.col("registered"), F.lit(False))
    strength = F.concat(registered.cast("int"), written.cast("int"), key)
    schema = F.struct(strength.alias("strength"), "version", "fields", registered.alias("vouched"))
    words = told.groupBy("dataset_id").agg(
        F.max(F.when(written, F.struct("last_key", "job_id"))).alias("wrote"),
        F.max(F.when(~F.col("written"), key)).alias("read_key"),
        F.max(F.when(F.col("version").isNotNull(), schema)).alias("schema"),
        *[latest(key, F.col(f"facets.{name}")).alias(name) for name in _FACETS],
    )
    return spoken.join(words, on="dataset_id", how="left")


def go_on_with_datasets(before: DataFrame, new: DataFrame) -> DataFrame:
    """What was told of each dataset ``before``, as rows of ``dataset``, and what is ``new``."""
    schema = F.struct(
        F.col("schema_key").alias("strength"), "version", "fields",
        F.col("schema_registered").alias("vouched"),
    )  # fmt: skip
    told = before.select(
        "dataset_id", "fold.first_key", "last_key", "fold.wrote", "fold.read_key",
        F.when(F.col("version").isNotNull(), schema).alias("schema"),
        *[F.col(f"fold.{name}").alias(name) for name in _FACETS],
    )  # fmt: skip
    latest_words = dict.fromkeys(("last_key", "wrote", "read_key", "schema", *_FACETS), F.greatest)
    return go_on(told, new, DATASET.key, {"first_key": F.least, **latest_words})


def dataset_rows(told: DataFrame, identities: DataFrame) -> DataFrame:
    """Rows of ``dataset``; ``identities`` has every dataset's canonical name and its kind."""
    rows = told.join(identities, on="dataset_id", how="inner")
    kind = F.coalesce("type.value.kind", "links.value.kind", F.col("kind"))
    return DATASET.of(
        rows.select(
            "dataset_id", "namespace", "name", "last_key",
            kind.alias("kind"),
            time_of(F.col("first_key")).alias("created_at"),
            time_of(F.col("last_key")).alias("updated_at"),
            time_of(F.col("wrote.last_key")).alias("written_at"),
            F.col("schema.version").alias("version"),
            F.coalesce("schema.fields", F.lit("[]")).alias("fields"),
            F.coalesce("schema.vouched", F.lit(False)).alias("schema_registered"),
            F.coalesce("source.value.name", F.lit("default")).alias("source"),
            F.col("documentation.value.description").alias("description"),
            F.col("lifecycle.value.state").alias("lifecycle"),
            F.coalesce("ownership.value.owners", F.array()).alias("owners"),
            F.coalesce("tags.value.tags", F.array()).alias("tags"),
            F.col("schema.strength").alias("schema_key"),
            F.struct("first_key", "wrote", "read_key", *_FACETS).alias("fold"),
        )
    )  # fmt: skip


def dataset_versions(mentioned: DataFrame, said: DataFrame, names: DataFrame) -> DataFrame:
    """Rows of ``dataset_version``."""
    told = mentioned.join(
        said.where(F.col("version").isNotNull()).drop("name_id"), on="said_id", how="inner"
    )
    written = F.coalesce(F.col("written"), F.lit(False))
    first = F.struct("first_key", "fields", "registered")
    writer = F.when(written, F.struct("first_key", "first_run_id"))
    merged = told.groupBy("name_id", "version", "producer").agg(
        F.min(first).alias("first"),
        F.max("last_key").alias("last_key"),
        F.min(writer).alias("writer"),
    )
    rows = merged.join(names, on="name_id", how="inner")
    return DATASET_VERSION.of(
        rows.select(
            "dataset_id", F.col("canonical_namespace").alias("namespace"),
            F.col("canonical_name").alias("name"), "version", "producer",
            F.col("namespace").alias("said_namespace"), F.col("name").alias("said_name"),
            "first.fields", "first.registered", "first.first_key", "last_key",
            time_of(F.col("first.first_key")).alias("created_at"),
            time_of(F.col("last_key")).alias("last_said_at"),
            F.col("writer.first_run_id").alias("run_id"),
            F.col("writer.first_key").alias("written_key"),
        )
    )  # fmt: skip


def go_on_with_versions(before: DataFrame, new: DataFrame) -> DataFrame:
    """Rows of ``dataset_version``: those ``before``, and ``new`` ones.

    A version is a hash of the name that was said and its fields, so that it knows its dataset.
    """
    first = F.struct("first_key", "created_at", "fields", "registered").alias("first")
    last = F.struct("last_key", "last_said_at").alias("last")
    writer = F.when(F.col("written_key").isNotNull(), F.struct("written_key", "run_id"))
    same = ("dataset_id", "namespace", "name", "version", "producer", "said_namespace", "said_name")
    earlier, later = (
        rows.select(*same, first, last, writer.alias("writer")) for rows in (before, new)
    )
    registers = {"first": F.least, "last": F.greatest, "writer": F.least}
    merged = go_on(earlier, later, ("version", "producer"), registers)
    return DATASET_VERSION.of(merged.select(*same, "first.*", "last.*", "writer.*"))


def column_edges(words: DataFrame, names: DataFrame, edges: DataFrame) -> DataFrame:
    """Rows of ``column_edge``: of what a job still writes, or of what no job is said to make."""
    last = words.groupBy("job_id", "name_id").agg(
        F.max(F.struct("last_key", "turn", "columns")).alias("word")
    )
    one = last.select(
        "job_id",
        "name_id",
        time_of(F.col("word.last_key")).alias("told_at"),
        F.explode("word.columns").alias("way"),
    ).select("job_id", "name_id", "told_at", "way.*")
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
    merged = current.groupBy(*place).agg(F.max(F.struct("told_at", *others[:-1])).alias("one"))
    return COLUMN_EDGE.of(merged.select(*place, "one.*"))
