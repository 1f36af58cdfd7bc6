"""One Spark session with Iceberg, Delta, Kafka, Avro and JDBC, and the tables that queries use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic
from pyspark.java_gateway import ensure_callback_server_started
from pyspark.sql import SparkSession

from mainstem.lab.services.library import DELTA, SPARK, Library
from mainstem.lab.services.spark import spark_environment
from mainstem.spark.capture import capture_plan, capture_stream, plans_to_tell
from mainstem.spark.captured import CapturedPlan

_TOPICS = ("events", "payments", "avro", "orders", "sums", "copies", "labels")
_TABLES = """
create table lake.db.orders (id bigint, cust string, amount double, ts timestamp,
  tags array<string>, items array<struct<sku: string, price: double>>,
  supplier struct<code: string, name: string>, payload string) using iceberg;
create table lake.db.customers (id bigint, name string, email string, region string) using iceberg;
create table lake.db.totals (cust string, total double, n bigint) using iceberg;
create table lake.db.totals_mor (cust string, total double, n bigint) using iceberg
  tblproperties ('write.merge.mode'='merge-on-read', 'write.update.mode'='merge-on-read',
    'write.delete.mode'='merge-on-read');
create table lake.db.events (id bigint, code string, ts timestamp, total double) using iceberg;
create table lake.db.nested (id bigint, supplier struct<code: string, name: string>) using iceberg;
insert into lake.db.orders values (1, 'ann', 2.0, timestamp'2026-01-01 00:00:00', array('a'),
  array(named_struct('sku', 's', 'price', 1.0D)), named_struct('code', 'c', 'name', 'n'), '{}');
insert into lake.db.customers values (1, 'ann', 'a@x', 'north')
"""


@dataclass
class Bench:
    """What a query may use: a session, a directory, a broker and a database."""

    spark: Any
    root: Path
    bootstrap: str
    jdbc_url: str

    def path(self, name: str) -> str:
        return f"{self.root}/{name}"

    def sql(self, text: str) -> Any:
        return self.spark.sql(text)


def start_session(library: Library, root: Path) -> Any:
    """A session whose catalogs lie below ``root``."""
    os.environ.update(spark_environment(root / "java", os.environ))
    jars = [jar for name in (SPARK, DELTA) for jar in library.ensure(name).glob("*.jar")]
    extensions = (
        "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
        "io.delta.sql.DeltaSparkSessionExtension",
    )
    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.jars": ",".join(map(str, jars)),
        "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.lake.type": "hadoop",
        "spark.sql.catalog.lake.warehouse": f"file:{root}/wh",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.sql.extensions": ",".join(extensions),
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "1",
        "spark.databricks.delta.snapshotPartitions": "1",
        "spark.sql.warehouse.dir": f"file:{root}/spark-warehouse",
        "spark.ui.enabled": "false",
    }
    builder = SparkSession.builder.master("local[2]").appName("plans")
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def make_tables(spark: Any) -> None:
    """The tables that queries read and write, with a row where a plan depends on it."""
    for statement in _TABLES.strip().split(";\n"):
        spark.sql(statement)


def make_topics(bootstrap: str) -> None:
    """The topics that queries read and write, and one event, so that a batch is run."""
    admin = AdminClient({"bootstrap.servers": bootstrap})
    for made in admin.create_topics([NewTopic(topic, 1, 1) for topic in _TOPICS]).values():
        made.result()
    producer = Producer({"bootstrap.servers": bootstrap})
    event = {"op": "c", "after": {"id": 1, "amount": 2.0, "supplier": {"code": "x"}}}
    producer.produce("events", orjson.dumps(event))
    producer.flush()


@contextmanager
def captured_writes(spark: Any) -> Iterator[list[CapturedPlan]]:
    """The plans of all actions that write and end inside the block, filled when it is left."""
    executions: list[Any] = []
    ensure_callback_server_started(spark.sparkContext._gateway)
    manager = spark._jsparkSession.listenerManager()
    manager.register(_Executions(executions))
    captured: list[CapturedPlan] = []
    try:
        yield captured
    finally:
        spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty(60_000)
        manager.clear()
    plans = [
        capture_plan(plan, execution.sparkSession())
        for execution in executions
        for plan in plans_to_tell(execution, reads=False)
    ]
    captured.extend(plan for plan in plans if plan.target is not None)


def captured_start(query: Any) -> CapturedPlan:
    """The plan of a streaming query that was started."""
    return capture_stream(query._jsq.streamingQuery())


class _Executions:
    """A Java ``QueryExecutionListener`` that keeps what it is told."""

    class Java:
        implements = ["org.apache.spark.sql.util.QueryExecutionListener"]  # noqa: RUF012

    def __init__(self, executions: list[Any]) -> None:
        self._executions = executions

    def onSuccess(self, _function: str, execution: Any, _nanoseconds: int) -> None:  # noqa: N802
        self._executions.append(execution)

    def onFailure(self, _function: str, execution: Any, _error: Any) -> None:  # noqa: N802
        self._executions.append(execution)
