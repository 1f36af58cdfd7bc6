"""A tracked application that ends in a way of its caller's choice; run as a process of its own."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

from pyspark.sql import SparkSession

from mainstem.spark import track


def main(ending: str, directory: str, url: str | None = None) -> None:
    spark = (
        SparkSession.builder.master("local[1]")
        .appName("ending")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("OFF")
    file = {"type": "file", "log_file_path": f"{directory}/events", "append": True}
    tracker = track(
        spark,
        namespace="test",
        url=url,
        destination=None if url else file,
        heartbeat=1,
        outbox=f"{directory}/box.db",
    )
    rows = spark.readStream.format("rate").load().selectExpr("value as id")
    path, checkpoint = f"{directory}/rows", f"{directory}/checkpoint"
    query = (
        rows.writeStream.queryName("rates").format("parquet").option("path", path)
        .option("checkpointLocation", checkpoint).start()
    )  # fmt: skip
    while not query.lastProgress:
        time.sleep(0.05)
    gateway: Any = spark.sparkContext._gateway
    ready = f"ready {os.getpid()} {gateway.proc.pid}"
    if ending == "wait":
        with tracker.run("report"):
            print(ready, flush=True)
            query.awaitTermination()
        return
    print(ready, flush=True)
    match ending:
        case "main ends":
            return
        case "spark.stop()":
            spark.stop()
        case "query.stop()":
            query.stop()
        case "main raises":
            raise RuntimeError("no luck; password=hunter2")
        case "stop in finally":
            try:
                raise RuntimeError("no luck")
            finally:
                spark.stop()
        case "sys.exit(3)":
            sys.exit(3)
        case _:
            raise ValueError(ending)


if __name__ == "__main__":
    main(*sys.argv[1:])
