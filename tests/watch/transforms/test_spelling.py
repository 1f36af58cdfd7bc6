"""Fields as converters of other settings than the usual give them to a connector."""

from __future__ import annotations

from itertools import product
from typing import Any

import orjson
import pytest

from mainstem.watch.resolvers import resolve
from mainstem.watch.resolvers.model import Resolution
from mainstem.watch.resolvers.told import connector_from
from mainstem.watch.schema_registry.fields import TopicFields
from mainstem.watch.schema_registry.formats import read_schema
from mainstem.watch.transforms.record import columns, start
from mainstem.watch.transforms.settings import Settings
from mainstem.watch.transforms.spelling import spelling_of, with_worker_s

CARD = {"type": "record", "name": "Card", "namespace": "pay", "fields": [
    {"name": "number", "type": "string"}]}  # fmt: skip
AVRO: dict[str, Any] = {
    "type": "record",
    "name": "Order",
    "fields": [
        {"name": "id", "type": "long"},
        {"name": "note", "type": ["null", "string"]},
        {"name": "only", "type": ["string"]},
        {"name": "paid", "type": [CARD, "null", "string"]},
    ],
}
JSON: dict[str, Any] = {
    "properties": {
        "id": {"type": "integer"},
        "only": {"oneOf": [{"type": "string"}]},
        "paid": {"oneOf": [{"type": "null"}, {"type": "string"}, {"type": "integer"}]},
    }
}
PROTOBUF = """
syntax = "proto3";
import "google/protobuf/wrappers.proto";
message Order {
  int64 id = 1;
  google.protobuf.StringValue note = 2;
  oneof paid { string card = 3; int64 cash = 4; }
  oneof sent { string post = 5; }
}
"""
ONE_OF = "io.confluent.connect.json.OneOf.field"


def spelt(kind: str, schema: Any, **keys: str) -> dict[str, str]:
    """What the connector calls each field, and what the topic's column is called."""
    text = schema if isinstance(schema, str) else orjson.dumps(schema).decode()
    config = {f"value.converter.{key.replace('_', '.')}": value for key, value in keys.items()}
    fields = TopicFields(read_schema(kind, text, {}))
    record = start(fields, spelling_of(Settings(config), "value"))
    return {path: node.origins[0].path for path, node in columns(record)}


def as_usual(*paths: str) -> dict[str, str]:
    return {path: path for path in paths}


AVRO_USUAL = as_usual("id", "note", "only", "paid.Card.number", "paid.string")
PROTOBUF_USUAL = as_usual("id", "note.value", "paid_0.card", "paid_0.cash", "sent_1.post")


def test_avro() -> None:
    assert spelt("AVRO", AVRO) == AVRO_USUAL
    assert spelt("AVRO", AVRO, connect_meta_data="false") == AVRO_USUAL
    # the number counts null too, and a type that may be null is no union
    assert spelt("AVRO", AVRO, generalized_sum_type_support="true") == {
        **as_usual("id", "note", "only"),
        "paid.connect_union_field_0.number": "paid.Card.number",
        "paid.connect_union_field_2": "paid.string",
    }
    assert spelt("AVRO", AVRO, enhanced_avro_schema_support="true") == {
        **as_usual("id", "note", "only"),
        "paid.pay.Card.number": "paid.Card.number",
        "paid.string": "paid.string",
    }
    assert spelt("AVRO", AVRO, flatten_singleton_unions="false") == {
        **as_usual("id", "note"),
        "only.string": "only",
        **as_usual("paid.Card.number", "paid.string"),
    }


def test_json_schema() -> None:
    assert spelt("JSON", JSON) == as_usual("id", "only", f"paid.{ONE_OF}.0", f"paid.{ONE_OF}.1")
    assert spelt("JSON", JSON, generalized_sum_type_support="TRUE") == {
        **as_usual("id", "only"),
        "paid.connect_union_field_0": f"paid.{ONE_OF}.0",
        "paid.connect_union_field_1": f"paid.{ONE_OF}.1",
    }
    assert spelt("JSON", JSON, flatten_singleton_unions="false")[f"only.{ONE_OF}.0"] == "only"


