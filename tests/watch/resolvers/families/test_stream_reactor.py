"""Columns that KCQL selects, and reasons, which cases do not state."""

from __future__ import annotations

from mainstem.watch.resolvers import resolve
from watch.resolvers.connectors import connector, resolved, topic

SINK = {
    "connector.class": "io.lenses.streamreactor.connect.cassandra.sink.CassandraSinkConnector",
    "topics": "orders",
    "connect.cassandra.contact.points": "c1",
    "connect.cassandra.key.space": "shop",
    "connect.cassandra.kcql": (
        "INSERT INTO t SELECT id, _key.buyer AS who, _value.a.b, _offset AS at, "
        "`now()` AS loaded FROM orders"
    ),
}


def columns(direction: str, config: dict[str, str]) -> dict[str, list[str]]:
    told = resolved(resolve(connector(direction, config)))
    return {one.field: [source.field for source in one.sources] for one in told.columns}


def test_a_sinks_columns_come_from_the_fields_selected() -> None:
    assert columns("sink", SINK) == {
        "id": ["id"],
        "who": ["$key.buyer"],
        "b": ["a.b"],
        "at": ["$offset"],
        "loaded": [],
    }


def test_behind_a_transform_the_fields_selected_are_not_the_topics() -> None:
    transform = {
        "transforms": "f",
        "transforms.f.type": "org.apache.kafka.connect.transforms.Flatten$Value",
    }
    assert columns("sink", SINK | transform) == {}


def test_a_sources_columns_become_the_topics_fields() -> None:
    config = {
        **SINK,
        "connector.class": (
            "io.lenses.streamreactor.connect.cassandra.source.CassandraSourceConnector"
        ),
        "connect.cassandra.kcql": "INSERT INTO orders SELECT id, made AS at FROM t PK made",
    }
    assert columns("source", config) == {"id": ["id"], "at": ["made"]}


def test_a_statement_that_cannot_be_read_is_named_and_the_topic_stays() -> None:
    kcql = "INSERT INTO t SELECT * FROM orders; INSERT nonsense"
    told = resolved(resolve(connector("sink", {**SINK, "connect.cassandra.kcql": kcql})))
    assert told.unresolved == ("target: connect.cassandra.kcql: statement 2 cannot be read",)
    assert told.inputs == (topic("orders"),)


def test_a_topic_that_no_statement_reads_is_named() -> None:
    told = resolved(resolve(connector("sink", {**SINK, "topics": "orders,refunds"})))
    assert told.unresolved == ("target: no KCQL statement reads refunds",)
