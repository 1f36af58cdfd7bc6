"""What new uses tell that was not known; most of them only tell again what stands."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812

from mainstem.pipeline.states import USE, WORD, WORDS
from mainstem.pipeline.steps.datasets import schema_class, times

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_KNOWN = "known_"


def with_news(uses: DataFrame, before: DataFrame, contents: DataFrame) -> DataFrame:
    """Uses that new events make, whether each ``is_news``, and what it tells of columns.

    It is where it was not known, or not so early: all that follows from first words may be another.
    """
    key = list(USE.key)
    known = before.select(*key, F.col("first_key").alias("known_since"))
    # The little that is new goes to where the rest lies.
    known = known.join(uses.select(*key), on=key, how="left_semi")
    found = uses.join(known, on=key, how="left")
    telling = contents.select("content_id", "columns_id")
    return found.join(telling, on="content_id", how="inner").select(
        "content_id", "job_id", "last_key", "columns_id",
        F.coalesce(F.col("first_key") < F.col("known_since"), F.lit(True)).alias("is_news"),
    )  # fmt: skip


def spoken_of(named: DataFrame, said: DataFrame, words: DataFrame) -> DataFrame:
    """The times of datasets that are ``named``, and whether there ``is_news`` of each.

    The order key of a word that is told again is not looked at: what differs from the ``words``
    that stand may have come before them, and is news all the same.
    """
    flat = [one.name for one in WORDS]
    known = words.select(
        "dataset_id", "schema_class", *[F.col(name).alias(_KNOWN + name) for name in flat]
    )
    known = known.join(named.select("dataset_id"), on="dataset_id", how="left_semi")
    told = named.join(
        said.select("said_id", "registered", *flat).join(
            named.select("said_id"), on="said_id", how="left_semi"
        ),
        on="said_id",
        how="left",
    ).join(known, on="dataset_id", how="left")
    weaker = F.coalesce(schema_class() < F.col("schema_class"), F.lit(False))
    schema, *facets = (_differs(name) for name in flat)
    contradicts = reduce(or_, facets, schema & ~weaker)
    return told.groupBy("dataset_id").agg(
        *times(), F.max(F.col("is_news") | contradicts).alias("is_news")
    )


def _differs(word: str) -> Column:
    """Whether a word is said, and not the one that stands."""
    return F.col(word).isNotNull() & ~F.col(word).eqNullSafe(F.col(_KNOWN + word))


def retelling_jobs(named: DataFrame, before: DataFrame, contents: DataFrame) -> DataFrame:
    """Jobs that tell of columns what they did not tell last."""
    telling = named.where(F.col("columns_id").isNotNull())
    last = (
        before.select("content_id", "job_id", "last_key")
        .join(telling.select("job_id"), on="job_id", how="left_semi")
        .join(contents.select("content_id", "columns_id"), on="content_id", how="inner")
        .where(F.col("columns_id").isNotNull())
        .groupBy("job_id")
        .agg(F.max_by("columns_id", "last_key").alias("told_last"))
    )
    same = F.col("columns_id").eqNullSafe(F.col("told_last"))
    found = telling.join(last, on="job_id", how="left").where(F.col("is_news") | ~same)
    return found.select("job_id").distinct()


def word_rows(told: DataFrame) -> DataFrame:
    """Rows of ``word``; ``told`` is what is told of each dataset."""
    return WORD.of(
        told.select(
            "dataset_id",
            *[F.col(f"{one.name.removesuffix('_word')}.word").alias(one.name) for one in WORDS],
            F.col("schema.strength.class").alias("schema_class"),
        )
    )
