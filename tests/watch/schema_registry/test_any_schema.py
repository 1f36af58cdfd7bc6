"""Any schema that the generators make gives the field tree that it was made from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mainstem.errors import CannotTell
from mainstem.watch.schema_registry.fields import Field
from mainstem.watch.schema_registry.formats import READERS, read_schema


@dataclass(frozen=True)
class Thing:
    """A type in no language: a scalar's kind, or what it holds."""

    kind: str
    of: Thing | None = None
    fields: tuple[tuple[str, bool, Thing], ...] = ()


SCALARS = ("text", "whole", "real", "truth")
NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,6}", fullmatch=True)


def _records(inner: st.SearchStrategy[Thing]) -> st.SearchStrategy[Thing]:
    one = st.tuples(NAMES, st.booleans(), inner)
    several = st.lists(one, min_size=1, max_size=4, unique_by=lambda field: field[0])
    return several.map(lambda fields: Thing("record", fields=tuple(fields)))


SCALAR = st.sampled_from(SCALARS).map(Thing)
THING = st.recursive(
    SCALAR,
    lambda inner: (
        _records(inner)
        | inner.map(lambda thing: Thing("list", thing))
        | inner.map(lambda thing: Thing("map", thing))
    ),
    max_leaves=12,
)
RECORD = _records(THING)
# a list of lists, or of maps, is no type of Protobuf
FLAT_RECORD = _records(
    st.recursive(
        SCALAR,
        lambda inner: (
            _records(inner)
            | (SCALAR | _records(inner)).map(lambda thing: Thing("list", thing))
            | (SCALAR | _records(inner)).map(lambda thing: Thing("map", thing))
        ),
        max_leaves=12,
    )
)

AVRO = {"text": "string", "whole": "long", "real": "double", "truth": "boolean"}
JSON = {"text": "string", "whole": "integer", "real": "number", "truth": "boolean"}
CONNECT = {"text": "string", "whole": "int64", "real": "double", "truth": "boolean"}
PROTOBUF = {"text": "string", "whole": "int64", "real": "double", "truth": "bool"}


def as_avro(thing: Thing, name: str = "Root") -> Any:
    match thing.kind:
        case "record":
            fields = [
                {"name": field, "type": ["null", kind] if optional else kind}
                for field, optional, inner in thing.fields
                for kind in [as_avro(inner, f"{name}_{field}")]
            ]
            return {"type": "record", "name": name, "fields": fields}
        case "list":
            return {"type": "array", "items": as_avro(thing.of or thing, name)}
        case "map":
            return {"type": "map", "values": as_avro(thing.of or thing, name)}
        case kind:
            return AVRO[kind]


def as_json_schema(thing: Thing) -> Any:
    match thing.kind:
        case "record":
            return {
                "type": "object",
                "properties": {name: as_json_schema(inner) for name, _, inner in thing.fields},
                "required": [name for name, optional, _ in thing.fields if not optional],
            }
        case "list":
            return {"type": "array", "items": as_json_schema(thing.of or thing)}
        case "map":
            return {"type": "object", "additionalProperties": as_json_schema(thing.of or thing)}
        case kind:
            return {"type": JSON[kind]}


def as_connect(thing: Thing) -> Any:
    match thing.kind:
        case "record":
            fields = [
                {**as_connect(inner), "field": name, "optional": optional}
                for name, optional, inner in thing.fields
            ]
            return {"type": "struct", "fields": fields}
        case "list":
            return {"type": "array", "items": as_connect(thing.of or thing)}
        case "map":
            values = as_connect(thing.of or thing)
            return {"type": "map", "keys": {"type": "string"}, "values": values}
        case kind:
            return {"type": CONNECT[kind]}


def as_message(thing: Thing, name: str) -> str:
    """The message of a record, with those that it holds inside."""
    inside: list[str] = []

    def word(kind: Thing, field: str) -> str:
        if kind.kind != "record":
            return PROTOBUF[kind.kind]
        inside.append(as_message(kind, f"M_{field}"))
        return f"M_{field}"

    def line(number: int, field: str, optional: bool, kind: Thing) -> str:
        match kind:
            case Thing("list", Thing() as of):
                return f"repeated {word(of, field)} {field} = {number};"
            case Thing("map", Thing() as of):
                return f"map<string, {word(of, field)}> {field} = {number};"
            case _:
                return f"{'optional ' if optional else ''}{word(kind, field)} {field} = {number};"

    declared = [line(number, *field) for number, field in enumerate(thing.fields, 1)]
    return f"message {name} {{ {' '.join((*declared, *inside))} }}"


