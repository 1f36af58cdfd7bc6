"""JSON Schemas as fields, spelt as Confluent's converter gives them to a connector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import orjson
from msgspec import Struct

from mainstem.errors import CannotTell
from mainstem.watch.schema_registry.fields import RECORD, Branch, Field
from mainstem.watch.schema_registry.tree import Shape, Tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

Json = dict[str, Any]

ANY = Shape("any")
ALTERNATIVE = "io.confluent.connect.json.OneOf.field."
"""How the converter names the alternatives of ``oneOf`` and ``anyOf``, by their order."""

_CONNECT = "org.apache.kafka.connect.data."
_LOGICAL = {
    f"{_CONNECT}Date": "date",
    f"{_CONNECT}Time": "time-millis",
    f"{_CONNECT}Timestamp": "timestamp-millis",
}


def read_json_schema(text: str, references: Mapping[str, str]) -> tuple[Field, ...]:
    """The fields of a JSON Schema of any draft; ``references`` are found by their names.

    >>> read_json_schema('{"properties": {"id": {"type": "integer"}}, "required": ["id"]}', {})
    (Field(name='id', type='integer', fields=(), optional=False, description=None, branch=None),)
    """
    from referencing.exceptions import Unresolvable  # noqa: PLC0415  see read_avro

    try:
        return _Reader().shape(_opened(text, references)).top()
    except Unresolvable as error:
        raise CannotTell(f"JSON Schema: {error.ref} leads nowhere") from error
    except orjson.JSONDecodeError as error:
        raise CannotTell(f"JSON Schema: {error}") from error


class _Place(Struct, frozen=True):
    """A schema, and from where its references are looked up."""

    schema: Any
    resolver: Any

    def below(self, schema: Any) -> _Place:
        """A schema inside this one, which may move the base of its references."""
        if not {"$id", "id"} & _object(schema).keys():
            return _Place(schema, self.resolver)
        return _Place(schema, self.resolver.in_subresource(_resource(schema)))

    def referred(self) -> _Place:
        """The schema that this one refers to."""
        found = self.resolver.lookup(self.schema["$ref"])
        return _Place(found.contents, found.resolver)

    def at(self, key: str) -> Iterator[_Place]:
        """The schemas in the list under a key."""
        for schema in _object(self.schema).get(key) or ():
            yield self.below(schema)


def _opened(text: str, references: Mapping[str, str]) -> _Place:
    from referencing import Registry  # noqa: PLC0415  see read_avro
    from referencing.exceptions import NoSuchResource  # noqa: PLC0415

    others = {name: _resource(orjson.loads(each)) for name, each in references.items()}

    def retrieve(uri: str) -> Any:
        # A name is often relative, while the base of the reference makes it a whole URI.
        for name, resource in others.items():
            if uri == name or uri.endswith(f"/{name}"):
                return resource
        raise NoSuchResource(ref=uri)

    contents = orjson.loads(text)
    root = _resource(contents)
    registry: Any = Registry(retrieve=retrieve)  # pyright: ignore[reportCallIssue]
    return _Place(contents, registry.resolver_with_root(root))


def _resource(contents: Any) -> Any:
    from referencing.jsonschema import DRAFT7, specification_with  # noqa: PLC0415  see read_avro

    dialect = str(_object(contents).get("$schema", ""))
    specification: Any = specification_with(dialect, default=DRAFT7)
    return specification.create_resource(contents)


class _Reader:
    def __init__(self) -> None:
        self._tree = Tree()

    def shape(self, place: _Place) -> Shape:
        """What a schema describes."""
        parts = tuple(_parts(place, set()))
        if not parts:
            return ANY
        return self._tree.grow(
            id(parts[0].schema),
            _label(place.schema),
            _width(parts),
            lambda: self._whole(parts),
            "object",
        )

    def _whole(self, parts: tuple[_Place, ...]) -> Shape:
        """All that must hold at once; properties say more than anything beside them."""
        properties = {
            name: part.below(schema)
            for part in parts
            for name, schema in part.schema.get("properties", {}).items()
        }
        if properties and not any(part.schema.get("connect.type") == "map" for part in parts):
            return self._record(properties, {name for part in parts for name in _required(part)})
        for part in parts:
            for key in ("oneOf", "anyOf"):
                if alternatives := tuple(part.at(key)):
                    return self._one_of(alternatives, key)
        typed = next((part for part in parts if "type" in part.schema), parts[0])
        return self._typed(typed, parts)

    def _record(self, properties: Mapping[str, _Place], required: set[str]) -> Shape:
        return Shape(
            RECORD,
            tuple(
                self.shape(place).named(
                    name, optional=name not in required, description=_description(place.schema)
                )
                for name, place in properties.items()
            ),
        )

    def _one_of(self, alternatives: Iterable[_Place], word: str) -> Shape:
        """One schema or null is that schema; several are a record of which one field is filled."""
        shapes = [self.shape(place) for place in alternatives]
        some = [shape for shape in shapes if shape.word != "null"]
        optional = len(some) < len(shapes)
        if not some:
            return Shape("null", optional=True)
        names = [f"{ALTERNATIVE}{index}" for index in range(len(some))]
        branches = [
            Branch(index, name, name, alone=len(shapes) == 1) for index, name in enumerate(names)
        ]
        if len(some) == 1:
            alone = branches[0] if branches[0].alone else None
            return some[0]._replace(optional=optional or some[0].optional, alone=alone)
        fields = (
            shape.named(branch.name, optional=True, branch=branch)
            for branch, shape in zip(branches, some, strict=True)
        )
        return Shape(f"{word}<{','.join(shape.word for shape in some)}>", tuple(fields), optional)

    def _typed(self, place: _Place, parts: tuple[_Place, ...]) -> Shape:
        kind = place.schema.get("type")
        if isinstance(kind, list):
            each = [place.below({**place.schema, "type": one}) for one in cast("list[Any]", kind)]
            return self._one_of(each, "anyOf")
        if any("enum" in part.schema for part in parts):
            return Shape("enum")
        match kind:
            case "array":
                return self._array(place)
            case "object":
                return self._map(place)
            case str():
                return Shape(_word(place.schema, kind))
            case _:
                return ANY

    def _array(self, place: _Place) -> Shape:
        items = place.schema.get("items")
        element = self.shape(place.below(items)) if _is_object(items) else ANY
        return element.within("array<", ">")

    def _map(self, place: _Place) -> Shape:
        values = place.schema.get("additionalProperties")
        if not _is_object(values):
            return Shape("object")
        return self.shape(place.below(values)).within("map<string,", ">")


def _parts(place: _Place, seen: set[int]) -> Iterator[_Place]:
    """The schema and all that it adds to itself by ``$ref`` and ``allOf``."""
    identity = id(place.schema)
    if identity in seen or not _is_object(place.schema):
        return
    seen.add(identity)
    if _refers(place):
        yield from _parts(place.referred(), seen)
    yield _Place(_object(place.schema), place.resolver)
    for part in place.at("allOf"):
        yield from _parts(part, seen)


def _refers(place: _Place) -> bool:
    return isinstance(_object(place.schema).get("$ref"), str)


def _label(schema: Json) -> str:
    return schema.get("$ref", "").rpartition("/")[2] or "#"


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _object(value: Any) -> Json:
    return value if _is_object(value) else {}


def _width(parts: Iterable[_Place]) -> int:
    return 1 + sum(len(part.schema.get("properties", {})) for part in parts)


def _required(part: _Place) -> list[str]:
    # in draft 3 a property itself said that it is required
    required = part.schema.get("required")
    return cast("list[str]", required) if isinstance(required, list) else []


def _description(schema: Any) -> str | None:
    description = _object(schema).get("description")
    return description if isinstance(description, str) else None


def _word(schema: Json, kind: str) -> str:
    title, parameters = schema.get("title"), _object(schema.get("connect.parameters"))
    if title == f"{_CONNECT}Decimal":
        precision = parameters.get("connect.decimal.precision", "?")
        return f"decimal({precision},{parameters.get('scale', 0)})"
    if isinstance(title, str) and title in _LOGICAL:
        return _LOGICAL[title]
    form = schema.get("format")
    return f"{kind}({form})" if isinstance(form, str) else kind
