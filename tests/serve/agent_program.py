"""A small PySpark job that knows nothing of us; its session is given OpenLineage's own listener."""

import sys
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import functions as f

jars, url, root = sys.argv[1:]
spark = (
    SparkSession.builder.master("local[1]")
    .appName("agent")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.shuffle.partitions", "1")
    .config("spark.jars", ",".join(str(jar) for jar in Path(jars).glob("*.jar")))
    .config("spark.extraListeners", "io.openlineage.spark.agent.OpenLineageSparkListener")
    .config("spark.openlineage.transport.type", "http")
    .config("spark.openlineage.transport.url", url)
    .config("spark.openlineage.transport.compression", "gzip")
    .config("spark.openlineage.namespace", "spark")
    .getOrCreate()
)
orders = spark.createDataFrame([("ann", 2.0), ("ben", 3.0)], "customer string, amount double")
orders.write.parquet(f"{root}/orders")
totals = (
    spark.read.parquet(f"{root}/orders").groupBy("customer").agg(f.sum("amount").alias("total"))
)
totals.write.parquet(f"{root}/totals")
spark.stop()
