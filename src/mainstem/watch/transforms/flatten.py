"""Flatten: nested records become fields whose names are their paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.watch.transforms.model import Options, Transform

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.watch.transforms.record import Node, Record


def _forward(options: Options, record: Record) -> Record:
    delimiter = options.settings.get("delimiter", ".")

    def flat(node: Node, prefix: str) -> Iterator[Node]:
        for field in node.fields:
            name = f"{prefix}{delimiter}{field.name}" if prefix else field.name
            if field.is_record:
                yield from flat(field, name)
            elif field.type.lower().startswith("map"):
                raise CannotTell("a map in a record cannot be flattened")
            else:
                yield field.named(name)

    return record.change(options.side, lambda node: node.with_fields(tuple(flat(node, ""))))


def _backward(options: Options, record: Record) -> Record:
    # A name with the delimiter in it may have been a path or a name; which one is not told.
    delimiter = options.settings.get("delimiter", ".")

    def change(field: Node) -> Node | None:
        return None if delimiter in field.name else field

    return record.change(options.side, lambda node: node.each_field(change))


TRANSFORM = Transform(
    name="Flatten",
    classes=("org.apache.kafka.connect.transforms.Flatten",),
    reads=("delimiter",),
    forward=_forward,
    backward=_backward,
)
