"""What new uses tell that was not known; most of them only tell again what stands."""

from __future__ import annotations

from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812

from mainstem.pipeline.states import USE, WORD, WORDS
from mainstem.pipeline.steps.datasets import schema_class, times

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_KNOWN = "known_"
_SHOWN = (
    "processing_type", "integration", "job_type", "description", "location", "owners", "tags",
    "parent_namespace", "parent_name", "columns_word",
)  # fmt: skip
"""What the row of a job shows of its words."""


def with_news(
    uses: DataFrame, before: DataFrame, contents: DataFrame, jobs: DataFrame, *, few: bool
) -> DataFrame:
    """Uses that new events make, with what their contents name, and what of them is news.

    ``is_news`` is where a use ``is_known`` not at all, or not so early: all that follows from first
    words may be another. ``job_is_news`` is where the row of its job may change in more than times
    and runs, ``columns_are_news`` where it tells of columns what the job did not tell last.
    ``jobs`` are rows of ``job`` as they stand; ``few`` uses go to where contents lie.
    """
    key = list(USE.key)
    known = before.select(*key, F.col("first_key").alias("known_since"))
    telling = contents.select("content_id", "mentions", "sources", "columns_id", "job")
    standing = jobs.select("job_id", F.struct(*_SHOWN).alias("standing"))
    mine = uses.join(known, on=key, how="left").join(standing, on="job_id", how="left")
    found = telling.join(F.broadcast(mine) if few else mine, on="content_id", how="inner")
    is_news = F.coalesce(F.col("first_key") < F.col("known_since"), F.lit(True))
    told_otherwise = is_news | ~F.col("columns_id").eqNullSafe(F.col("standing.columns_word"))
    columns_are_news = F.col("columns_id").isNotNull() & told_otherwise
    job_is_news = reduce(or_, _contradictions(), columns_are_news)
    return found.select(
        *USE.names, "mentions", "sources",
        F.col("known_since").isNotNull().alias("is_known"),
        is_news.alias("is_news"),
        columns_are_news.alias("columns_are_news"),
        ((F.col("job_id") != 0) & job_is_news).alias("job_is_news"),
    )  # fmt: skip


def _contradictions() -> list[Column]:
    """Whether a job is unknown, and whether each facet is said and not as its row shows it."""

    def differs(word: str, **shown: Column) -> Column:
        same = [said.eqNullSafe(F.col(f"standing.{name}")) for name, said in shown.items()]
        return F.col(word).isNotNull() & ~reduce(and_, same)

    none = F.array().cast("array<string>")
    return [
        F.col("standing").isNull(),
        differs(
            "parent", parent_namespace=F.col("parent.namespace"), parent_name=F.col("parent.name")
        ),
        differs(
            "job.type",
            processing_type=F.coalesce("job.type.processing", F.lit("BATCH")),
            integration=F.col("job.type.integration"),
            job_type=F.col("job.type.job_type"),
        ),
        differs("job.documentation", description=F.col("job.documentation.description")),
        differs("job.location", location=F.col("job.location.url")),
        differs("job.ownership", owners=F.coalesce("job.ownership.owners", none)),
        differs("job.tags", tags=F.coalesce("job.tags.tags", none)),
    ]


def spoken_of(named: DataFrame, said: DataFrame, words: DataFrame) -> DataFrame:
    """The times of datasets that are ``named``, and whether there ``is_news`` of each.

    The order key of a word that is told again is not looked at: what differs from the ``words``
    that stand may have come before them, and is news all the same.
    """
    flat = [one.name for one in WORDS]
    known = words.select(
        "dataset_id", "schema_class", *[F.col(name).alias(_KNOWN + name) for name in flat]
    )
    told = named.join(said.select("said_id", "registered", *flat), on="said_id", how="left")
    told = told.join(known, on="dataset_id", how="left")
    weaker = F.coalesce(schema_class() < F.col("schema_class"), F.lit(False))
    schema, *facets = (_differs(name) for name in flat)
    contradicts = reduce(or_, facets, schema & ~weaker)
    return told.groupBy("dataset_id").agg(
        *times(), F.max(F.col("is_news") | contradicts).alias("is_news")
    )


def _differs(word: str) -> Column:
    """Whether a word is said, and not the one that stands."""
    return F.col(word).isNotNull() & ~F.col(word).eqNullSafe(F.col(_KNOWN + word))


def word_rows(told: DataFrame) -> DataFrame:
    """Rows of ``word``; ``told`` is what is told of each dataset."""
    return WORD.of(
        told.select(
            "dataset_id",
            *[F.col(f"{one.name.removesuffix('_word')}.word").alias(one.name) for one in WORDS],
            F.col("schema.strength.class").alias("schema_class"),
        )
    )
