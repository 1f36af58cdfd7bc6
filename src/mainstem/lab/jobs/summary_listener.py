"""The batch summary with nothing about lineage in it: OpenLineage's agent in the JVM tells it.

Run as ``python summary_listener.py``.
"""

from __future__ import annotations

from pyspark.sql import SparkSession

from mainstem.lab.jobs.summary import summarise


def main() -> None:
    """Write the summary and end."""
    spark = SparkSession.builder.appName("summary").getOrCreate()
    summarise(spark)
    spark.stop()


if __name__ == "__main__":
    main()
