from __future__ import annotations

import pytest

from mainstem.watch.resolvers import resolve
from watch.resolvers.connectors import connector, edges, resolved, topic

PG = {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "PG",
    "database.dbname": "shop",
    "topic.prefix": "srv",
}
PUBLIC = {**PG, "schema.include.list": "public"}
MYSQL = {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "database.hostname": "my",
    "database.include.list": "inv",
    "topic.prefix": "srv",
}
JDBC = {
    "connector.class": "io.confluent.connect.jdbc.JdbcSourceConnector",
    "connection.url": "jdbc:postgresql://pg/shop",
    "schema.pattern": "public",
    "topic.prefix": "p-",
}
OUTBOX = {"transforms": "o", "transforms.o.type": "io.debezium.transforms.outbox.EventRouter"}


def table(name: str) -> str:
    return f"shop.public.{name}"


def router(regex: str, replacement: str) -> dict[str, str]:
    return {
        "transforms": "r",
        "transforms.r.type": "org.apache.kafka.connect.transforms.RegexRouter",
        "transforms.r.regex": regex,
        "transforms.r.replacement": replacement,
    }


def test_without_topics_seen_the_config_tells() -> None:
    told = resolve(connector("source", {**PG, "table.include.list": "public.a, public.b"}))
    assert edges(told) == {
        (table("a"), "srv.public.a", "config"),
        (table("b"), "srv.public.b", "config"),
    }
    assert resolved(told).inputs[0].namespace == "postgres://pg:5432"


def test_a_table_without_rows_yet_stays_known_by_config() -> None:
    config = {**PG, "table.include.list": "public.a,public.b"}
    told = resolve(connector("source", config, "srv.public.a"))
    assert edges(told) == {
        (table("a"), "srv.public.a", "seen"),
        (table("b"), "srv.public.b", "config"),
    }


def test_patterns_are_answered_by_the_topics_seen_and_never_told_as_tables() -> None:
    config = {**PG, "table.include.list": "public.iris_.*"}
    silent = resolved(resolve(connector("source", config)))
    assert (silent.inputs, silent.outputs, len(silent.unresolved)) == ((), (), 1)
    told = resolve(connector("source", config, "srv.public.iris_a", "srv.public.other"))
    assert edges(told) == {(table("iris_a"), "srv.public.iris_a", "seen")}
    assert resolved(told).notes == ("topic srv.public.other was seen, but the config excludes it",)
    assert resolved(told).unresolved == ()


def test_topics_of_an_earlier_config_are_dropped_with_a_note() -> None:
    config = {**PG, "table.include.list": "public.a"}
    told = resolved(resolve(connector("source", config, "srv.public.a", "old.public.a")))
    assert told.outputs == (topic("srv.public.a"),)
    assert "old.public.a" in told.notes[0]


def test_names_seen_win_where_none_of_those_predicted_was_seen() -> None:
    config = {**PG, "table.include.list": "public.a"}
    told = resolve(connector("source", config, "custom"))
    assert edges(told) == {(table("a"), "custom", "seen")}
    assert "srv.public.a" in resolved(told).notes[0]


def test_topics_that_depend_on_data_come_only_from_those_seen() -> None:
    config = {**PG, **OUTBOX, "table.include.list": "public.outbox"}
    silent = resolved(resolve(connector("source", config)))
    assert ([one.name for one in silent.inputs], silent.outputs) == ([table("outbox")], ())
    told = resolve(connector("source", config, "outbox.event.A", "outbox.event.B"))
    assert edges(told) == {
        (table("outbox"), "outbox.event.A", "seen"),
        (table("outbox"), "outbox.event.B", "seen"),
    }


def test_two_tables_and_topics_that_tell_nothing_give_no_edges() -> None:
    config = {**PG, **OUTBOX, "table.include.list": "public.a,public.b"}
    told = resolved(resolve(connector("source", config, "event")))
    assert (len(told.inputs), told.outputs, told.edges) == (2, (topic("event"),), ())
    assert told.unresolved


