"""What a column's value is made of, and how that changes on its way through expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from mainstem.spark.lineage import DatasetKey, Kind, Source, Subtype

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DataType: TypeAlias = "str | dict[str, Any]"
"""A Spark type as its JSON says it."""

TOPIC_ROOTS = ("$key", "$value")
"""Bytes of a topic, whose decoded fields are columns of the topic."""

_STRENGTH: Mapping[Subtype, int] = {"IDENTITY": 0, "TRANSFORMATION": 1, "AGGREGATION": 2}


class Flow(NamedTuple):
    """One input column on its way into a value."""

    dataset: DatasetKey
    path: tuple[str, ...]
    kind: Kind = "DIRECT"
    subtype: Subtype = "IDENTITY"
    masking: bool = False
    whole: bool = True
    """The value is all that lies at the path, so a field of it lies at a longer path."""

    @property
    def is_payload(self) -> bool:
        """Whether it lies in the bytes of a topic, where decoding leads to deeper columns."""
        return self.path[0] in TOPIC_ROOTS

    def source(self) -> Source:
        """The flow as it is told: a topic's fields are spelt as connectors spell them."""
        path = self.path[1:] if self.path[0] == "$value" and len(self.path) > 1 else self.path
        return Source(self.dataset, ".".join(path), self.kind, self.subtype, self.masking)


class Value(Struct, frozen=True):
    """What one column or expression is made of."""

    flows: frozenset[Flow] = frozenset()
    fields: Mapping[str, Value] | None = None
    """The parts of a struct that the query put together, or of the structs in an array."""

    encoded: bool = False
    """The struct became text or bytes, for instance by ``to_json``."""

    type: DataType | None = None
    """Where it is known, the type; only needed for structs that were read as they are."""

    unknown: bool = False
    """It came, at least in part, out of something that cannot be seen through."""


NOTHING = Value()
UNKNOWN = Value(unknown=True)


def read_column(datasets: Iterable[DatasetKey], path: tuple[str, ...], of: DataType) -> Value:
    """A column as it is read, from one dataset or from several that are read as one."""
    return Value(frozenset(Flow(dataset, path) for dataset in datasets), type=of)


def merged(values: Iterable[Value]) -> Value:
    """A value that may be any of these, or is made of all of them."""
    parts = [value for value in values if value != NOTHING]
    if len(parts) <= 1:
        return parts[0] if parts else NOTHING
    first = parts[0].fields
    same = first is not None and all(
        part.fields is not None and list(part.fields) == list(first) for part in parts
    )
    return Value(
        flows=frozenset().union(*(part.flows for part in parts)),
        fields={name: merged(part.fields[name] for part in parts if part.fields) for name in first}
        if same and first
        else None,
        encoded=same and all(part.encoded for part in parts),
        type=parts[0].type if all(part.type == parts[0].type for part in parts) else None,
        unknown=any(part.unknown for part in parts),
    )


def changed(value: Value, subtype: Subtype, *, masking: bool = False) -> Value:
    """The value after a function of which nothing else is known."""
    return Value(
        frozenset(_change(flow, subtype, masking, whole=False) for flow in value.flows),
        unknown=value.unknown,
    )


def picked(value: Value, subtype: Subtype) -> Value:
    """One of many such values, whole: an element, the largest, the first; or a list of them."""
    fields = value.fields
    return replace(
        value,
        flows=frozenset(_change(flow, subtype, masking=False, whole=True) for flow in value.flows),
        fields={name: picked(part, subtype) for name, part in fields.items()} if fields else None,
        type=element_type(value.type),
    )


def deciding(value: Value, subtype: Subtype) -> frozenset[Flow]:
    """The flows of a value that decides about rows or about another value."""
    return frozenset(
        Flow(flow.dataset, flow.path, "INDIRECT", subtype, flow.masking, whole=False)
        for flow in value.flows
    )


def decided_by(value: Value, flows: frozenset[Flow]) -> Value:
    """The value, when something else decides about it."""
    return replace(value, flows=value.flows | flows) if flows else value


def part_of(value: Value, name: str) -> Value:
    """The field of a struct, or the fields of an array's structs."""
    if value.fields is not None and not value.encoded:
        part = value.fields.get(name) or _regardless_of_case(value.fields, name)
        indirect = frozenset(flow for flow in value.flows if flow.kind == "INDIRECT")
        return decided_by(part, indirect) if part else NOTHING
    flows = frozenset(
        flow._replace(path=(*flow.path, name)) if flow.whole and flow.kind == "DIRECT" else flow
        for flow in value.flows
    )
    return Value(flows, type=field_type(value.type, name), unknown=value.unknown)


def part_at(value: Value, ordinal: int) -> Value:
    """The field at a position, where the name is not said."""
    names = list(value.fields) if value.fields is not None else field_names(value.type)
    if ordinal < len(names):
        return part_of(value, names[ordinal])
    return changed(value, "TRANSFORMATION")


def struct(fields: Mapping[str, Value]) -> Value:
    """A struct that the query puts together."""
    whole = merged(Value(part.flows, unknown=part.unknown) for part in fields.values())
    return replace(changed(whole, "TRANSFORMATION"), fields=dict(fields))


def encoded(value: Value) -> Value:
    """The value as text or bytes from which its fields can be had again."""
    fields = value.fields
    if fields is None:
        names = field_names(value.type)
        fields = {name: part_of(value, name) for name in names} or None
    return replace(changed(value, "TRANSFORMATION"), fields=fields, encoded=fields is not None)


def decoded(value: Value, into: DataType | None) -> Value:
    """The value read from text or bytes: what was encoded before, or fields of a topic."""
    if value.encoded:
        return replace(value, encoded=False)
    if value.flows and all(flow.is_payload or flow.kind == "INDIRECT" for flow in value.flows):
        return replace(value, type=into)
    return replace(changed(value, "TRANSFORMATION"), type=None)


def element_type(of: DataType | None) -> DataType | None:
    """The type of an array's elements; any other type is its own."""
    if isinstance(of, dict) and of.get("type") == "array":
        return of["elementType"]
    return of


def field_names(of: DataType | None) -> list[str]:
    """The names of a struct's fields, or of the structs in an array."""
    struct_type = element_type(of)
    if isinstance(struct_type, dict) and struct_type.get("type") == "struct":
        return [field["name"] for field in struct_type["fields"]]
    return []


def field_type(of: DataType | None, name: str) -> DataType | None:
    """The type of one field of a struct, or of the structs in an array."""
    struct_type = element_type(of)
    if isinstance(struct_type, dict) and struct_type.get("type") == "struct":
        for field in struct_type["fields"]:
            if field["name"] == name:
                return field["type"]
    return None


def _change(flow: Flow, subtype: Subtype, masking: bool, *, whole: bool) -> Flow:
    if flow.kind == "INDIRECT":
        return flow
    stronger = max(flow.subtype, subtype, key=_STRENGTH.__getitem__)
    return flow._replace(
        subtype=stronger, masking=flow.masking or masking, whole=flow.whole and whole
    )


def _regardless_of_case(fields: Mapping[str, Value], name: str) -> Value | None:
    return next((part for key, part in fields.items() if key.lower() == name.lower()), None)
