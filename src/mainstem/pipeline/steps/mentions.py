"""Which dataset was named how, under its canonical name: once per contents and teller."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

TELLER = ("content_id", "job_id", "producer", "first_key", "first_run_id", "last_key")
"""What there is to know of a use."""


def mentioned(telling: DataFrame, names: DataFrame) -> DataFrame:
    """Every dataset that rows name by ``mentions``; of mere ``sources`` of columns none is said."""
    nothing = F.lit(None)
    sources = F.transform(
        "sources",
        lambda one: F.struct(
            one.alias("name_id"), nothing.cast("boolean").alias("written"),
            nothing.cast("bigint").alias("said_id"),
        ),
    )  # fmt: skip
    others = [name for name in telling.columns if name not in ("mentions", "sources")]
    one = telling.select(*others, F.explode(F.concat("mentions", sources)).alias("one"))
    return one.select(*others, "one.*").join(
        names.select("name_id", "dataset_id"), on="name_id", how="inner"
    )


def namings(tellers: DataFrame, contents: DataFrame, names: DataFrame) -> DataFrame:
    """Every naming of a dataset with its teller."""
    telling = contents.select("content_id", "mentions", "sources")
    return mentioned(telling, names).join(tellers, on="content_id", how="inner")


def column_words(uses: DataFrame, contents: DataFrame, said: DataFrame) -> DataFrame:
    """What each job told of how a dataset's columns are made."""
    told = uses.select("content_id", "job_id", "last_key").join(
        contents.where(F.col("columns_id").isNotNull()).select("content_id", "mentions", "columns"),
        on="content_id",
        how="inner",
    )
    by_mention = told.select("job_id", "last_key", F.explode("mentions").alias("one")).where(
        F.coalesce(F.col("one.written"), F.lit(True))
    )
    by_job = told.select("job_id", "last_key", F.explode("columns").alias("one"))
    place = ("job_id", "last_key", "one.name_id", "one.said_id")
    # What the job's own lineage facet tells comes after what its output's facets tell.
    words = by_mention.select(*place, F.lit(0).alias("turn")).unionByName(
        by_job.select(*place, F.lit(1).alias("turn"))
    )
    telling = said.where(F.col("columns").isNotNull()).select("said_id", "columns")
    return words.join(telling, on="said_id", how="inner")
