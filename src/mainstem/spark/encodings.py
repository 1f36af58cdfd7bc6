"""Text and bytes that hold fields: ``to_json``, ``from_json``, ``from_avro`` and their like.

A topic's columns are the fields inside its value and key, so a decoder keeps them apart; in a
table the same text is one column.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import orjson

from mainstem.spark import values
from mainstem.spark.values import Value, changed, merged

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mainstem.spark.tree import Node
    from mainstem.spark.values import DataType

_STEP = re.compile(r"\.([^.\[\]]+)|\['([^']+)'\]|\[(?:\d+|\*)\]")
_CONFLUENT_HEADER = "6"
"""Confluent's Avro has a magic byte and a schema id in front: the payload starts at byte six."""


def json_steps(path: str) -> tuple[str, ...] | None:
    """The field names of a JSON path, indexes left out; ``None`` where it is not a plain one.

    >>> json_steps("$.after.items[0].price")
    ('after', 'items', 'price')
    """
    if not path.startswith("$"):
        return None
    steps: list[str] = []
    at = 1
    while at < len(path):
        found = _STEP.match(path, at)
        if found is None:
            return None
        steps.extend(name for name in found.groups()[:2] if name)
        at = found.end()
    return tuple(steps)


def _cast(expression: Node, arguments: Sequence[Value]) -> Value:
    (value,) = arguments
    to = expression.fields.get("dataType")
    if to in ("string", "binary"):
        return _text(expression, arguments)
    if value.type is not None and value.type == to:
        return value
    return changed(value, "TRANSFORMATION")


def _text(_expression: Node, arguments: Sequence[Value]) -> Value:
    value = arguments[0]
    same = value.encoded or _is_raw(value) or value.type in ("string", "binary")
    return value if same else changed(merged(arguments), "TRANSFORMATION")


def _is_raw(value: Value) -> bool:
    return any(flow.is_payload and flow.whole and len(flow.path) == 1 for flow in value.flows)


def _substring(expression: Node, arguments: Sequence[Value]) -> Value:
    start = expression.children[1]
    if start.text("value") == _CONFLUENT_HEADER and _is_raw(arguments[0]):
        return arguments[0]
    return changed(merged(arguments), "TRANSFORMATION")


def _from_json(expression: Node, arguments: Sequence[Value]) -> Value:
    return values.decoded(arguments[0], expression.fields.get("schema"))


def _from_avro(expression: Node, arguments: Sequence[Value]) -> Value:
    # As a function of SQL it has the schema in a literal; only `value.*` needs it, by position.
    literal = expression.tree("jsonFormatSchema")
    schema = expression.text("jsonFormatSchema") if literal is None else literal.text("value")
    return values.decoded(arguments[0], avro_type(schema))


def _decode(_expression: Node, arguments: Sequence[Value]) -> Value:
    return values.decoded(arguments[0], None)


def _at_json_path(expression: Node, arguments: Sequence[Value]) -> Value:
    steps = json_steps(expression.children[1].text("value"))
    decoded = values.decoded(arguments[0], None)
    if steps is None:
        return changed(merged(arguments), "TRANSFORMATION")
    for step in steps:
        decoded = values.part_of(decoded, step)
    return decoded


def _encode(_expression: Node, arguments: Sequence[Value]) -> Value:
    return values.encoded(arguments[0])


def avro_type(schema: str) -> DataType | None:
    """The names in an Avro record as a Spark type; the types of its plain fields are left out."""
    try:
        return _avro_names(orjson.loads(schema)) if schema else None
    except orjson.JSONDecodeError:
        return None


def _avro_names(schema: object) -> DataType:
    if isinstance(schema, list):
        # A union with null is the type itself.
        choices = [each for each in schema if each != "null"]
        return _avro_names(choices[0]) if len(choices) == 1 else "union"
    if not isinstance(schema, dict):
        return str(schema)
    if schema.get("type") == "array":
        return {"type": "array", "elementType": _avro_names(schema.get("items"))}
    if schema.get("type") == "record":
        fields = [
            {"name": field["name"], "type": _avro_names(field["type"])}
            for field in schema.get("fields", [])
        ]
        return {"type": "struct", "fields": fields}
    return _avro_names(schema.get("type"))


DECODERS: Mapping[str, Callable[[Node, Sequence[Value]], Value]] = {
    "AvroDataToCatalyst": _from_avro,
    "Cast": _cast,
    "CatalystDataToAvro": _encode,
    "CatalystDataToProtobuf": _encode,
    "CsvToStructs": _from_json,
    "FromAvro": _from_avro,
    "GetJsonObject": _at_json_path,
    "JsonToStructs": _from_json,
    "ParseJson": _decode,
    "ProtobufDataToCatalyst": _decode,
    "StringDecode": _text,
    "StructsToJson": _encode,
    "Substring": _substring,
    "ToAvro": _encode,
    "VariantGet": _at_json_path,
}
"""Expressions that turn fields into text or bytes, or back."""
