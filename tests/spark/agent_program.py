"""An application with OpenLineage's own agent and our tracker in it; run as a process."""

from __future__ import annotations

import sys
from pathlib import Path

from pyspark.sql import SparkSession

from mainstem.spark import track


def main(jars: str, directory: str) -> None:
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.jars": ",".join(str(jar) for jar in Path(jars).glob("*.jar")),
        "spark.extraListeners": "io.openlineage.spark.agent.OpenLineageSparkListener",
        "spark.openlineage.namespace": "both",
        "spark.openlineage.transport.type": "file",
        "spark.openlineage.transport.location": f"{directory}/agent",
        "spark.mainstem.outbox": f"{directory}/box.db",
        "spark.mainstem.transport.type": "file",
        "spark.mainstem.transport.log_file_path": f"{directory}/events",
        "spark.mainstem.transport.append": "true",
    }
    builder = SparkSession.builder.master("local[1]").appName("both")
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    for _ in range(2):
        track(spark)
    spark.range(3).write.parquet(f"{directory}/numbers")
    numbers = spark.readStream.schema("id bigint").parquet(f"{directory}/numbers")
    writer = numbers.writeStream.queryName("copy").format("parquet")
    writer = writer.option("path", f"{directory}/copies").trigger(availableNow=True)
    writer.option("checkpointLocation", f"{directory}/checkpoint").start().awaitTermination()
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
