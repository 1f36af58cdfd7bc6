"""The Spark session that a verb works in."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark.sql import SparkSession

from mainstem.pipeline.jobs.target import LEDGER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CATALOG = "mainstem"
"""The Iceberg catalog of a directory, where the user names none of theirs."""
NAMESPACE = "lineage"
EXTENSIONS = "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions"
SETTINGS: Mapping[str, str] = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.extensions": EXTENSIONS,
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    # Events are long: ten thousand at once, Spark's default, stand several times in memory.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "2000",
    # What lies in order already is folded in that order.
    "spark.sql.execution.replaceHashWithSortAgg": "true",
    # PySpark would note the line of each of thousands of expressions, at eight calls each.
    "spark.python.sql.dataFrameDebugging.enabled": "false",
}
LOCALLY: Mapping[str, str] = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "1g",
    # A few partitions per core: thousands of tiny tasks cost more than they share out.
    "spark.sql.shuffle.partitions": "8",
    "spark.ui.enabled": "false",
    # A worker that has parsed keeps its memory to the end; a new one is started in a moment.
    "spark.python.worker.reuse": "false",
}
"""What a session in this process needs beside those; nothing of it listens beyond loopback."""
JAVA_OPTIONS = "spark.driver.extraJavaOptions"
LOCAL_JAVA = "-XX:+UseSerialGC"
"""Collecting garbage beside the tasks takes cores from them, and here are few."""
BRIEF_JAVA = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m"
"""Code that runs for a minute is not worth compiling a second time: that was a third of the CPU.

Java then keeps 48 MB for what it compiles, which Spark's generated code fills within a minute, and
stops compiling; it needs as much room as ever.
"""


ASKED_FOR = (
    "functions",
    "org.apache.spark.sql.functions",
    "org.apache.spark.sql.classic.SparkSession",
    "PythonUtils",
    "PythonSQLUtils",
)
"""Java's classes that PySpark uses with most expressions."""


def is_submitted(environment: Mapping[str, str]) -> bool:
    """Whether ``spark-submit`` started this process, and with it the JVM and its settings."""
    return "PYSPARK_GATEWAY_PORT" in environment


def hadoop_catalog(directory: str) -> dict[str, str]:
    """The settings of an Iceberg catalog that lies in a directory."""
    prefix = f"spark.sql.catalog.{CATALOG}"
    return {
        prefix: "org.apache.iceberg.spark.SparkCatalog",
        f"{prefix}.type": "hadoop",
        f"{prefix}.warehouse": directory,
    }


def has_little_to_do(tables: str) -> bool:
    """Whether a build has ended in a directory of this machine: the next one reads what is new."""
    return (Path(tables) / LEDGER).exists()


def start_session(
    name: str,
    *,
    master: str | None,
    jars: Sequence[str],
    settings: Mapping[str, str],
    java_options: Sequence[str] = (),
    brief: bool = False,
) -> SparkSession:
    """A session with Iceberg; the user's ``settings`` come last and win.

    ``java_options`` are for the driver; ``brief`` is for work of a minute or so.
    """
    builder: Any = SparkSession.builder.appName(name)
    submitted = is_submitted(os.environ)
    chosen = master or (None if submitted else settings.get("spark.master", "local[*]"))
    if chosen is not None:
        builder = builder.master(chosen)
    local: Mapping[str, str] = {}
    if chosen is not None and chosen.startswith("local"):
        local = LOCALLY
        java_options = (*java_options, LOCAL_JAVA, *([BRIEF_JAVA] if brief else []))
    brought = {"spark.jars": ",".join(jars)} if jars else {}
    if java_options:
        brought[JAVA_OPTIONS] = " ".join(java_options)
    for key, value in {**SETTINGS, **local, **brought, **settings}.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    _remember_classes(session)
    return session


def _remember_classes(session: Any) -> None:
    """Look up once what PySpark asks Java for with every expression.

    Java looks for it in each of hundreds of jars, and under several packages.
    """
    java = session.sparkContext._jvm  # noqa: SLF001 - that is where PySpark looks
    for name in ASKED_FOR:
        setattr(java, name, getattr(java, name))
