"""A record that a transform changed or did not: what holds of it either way."""

from __future__ import annotations

from msgspec.structs import replace

from mainstem.errors import CannotTell
from mainstem.watch.schema_registry.fields import NoSchema
from mainstem.watch.transforms.record import STRUCT, Node, Origin, Record

Deciders = tuple[Origin, ...]


def either(one: Record, other: Record, decided_by: Deciders) -> Record:
    """Every field of both, each from all it may come from.

    A field that is not the same in both also depends on what decides between them.
    """
    return replace(
        one,
        value=_half(one.value, other.value, decided_by),
        key=_half(one.key, other.key, decided_by),
    )


def _half(one: Node | NoSchema, other: Node | NoSchema, decided_by: Deciders) -> Node | NoSchema:
    if isinstance(one, NoSchema):
        return one
    return other if isinstance(other, NoSchema) else _node(one, other, decided_by)


def _node(one: Node, other: Node, decided_by: Deciders) -> Node:
    if one == other:
        return one
    if _holds_fields(one) and _holds_fields(other):
        return replace(one, type=STRUCT, fields=_fields(one, other, decided_by))
    if _holds_fields(one) or _holds_fields(other):
        raise CannotTell("it makes a record of some values only")
    return replace(
        one,
        type=one.type if one.type == other.type else "",
        origins=(*_origins(one, other), *decided_by),
        fields=one.fields if one.fields == other.fields else (),
        optional=one.optional or other.optional,
    )


def _holds_fields(node: Node) -> bool:
    return node.is_record or node.type == STRUCT


def _fields(one: Node, other: Node, decided_by: Deciders) -> tuple[Node, ...]:
    others = {field.name: field for field in other.fields}
    merged: list[Node] = []
    for field in one.fields:
        twin = others.pop(field.name, None)
        merged.append(
            _sometimes(field, decided_by) if twin is None else _node(field, twin, decided_by)
        )
    return (*merged, *(_sometimes(field, decided_by) for field in others.values()))


def _sometimes(node: Node, decided_by: Deciders) -> Node:
    """A field that only some records have."""
    if node.is_record:
        fields = tuple(_sometimes(field, decided_by) for field in node.fields)
        return replace(node, fields=fields, optional=True)
    return replace(node, origins=(*node.origins, *decided_by), optional=True)


def _origins(one: Node, other: Node) -> tuple[Origin, ...]:
    found = {origin.path: origin for origin in one.origins}
    for origin in other.origins:
        known = found.get(origin.path)
        found[origin.path] = origin if known is None else _stronger(known, origin)
    return tuple(found.values())


def _stronger(one: Origin, other: Origin) -> Origin:
    # What is masked in some records only is not masked.
    changed = one if one.transformation != "IDENTITY" else other
    return replace(changed, masking=one.masking and other.masking)
