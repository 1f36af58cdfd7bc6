from __future__ import annotations

import json
from typing import Any

import pytest

from mainstem.errors import CannotTell
from mainstem.watch.schema_registry.connect_schema import fields_of, schema_in_record
from watch.schema_registry.trees import lines

DATA = "org.apache.kafka.connect.data"


def test_a_record_s_own_schema() -> None:
    decimal = {"name": f"{DATA}.Decimal", "version": 1, "parameters": {"scale": "2"}}
    precise = {"scale": "2", "connect.decimal.precision": "10"}
    schema = {
        "type": "struct",
        "name": "Order",
        "optional": False,
        "fields": [
            {"type": "int64", "optional": False, "field": "id", "doc": "the order's number"},
            {"type": "bytes", "optional": True, "field": "price", **decimal},
            {"type": "bytes", "field": "tax", **decimal, "parameters": precise},
            {"type": "int64", "field": "at", "name": f"{DATA}.Timestamp"},
            {"type": "int32", "field": "day", "name": f"{DATA}.Date"},
            {"type": "int64", "field": "micros", "name": "io.debezium.time.MicroTimestamp"},
            {"type": "array", "field": "tags", "items": {"type": "string", "optional": True}},
            {
                "type": "struct",
                "field": "buyer",
                "optional": True,
                "fields": [{"type": "string", "field": "name"}],
            },
            {
                "type": "map",
                "field": "by_day",
                "keys": {"type": "int32"},
                "values": {"type": "struct", "fields": [{"type": "float", "field": "sum"}]},
            },
        ],
    }
    fields = fields_of(schema)
    assert lines(fields) == [
        "id int64",
        "price decimal(?,2)?",
        "tax decimal(10,2)",
        "at timestamp-millis",
        "day date",
        "micros int64",
        "tags array<string>",
        "buyer record?",
        "buyer.name string",
        "by_day map<int32,record>",
        "by_day.sum float",
    ]
    assert fields[0].description == "the order's number"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"not json", "not JSON"),
        (b'{"id": 1}', "without a schema"),
        (b"7", "without a schema"),
        (b'{"schema": {"type": "int64"}, "payload": 1, "more": 2}', "without a schema"),
        (b'{"schema": null, "payload": {"id": 1}}', "says that it has no schema"),
    ],
)
def test_a_record_without_a_schema_says_so_and_quotes_nothing(body: bytes, reason: str) -> None:
    with pytest.raises(CannotTell, match=reason):
        schema_in_record(body)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "wrong"},
        {"type": "struct", "fields": [{"type": "int64"}]},
        {"type": "struct", "fields": ["id"]},
        {"type": "array"},
        {"type": "map", "values": {"type": "string"}},
    ],
)
def test_what_is_no_schema_of_connect_s_cannot_be_told(schema: dict[str, Any]) -> None:
    with pytest.raises(CannotTell, match="Connect schema"):
        fields_of(schema)


def test_a_schema_that_goes_too_deep_is_cut() -> None:
    schema: dict[str, Any] = {"type": "string", "field": "x"}
    for _ in range(100):
        schema = {"type": "struct", "field": "x", "fields": [schema]}
    text = json.dumps(lines(fields_of(schema)))
    assert "record(cut)" in text