def expected(thing: Thing, words: dict[str, str], record: str) -> tuple[str, tuple[Field, ...]]:
    """The type's word and its fields."""
    match thing.kind:
        case "record":
            return record, tuple(
                Field(name, *expected(inner, words, record), optional=optional)
                for name, optional, inner in thing.fields
            )
        case "list":
            word, fields = expected(thing.of or thing, words, record)
            return words["list"].format(word), fields
        case "map":
            word, fields = expected(thing.of or thing, words, record)
            return f"map<string,{word}>", fields
        case kind:
            return words[kind], ()


@given(RECORD)
def test_avro(thing: Thing) -> None:
    told = read_schema("AVRO", json.dumps(as_avro(thing)), {})
    assert told == expected(thing, {**AVRO, "list": "array<{}>"}, "record")[1]


@given(RECORD)
def test_json_schema(thing: Thing) -> None:
    told = read_schema("JSON", json.dumps(as_json_schema(thing)), {})
    assert told == expected(thing, {**JSON, "list": "array<{}>"}, "record")[1]


@given(RECORD)
def test_connect(thing: Thing) -> None:
    told = read_schema("CONNECT", json.dumps(as_connect(thing)), {})
    assert told == expected(thing, {**CONNECT, "list": "array<{}>"}, "record")[1]


@given(FLAT_RECORD)
def test_protobuf(thing: Thing) -> None:
    told = read_schema("PROTOBUF", f'syntax = "proto3"; {as_message(thing, "Root")}', {})
    assert told == _as_protobuf_has_it(
        expected(thing, {**PROTOBUF, "list": "repeated {}"}, "message")[1]
    )


def _as_protobuf_has_it(fields: tuple[Field, ...]) -> tuple[Field, ...]:
    """Lists and maps are never absent, and messages always may be."""
    return tuple(
        Field(
            field.name,
            field.type,
            _as_protobuf_has_it(field.fields),
            field.type == "message"
            or (field.optional and not field.type.startswith(("repeated ", "map<"))),
        )
        for field in fields
    )


KEYS = (
    *("type", "name", "fields", "items", "values", "symbols", "size", "doc", "logicalType"),
    *("properties", "allOf", "oneOf", "$ref", "$id", "required", "enum", "additionalProperties"),
    *("definitions", "format", "title", "description", "connect.parameters"),
    *("field", "keys", "optional", "parameters"),
)
WORDS = (
    "record",
    "struct",
    "array",
    "map",
    "enum",
    "fixed",
    "string",
    "long",
    "object",
    "null",
    "#",
)
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=8) | st.sampled_from(WORDS),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=4), inner, max_size=5)
    ),
    max_leaves=20,
)


@pytest.mark.parametrize("schema_type", ["AVRO", "JSON", "CONNECT"])
@given(value=JSON_VALUES)
def test_any_json_is_a_tree_or_cannot_be_told(schema_type: str, value: Any) -> None:
    _tree_or_reason(schema_type, json.dumps(value))


@pytest.mark.parametrize("schema_type", list(READERS))
@given(text=st.text(max_size=60))
def test_any_text_is_a_tree_or_cannot_be_told(schema_type: str, text: str) -> None:
    _tree_or_reason(schema_type, text)


TOKENS = (
    *('syntax = "proto3";', "message A {", "message B {", "enum E {", "oneof o {", "package p;"),
    *("}", "int32 x = 1;", "A y = 2;", "repeated", "optional", "map<string, B> z = 3;", "=", ";"),
    *(
        "group G = 4 {",
        "extend A {",
        "reserved 5;",
        "option a = 1;",
        "// c",
        "/* d */",
        "'q'",
        "-5",
    ),
    *("service S {", "rpc R (A) returns (B);", "extensions 6 to max;", 'import "i.proto";', "["),
)


@given(st.lists(st.sampled_from(TOKENS), max_size=30))
def test_any_words_of_protobuf_are_a_tree_or_cannot_be_told(words: list[str]) -> None:
    _tree_or_reason("PROTOBUF", " ".join(words))


def _tree_or_reason(schema_type: str, text: str) -> None:
    try:
        fields = read_schema(schema_type, text, {})
    except CannotTell:
        return
    assert fields
    assert all(isinstance(field, Field) for field in fields)
