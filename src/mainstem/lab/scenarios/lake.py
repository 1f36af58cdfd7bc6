"""The lake: Iceberg tables on S3 with a catalog in a file, told to Connect and Spark alike."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from mainstem.lab.services.objects import ACCESS_KEY, REGION

if TYPE_CHECKING:
    from pathlib import Path

    from mainstem.lab.scenarios.addresses import Addresses

CATALOG = "lake"
"""Connect and Spark must call the catalog by one name: it is part of what the catalog stores."""
BUCKET = "warehouse"
FOLDER = "lake"
NAMESPACE = "shop"
ORDERS = "orders"
ORDERS_BY_CONNECT = "orders_by_connect"
SUPPLIER_STATS = "supplier_stats"
JAVA_OPTIONS = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m"
"""Compiled once, with as much room for it as Java keeps for compiling twice: Spark fills 48 MB."""


def catalog_settings(at: Addresses) -> dict[str, str]:
    """The settings of the catalog, by the names that Iceberg gives them everywhere."""
    return {
        "catalog-impl": "org.apache.iceberg.jdbc.JdbcCatalog",
        "uri": f"jdbc:sqlite:{at.catalog}?busy_timeout=30000",
        "jdbc.schema-version": "V1",
        "warehouse": f"s3://{BUCKET}/{FOLDER}",
        "io-impl": "org.apache.iceberg.aws.s3.S3FileIO",
        "s3.endpoint": at.s3,
        "s3.path-style-access": "true",
        "s3.access-key-id": ACCESS_KEY,
        "s3.secret-access-key": at.secret_key,
        "client.region": REGION,
    }


def spark_settings(at: Addresses, class_path: str) -> dict[str, str]:
    """What every Spark application of the lab is given."""
    catalog = f"spark.sql.catalog.{CATALOG}"
    settings = catalog_settings(at)
    return {
        "spark.master": "local[2]",
        "spark.driver.memory": "640m",
        "spark.driver.bindAddress": at.postgres_host,
        "spark.driver.host": at.postgres_host,
        "spark.driver.extraClassPath": class_path,
        "spark.driver.extraJavaOptions": JAVA_OPTIONS,
        "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.mainstem.heartbeat": "10",
        catalog: "org.apache.iceberg.spark.SparkCatalog",
        **{f"{catalog}.{key}": value for key, value in settings.items()},
    }


def rename_table(catalog: Path, table: str, to: str) -> None:
    """Let the catalog know a table by another name; its files stay where they are."""
    with closing(sqlite3.connect(catalog, timeout=30)) as session, session:
        session.execute(
            "UPDATE iceberg_tables SET table_name = ? WHERE table_namespace = ? AND table_name = ?",
            (to, NAMESPACE, table),
        )
