"""Datasets that nobody reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812

from mainstem.pipeline.views import ORPHANS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

DROPPED = "DROP"


def orphans(freshness: DataFrame, dataset: DataFrame, job: DataFrame) -> DataFrame:
    """Datasets without a reader now, but for those that are gone themselves."""
    unread = freshness.where(F.coalesce("readers", F.lit(0)) == 0).select(
        "dataset_id", "namespace", "name", "writers", "written_at", "written_by", "read_at"
    )
    gone = dataset.where(F.col("lifecycle") == DROPPED).select("dataset_id")
    writers = job.select(
        F.col("job_id").alias("written_by"),
        F.concat_ws(" ", "job_namespace", "job_name").alias("writer"),
    )
    found = (
        unread.join(gone, on="dataset_id", how="left_anti")
        .join(writers, on="written_by", how="left")
        .drop("written_by")
        .withColumnRenamed("writer", "written_by")
    )
    return ORPHANS.of(found).orderBy(
        F.col("writers").desc(), F.col("written_at").desc_nulls_last(), "namespace", "name"
    )
