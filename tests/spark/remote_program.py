"""A tracked application of Spark Connect, with a server of its own; run as a process."""

from __future__ import annotations

import sys
from contextlib import suppress

from pyspark.sql import SparkSession

from mainstem.spark import track


def main(directory: str) -> None:
    spark = (
        SparkSession.builder.remote("local[1]").config("spark.ui.enabled", "false")
        .config("spark.sql.warehouse.dir", f"{directory}/warehouse").getOrCreate()
    )  # fmt: skip
    destination = {"type": "file", "log_file_path": f"{directory}/events", "append": True}
    tracker = track(
        spark, app="remote", destination=destination, outbox=f"{directory}/box.db", heartbeat=60
    )
    spark.range(5).write.mode("overwrite").parquet(f"{directory}/in")
    spark.read.parquet(f"{directory}/in").write.mode("overwrite").saveAsTable("saved")
    rows = spark.readStream.schema("id long").parquet(f"{directory}/in")
    writer = rows.writeStream.queryName("files").format("parquet")
    writer = writer.option("path", f"{directory}/out")
    writer = writer.option("checkpointLocation", f"{directory}/checkpoint")
    writer.trigger(availableNow=True).start().awaitTermination()
    numbers = spark.readStream.format("rate").load()
    endless = numbers.writeStream.format("noop").queryName("endless").start()
    tracker.declare(endless, outputs=[("elasticsearch://e:9200", "numbers")])
    with suppress(Exception):
        broken = spark.sql("select raise_error('password=hunter2') as x")
        broken.write.mode("overwrite").parquet(f"{directory}/broken")
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
