"""MaskField: values of some fields replaced by an empty or a fixed one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.watch.transforms.model import Options, Transform, keeps_nesting

if TYPE_CHECKING:
    from mainstem.watch.transforms.record import Node, Record


def _mask(options: Options, record: Record) -> Record:
    masked = options.settings.names("fields")

    def change(field: Node) -> Node:
        return field.marked("TRANSFORMATION", masking=True) if field.name in masked else field

    return record.change(options.side, lambda node: node.each_field(change))


TRANSFORM = Transform(
    name="MaskField",
    classes=("org.apache.kafka.connect.transforms.MaskField",),
    reads=("fields",),
    forward=_mask,
    backward=_mask,
    nesting=keeps_nesting,
)
