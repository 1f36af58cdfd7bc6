from __future__ import annotations

from mainstem.watch.resolvers import resolve
from watch.resolvers.connectors import connector, edges, resolved, topic

PG = {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "PG",
    "database.dbname": "shop",
    "topic.prefix": "srv",
}
OUTBOX = {"transforms": "o", "transforms.o.type": "io.debezium.transforms.outbox.EventRouter"}


def table(name: str) -> str:
    return f"shop.public.{name}"


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
    router = {
        "transforms": "r",
        "transforms.r.type": "org.apache.kafka.connect.transforms.RegexRouter",
        "transforms.r.regex": r"([^.]+)\.([^.]+)\.([^.]+)",
        "transforms.r.replacement": "$3",
    }
    told = resolve(connector("source", {**PG, **router, "schema.include.list": "public"}, "a"))
    assert edges(told) == {(table("a"), "a", "seen")}
    open_lists = resolved(resolve(connector("source", {**PG, **router}, "a")))
    assert (open_lists.inputs, open_lists.outputs) == ((), (topic("a"),))


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
