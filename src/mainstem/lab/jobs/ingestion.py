"""Streaming ingestion: orders from their topic into an Iceberg table, prices as decimals.

Run as ``python ingestion.py KAFKA REGISTRY TOPIC CHECKPOINT``.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from pyspark.sql import SparkSession
from pyspark.sql.functions import col

from mainstem.lab.jobs.orders import read_orders
from mainstem.spark import track

if TYPE_CHECKING:
    from pyspark.sql.streaming.query import StreamingQuery

COLUMNS = ("order_id", "item", "price", "supplier", "bid_time")


def take_orders_in(
    spark: SparkSession, kafka: str, registry: str, topic: str, checkpoint: str
) -> StreamingQuery:
    """The query that fills the table, started."""
    price = col("price").cast("decimal(10, 2)").alias("price")
    orders = read_orders(spark, kafka, registry, topic).select(
        *(price if name == "price" else name for name in COLUMNS)
    )
    return (
        orders.writeStream.format("iceberg")
        .option("checkpointLocation", checkpoint)
        .trigger(processingTime="5 seconds")
        .queryName("orders")
        .toTable("lake.shop.orders")
    )


def main(*arguments: str) -> None:
    """Run until the query ends."""
    spark = SparkSession.builder.appName("ingestion").getOrCreate()
    track(spark, namespace="lab")
    take_orders_in(spark, *arguments).awaitTermination()


if __name__ == "__main__":
    main(*sys.argv[1:])
