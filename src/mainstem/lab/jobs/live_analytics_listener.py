"""Live analytics with nothing about lineage in it: OpenLineage's agent in the JVM tells it.

Run as ``python live_analytics_listener.py KAFKA REGISTRY TOPIC CHECKPOINT``.
"""

from __future__ import annotations

import sys

from pyspark.sql import SparkSession

from mainstem.lab.jobs.live_analytics import count_orders


def main(*arguments: str) -> None:
    """Run until the query ends."""
    spark = SparkSession.builder.appName("live-analytics").getOrCreate()
    count_orders(spark, *arguments).awaitTermination()


if __name__ == "__main__":
    main(*sys.argv[1:])
