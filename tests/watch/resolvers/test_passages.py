"""The way of a topic and its fields through the chain, as ``explain`` tells it."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.watch.resolvers import resolve
from mainstem.watch.resolvers.passages import passages
from mainstem.watch.resolvers.told import chain_as_json
from mainstem.watch.schema_registry.fields import NoSchema
from mainstem.watch.transforms import TRANSFORMS
from watch.resolvers.connectors import connector

SMT = "org.apache.kafka.connect.transforms"
CLASSES = [
    *(name for one in TRANSFORMS for name in one.classes),
    "com.acme.Unknown",
    "no class",
    "",
]
OPTIONS = sorted({option for one in TRANSFORMS for option in one.reads} | {"predicate", "negate"})
ODD = ["", ",", ".", "a", "a,b", "a:b", "a:", ":", "(", ".*", "$1", "${env:X}", "true", "é", "a.b"]
SINK = {"connector.class": "FileStreamSink", "topics": "t.a,t.b", "file": "/f"}
SOURCE = {"connector.class": "FileStreamSource", "topic": "t.a", "file": "/f"}


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(CLASSES), min_size=1, max_size=4),
    st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from(OPTIONS), st.sampled_from(ODD)), max_size=8
    ),
    st.sampled_from(["", "$Key", "$Value"]),
    st.booleans(),
)
def test_any_chain_can_be_followed_as_far_as_it_is_known(
    classes: list[str], options: list[tuple[int, str, str]], side: str, is_sink: bool
) -> None:
    chain = {"transforms": ",".join(f"s{number}" for number in range(len(classes)))}
    for number, name in enumerate(classes):
        chain[f"transforms.s{number}.type"] = name + side
    for number, option, value in options:
        chain[f"transforms.s{number}.{option}"] = value
    config = {**(SINK if is_sink else SOURCE), **chain}
    told = connector("sink" if is_sink else "source", config)
    ways = passages(told, resolve(told))
    assert json.dumps(chain_as_json(ways))
    assert all(len(way) == len(classes) + 1 for way in ways)
    assert ways


def test_a_source_whose_topic_becomes_unknown_still_shows_its_steps() -> None:
    chain = {
        "transforms": "own,keep",
        "transforms.own.type": "com.acme.Reshape",
        "transforms.keep.type": f"{SMT}.Filter",
    }
    told = connector("source", {**SOURCE, **chain})
    ((start, own, keep),) = chain_as_json(passages(told, resolve(told)))
    assert (start["topic"], own["topic"], keep["topic"]) == ("t.a", None, None)
    assert start["fields"]
    assert own["fields"] is keep["fields"] is None


def forms(config: dict[str, str]) -> list[list[str | None]]:
    told = connector("source", config)
    ways = chain_as_json(passages(told, resolve(told)))
    return [[stop["topic"] or stop["form"] for stop in way] for way in ways]


def test_what_config_says_of_a_name_that_depends_on_data() -> None:
    chain = {
        "transforms": "box,cast,route",
        "transforms.box.type": "io.debezium.transforms.outbox.EventRouter",
        "transforms.box.route.topic.replacement": "events.${routedByValue}",
        "transforms.cast.type": f"{SMT}.Cast$Value",
        "transforms.route.type": f"{SMT}.RegexRouter",
        "transforms.route.regex": "events.(.*)",
        "transforms.route.replacement": "e-$1",
    }
    box = "events.${routedByValue}"
    routed = f"e-$1 where events.(.*) matches, or {box}"
    assert forms({**SOURCE, **chain}) == [["t.a", box, box, routed]]


def test_the_names_that_a_transform_of_some_records_leaves_possible() -> None:
    chain = {
        "transforms": "route,time",
        "transforms.route.type": f"{SMT}.RegexRouter",
        "transforms.route.regex": ".*",
        "transforms.route.replacement": "late",
        "transforms.route.predicate": "late",
        "predicates": "late",
        "predicates.late.type": f"{SMT}.predicates.HasHeaderKey",
        "transforms.time.type": f"{SMT}.TimestampRouter",
    }
    assert forms({**SOURCE, **chain}) == [["t.a", "t.a or late", "t.a or late-${timestamp}"]]


def test_a_router_tells_its_replacement_where_no_table_is_spelt_out() -> None:
    config = {
        "connector.class": "io.debezium.connector.mysql.MySqlConnector",
        "database.hostname": "db",
        "topic.prefix": "srv",
        "table.include.list": "shop.orders_.*",
        "transforms": "all",
        "transforms.all.type": "io.debezium.transforms.ByLogicalTableRouter",
        "transforms.all.topic.regex": ".*orders_.*",
        "transforms.all.topic.replacement": "all_orders",
    }
    assert forms(config) == [[None, "all_orders where .*orders_.* matches, or ${topic}"]]


def test_a_content_based_router_keeps_or_routes() -> None:
    chain = {"transforms": "r", "transforms.r.type": "io.debezium.transforms.ContentBasedRouter"}
    assert forms({**SOURCE, **chain}) == [["t.a", "t.a, or where its expression routes the record"]]


def test_a_key_that_a_transform_makes_is_no_field_before_it() -> None:
    config = {
        "connector.class": "io.confluent.connect.jdbc.JdbcSourceConnector",
        "connection.url": "jdbc:postgresql://pg/shop",
        "topic.prefix": "sales",
        "query": "select id, price from orders",
        "transforms": "key",
        "transforms.key.type": f"{SMT}.ValueToKey",
        "transforms.key.fields": "id",
    }
    told = connector("source", config)
    ((start, behind),) = passages(told, resolve(told))
    assert not isinstance(start.fields, NoSchema)
    assert not isinstance(behind.fields, NoSchema)
    assert [field.path for field in start.fields] == ["id", "price"]
    assert [(field.path, field.came_from) for field in behind.fields] == [
        ("id", ("id",)),
        ("price", ("price",)),
        ("$key.id", ("id",)),
    ]
