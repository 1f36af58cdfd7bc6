"""Which columns of a table a Debezium change event stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.watch.resolvers.column_rules import ConnectRecord, as_one_column
from mainstem.watch.resolvers.debezium.column_lists import column_lists
from mainstem.watch.transforms.record import Nesting

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.watch.transforms.record import Node

CHANGE_EVENT = Nesting(
    records=frozenset({"before", "after", "source", "transaction"}),
    parts=frozenset({"scale", "value", "wkb", "srid", "x", "y", "dimensions", "vector"}),
)
"""Numbers of any scale, geometries and sparse vectors are the columns that hold several values."""

_DOCUMENT_ID = "_id"
RENAMES = "field.renames"


# debezium/debezium: TableSchemaBuilder.java; keys are built without the mappers of columns
def row_columns(record: ConnectRecord) -> Iterable[Node]:
    """Each column, which stands in the row after the change, in the one before, and in the key."""
    after = record.value.child("after")
    if after is None:
        raise CannotTell("the topic's value is no change event")
    before = record.value.child("before")
    lists = column_lists(record.config)
    found: dict[str, Node] = {}
    for part in (after, before):
        for field in part.fields if part and part.is_record else ():
            if lists.keeps(record.other, field.name):
                _add(found, lists.treated(record.other, as_one_column(field)))
    # what is left out or masked in rows stands in keys as it is
    for field in record.key.fields if record.key and record.key.is_record else ():
        _add(found, as_one_column(field))
    return found.values()


def document_columns(record: ConnectRecord) -> Iterable[Node]:
    """The fields of a document that a transform unfolded; as it is, it is one text."""
    if record.config.first(RENAMES):
        raise CannotTell(f"{RENAMES} gives the document's fields other names")
    after = record.value.child("after")
    if after is None or not after.is_record:
        raise CannotTell("the document is one text, whose fields no schema tells")
    found: dict[str, Node] = {field.name: field for field in after.fields}
    key = record.key.child("id") if record.key else None
    if key is not None:
        _add(found, as_one_column(key).named(_DOCUMENT_ID))
    return found.values()


def _add(found: dict[str, Node], column: Node) -> None:
    known = found.get(column.name)
    found[column.name] = known.also_from(column.origins) if known else column
