from __future__ import annotations

import pytest

from mainstem.watch.resolvers import resolve
from watch.resolvers.connectors import connector, edges, resolved

SOURCE = {
    "connector.class": "io.confluent.connect.jdbc.JdbcSourceConnector",
    "connection.url": "jdbc:postgresql://pg/erp",
    "topic.prefix": "p",
}
SINK = {
    "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
    "connection.url": "jdbc:postgresql://pg/erp",
    "topics": "t",
}
RENAME = {
    "transforms": "r",
    "transforms.r.type": "org.apache.kafka.connect.transforms.ReplaceField$Value",
    "transforms.r.renames": "id:order_id",
}


def columns(config: dict[str, str], direction: str) -> dict[str, set[tuple[str, str]]]:
    told = resolved(resolve(connector(direction, config)))
    return {
        column.field: {(one.field, one.transformation) for one in column.sources}
        for column in told.columns
    }


def test_dots_alone_are_no_table_and_hide_no_other() -> None:
    told = resolved(resolve(connector("source", {**SOURCE, "table.whitelist": ".."}, "porders")))
    assert (told.edges, told.unresolved) == ((), ("inputs: '..' is no table's name",))
    both = resolve(connector("source", {**SOURCE, "table.whitelist": "..,orders"}))
    assert edges(both) == {("erp.public.orders", "porders", "config")}


def test_columns_of_a_query_pass_through_the_transforms() -> None:
    query = {"query": "SELECT id, a + b AS c FROM t"}
    assert columns({**SOURCE, **query, **RENAME}, "source") == {
        "order_id": {("id", "IDENTITY")},
        "c": {("a", "TRANSFORMATION"), ("b", "TRANSFORMATION")},
    }


def test_columns_behind_an_unknown_transform_are_not_guessed() -> None:
    unknown = {"transforms": "x", "transforms.x.type": "com.acme.Own"}
    assert columns({**SOURCE, "query": "SELECT id FROM t", **unknown}, "source") == {}


def test_columns_of_a_whitelist_come_from_the_fields_before_the_transforms() -> None:
    listed = {"fields.whitelist": "name", "pk.mode": "record_value", "pk.fields": "order_id"}
    assert columns({**SINK, **listed, **RENAME}, "sink") == {
        "order_id": {("id", "IDENTITY")},
        "name": {("name", "IDENTITY")},
    }
    by_key = {**SINK, "pk.mode": "record_key", "pk.fields": "order_id"}
    assert columns(by_key, "sink") == {}


@pytest.mark.parametrize(
    ("kind", "more", "table"),
    [
        ("JdbcSink", {}, "erp.a.b"),
        ("com.acme.fork.JdbcSinkConnector", {}, "erp.a.b"),
        ("JdbcSinkConnector", {"primary.key.mode": "record_key"}, "erp.public.a_b"),
        ("io.debezium.connector.jdbc.JdbcSinkConnector", {}, "erp.public.a_b"),
    ],
)
def test_an_alias_is_told_by_its_keys_whose_sink_it_is(
    kind: str, more: dict[str, str], table: str
) -> None:
    told = resolve(connector("sink", {**SINK, **more, "connector.class": kind, "topics": "a.b"}))
    assert edges(told) == {("a.b", table, "config")}


@pytest.mark.parametrize(("quote", "name"), [("always", "T"), ("never", "t")])
def test_names_that_are_not_quoted_are_folded_by_the_database(quote: str, name: str) -> None:
    told = resolve(connector("sink", {**SINK, "topics": "T", "quote.sql.identifiers": quote}))
    assert edges(told) == {("T", f"erp.public.{name}", "config")}


def test_an_unreadable_url_leaves_the_topics() -> None:
    source = {**SOURCE, "connection.url": "postgres", "table.whitelist": "s.a"}
    told = resolved(resolve(connector("source", source)))
    assert [one.name for one in told.outputs] == ["pa"]
    assert (told.inputs, len(told.unresolved)) == ((), 1)
    sink = resolved(resolve(connector("sink", {**SINK, "connection.url": "x"})))
    assert (len(sink.inputs), sink.outputs, len(sink.unresolved)) == (1, (), 1)


def test_a_schema_left_between_dots_is_told_as_assumed() -> None:
    there = {"connection.url": "jdbc:sqlserver://ms;databaseName=s", "query": "SELECT * FROM o..t"}
    told = resolved(resolve(connector("source", {**SOURCE, **there})))
    assert [dataset.name for dataset in told.inputs] == ["o.dbo.t"]
    assert told.notes == ("table t names no schema; dbo is assumed, as the database does",)
