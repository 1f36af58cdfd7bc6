"""Debezium's EventRouter: rows of an outbox table to topics that a column names."""

from __future__ import annotations

from mainstem.watch.schema_registry.fields import NoSchema
from mainstem.watch.transforms.model import Options, Transform, Unpredictable
from mainstem.watch.transforms.record import STRUCT, Node, Origin, Record, columns
from mainstem.watch.transforms.routed_by_data import cannot_be_undone, depends_on_data

_PAYLOAD = "payload"
_PLACEMENTS = ("table.fields.additional.placement", "collection.fields.additional.placement")
_MATCH_EVERY_VALUE = ("(?<routedByValue>.*)", "(.*)", ".*")
_UNKNOWN = NoSchema("what an outbox's payload holds stands in the data")


def _forward(_options: Options, _record: Record) -> Record:
    return Record(_UNKNOWN, _UNKNOWN)


# debezium/debezium: EventRouterDelegate.java
def _backward(options: Options, record: Record) -> Record:
    """The message comes out of the payload column, its key and what stands beside it out of theirs.

    Where columns are placed beside the payload, the message is an envelope of both.
    """
    columns_beside = _placed_beside(options)
    value = record.value
    payload: Node | NoSchema | None = value
    beside: tuple[Node, ...] = ()
    if columns_beside and not isinstance(value, NoSchema):
        payload = value.child(_PAYLOAD)
        placed = (field for field in value.fields if field.name in columns_beside)
        beside = tuple(field.named(columns_beside[field.name]) for field in placed)
    row = (
        Node(_column(options, "field.event.payload", _PAYLOAD), "", _origins(payload)),
        Node(_column(options, "field.event.key", "aggregateid"), "", _origins(record.key)),
        *beside,
    )
    return Record(Node("", STRUCT, (), (Node("after", STRUCT, (), row),)), _UNKNOWN)


def _placed_beside(options: Options) -> dict[str, str]:
    """The columns that stand beside the payload, by the names that they have there."""
    entries = options.settings.names(*_PLACEMENTS)
    parts = [[part.strip() for part in entry.split(":")] for entry in entries]
    placed = [one for one in parts if len(one) > 1 and one[1].lower() == "envelope"]
    return {one[-1] if len(one) > 2 else one[0]: one[0] for one in placed}  # noqa: PLR2004


def _origins(half: Node | NoSchema | None) -> tuple[Origin, ...]:
    """Where the parts of a message are; those of a record were taken out of the column's value."""
    if half is None or isinstance(half, NoSchema):
        return ()
    if not half.is_record:
        return half.origins
    leaves = columns(Record(half.named(""), _UNKNOWN))
    return tuple(origin for _, leaf in leaves for origin in leaf.marked("TRANSFORMATION").origins)


def _topic(options: Options, topic: str) -> str | Unpredictable:
    replacement = _form(options, topic)
    pattern = options.settings.text("route.topic.regex", _MATCH_EVERY_VALUE[0])
    is_constant = pattern in _MATCH_EVERY_VALUE and not {"$", "\\"} & set(replacement)
    return replacement if is_constant else depends_on_data(options, topic)


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
        *_PLACEMENTS,
        "table.field.event.payload",
        "table.field.event.key",
        "collection.field.event.payload",
        "collection.field.event.key",
        "route.topic.regex",
        "route.topic.replacement",
    ),
    takes_outbox_alone=True,
    topic=_topic,
    form=_form,
    undo_topic=cannot_be_undone,
    forward=_forward,
    backward=_backward,
)
