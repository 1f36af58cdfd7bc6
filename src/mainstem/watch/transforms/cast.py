"""Cast: some fields, or the whole key or value, in another type."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mainstem.watch.transforms.model import Options, Transform

if TYPE_CHECKING:
    from mainstem.watch.transforms.record import Node, Record


def _forward(options: Options, record: Record) -> Record:
    return _retyped(options, record, _casts(options))


def _backward(options: Options, record: Record) -> Record:
    # The type before the cast stands nowhere.
    return _retyped(options, record, dict.fromkeys(_casts(options), ""))


def _casts(options: Options) -> dict[str, str]:
    """The new type by field; the empty name stands for the whole."""
    casts: dict[str, str] = {}
    for entry in options.settings.names("spec"):
        name, _, type_ = entry.rpartition(":")
        casts[name.strip()] = type_.strip().lower()
    return casts


def _retyped(options: Options, record: Record, types: dict[str, str]) -> Record:
    def change(node: Node) -> Node:
        if node.name not in types:
            return node
        return replace(node.marked("TRANSFORMATION"), type=types[node.name])

    return record.change(
        options.side, lambda node: node.each_field(change) if node.is_record else change(node)
    )


TRANSFORM = Transform(
    name="Cast",
    classes=("org.apache.kafka.connect.transforms.Cast",),
    reads=("spec",),
    forward=_forward,
    backward=_backward,
)
