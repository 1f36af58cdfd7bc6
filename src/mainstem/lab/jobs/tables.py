"""The tables of the lake, made before anything writes to them.

Run as ``python tables.py``.
"""

from __future__ import annotations

from pyspark.sql import SparkSession

ORDERS = """
    CREATE TABLE lake.shop.{table} (
        order_id BIGINT,
        item STRING,
        price DECIMAL(10, 2),
        supplier STRING,
        bid_time TIMESTAMP
    ) USING iceberg PARTITIONED BY (day(bid_time))
"""
SUPPLIER_STATS = """
    CREATE TABLE lake.shop.supplier_stats (
        hour TIMESTAMP,
        supplier STRING,
        total_price DECIMAL(12, 2),
        orders BIGINT
    ) USING iceberg PARTITIONED BY (day(hour))
"""


def main() -> None:
    """Make the tables and end."""
    spark = SparkSession.builder.appName("tables").getOrCreate()
    spark.sql("CREATE NAMESPACE lake.shop")
    for table in ("orders", "orders_by_connect"):
        spark.sql(ORDERS.format(table=table))
    spark.sql(SUPPLIER_STATS)
    spark.stop()


if __name__ == "__main__":
    main()
