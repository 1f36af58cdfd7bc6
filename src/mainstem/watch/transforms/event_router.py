"""Debezium's EventRouter: rows of an outbox table to topics that a column names."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mainstem.watch.schema_registry.fields import NoSchema
from mainstem.watch.transforms.model import Options, Transform
from mainstem.watch.transforms.record import STRUCT, Node, Origin, Record, columns
from mainstem.watch.transforms.routed_by_data import cannot_be_undone, depends_on_data

if TYPE_CHECKING:
    from collections.abc import Iterator

_UNKNOWN = NoSchema("what an outbox's payload holds stands in the data")


def _forward(_options: Options, _record: Record) -> Record:
    return Record(_UNKNOWN, _UNKNOWN)


def _backward(options: Options, record: Record) -> Record:
    """Every field of the message comes out of the payload column, the key out of its own."""
    payload = _column(options, "field.event.payload", "payload")
    key = _column(options, "field.event.key", "aggregateid")
    row = (
        Node(payload, "", tuple(_origins(replace(record, key=_UNKNOWN)))),
        Node(key, "", tuple(_origins(replace(record, value=_UNKNOWN)))),
    )
    return Record(Node("", STRUCT, (), (Node("after", STRUCT, (), row),)), _UNKNOWN)


def _origins(record: Record) -> Iterator[Origin]:
    for _, node in columns(record):
        yield from node.marked("TRANSFORMATION").origins


def _form(options: Options, _topic: str) -> str:
    return options.settings.text("route.topic.replacement", "outbox.event.${routedByValue}")


def _column(options: Options, option: str, default: str) -> str:
    return options.settings.first(f"table.{option}", f"collection.{option}") or default


TRANSFORM = Transform(
    name="EventRouter",
    classes=(
        "io.debezium.transforms.outbox.EventRouter",
        "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter",
    ),
    reads=(
        "table.field.event.payload",
        "table.field.event.key",
        "collection.field.event.payload",
        "collection.field.event.key",
        "route.topic.replacement",
    ),
    topic=depends_on_data,
    form=_form,
    undo_topic=cannot_be_undone,
    forward=_forward,
    backward=_backward,
)
