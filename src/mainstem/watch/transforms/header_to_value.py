"""Debezium's HeaderToValue: headers copied or moved into fields of the value."""

from __future__ import annotations

from mainstem.watch.transforms.model import Options, Transform
from mainstem.watch.transforms.record import STRUCT, Node, Origin, Record, Side


def _forward(options: Options, record: Record) -> Record:
    def change(node: Node) -> Node:
        for path in options.settings.names("fields"):
            node = _inserted(node, path.split("."))
        return node

    return record.change(Side.VALUE, change)


def _inserted(node: Node, path: list[str]) -> Node:
    name, *below = path
    if not below:
        header = Node(name, "string", (Origin("$headers"),))
        return node.with_fields((*node.fields, header))
    child = node.child(name) or Node(name, STRUCT)
    others = tuple(field for field in node.fields if field.name != name)
    return node.with_fields((*others, _inserted(child, below)))


def _backward(options: Options, record: Record) -> Record:
    paths = {tuple(path.split(".")) for path in options.settings.names("fields")}

    def change(field: Node, above: tuple[str, ...]) -> Node | None:
        path = (*above, field.name)
        if path in paths:
            return None
        return field.each_field(lambda one: change(one, path)) if field.is_record else field

    return record.change(Side.VALUE, lambda node: node.each_field(lambda one: change(one, ())))


TRANSFORM = Transform(
    name="HeaderToValue",
    classes=("io.debezium.transforms.HeaderToValue",),
    reads=("fields",),
    forward=_forward,
    backward=_backward,
)
