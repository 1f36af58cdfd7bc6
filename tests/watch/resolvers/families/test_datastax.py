from __future__ import annotations

from mainstem.watch.resolvers import resolve
from watch.resolvers.connectors import connector, resolved, topic

CONFIG = {
    "connector.class": "com.datastax.oss.kafka.sink.CassandraSinkConnector",
    "contactPoints": "c1",
    "topics": "orders",
    "topic.orders.ks.by_id.mapping": 'id=key.id, "Price"=value.item.price, raw=value, at=now(), '
    "__ttl=value.days, __timestamp=value.at, area=f(key)",
}


def test_a_mapping_is_column_lineage() -> None:
    columns = resolved(resolve(connector("sink", CONFIG))).columns
    assert {column.output.name for column in columns} == {"ks.by_id"}
    assert {
        (column.field, *((one.dataset, one.field) for one in column.sources)) for column in columns
    } == {
        ("id", (topic("orders"), "$key.id")),
        ("Price", (topic("orders"), "item.price")),
        ("raw", (topic("orders"), "$value")),
        ("at",),
    }


def test_behind_a_transform_the_mapping_speaks_of_other_fields() -> None:
    flatten = {
        "transforms": "f",
        "transforms.f.type": "org.apache.kafka.connect.transforms.Flatten$Value",
    }
    told = resolved(resolve(connector("sink", {**CONFIG, **flatten})))
    assert (len(told.edges), told.columns) == (1, ())
