"""Streaming ingestion: orders from their topic into an Iceberg table, prices as decimals.

Run as ``python ingestion.py KAFKA REGISTRY TOPIC CHECKPOINT [until-now]``.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from pyspark.sql import SparkSession
from pyspark.sql.functions import col

from mainstem.lab.jobs.orders import paced, read_orders
from mainstem.spark import track

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.streaming.query import StreamingQuery

COLUMNS = ("order_id", "item", "price", "supplier", "bid_time")


def take_in(orders: DataFrame, checkpoint: str, until: str) -> StreamingQuery:
    """The query that fills the table, started."""
    price = col("price").cast("decimal(10, 2)").alias("price")
    rows = orders.select(*(price if name == "price" else name for name in COLUMNS))
    writer = (
        rows.writeStream.format("iceberg")
        .option("checkpointLocation", checkpoint)
        .queryName("orders")
    )
    return paced(writer, until).toTable("lake.shop.orders")


def main(kafka: str, registry: str, topic: str, checkpoint: str, until: str = "") -> None:
    """Run until the query ends."""
    spark = SparkSession.builder.appName("ingestion").getOrCreate()
    track(spark, namespace="lab")
    orders = read_orders(spark, kafka, registry, topic)
    take_in(orders, checkpoint, until).awaitTermination()


if __name__ == "__main__":
    main(*sys.argv[1:])
