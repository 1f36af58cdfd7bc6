"""InsertField: fields with a fixed value, or with the record's topic, partition, offset or time."""

from __future__ import annotations

from mainstem.errors import CannotTell
from mainstem.watch.transforms.model import Options, Transform, keeps_nesting
from mainstem.watch.transforms.record import Node, Origin, Record

_INSERTED = {
    "topic.field": ("$topic", "string"),
    "partition.field": ("$partition", "int32"),
    "offset.field": ("$offset", "int64"),
    "timestamp.field": ("$timestamp", "timestamp"),
    "static.field": (None, "string"),
}


def _inserted(options: Options) -> tuple[Node, ...]:
    fields: list[Node] = []
    for option, (origin, type_) in _INSERTED.items():
        name = options.settings.first(option)
        if name:
            # "!" at the end of a name means required, "?" optional.
            bare = name[:-1] if name[-1] in "!?" else name
            origins = (Origin(origin),) if origin else ()
            fields.append(Node(bare, type_, origins, optional=not name.endswith("!")))
    if not fields:
        raise CannotTell("InsertField has no field to insert")
    return tuple(fields)


def _forward(options: Options, record: Record) -> Record:
    inserted = _inserted(options)
    return record.change(options.side, lambda node: node.with_fields((*node.fields, *inserted)))


def _backward(options: Options, record: Record) -> Record:
    names = {field.name for field in _inserted(options)}
    return record.change(
        options.side,
        lambda node: node.each_field(lambda field: None if field.name in names else field),
    )


TRANSFORM = Transform(
    name="InsertField",
    classes=("org.apache.kafka.connect.transforms.InsertField",),
    reads=tuple(_INSERTED),
    forward=_forward,
    backward=_backward,
    nesting=keeps_nesting,
)
