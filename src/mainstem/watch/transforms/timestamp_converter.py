"""TimestampConverter: a point in time in another representation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.errors import CannotTell
from mainstem.watch.transforms.model import Options, Transform, keeps_nesting

if TYPE_CHECKING:
    from mainstem.watch.transforms.record import Node, Record

_TYPES = {
    "string": "string",
    "unix": "int64",
    "Date": "date",
    "Time": "time",
    "Timestamp": "timestamp",
}


def _forward(options: Options, record: Record) -> Record:
    target = options.settings.required("target.type")
    if target not in _TYPES:
        raise CannotTell("target.type is not one that TimestampConverter knows")
    return _retyped(options, record, _TYPES[target])


def _backward(options: Options, record: Record) -> Record:
    # The type before the conversion stands nowhere.
    return _retyped(options, record, "")


def _retyped(options: Options, record: Record, type_: str) -> Record:
    name = options.settings.text("field", "")

    def change(node: Node) -> Node:
        if node.name != name:
            return node
        return replace(node.marked("TRANSFORMATION"), type=type_)

    return record.change(
        options.side, lambda node: node.each_field(change) if name else change(node)
    )


TRANSFORM = Transform(
    name="TimestampConverter",
    classes=("org.apache.kafka.connect.transforms.TimestampConverter",),
    reads=("field", "target.type"),
    forward=_forward,
    backward=_backward,
    nesting=keeps_nesting,
)
