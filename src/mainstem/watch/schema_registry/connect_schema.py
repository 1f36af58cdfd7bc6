"""Connect's own schemas, as ``JsonConverter`` writes them into each record, as fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import orjson

from mainstem.errors import CannotTell
from mainstem.watch.schema_registry.fields import RECORD, Field
from mainstem.watch.schema_registry.tree import Shape, Tree

if TYPE_CHECKING:
    from collections.abc import Mapping

Json = dict[str, Any]

_ENVELOPE = {"schema", "payload"}
_DATA = "org.apache.kafka.connect.data."
_LOGICAL = {
    f"{_DATA}Date": "date",
    f"{_DATA}Time": "time-millis",
    f"{_DATA}Timestamp": "timestamp-millis",
}
_PLAIN = frozenset(
    ("int8", "int16", "int32", "int64", "float", "double", "boolean", "string", "bytes")
)


def schema_in_record(body: bytes) -> Json:
    """The schema beside the payload of one key or value; raises ``CannotTell`` without one.

    >>> schema_in_record(b'{"schema": {"type": "int64"}, "payload": 7}')
    {'type': 'int64'}
    """
    try:
        found = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise CannotTell("the last record is not JSON") from error
    # the converter takes exactly these two, and no JSON besides them
    if not isinstance(found, dict) or cast("Json", found).keys() != _ENVELOPE:
        raise CannotTell("the last record is JSON without a schema of its own")
    schema = cast("Json", found)["schema"]
    if not isinstance(schema, dict):
        raise CannotTell("the last record says that it has no schema")
    return cast("Json", schema)


def read_connect_schema(text: str, _references: Mapping[str, str]) -> tuple[Field, ...]:
    """The fields of a schema in Connect's JSON form, which refers to no other.

    >>> [(field.name, field.type) for field in read_connect_schema('{"type": "int64"}', {})]
    [('', 'int64')]
    """
    try:
        return fields_of(orjson.loads(text))
    except orjson.JSONDecodeError as error:
        raise CannotTell(f"Connect schema: {error}") from error


def fields_of(schema: Json) -> tuple[Field, ...]:
    """The same of a schema that was taken out of its record."""
    return _Reader().shape(schema).top()


class _Reader:
    def __init__(self) -> None:
        self._tree = Tree()

    def shape(self, schema: Any) -> Shape:
        """What a schema describes; its parts are always whole, as there are no references."""
        kind = _object(schema).get("type")
        shape = self._typed(schema, kind)
        return shape._replace(optional=schema.get("optional") is True)

    def _typed(self, schema: Json, kind: Any) -> Shape:
        match kind:
            case "struct":
                fields = cast("list[Any]", schema.get("fields") or [])
                return self._tree.grow(
                    None,
                    "",
                    len(fields),
                    lambda: Shape(RECORD, tuple(self._field(field) for field in fields)),
                )
            case "array":
                return self._elements(schema.get("items"), "array<")
            case "map":
                keys = self.shape(schema.get("keys"))
                return self._elements(schema.get("values"), f"map<{keys.word},")
            case str() if kind in _PLAIN:
                return Shape(_word(schema, kind))
            case _:
                raise CannotTell(f"Connect schema: there is no type {kind!r}")

    def _field(self, field: Any) -> Field:
        name = _object(field).get("field")
        if not isinstance(name, str):
            raise CannotTell("Connect schema: a field has no name")
        doc = field.get("doc")
        return self.shape(field).named(name, description=doc if isinstance(doc, str) else None)

    def _elements(self, schema: Any, word: str) -> Shape:
        return self._tree.grow(
            None, "", 1, lambda: self.shape(schema).within(word, ">"), word.partition("<")[0]
        )


def _object(value: Any) -> Json:
    if not isinstance(value, dict):
        raise CannotTell("Connect schema: a part of it is no object")
    return cast("Json", value)


def _word(schema: Json, kind: str) -> str:
    name = schema.get("name")
    if name == f"{_DATA}Decimal":
        parameters = _object(schema.get("parameters") or {})
        precision = parameters.get("connect.decimal.precision", "?")
        return f"decimal({precision},{parameters.get('scale', 0)})"
    return _LOGICAL.get(name, kind) if isinstance(name, str) else kind
