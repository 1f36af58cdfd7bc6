"""Which dataset was mentioned how, under its canonical name: once per contents and teller."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_USE = ("content_id", "job_id", "producer", "first_key", "first_run_id", "last_key")


def mentions(uses: DataFrame, contents: DataFrame, names: DataFrame) -> DataFrame:
    """Every mention of a dataset with the use it belongs to."""
    told = uses.select(*_USE).join(contents.select("content_id", "mentions"), "content_id", "inner")
    one = told.select(*_USE, F.explode("mentions").alias("one")).select(*_USE, "one.*")
    return one.join(names.select("name_id", "dataset_id"), on="name_id", how="inner")


def column_words(uses: DataFrame, contents: DataFrame, said: DataFrame) -> DataFrame:
    """The last word that each job had on how a dataset's columns are made."""
    told = uses.select(*_USE).join(
        contents.select("content_id", "mentions", "columns"), "content_id", "inner"
    )
    by_mention = told.select(*_USE, F.explode("mentions").alias("one")).where(
        F.coalesce(F.col("one.written"), F.lit(True))
    )
    by_job = told.select(*_USE, F.explode("columns").alias("one"))
    place = (*_USE, "one.name_id", "one.said_id")
    # What the job's own lineage facet tells comes after what its output's facets tell.
    words = by_mention.select(*place, F.lit(0).alias("turn")).unionByName(
        by_job.select(*place, F.lit(1).alias("turn"))
    )
    telling = said.where(F.col("columns").isNotNull()).select(
        "said_id", "columns", "column_sources"
    )
    return words.join(telling, on="said_id", how="inner")
