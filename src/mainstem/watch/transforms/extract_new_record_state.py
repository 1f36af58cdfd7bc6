"""Debezium's ExtractNewRecordState: the row after the change instead of the whole envelope."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.errors import CannotTell
from mainstem.watch.schema_registry.fields import NoSchema
from mainstem.watch.transforms.model import Options, Transform, Unpredictable
from mainstem.watch.transforms.record import STRUCT, Nesting, Node, Record, Side

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_DELETE_FLAG = "__deleted"
_REWRITES = {"rewrite", "rewrite-with-tombstone"}
_HANDLINGS = {*_REWRITES, "drop", "tombstone", "delete-to-tombstone", "none"}
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
        replace(found, name=name, optional=True)
        for path, name in _added_fields(options)
        if (found := _metadata(envelope, path)) is not None
    )
    fields = (*after.fields, *_delete_flag(options), *added)
    row = Node("", STRUCT, after.origins, fields)
    return _without_dropped(options, replace(record, value=row))


def _without_dropped(options: Options, record: Record) -> Record:
    """The record without the fields that a header of each record may name to be dropped."""
    settings = options.settings
    if settings.first("drop.fields.header.name") is None:
        return record
    optional_only = settings.flag("drop.fields.keep.schema.compatible", default=True)

    def stays(field: Node) -> Node | None:
        return field if optional_only and not field.optional else None

    if settings.flag("drop.fields.from.key", default=False):
        record = record.change(Side.KEY, lambda node: node.each_field(stays))
    return record.change(Side.VALUE, lambda node: node.each_field(stays))


def _backward(options: Options, record: Record) -> Record:
    if isinstance(record.value, NoSchema):
        return record
    added = {name: path for path, name in _added_fields(options)}
    made_here = {*added, _DELETE_FLAG}
    row = tuple(field for field in record.value.fields if field.name not in made_here)
    metadata = (
        field.named(added[field.name]) for field in record.value.fields if field.name in added
    )
    envelope = Node("", STRUCT, (), (Node("after", STRUCT, (), row), *_in_blocks(metadata)))
    return replace(record, value=envelope)


def _added_fields(options: Options) -> list[tuple[str, str]]:
    """The path in the envelope and the name in the row, for ``add.fields``.

    ``op`` becomes ``__op``, ``source.ts_ms`` ``__source_ts_ms``, ``op:kind`` ``__kind``.
    """
    settings = options.settings
    prefix = settings.get("add.fields.prefix", "__")
    names: list[tuple[str, str]] = []
    for entry in settings.names("add.fields"):
        path, _, new_name = entry.partition(":")
        names.append((_path_in_envelope(path), prefix + (new_name or path.replace(".", "_"))))
    return names


def _path_in_envelope(path: str) -> str:
    if "." in path or path in _OF_ENVELOPE:
        return path
    return f"transaction.{path}" if path in _OF_TRANSACTION else f"source.{path}"


def _metadata(envelope: Node, path: str) -> Node | None:
    block, _, name = path.rpartition(".")
    parent = envelope.child(block) if block else envelope
    if parent is None:
        raise CannotTell("add.fields names a part that the change event does not have")
    # A field that an earlier transform put beside the blocks is found there.
    return parent.child(name) or envelope.child(name)


def _in_blocks(fields: Iterable[Node]) -> Iterator[Node]:
    """The parts of a change event, each in the block of it that its path names."""
    blocks: dict[str, dict[str, Node]] = {}
    for field in fields:
        block, _, name = field.name.rpartition(".")
        inside = blocks.setdefault(block, {})
        known = inside.get(name)
        inside[name] = known.also_from(field.origins) if known else field.named(name)
    yield from blocks.pop("", {}).values()
    for block, inside in blocks.items():
        yield Node(block, STRUCT, (), tuple(inside.values()))


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
    if handling is not None and handling not in _HANDLINGS:
        raise CannotTell("how deletes are handled is none of the ways that are known")
    return (Node(_DELETE_FLAG, "string"),) if handling in _REWRITES else ()


def _row(options: Options, nesting: Nesting) -> Nesting | None:
    of_documents = options.settings.text("type", "").endswith("ExtractNewDocumentState")
    return None if of_documents else replace(nesting, records=frozenset())


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
        "drop.fields.from.key",
        "drop.fields.header.name",
        "drop.fields.keep.schema.compatible",
        "route.by.field",
    ),
    topic=_topic,
    undo_topic=_undo,
    forward=_forward,
    backward=_backward,
    nesting=_row,
)
