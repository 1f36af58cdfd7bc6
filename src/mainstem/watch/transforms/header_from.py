"""HeaderFrom: fields copied or moved into headers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.watch.transforms.model import Options, Transform

if TYPE_CHECKING:
    from mainstem.watch.transforms.record import Record


def _forward(options: Options, record: Record) -> Record:
    if options.settings.text("operation", "").lower() != "move":
        return record
    moved = options.settings.names("fields")
    return record.change(
        options.side,
        lambda node: node.each_field(lambda field: None if field.name in moved else field),
    )


TRANSFORM = Transform(
    name="HeaderFrom",
    classes=("org.apache.kafka.connect.transforms.HeaderFrom",),
    reads=("fields", "operation"),
    forward=_forward,
)
