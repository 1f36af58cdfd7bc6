"""Which columns a family's connectors write or read: declared per family, most in one word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from mainstem.errors import CannotTell
from mainstem.watch.schema_registry.fields import RECORD, NoSchema
from mainstem.watch.transforms.record import KEY_ROOT, STRUCT, VALUE_ROOT, Nesting, Node, Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.transforms.record import Record
    from mainstem.watch.transforms.settings import Settings


class ConnectRecord(Struct, frozen=True):
    """A topic's records as the connector has them: a sink behind its chain, a source before it."""

    config: Settings
    topic: str
    """The topic's name there, as far as the chain lets it be known."""

    record: Record
    other: DatasetName
    """What lies on the other side: a sink's target, what a source reads."""

    @property
    def value(self) -> Node:
        """The value, whose fields are known."""
        value = self.record.value
        if isinstance(value, NoSchema):
            raise CannotTell(value.reason)
        if not value.fields and value.type != STRUCT:
            raise CannotTell("the value is no record with fields")
        return value

    @property
    def key(self) -> Node | None:
        """The key, where its schema is known."""
        return None if isinstance(self.record.key, NoSchema) else self.record.key


class ColumnRules(Struct, frozen=True):
    """The columns on the other side, each with the fields of the topic that it stands for."""

    written: Callable[[ConnectRecord], Iterable[Node]] | None = None
    """A sink's columns; None where the family does not tell."""

    read: Callable[[ConnectRecord], Iterable[Node]] | None = None
    """A source's columns; fields of the record that none of them stands for it makes itself."""

    nesting: Callable[[Settings], Nesting | None] | None = None
    """What is sure of the value that a source makes: which of its fields hold fields."""


def value_fields(record: ConnectRecord) -> Iterable[Node]:
    """Each field of the value is a column of the same name."""
    return record.value.fields


def row_behind(record: ConnectRecord) -> Iterable[Node]:
    """The fields of the value, or of its ``after`` where it is a change event of Debezium's."""
    value = record.value
    after = value.child("after") if value.child("op") else None
    return after.fields if after else value.fields


def with_copies(field: Node, copies: Iterable[Node | None]) -> Node:
    """The field of a row or document, which stands under its name in copies of it too."""
    twins = [twin for copy in copies if copy and (twin := copy.child(field.name))]
    if field.is_record:
        return replace(field, fields=tuple(with_copies(one, twins) for one in field.fields))
    return field.also_from(tuple(origin for twin in twins for origin in twin.origins))


def as_one_column(node: Node) -> Node:
    """The field as one column, also where it is a record: as a table holds it."""
    if not node.is_record:
        return node
    parts = (leaf.marked("TRANSFORMATION") for leaf in _leaves(node))
    origins = dict.fromkeys(origin for leaf in parts for origin in leaf.origins)
    word = RECORD if node.type == STRUCT else node.type
    return Node(node.name, word, tuple(origins), (), node.optional, node.description)


def _leaves(node: Node) -> Iterator[Node]:
    if not node.is_record:
        yield node
    for field in node.fields if node.is_record else ():
        yield from _leaves(field)


def whole_record(record: ConnectRecord) -> Iterable[Node]:
    """Every field of value and key, under the names that a topic's columns have."""
    halves = ((record.record.value, VALUE_ROOT), (record.record.key, KEY_ROOT))
    for half, root in halves:
        if isinstance(half, NoSchema):
            continue
        if half.is_record and root == VALUE_ROOT:
            yield from half.fields
        else:
            yield half.named(root)


def listed_fields(key: str) -> ColumnRules:
    """A sink's fields of the value, or those alone that a key of its config lists."""

    def written(record: ConnectRecord) -> Iterable[Node]:
        listed = record.config.names(key)
        fields = record.value.fields
        return [as_one_column(one) for one in fields if not listed or one.name in listed]

    return ColumnRules(written=written)


def flattened(node: Node, name: str, separator: str) -> Iterator[Node]:
    """Every field below a record, its name made of all names on the way to it."""
    if not node.is_record:
        yield node.named(name)
    for field in node.fields if node.is_record else ():
        yield from flattened(
            field, f"{name}{separator}{field.name}" if name else field.name, separator
        )


KAFKA_PLACE = (("$topic", "string"), ("$partition", "int32"), ("$offset", "int64"))
"""Where a record lies in Kafka, and the types of it."""


def place_columns(names: Iterable[str]) -> tuple[Node, ...]:
    """Columns of the names given for the topic, the partition and the offset of each record."""
    return tuple(
        Node(name, type_, (Origin(part),))
        for name, (part, type_) in zip(names, KAFKA_PLACE, strict=False)
    )


MIRRORED = ColumnRules(read=whole_record)
"""A source whose topics are copies of topics."""

ROWS = ColumnRules(read=value_fields, nesting=lambda _config: Nesting())
"""A source whose records are the rows of a table."""

NOT_TOLD = ColumnRules()
SAME_NAMES = ColumnRules(written=value_fields)
"""A sink whose columns are called like the fields of the value."""
