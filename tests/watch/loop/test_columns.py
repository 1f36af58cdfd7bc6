"""Columns in what the watcher tells: from a registry's schema to both facets of an event."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from mainstem.watch.connect.answering import AnsweringServer
from mainstem.watch.schema_registry.fake import FakeRegistry
from openlineage_schemas import assert_valid_event
from watch.loop.world import World

AVRO = "io.confluent.connect.avro.AvroConverter"
SINK = {
    "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
    "connection.url": "jdbc:postgresql://pg:5432/wh",
    "topics": "orders,items",
    "value.converter": AVRO,
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "transforms": "rename,mask",
    "transforms.rename.type": "org.apache.kafka.connect.transforms.ReplaceField$Value",
    "transforms.rename.renames": "price:amount",
    "transforms.mask.type": "org.apache.kafka.connect.transforms.MaskField$Value",
    "transforms.mask.fields": "card",
}


def record(*fields: str) -> dict[str, Any]:
    named = [{"name": name, "type": "string"} for name in fields]
    return {"type": "record", "name": "Row", "fields": named}


def facets(event: dict[str, Any], table: str) -> dict[str, Any]:
    return next(
        output["facets"] for output in event["outputs"] if output["name"] == f"wh.public.{table}"
    )


def columns(event: dict[str, Any], table: str) -> dict[str, list[tuple[str, str, bool]]]:
    told = facets(event, table).get("columnLineage", {}).get("fields", {})
    return {
        name: [
            (f"{one['name']}.{one['field']}", how["subtype"], how["masking"])
            for one in said["inputFields"]
            for how in one["transformations"]
        ]
        for name, said in told.items()
    }


def test_each_topic_s_schema_becomes_the_columns_of_its_own_table(tmp_path: Path) -> None:
    registry = FakeRegistry()
    registry.register("orders-value", record("id", "price"))
    registry.register("items-value", record("card"))
    with (
        AnsweringServer(registry.answer) as server,
        World(tmp_path / "j", schema_registry={"urls": [server.url]}) as world,
    ):
        world.connect.create("sink", SINK)
        assert world.look() == [("sink", "START")]
        start = assert_valid_event(orjson.dumps(world.events()[-1]))
        assert columns(start, "orders") == {
            "id": [("orders.id", "IDENTITY", False)],
            "amount": [("orders.price", "IDENTITY", False)],
        }
        assert columns(start, "items") == {"card": [("items.card", "TRANSFORMATION", True)]}
        assert [field["name"] for field in facets(start, "orders")["schema"]["fields"]] == [
            "id",
            "amount",
        ]
        assert facets(start, "orders")["mainstem_schema"]["version"] == 1
        assert facets(start, "items")["mainstem_schema"]["subject"] == "items-value"
        explicit = {
            entry["name"]: set(entry["fields"])
            for entry in start["job"]["facets"]["lineage"]["entries"]
        }
        assert explicit == {"wh.public.orders": {"id", "amount"}, "wh.public.items": {"card"}}
        registry.register("orders-value", record("id", "price", "site"))
        assert world.look() == [("sink", "RUNNING")]
        told = assert_valid_event(orjson.dumps(world.events()[-1]))
        assert told["run"]["runId"] == start["run"]["runId"]
        assert columns(told, "orders")["site"] == [("orders.site", "IDENTITY", False)]
        assert facets(told, "orders")["mainstem_schema"]["version"] == 2
        assert columns(told, "items") == columns(start, "items")
