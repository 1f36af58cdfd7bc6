"""Debezium's ExtractNewRecordState: the row after the change instead of the whole envelope."""

from __future__ import annotations

from dataclasses import replace

from mainstem.watch.schema_registry.fields import NoSchema
from mainstem.watch.transforms.model import Options, Transform, Unpredictable
from mainstem.watch.transforms.record import STRUCT, Node, Record

_DELETE_FLAG = "__deleted"
_REWRITES = {"rewrite", "rewrite-with-tombstone"}
_OF_ENVELOPE = {"op", "ts_ms", "ts_us", "ts_ns", "updateDescription"}
_OF_TRANSACTION = {"id", "data_collection_order", "total_order"}


def _forward(options: Options, record: Record) -> Record:
    envelope = record.value
    if isinstance(envelope, NoSchema):
        return record
    after = envelope.child("after")
    if after is None:
        return record
    added = tuple(
        replace(found, name=name)
        for path, name in _added_fields(options).items()
        if (found := _metadata(envelope, path)) is not None
    )
    fields = (*after.fields, *_delete_flag(options), *added)
    return replace(record, value=Node("", STRUCT, after.origins, fields))


def _backward(options: Options, record: Record) -> Record:
    if isinstance(record.value, NoSchema):
        return record
    added = {name: path for path, name in _added_fields(options).items()}
    made_here = {*added, _DELETE_FLAG}
    row = tuple(field for field in record.value.fields if field.name not in made_here)
    metadata = [
        replace(field, name=added[field.name])
        for field in record.value.fields
        if field.name in added
    ]
    envelope = Node("", STRUCT, (), (Node("after", STRUCT, (), row), *map(_nested, metadata)))
    return replace(record, value=envelope)


def _added_fields(options: Options) -> dict[str, str]:
    """From the path in the envelope to the name in the row, for ``add.fields``.

    ``op`` becomes ``__op``, ``source.ts_ms`` ``__source_ts_ms``, ``op:kind`` ``__kind``.
    """
    settings = options.settings
    prefix = settings.get("add.fields.prefix", "__")
    names: dict[str, str] = {}
    for entry in settings.names("add.fields"):
        path, _, new_name = entry.partition(":")
        names[_path_in_envelope(path)] = prefix + (new_name or path.replace(".", "_"))
    return names


def _path_in_envelope(path: str) -> str:
    if "." in path or path in _OF_ENVELOPE:
        return path
    return f"transaction.{path}" if path in _OF_TRANSACTION else f"source.{path}"


def _metadata(envelope: Node, path: str) -> Node | None:
    block, _, name = path.rpartition(".")
    parent = envelope.child(block) if block else envelope
    # A field that an earlier transform put beside the blocks is found there.
    return (parent.child(name) if parent else None) or envelope.child(name)


def _nested(field: Node) -> Node:
    block, _, name = field.name.rpartition(".")
    inner = replace(field, name=name)
    return Node(block, STRUCT, (), (inner,)) if block else inner


def _topic(options: Options, topic: str) -> str | Unpredictable:
    if options.settings.first("route.by.field"):
        return Unpredictable("the topic is the value of a field of each record")
    return topic


def _undo(options: Options, topic: str, _words: tuple[str, ...]) -> tuple[str, ...] | Unpredictable:
    undone = _topic(options, topic)
    return undone if isinstance(undone, Unpredictable) else (undone,)


def _delete_flag(options: Options) -> tuple[Node, ...]:
    settings = options.settings
    handling = settings.first("delete.tombstone.handling.mode", "delete.handling.mode")
    return (Node(_DELETE_FLAG, "string"),) if handling in _REWRITES else ()


TRANSFORM = Transform(
    name="ExtractNewRecordState",
    classes=(
        "io.debezium.transforms.ExtractNewRecordState",
        "io.debezium.transforms.UnwrapFromEnvelope",
        "io.debezium.connector.mongodb.transforms.ExtractNewDocumentState",
    ),
    reads=(
        "add.fields",
        "add.fields.prefix",
        "delete.handling.mode",
        "delete.tombstone.handling.mode",
        "route.by.field",
    ),
    topic=_topic,
    undo_topic=_undo,
    forward=_forward,
    backward=_backward,
)
