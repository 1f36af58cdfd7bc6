"""Paths into JSON, and the names in an Avro schema."""

from __future__ import annotations

import pytest

from mainstem.spark.encodings import DECODERS, avro_type, json_steps
from mainstem.spark.lineage import DatasetKey
from mainstem.spark.tree import tree
from mainstem.spark.values import Flow, Value, field_names, field_type


@pytest.mark.parametrize(
    ("path", "steps"),
    [
        ("$", ()),
        ("$.a.b", ("a", "b")),
        ("$['a b'].c", ("a b", "c")),
        ("$.items[*].price", ("items", "price")),
        ("$.items[3]", ("items",)),
        ("$..price", None),
        ("a.b", None),
    ],
)
def test_json_paths(path: str, steps: tuple[str, ...] | None) -> None:
    assert json_steps(path) == steps


def test_avro_records_inside_unions_and_arrays() -> None:
    schema = """{"type": "record", "name": "r", "fields": [
        {"name": "id", "type": "long"},
        {"name": "after", "type": ["null", {"type": "record", "name": "s", "fields": [
            {"name": "price", "type": {"type": "bytes", "logicalType": "decimal"}}]}]},
        {"name": "tags", "type": {"type": "array", "items": "string"}},
        {"name": "choice", "type": ["int", "string"]}]}"""
    of = avro_type(schema)
    assert field_names(of) == ["id", "after", "tags", "choice"]
    assert field_names(field_type(of, "after")) == ["price"]
    assert avro_type("no schema") is None


def test_the_schema_of_from_avro_may_be_a_literal_beside_it() -> None:
    schema = '{"type": "record", "name": "r", "fields": [{"name": "price", "type": "string"}]}'
    from_avro = tree(
        [
            {"class": "x.FromAvro", "num-children": 2, "child": 0, "jsonFormatSchema": 1},
            {"class": "x.AttributeReference", "num-children": 0},
            {"class": "x.Literal", "num-children": 0, "value": schema},
        ]
    )
    payload = Value(frozenset({Flow(DatasetKey("kafka://b:1", "orders"), ("$value",))}))
    assert field_names(DECODERS["FromAvro"](from_avro, [payload]).type) == ["price"]
