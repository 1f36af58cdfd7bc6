"""Avro schemas as fields, spelt as Confluent's converter gives them to a connector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import orjson

from mainstem.errors import CannotTell
from mainstem.watch.schema_registry.fields import RECORD, Branch, Field
from mainstem.watch.schema_registry.tree import Shape, Tree

if TYPE_CHECKING:
    from collections.abc import Mapping

Json = dict[str, Any]


def read_avro(text: str, references: Mapping[str, str]) -> tuple[Field, ...]:
    """The fields of an Avro schema; ``references`` come deepest first.

    >>> read_avro('{"type": "array", "items": "long"}', {})
    (Field(name='', type='array<long>', fields=(), optional=False, description=None, branch=None),)
    """
    from fastavro.schema import (  # noqa: PLC0415  only watchers with a registry pay for it
        SchemaParseException,
        UnknownType,
        parse_schema,
    )

    names: dict[str, Any] = {}
    parsed: Any = None
    try:
        for each in (*references.values(), text):
            parsed = parse_schema(
                orjson.loads(each),
                named_schemas=names,
                _write_hint=False,
                # registries hold schemas with defaults that only later versions of Avro refuse
                _ignore_default_error=True,
            )
        return _Reader(names).shape(parsed).top()
    except UnknownType as unknown:
        raise CannotTell(f"Avro schema: type {unknown} is not known") from unknown
    except (SchemaParseException, orjson.JSONDecodeError) as error:
        raise CannotTell(f"Avro schema: {error}") from error


class _Reader:
    def __init__(self, names: Mapping[str, Any]) -> None:
        self._names = names
        self._tree = Tree()

    def shape(self, schema: Any) -> Shape:
        """What a type is; a name stands for the type that it was given to."""
        if isinstance(schema, list):
            return self._union(cast("list[Any]", schema))
        if isinstance(schema, str):
            known = self._names.get(schema)
            return Shape(schema) if known is None else self.shape(known)
        return self._defined(schema, schema["type"])

    def _defined(self, schema: Json, kind: Any) -> Shape:
        match kind:
            case "record" | "error":
                return self._record(schema)
            case "array":
                return self._elements(schema["items"], "array<")
            case "map":
                return self._elements(schema["values"], "map<string,")
            case str():
                return Shape(_word(schema, kind))
            case _:
                return self.shape(kind)

    def _record(self, schema: Json) -> Shape:
        name, fields = schema["name"], cast("list[Json]", schema["fields"])
        return self._tree.grow(
            name,
            name,
            len(fields),
            lambda: Shape(RECORD, tuple(self._field(field) for field in fields)),
        )

    def _field(self, field: Json) -> Field:
        return self.shape(field["type"]).named(field["name"], description=field.get("doc"))

    def _elements(self, schema: Any, word: str) -> Shape:
        return self._tree.grow(
            None, "", 1, lambda: self.shape(schema).within(word, ">"), word.partition("<")[0]
        )

    def _union(self, schemas: list[Any]) -> Shape:
        """One type or null is that type; several are a record of which one field is filled."""
        some = [schema for schema in schemas if _branch(schema) != "null"]
        optional = len(some) < len(schemas)
        if not some:
            return Shape("null", optional=True)
        branches = [
            Branch(index, _branch(schema), _full_name(schema), alone=len(schemas) == 1)
            for index, schema in enumerate(schemas)
            if _branch(schema) != "null"
        ]
        if len(some) == 1:
            alone = branches[0] if branches[0].alone else None
            return self.shape(some[0])._replace(optional=optional, alone=alone)
        shapes = [
            (branch, self.shape(schema)) for branch, schema in zip(branches, some, strict=True)
        ]
        word = ",".join(shape.word for _, shape in shapes)
        fields = tuple(
            shape.named(branch.name, optional=True, branch=branch) for branch, shape in shapes
        )
        return Shape(f"union<{word}>", fields, optional)


def _branch(schema: Any) -> str:
    """A branch's name: a named type's own without its namespace, else its type's."""
    return _full_name(schema).rpartition(".")[2]


def _full_name(schema: Any) -> str:
    return schema if isinstance(schema, str) else _full_name(schema.get("name") or schema["type"])


def _word(schema: Json, kind: str) -> str:
    match schema.get("logicalType"):
        case "decimal":
            return f"decimal({schema.get('precision', '?')},{schema.get('scale', 0)})"
        case str(logical):
            return logical
        case _:
            return f"fixed({schema['size']})" if kind == "fixed" else kind
