"""What MongoDB's own sink and Debezium's make of change events of relational databases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import CannotTell

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.watch.resolvers.column_rules import ConnectRecord
    from mainstem.watch.transforms.record import Node

ID = "_id"


# mongodb/mongo-kafka, RdbmsHandler.java; debezium/debezium, RelationalEventHandler.java
def document_of_a_row(record: ConnectRecord) -> Iterable[Node]:
    """The row after the change; what is in the key stands below ``_id`` instead."""
    after = record.value.child("after")
    if after is None or not after.is_record:
        raise CannotTell("the value is no change event of a row, and such alone are written")
    if record.key is None or not record.key.is_record:
        raise CannotTell("the key fills the document's id, and it is no record that is known")
    in_key = {field.name for field in record.key.fields}
    others = tuple(field for field in after.fields if field.name not in in_key)
    return record.key.named(ID), *others
