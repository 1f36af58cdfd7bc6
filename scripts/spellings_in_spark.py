"""Spark applications that read one topic and one lake's table, called in several ways.

Run by ``record_spellings.py`` as ``python spellings_in_spark.py TELLER FOLDER SETTINGS``: each
application is a session of its own, and what is told of it goes into a file of its own.
"""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from mainstem.spark import track

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

AGENT, MAINSTEM = "agent", "mainstem"
_RESOLVER = "spark.openlineage.dataset.namespaceResolvers.broker-1"
RESOLVER = {
    f"{_RESOLVER}.type": "hostList",
    f"{_RESOLVER}.hosts": "[localhost]",
    f"{_RESOLVER}.schema": "kafka",
}
"""What the doctor says to add where Spark calls broker-1 localhost."""


class Applications:
    """Sessions with one teller of lineage."""

    def __init__(self, teller: str, folder: Path, settings: dict[str, str]) -> None:
        self._teller = teller
        self._folder = folder
        self._settings = settings

    @contextmanager
    def session(self, way: str) -> Iterator[SparkSession]:
        """A session whose events go into the file of its way of writing names."""
        told = self._folder / f"spark-{self._teller}-{way}.ndjson"
        builder = SparkSession.builder.master("local[1]").appName(f"reads-{way}")
        settings = self._common() | self._listener(told)
        for key, value in (settings | (RESOLVER if way == "resolved" else {})).items():
            builder = builder.config(key, value)
        spark = builder.getOrCreate()
        spark.sparkContext.setLogLevel("ERROR")
        if self._teller == MAINSTEM:
            destination = {"type": "file", "log_file_path": str(told), "append": True}
            outbox = self._folder / f"{way}.db"
            track(spark, namespace="spark", destination=destination, outbox=outbox)
        try:
            yield spark
        finally:
            spark.stop()

    def _listener(self, told: Path) -> dict[str, str]:
        if self._teller != AGENT:
            return {}
        return {
            "spark.extraListeners": "io.openlineage.spark.agent.OpenLineageSparkListener",
            "spark.openlineage.transport.type": "file",
            "spark.openlineage.transport.location": str(told),
            "spark.openlineage.namespace": "spark",
        }

    def _common(self) -> dict[str, str]:
        common = {
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.extraClassPath": self._settings["jars"],
            "spark.sql.shuffle.partitions": "1",
            "spark.sql.catalog.local": "org.apache.iceberg.spark.SparkCatalog",
            "spark.sql.catalog.local.type": "hadoop",
            "spark.sql.catalog.local.warehouse": self._settings["warehouse"],
        }
        for scheme in ("s3", "s3a"):
            catalog = f"spark.sql.catalog.{scheme}"
            common[catalog] = "org.apache.iceberg.spark.SparkCatalog"
            common |= {f"{catalog}.{key}": value for key, value in self._lake(scheme).items()}
        return common

    def _lake(self, scheme: str) -> dict[str, str]:
        return {
            "catalog-impl": "org.apache.iceberg.jdbc.JdbcCatalog",
            "uri": f"jdbc:sqlite:{self._folder}/{scheme}.db",
            "jdbc.schema-version": "V1",
            "warehouse": f"{scheme}://warehouse/lake",
            "io-impl": "org.apache.iceberg.aws.s3.S3FileIO",
            "s3.endpoint": self._settings["s3"],
            "s3.path-style-access": "true",
            "s3.access-key-id": "lab",
            "s3.secret-access-key": self._settings["secret"],
            "client.region": "us-east-1",
        }


def broker_ways(first: str, second: str) -> dict[str, str]:
    """One cluster's address, as people write it into ``kafka.bootstrap.servers``."""
    host, _, port = first.partition(":")
    return {
        "plain": first,
        "localhost": f"localhost:{port}",
        "listener": f"PLAINTEXT://{first}",
        "sasl-listener": f"SASL_SSL://{first}",  # a client passes over what stands before the host
        "list": f"{first},{second}",
        "second": second,
        "lost-first": f"broker-1.invalid:{port},{first}",
        "underscore": f"broker_1.invalid:{port},{first}",
        "resolved": f"localhost:{port}",
        "no-port": host,
        "no-host": f"broker-1.invalid:{port}",
    }


def copy_batch(spark: SparkSession, brokers: str, topic: str, folder: Path) -> None:
    """What lies on the topic, into files."""
    records = spark.read.format("kafka").options(**_kafka(brokers, topic)).load()
    records.selectExpr("CAST(value AS STRING) AS value").write.parquet(str(folder / "batch"))


def copy_stream(spark: SparkSession, brokers: str, topic: str, folder: Path) -> None:
    """What lies on the topic, into another topic."""
    kafka = _kafka(brokers, topic)
    stream = spark.readStream.format("kafka").options(**kafka, startingOffsets="earliest").load()
    writer = stream.select("value").writeStream.format("kafka").trigger(availableNow=True)
    (
        writer.option("kafka.bootstrap.servers", brokers)
        .option("checkpointLocation", str(folder / "checkpoint"))
        .option("topic", f"{topic}.copy")
        .start()
        .awaitTermination()
    )


def _kafka(brokers: str, topic: str) -> dict[str, str]:
    return {"kafka.bootstrap.servers": brokers, "subscribe": topic}


def fill(spark: SparkSession, table: str) -> None:
    """A table that somebody reads."""
    rows = spark.range(3).selectExpr("id AS order_id", "id * 2.5 AS price")
    rows.writeTo(table).using("iceberg").createOrReplace()
    rows.writeTo(table).append()


def main(teller: str, folder: Path, settings: dict[str, str]) -> None:
    """Every application, one after the other."""
    applications = Applications(teller, folder, settings)
    for way, brokers in broker_ways(settings["first"], settings["second"]).items():
        if teller == MAINSTEM and way not in ("plain", "localhost", "sasl-listener"):
            continue
        with applications.session(way) as spark:
            for copy in (copy_batch, copy_stream):
                _trying(copy, spark, brokers, settings["topic"], folder / way)
    lake: dict[str, Callable[[SparkSession], Any]] = {
        "table-filled": lambda spark: fill(spark, "local.shop.orders"),
        "table-by-catalog": lambda spark: spark.table("local.shop.orders"),
        "table-by-path": lambda spark: spark.read.format("iceberg").load(
            f"{settings['warehouse']}/shop/orders"
        ),
    }
    if teller == MAINSTEM:  # of tables in a JDBC catalog the agent tells nothing
        lake |= {
            "s3-filled": lambda spark: fill(spark, "s3.shop.orders"),
            "s3-by-catalog": lambda spark: spark.table("s3.shop.orders"),
            "s3a-filled": lambda spark: fill(spark, "s3a.shop.orders"),
        }
    for way, use in lake.items():
        with applications.session(way) as spark:
            rows = use(spark)
            if rows is not None:
                rows.write.parquet(str(folder / way))


def _trying(run: Callable[..., None], *words: Any) -> None:
    """What Spark refuses is told, too: that is the question here."""
    try:
        run(*words)
    except (PySparkException, Py4JJavaError) as error:
        lines = str(error).splitlines()
        print(f"{words[1]}: {' '.join(lines[:2])}", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), json.loads(sys.argv[3]))
