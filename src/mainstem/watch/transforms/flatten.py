"""Flatten: nested records become fields whose names are their paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.watch.transforms.model import Options, Transform
from mainstem.watch.transforms.record import STRUCT, Nesting, Node, Side

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.watch.transforms.record import Record


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
    delimiter = options.settings.get("delimiter", ".")
    nesting = record.nesting if options.side is Side.VALUE else None

    def undo(node: Node) -> Node:
        found: dict[str, Node | list[Node]] = {}
        for field in node.fields:
            if delimiter not in field.name:
                found[field.name] = field
            elif nesting is not None:
                _unfold(field, delimiter, nesting, found)
        fields = (
            Node(name, STRUCT, (), tuple(one)) if isinstance(one, list) else one
            for name, one in found.items()
        )
        return node.with_fields(tuple(fields))

    return record.change(options.side, undo)


def _unfold(
    field: Node, delimiter: str, nesting: Nesting, found: dict[str, Node | list[Node]]
) -> None:
    """Put a field where it stood, if that is certain.

    A name with the delimiter in it may have been a path or a name; which one, only what is known
    of the source tells.
    """
    if field.name.rpartition(delimiter)[2] in nesting.parts:
        return
    for name in nesting.records:
        if field.name.startswith(f"{name}{delimiter}"):
            inside = found.setdefault(name, [])
            if isinstance(inside, list):
                inside.append(field.named(field.name.removeprefix(f"{name}{delimiter}")))
            return
    found[field.name] = field


def _nothing_holds_fields(options: Options, nesting: Nesting) -> Nesting | None:
    return Nesting() if options.side is Side.VALUE else nesting


TRANSFORM = Transform(
    name="Flatten",
    classes=("org.apache.kafka.connect.transforms.Flatten",),
    reads=("delimiter",),
    forward=_forward,
    backward=_backward,
    nesting=_nothing_holds_fields,
)
