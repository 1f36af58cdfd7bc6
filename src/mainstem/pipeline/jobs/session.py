"""The Spark session that a verb works in."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pyspark.sql import SparkSession

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
}
LOCALLY: Mapping[str, str] = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "1g",
    # A few partitions per core: thousands of tiny tasks cost more than they share out.
    "spark.sql.shuffle.partitions": "8",
    "spark.ui.enabled": "false",
}
"""What a session in this process needs beside those; nothing of it listens beyond loopback."""


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


def start_session(
    name: str,
    *,
    master: str | None,
    jars: Sequence[str],
    settings: Mapping[str, str],
) -> SparkSession:
    """A session with Iceberg; the user's ``settings`` come last and win."""
    builder: Any = SparkSession.builder.appName(name)
    submitted = is_submitted(os.environ)
    chosen = master or (None if submitted else settings.get("spark.master", "local[*]"))
    if chosen is not None:
        builder = builder.master(chosen)
    local = LOCALLY if chosen is not None and chosen.startswith("local") else {}
    brought = {"spark.jars": ",".join(jars)} if jars else {}
    for key, value in {**SETTINGS, **local, **brought, **settings}.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()
