"""Batch summary: what each supplier sold in every hour of the latest day; replaces that day's.

Run as ``python summary.py``.
"""

from __future__ import annotations

from pyspark.sql import SparkSession
from pyspark.sql.functions import col, count, date_trunc, to_date
from pyspark.sql.functions import max as max_
from pyspark.sql.functions import sum as sum_

from mainstem.spark import track


def summarise(spark: SparkSession) -> None:
    """Write the summary."""
    orders = spark.table("lake.shop.orders")
    (latest,) = orders.agg(max_(to_date("bid_time"))).collect()[0]
    hourly = (
        orders.where(to_date("bid_time") == latest)
        .groupBy(date_trunc("hour", "bid_time").alias("hour"), "supplier")
        .agg(sum_("price").alias("total_price"), count("*").alias("orders"))
        .select("hour", "supplier", col("total_price").cast("decimal(12, 2)"), "orders")
    )
    hourly.writeTo("lake.shop.supplier_stats").overwritePartitions()


def main() -> None:
    """Write the summary and end."""
    spark = SparkSession.builder.appName("summary").getOrCreate()
    track(spark, namespace="lab")
    summarise(spark)
    spark.stop()


if __name__ == "__main__":
    main()
