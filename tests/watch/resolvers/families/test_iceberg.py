"""The other names of tables, which cases do not state."""

from __future__ import annotations

from mainstem.names.dataset import DatasetName
from mainstem.watch.resolvers import resolve
from mainstem.watch.resolvers.model import Symlink
from watch.resolvers.connectors import connector, resolved

SINK = {
    "connector.class": "org.apache.iceberg.connect.IcebergSinkConnector",
    "topics": "orders",
    "iceberg.tables": "shop.orders",
    "iceberg.catalog.warehouse": "s3a://lake/wh",
}


def test_a_hive_table_is_also_known_by_its_metastore() -> None:
    config = {**SINK, "iceberg.catalog.type": "hive", "iceberg.catalog.uri": "thrift://meta:9083"}
    told = resolved(resolve(connector("sink", config)))
    table = DatasetName("s3://lake", "wh/shop.db/orders")
    assert told.symlinks == {table: (Symlink(DatasetName("hive://meta:9083", "shop.orders")),)}


def test_a_hadoop_table_is_also_known_by_its_warehouse() -> None:
    told = resolved(resolve(connector("sink", {**SINK, "iceberg.catalog.type": "hadoop"})))
    table = DatasetName("s3://lake", "wh/shop/orders")
    assert told.symlinks == {table: (Symlink(DatasetName("s3://lake/wh", "shop.orders")),)}
