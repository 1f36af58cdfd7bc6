from __future__ import annotations

import json
from typing import Any

import pytest

from mainstem.errors import CannotTell
from mainstem.watch.schema_registry.avro import read_avro
from mainstem.watch.schema_registry.fields import Field
from mainstem.watch.schema_registry.formats import read_schema
from mainstem.watch.schema_registry.tree import MOST_FIELDS, MOST_LEVELS
from watch.schema_registry.trees import lines


def record(*fields: dict[str, Any], name: str = "Order") -> dict[str, Any]:
    return {"type": "record", "name": name, "namespace": "shop", "fields": list(fields)}


def field(name: str, kind: Any, **more: Any) -> dict[str, Any]:
    return {"name": name, "type": kind, **more}


def read(schema: Any, **references: Any) -> tuple[Field, ...]:
    return read_avro(
        json.dumps(schema), {name: json.dumps(each) for name, each in references.items()}
    )


def test_records_arrays_maps_and_optional_fields_become_one_tree() -> None:
    line = record(field("sku", "string"), field("price", ["null", "double"]), name="Line")
    schema = record(
        field("id", "long", doc="the number"),
        field("first", line),
        field("lines", {"type": "array", "items": "Line"}),
        field("by_sku", {"type": "map", "values": ["null", "shop.Line"]}),
        field("tags", ["null", {"type": "array", "items": "string"}]),
    )
    assert lines(read(schema)) == [
        "id long",
        "first record",
        "first.sku string",
        "first.price double?",
        "lines array<record>",
        "lines.sku string",
        "lines.price double?",
        "by_sku map<string,record>",
        "by_sku.sku string",
        "by_sku.price double?",
        "tags array<string>?",
    ]
    assert read(schema)[0].description == "the number"


def test_logical_types_keep_their_own_words() -> None:
    decimal = {"type": "bytes", "logicalType": "decimal", "precision": 10, "scale": 2}
    schema = record(
        field("price", ["null", decimal]),
        field("at", {"type": "long", "logicalType": "timestamp-millis"}),
        field("day", {"type": "int", "logicalType": "date"}),
        field("id", {"type": "string", "logicalType": "uuid"}),
        field("state", {"type": "enum", "name": "State", "symbols": ["NEW", "OLD"]}),
        field("digest", {"type": "fixed", "name": "Digest", "size": 16}),
        field("other", "Digest"),
    )
    assert lines(read(schema)) == [
        "price decimal(10,2)?", "at timestamp-millis", "day date", "id uuid", "state enum",
        "digest fixed(16)", "other fixed(16)",
    ]  # fmt: skip


def test_a_union_of_several_types_is_a_record_of_its_branches_as_the_converter_makes_it() -> None:
    cash = record(field("amount", "double"), name="Cash")
    schema = record(field("payment", ["null", "string", {"type": "long"}, cash]))
    assert lines(read(schema)) == [
        "payment union<string,long,record>?",
        "payment.string string?",
        "payment.long long?",
        "payment.Cash record?",
        "payment.Cash.amount double",
    ]


def test_a_topic_of_several_kinds_of_records_has_a_field_for_each() -> None:
    created = record(field("id", "long"), name="Created")
    deleted = record(field("id", "long"), field("why", "string"), name="Deleted")
    told = read(["shop.Created", "shop.Deleted"], created=created, deleted=deleted)
    assert lines(told) == [
        "Created record?", "Created.id long", "Deleted record?", "Deleted.id long",
        "Deleted.why string",
    ]  # fmt: skip


def test_what_is_no_record_is_one_field_without_a_name() -> None:
    assert read("string") == (Field("", "string"),)
    assert read(["null", "long"]) == (Field("", "long", optional=True),)
    assert read(record()) == (Field("", "record"),)


def test_a_record_within_itself_is_cut_and_marked() -> None:
    schema = record(field("id", "long"), field("parts", {"type": "array", "items": "Order"}))
    assert lines(read(schema)) == ["id long", "parts array<recursive(shop.Order)>"]


def test_a_schema_that_doubles_at_every_level_stays_small() -> None:
    levels = [record(field("x", "long"), name="L0")]
    for number in range(1, 30):
        twice = [field(side, f"shop.L{number - 1}") for side in ("left", "right")]
        levels.append(record(*twice, name=f"L{number}"))
    references = {f"l{number}": level for number, level in enumerate(levels[:-1])}
    told = lines(read(levels[-1], **references))
    assert len(told) <= MOST_FIELDS + 2
    assert any("(cut)" in line for line in told)


def test_what_is_nested_too_deeply_is_cut_and_marked() -> None:
    told = read_avro('{"type":"array","items":' * 300 + '"long"' + "}" * 300, {})
    assert told[0].type == "array<" * MOST_LEVELS + "array(cut)" + ">" * MOST_LEVELS


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "(?i)avro schema: "),
        ('"shop.Nobody"', "shop.Nobody"),
        ("{}", "not to be read"),
        ('{"type": "record", "name": "A", "fields": [{"name": "x"}]}', "(?i)avro schema: "),
        ('{"type":"array","items":' * 1200 + '"long"' + "}" * 1200, "(?i)avro schema: "),
    ],
)
def test_what_cannot_be_read_says_so(text: str, reason: str) -> None:
    with pytest.raises(CannotTell, match=reason):
        read_schema("AVRO", text, {})
