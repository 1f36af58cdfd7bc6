"""Paths into JSON, and the names in an Avro schema."""

from __future__ import annotations

import pytest

from mainstem.spark.encodings import avro_type, json_steps
from mainstem.spark.values import field_names, field_type


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
