from __future__ import annotations

import pytest

from mainstem.errors import CannotTell
from mainstem.names.dataset import DatasetName
from mainstem.names.lake import at_location, hive_location


@pytest.mark.parametrize(
    ("location", "namespace", "name"),
    [
        ("s3://lake", "s3://lake", "shop/orders"),
        ("s3n://lake//wh/", "s3://lake", "wh/shop/orders"),
        ("gs://lake/wh", "gs://lake", "wh/shop/orders"),
        (
            "abfs://raw@Acme.dfs.core.windows.net/wh",
            "abfss://raw@acme.dfs.core.windows.net",
            "wh/shop/orders",
        ),
        ("hdfs://NN:8020/wh", "hdfs://nn:8020", "/wh/shop/orders"),
        ("hdfs://service/wh", "hdfs://service", "/wh/shop/orders"),
        ("file:///srv/wh", "file", "/srv/wh/shop/orders"),
        ("file:/srv/wh", "file", "/srv/wh/shop/orders"),
        ("/srv/wh", "file", "/srv/wh/shop/orders"),
    ],
)
def test_a_table_below_a_location(location: str, namespace: str, name: str) -> None:
    assert at_location(location, "shop", "orders") == DatasetName(namespace, name)


@pytest.mark.parametrize(
    "location",
    ["warehouse", "ftp://h/x", "abfss://h/x", "s3:///x", "s3://k:s/h@b/x", "s3://k:s@b", ""],
)
def test_a_location_that_names_no_store_cannot_be_told(location: str) -> None:
    with pytest.raises(CannotTell):
        at_location(location, "orders")


def test_hive_keeps_the_default_database_in_the_warehouse_itself() -> None:
    assert hive_location("s3://lake/wh", "default", "orders").name == "wh/orders"
    assert hive_location("s3://lake/wh", "shop", "orders").name == "wh/shop.db/orders"
