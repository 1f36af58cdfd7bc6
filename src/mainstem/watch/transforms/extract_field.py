"""ExtractField: one field takes the place of the whole key or value."""

from __future__ import annotations

import re

from mainstem.errors import CannotTell
from mainstem.watch.transforms.model import Options, Transform
from mainstem.watch.transforms.record import STRUCT, Node, Record

_STEP = re.compile(r"`((?:[^`]|`(?=[^.]))*)`(?:\.|$)|([^.]+)(?:\.|$)")


def _path(options: Options) -> tuple[str, ...]:
    """The names on the way to the field; dots lead down only in version 2 of the syntax."""
    text = options.settings.required("field")
    if options.settings.text("field.syntax.version", "V1").upper() != "V2":
        return (text,)
    return tuple(quoted or plain for quoted, plain in _STEP.findall(text))


def _forward(options: Options, record: Record) -> Record:
    path = _path(options)

    def extract(node: Node) -> Node:
        found: Node | None = node
        for name in path:
            found = found.child(name) if found else None
        if found is None:
            raise CannotTell("the extracted field is not there")
        return found.named("")

    return record.change(options.side, extract)


def _backward(options: Options, record: Record) -> Record:
    path = _path(options)

    def wrap(node: Node) -> Node:
        for name in reversed(path):
            node = Node("", STRUCT, (), (node.named(name),))
        return node

    return record.change(options.side, wrap)


TRANSFORM = Transform(
    name="ExtractField",
    classes=("org.apache.kafka.connect.transforms.ExtractField",),
    reads=("field", "field.syntax.version"),
    forward=_forward,
    backward=_backward,
)
