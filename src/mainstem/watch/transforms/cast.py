"""Cast: some fields, or the whole key or value, in another type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.errors import CannotTell
from mainstem.watch.transforms.model import Options, Transform, keeps_nesting

if TYPE_CHECKING:
    from mainstem.watch.transforms.record import Node, Record


_TYPES = frozenset({"int8", "int16", "int32", "int64", "float32", "float64", "boolean", "string"})


def _forward(options: Options, record: Record) -> Record:
    return _retyped(options, record, _casts(options))


def _backward(options: Options, record: Record) -> Record:
    # The type before the cast stands nowhere.
    return _retyped(options, record, dict.fromkeys(_casts(options), ""))


def _casts(options: Options) -> dict[str, str]:
    """The new type by field; the empty name stands for the whole."""
    casts: dict[str, str] = {}
    for entry in options.settings.names("spec"):
        name, of_a_field, type_ = entry.rpartition(":")
        if type_.strip().lower() not in _TYPES:
            raise CannotTell("spec names a type that Cast does not know")
        if name.strip() or not of_a_field:
            casts[name.strip()] = type_.strip().lower()
    return casts


def _retyped(options: Options, record: Record, types: dict[str, str]) -> Record:
    def change(node: Node) -> Node:
        if node.name not in types:
            return node
        if node.fields:
            raise CannotTell("a record cannot be cast")
        return replace(node.marked("TRANSFORMATION"), type=types[node.name])

    return record.change(
        options.side, lambda node: change(node) if "" in types else node.each_field(change)
    )


TRANSFORM = Transform(
    name="Cast",
    classes=("org.apache.kafka.connect.transforms.Cast",),
    reads=("spec",),
    forward=_forward,
    backward=_backward,
    nesting=keeps_nesting,
)
