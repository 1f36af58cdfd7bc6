"""Live analytics: what each supplier sold in every ten seconds, to a topic.

Run as ``python live_analytics.py KAFKA REGISTRY TOPIC CHECKPOINT [until-now]``.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from pyspark.sql import SparkSession
from pyspark.sql.functions import col, count, struct, to_json, window
from pyspark.sql.functions import sum as sum_

from mainstem.lab.jobs.orders import paced, read_orders
from mainstem.spark import track

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.streaming.query import StreamingQuery

STATISTICS = "supplier-stats"


def count_orders(orders: DataFrame, kafka: str, checkpoint: str, until: str) -> StreamingQuery:
    """The query that counts, started."""
    statistics = (
        orders.withWatermark("bid_time", "5 seconds")
        .groupBy(window("bid_time", "10 seconds"), "supplier")
        .agg(
            sum_(col("price").cast("decimal(10, 2)")).alias("total_price"),
            count("*").alias("orders"),
        )
    )
    messages = statistics.select(
        col("supplier").alias("key"),
        to_json(
            struct(
                col("window.start").alias("window_start"),
                col("window.end").alias("window_end"),
                "supplier",
                "total_price",
                "orders",
            )
        ).alias("value"),
    )
    writer = (
        messages.writeStream.format("kafka")
        .option("kafka.bootstrap.servers", kafka)
        .option("topic", STATISTICS)
        .option("checkpointLocation", checkpoint)
        .queryName(STATISTICS)
    )
    return paced(writer, until).start()


def main(kafka: str, registry: str, topic: str, checkpoint: str, until: str = "") -> None:
    """Run until the query ends."""
    spark = SparkSession.builder.appName("live-analytics").getOrCreate()
    track(spark, namespace="lab")
    orders = read_orders(spark, kafka, registry, topic)
    count_orders(orders, kafka, checkpoint, until).awaitTermination()


if __name__ == "__main__":
    main(*sys.argv[1:])
