"""ValueToKey: a new key made of some fields of the value."""

from __future__ import annotations

from msgspec.structs import replace

from mainstem.errors import CannotTell
from mainstem.watch.schema_registry.fields import NoSchema
from mainstem.watch.transforms.model import Options, Transform, keeps_nesting
from mainstem.watch.transforms.record import STRUCT, Node, Record


def _forward(options: Options, record: Record) -> Record:
    if isinstance(record.value, NoSchema):
        return replace(record, key=record.value)
    names = options.settings.names("fields")
    fields = tuple(field for name in names if (field := record.value.child(name)) is not None)
    if len(fields) < len(names):
        raise CannotTell("a field that the key is made of is not there")
    return replace(record, key=Node("", STRUCT, (), fields))


def _backward(_options: Options, record: Record) -> Record:
    """The key's fields lead back to the value's; the key that was there before is not known."""
    replaced = NoSchema("the key before ValueToKey is not known")
    key, value = record.key, record.value
    if isinstance(key, NoSchema) or isinstance(value, NoSchema):
        return replace(record, key=replaced)

    def with_key_origins(field: Node) -> Node:
        copy = key.child(field.name)
        return replace(field, origins=(*field.origins, *copy.origins)) if copy else field

    return Record(value.each_field(with_key_origins), replaced)


TRANSFORM = Transform(
    name="ValueToKey",
    classes=("org.apache.kafka.connect.transforms.ValueToKey",),
    reads=("fields",),
    forward=_forward,
    backward=_backward,
    nesting=keeps_nesting,
)
