"""HeaderFrom: fields copied or moved into headers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.watch.transforms.model import Options, Transform, keeps_nesting

if TYPE_CHECKING:
    from mainstem.watch.transforms.record import Node, Record


def _forward(options: Options, record: Record) -> Record:
    operation = options.settings.required("operation")
    if operation not in {"move", "copy"}:
        raise CannotTell("operation is neither move nor copy")
    names = options.settings.names("fields")

    def change(node: Node) -> Node:
        if any(node.child(name) is None for name in names):
            raise CannotTell("a field for a header is not there")
        if operation == "copy":
            return node
        return node.each_field(lambda field: None if field.name in names else field)

    return record.change(options.side, change)


TRANSFORM = Transform(
    name="HeaderFrom",
    classes=("org.apache.kafka.connect.transforms.HeaderFrom",),
    reads=("fields", "operation"),
    forward=_forward,
    nesting=keeps_nesting,
)
