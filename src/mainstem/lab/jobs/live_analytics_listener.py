"""Live analytics with nothing about lineage in it: OpenLineage's agent in the JVM tells it.

Run as ``python live_analytics_listener.py KAFKA REGISTRY TOPIC CHECKPOINT [until-now]``.
"""

from __future__ import annotations

import sys

from pyspark.sql import SparkSession

from mainstem.lab.jobs.live_analytics import count_orders
from mainstem.lab.jobs.orders import read_orders


def main(kafka: str, registry: str, topic: str, checkpoint: str, until: str = "") -> None:
    """Run until the query ends."""
    spark = SparkSession.builder.appName("live-analytics").getOrCreate()
    orders = read_orders(spark, kafka, registry, topic)
    count_orders(orders, kafka, checkpoint, until).awaitTermination()


if __name__ == "__main__":
    main(*sys.argv[1:])
