from __future__ import annotations

import pytest

from mainstem.watch.resolvers import FAMILIES
from mainstem.watch.resolvers.model import Family, Reads, Unresolved
from mainstem.watch.resolvers.pick import FamilyPicker


def family(name: str, *classes: str) -> Family:
    return Family(name, classes, Reads(), lambda _connector: Unresolved(name, ""))


CASSANDRA = "com.datastax.oss.kafka.sink.CassandraSinkConnector"
STREAM_REACTOR = "io.lenses.streamreactor.connect.cassandra.sink.CassandraSinkConnector"
PICKER = FamilyPicker(
    [
        family("own", "com.acme.Sink"),
        family("other", "com.acme.Sink", "PostgresSink"),
        family("datastax", CASSANDRA),
        family("lenses", STREAM_REACTOR),
    ]
)


@pytest.mark.parametrize(
    ("connector_class", "expected"),
    [
        ("com.acme.Sink", "own"),
        ("PostgresSink", "other"),
        (CASSANDRA, "datastax"),
        ("com.landoop.streamreactor.connect.cassandra.sink.CassandraSinkConnector", "lenses"),
        ("org.example.CassandraSinkConnector", None),
        ("CassandraSink", None),
        ("com.acme.Nothing", None),
        ("", None),
    ],
)
def test_pick(connector_class: str, expected: str | None) -> None:
    picked = PICKER.pick(connector_class)
    assert (picked.name if picked else None) == expected


@pytest.mark.parametrize(
    ("connector_class", "keys", "expected"),
    [
        ("S3SinkConnector", {"s3.bucket.name", "topics.dir"}, "Confluent storage sinks"),
        ("MirrorSource", {"source.cluster.alias", "target.cluster.alias"}, "MirrorMaker 2"),
        ("IcebergSinkConnector", {"iceberg.tables", "iceberg.catalog.type"}, "Iceberg"),
        ("S3SinkConnector", {"tasks.max"}, None),
    ],
)
def test_a_simple_name_of_several_is_told_apart_by_its_keys(
    connector_class: str, keys: set[str], expected: str | None
) -> None:
    picked = FamilyPicker(FAMILIES).pick(connector_class, keys)
    assert (picked.name if picked else None) == expected