def test_a_dropped_schema_is_found_again_where_only_one_can_be_meant() -> None:
    last_part = router(r"([^.]+)\.([^.]+)\.([^.]+)", "$3")
    told = resolve(connector("source", {**PUBLIC, **last_part}, "a"))
    assert edges(told) == {(table("a"), "a", "seen")}
    open_lists = resolved(resolve(connector("source", {**PG, **last_part}, "a")))
    assert (open_lists.inputs, open_lists.outputs) == ((), (topic("a"),))


@pytest.mark.parametrize(
    ("config", "before", "held"),
    [
        ({**PUBLIC, **router(r"srv\.public\.(.*)", "$1")}, "srv.public.orders", table("orders")),
        ({**PG, **router(r"srv\.public\.(.*)", "$1")}, "srv.public.orders", table("orders")),
        ({**PUBLIC, **router(r"(.*)\.(.*)\.(.*)", "$3")}, "srv.public.orders", table("orders")),
        ({**MYSQL, **router(r"srv\.inv\.(.*)", "$1")}, "srv.inv.orders", "inv.orders"),
        ({**JDBC, **router("p-(.*)", "$1")}, "p-orders", table("orders")),
    ],
)
def test_a_topic_from_before_the_router_was_added_is_no_table(
    config: dict[str, str], before: str, held: str
) -> None:
    note = f"topic {before} was seen, but the transforms give it another name"
    told = resolve(connector("source", config, before, "orders"))
    assert edges(told) == {(held, "orders", "seen")}
    assert (resolved(told).outputs, resolved(told).notes) == ((topic("orders"),), (note,))
    alone = resolved(resolve(connector("source", config, before)))
    assert (alone.inputs, alone.outputs, alone.notes) == ((), (), (note,))
    assert alone.unresolved


def test_a_topic_that_is_always_renamed_is_not_the_one_of_its_own_table() -> None:
    config = {**PG, **router(r"(.*)\.(.*)\.(.*)", "$3")}
    told = resolved(resolve(connector("source", config, "srv.public.orders", "orders")))
    assert (told.inputs, told.outputs) == ((), (topic("orders"),))
    assert told.notes == (
        "topic srv.public.orders was seen, but the transforms give it another name",
    )


def test_a_topic_of_a_schema_no_longer_captured_is_no_table_of_the_others() -> None:
    config = {**PUBLIC, **router(r"srv\.public\.(.*)", "$1")}
    told = resolve(connector("source", config, "srv.audit.log", "orders"))
    assert edges(told) == {(table("orders"), "orders", "seen")}
    assert resolved(told).notes == ("topic srv.audit.log was seen, but the config excludes it",)


@pytest.mark.parametrize(
    ("config", "seen"),
    [
        ({**PUBLIC, **router(r"srv\.(.*)", "srv.eu.$1")}, "srv.eu.public.orders"),
        ({**JDBC, **router("p-(.*)", "p-x-$1")}, "p-x-orders"),
    ],
)
def test_a_router_may_make_names_that_look_like_those_before_it(
    config: dict[str, str], seen: str
) -> None:
    told = resolve(connector("source", config, seen))
    assert edges(told) == {(table("orders"), seen, "seen")}


def test_a_prefix_that_is_nothing_tells_no_table_from_another() -> None:
    config = {**JDBC, "topic.prefix": "", **router("db_(.*)", "$1")}
    told = resolved(resolve(connector("source", config, "orders")))
    assert (told.inputs, told.outputs) == ((), (topic("orders"),))


def test_an_unknown_transform_that_renames_nothing_is_seen_to_rename_nothing() -> None:
    unknown = {"transforms": "x", "transforms.x.type": "com.acme.Own"}
    told = resolve(connector("source", {**PG, **unknown}, "srv.public.a", "srv.public.b"))
    assert {(one, other) for one, other, _ in edges(told)} == {
        (table("a"), "srv.public.a"),
        (table("b"), "srv.public.b"),
    }


def test_a_host_that_nothing_provides_leaves_the_topics() -> None:
    config = {**PG, "database.hostname": "${env:HOST}", "table.include.list": "public.a"}
    told = resolved(resolve(connector("source", config, "srv.public.a")))
    assert (told.inputs, told.outputs) == ((), (topic("srv.public.a"),))
    assert told.unresolved == (
        "inputs: database.hostname holds a placeholder that nothing provides",
    )
