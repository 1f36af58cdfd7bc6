from __future__ import annotations

import json
from typing import Any

import pytest

from mainstem.errors import CannotTell
from mainstem.watch.schema_registry.fields import Field
from mainstem.watch.schema_registry.json_schema import ALTERNATIVE, read_json_schema
from watch.schema_registry.trees import lines


def read(schema: Any, references: dict[str, Any] | None = None) -> tuple[Field, ...]:
    others = {name: json.dumps(each) for name, each in (references or {}).items()}
    return read_json_schema(json.dumps(schema), others)


def test_objects_arrays_maps_and_required_properties_become_one_tree() -> None:
    line = {"type": "object", "properties": {"sku": {"type": "string"}}, "required": ["sku"]}
    schema = {
        "type": "object",
        "properties": {
            "id": {"type": "integer", "description": "the number"},
            "at": {"type": "string", "format": "date-time"},
            "state": {"enum": ["NEW", "OLD"]},
            "note": {"type": ["string", "null"]},
            "lines": {"type": "array", "items": line},
            "by_sku": {"type": "object", "additionalProperties": line},
            "anything": {},
            "more": {"type": "object"},
        },
        "required": ["id", "state", "note", "lines", "by_sku"],
    }
    assert lines(read(schema)) == [
        "id integer",
        "at string(date-time)?",
        "state enum",
        "note string?",
        "lines array<record>",
        "lines.sku string",
        "by_sku map<string,record>",
        "by_sku.sku string",
        "anything any?",
        "more object?",
    ]
    assert read(schema)[0].description == "the number"


def test_connect_s_own_logical_types_are_understood() -> None:
    decimal = {
        "type": "number",
        "title": "org.apache.kafka.connect.data.Decimal",
        "connect.type": "bytes",
        "connect.parameters": {"scale": "2", "connect.decimal.precision": "10"},
    }
    time = {"type": "integer", "title": "org.apache.kafka.connect.data.Timestamp"}
    schema = {"properties": {"price": decimal, "at": {"oneOf": [{"type": "null"}, time]}}}
    assert lines(read(schema)) == ["price decimal(10,2)?", "at timestamp-millis?"]


def test_all_of_adds_up_and_one_of_is_a_record_of_its_alternatives() -> None:
    schema = {
        "definitions": {"base": {"properties": {"id": {"type": "integer"}}, "required": ["id"]}},
        "allOf": [
            {"$ref": "#/definitions/base"},
            {
                "properties": {
                    "payment": {
                        "oneOf": [
                            {"type": "null"},
                            {"type": "string"},
                            {"type": "object", "properties": {"iban": {"type": "string"}}},
                        ]
                    }
                },
                "required": ["payment"],
            },
        ],
    }
    assert lines(read(schema)) == [
        "id integer",
        "payment oneOf<string,record>?",
        f"payment.{ALTERNATIVE}0 string?",
        f"payment.{ALTERNATIVE}1 record?",
        f"payment.{ALTERNATIVE}1.iban string?",
    ]


@pytest.mark.parametrize(
    ("base", "reference", "name"),
    [
        ("https://shop.example/order.json", "line.json", "line.json"),
        ("https://shop.example/order.json", "line.json", "https://shop.example/line.json"),
        (None, "https://shop.example/line.json", "https://shop.example/line.json"),
        (None, "line.json#/$defs/inner", "line.json"),
    ],
)
def test_other_schemas_are_found_by_name_and_by_the_base_of_the_reference(
    base: str | None, reference: str, name: str
) -> None:
    inner = {"type": "object", "properties": {"sku": {"type": "string"}}}
    line = {"$defs": {"inner": inner}} if "#" in reference else inner
    schema = {"properties": {"line": {"$ref": reference}}, **({"$id": base} if base else {})}
    assert lines(read(schema, {name: line})) == ["line record?", "line.sku string?"]


def test_later_drafts_have_anchors_and_words_beside_a_reference() -> None:
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": {
            "a": {"$anchor": "person", "type": "object", "properties": {"n": {"type": "string"}}}
        },
        "properties": {
            "who": {"$ref": "#person", "properties": {"role": {"type": "string"}}},
        },
    }
    assert lines(read(schema)) == ["who record?", "who.n string?", "who.role string?"]


def test_a_schema_within_itself_is_cut_and_marked() -> None:
    node = {"properties": {"v": {"type": "integer"}, "next": {"$ref": "#/definitions/node"}}}
    schema = {"definitions": {"node": node}, "$ref": "#/definitions/node"}
    assert lines(read(schema)) == ["v integer?", "next recursive(node)?"]
    assert lines(read({"properties": {"self": {"$ref": "#"}}})) == ["self recursive(#)?"]


def test_what_is_no_object_is_one_field_without_a_name() -> None:
    assert read({"type": "string"}) == (Field("", "string"),)
    assert read(True) == (Field("", "any"),)
    assert lines(read({"type": "array", "items": {"properties": {"a": {}}}})) == [
        " array<record>", ".a any?"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "JSON Schema: "),
        ('{"$ref": "#/definitions/nobody"}', "leads nowhere"),
        ('{"$ref": "https://elsewhere.example/x.json"}', "leads nowhere"),
        ('{"properties": {"a": {"$ref": "#/definitions/b"}}}', "leads nowhere"),
    ],
)
def test_what_cannot_be_read_says_so(text: str, reason: str) -> None:
    with pytest.raises(CannotTell, match=reason):
        read_json_schema(text, {})
