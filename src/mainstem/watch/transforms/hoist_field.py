"""HoistField: the whole key or value becomes the one field of a new record."""

from __future__ import annotations

from mainstem.watch.schema_registry.fields import NoSchema
from mainstem.watch.transforms.model import Options, Transform
from mainstem.watch.transforms.record import STRUCT, Node, Record


def _forward(options: Options, record: Record) -> Record:
    name = options.settings.required("field")
    return record.change(options.side, lambda node: Node("", STRUCT, (), (node.named(name),)))


def _backward(options: Options, record: Record) -> Record:
    name = options.settings.required("field")

    def unwrap(node: Node) -> Node | NoSchema:
        inner = node.child(name)
        return inner.named("") if inner else NoSchema("the hoisted field is not there")

    return record.change(options.side, unwrap)


TRANSFORM = Transform(
    name="HoistField",
    classes=("org.apache.kafka.connect.transforms.HoistField",),
    reads=("field",),
    forward=_forward,
    backward=_backward,
)