def test_protobuf() -> None:
    assert spelt("PROTOBUF", PROTOBUF) == PROTOBUF_USUAL
    for nothing in ("optional_for_nullables", "generalized_sum_type_support"):
        assert spelt("PROTOBUF", PROTOBUF, **{nothing: "true"}) == PROTOBUF_USUAL
    assert spelt("PROTOBUF", PROTOBUF, generate_index_for_unions="false") == {
        **as_usual("id", "note.value"),
        "paid.card": "paid_0.card",
        "paid.cash": "paid_0.cash",
        "sent.post": "sent_1.post",
    }
    assert spelt("PROTOBUF", PROTOBUF, flatten_unions="true") == {
        **as_usual("id", "note.value"),
        "card": "paid_0.card",
        "cash": "paid_0.cash",
        "post": "sent_1.post",
    }
    assert spelt("PROTOBUF", PROTOBUF, wrapper_for_nullables="true") == {
        "id": "id",
        "note": "note.value",
        **as_usual("paid_0.card", "paid_0.cash", "sent_1.post"),
    }


FLAGS = (
    *("generalized_sum_type_support", "enhanced_avro_schema_support", "flatten_singleton_unions"),
    *("flatten_unions", "generate_index_for_unions", "wrapper_for_nullables"),
)


@pytest.mark.parametrize(
    ("kind", "schema"), [("AVRO", AVRO), ("JSON", JSON), ("PROTOBUF", PROTOBUF)]
)
def test_whatever_the_settings_every_column_of_the_topic_is_there_once(
    kind: str, schema: Any
) -> None:
    usual = spelt(kind, schema)
    for values in product(("true", "false"), repeat=len(FLAGS)):
        found = spelt(kind, schema, **dict(zip(FLAGS, values, strict=True)))
        assert list(found.values()) == list(usual)


def document(**more: Any) -> dict[str, Any]:
    schemas = {"t-value": {"schemaType": "PROTOBUF", "schema": PROTOBUF}}
    return {"name": "c", "schemas": schemas, **more}


def test_a_sink_s_columns_are_spelt_by_its_converter_and_the_topic_s_are_not() -> None:
    config = {
        "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
        "connection.url": "jdbc:postgresql://db/wh",
        "topics": "t",
        "value.converter.flatten.unions": "true",
        "value.converter.wrapper.for.nullables": "true",
    }
    told = resolve(connector_from(document(type="sink", config=config), "kafka://b:9092"))
    assert isinstance(told, Resolution)
    assert {column.field: column.sources[0].field for column in told.columns} == {
        "id": "id",
        "note": "note.value",
        "card": "paid_0.card",
        "cash": "paid_0.cash",
        "post": "sent_1.post",
    }


def test_a_source_that_scrubs_names_says_so() -> None:
    config = {
        "connector.class": "io.confluent.connect.jdbc.JdbcSourceConnector",
        "connection.url": "jdbc:postgresql://db/wh",
        "mode": "bulk",
        "table.whitelist": "t",
        "topic.prefix": "",
        "value.converter.scrub.invalid.names": "true",
    }
    told = resolve(connector_from(document(type="source", config=config), "kafka://b:9092"))
    assert isinstance(told, Resolution)
    assert told.columns
    assert any("scrub.invalid.names" in note for note in told.notes)


@pytest.mark.parametrize("own", [{}, {"value.converter": "io.x.AvroConverter"}])
def test_the_worker_s_settings_count_only_with_its_converter(own: dict[str, str]) -> None:
    worker = {"value.converter.flatten.unions": "true", "value.converter.basic.auth.user.info": "x"}
    got = with_worker_s(own, worker)
    assert got == (own or {"value.converter.flatten.unions": "true"})
