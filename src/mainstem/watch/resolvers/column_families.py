"""Which cells the sinks of wide-column stores write: Bigtable's and HBase's share one rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.watch.resolvers.column_rules import as_one_column
from mainstem.watch.schema_registry.fields import NoSchema
from mainstem.watch.transforms.record import STRUCT, Node

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.watch.resolvers.column_rules import ConnectRecord

BARE_VALUE = "KAFKA_VALUE"
"""The column of a value that is no record."""


# GoogleCloudPlatform/cloud-bigtable-ecosystem: ValueMapper.java. vdesabou/kafka-docker-playground
# shows tables that Confluent's wrote: README of connect-hbase-sink, connect-gcp-bigtable-sink.
def cells(
    record: ConnectRecord, default_family: str | None, bare_value: str = BARE_VALUE
) -> Iterable[Node]:
    """A record in the value is a column family, its fields are the columns.

    Fields that are no records lie in the default family, and so does a value that is none; without
    such a family they are not written.
    """
    value = record.record.value
    if not isinstance(value, NoSchema) and value.holds_one_value:
        named = (value.named(bare_value),) if bare_value else ()
        return [Node(default_family, STRUCT, (), named)] if default_family else []
    families: dict[str, list[Node]] = {}
    for field in record.value.fields:
        if field.is_record:
            families.setdefault(field.name, []).extend(map(as_one_column, field.fields))
        elif default_family is not None:
            families.setdefault(default_family, []).append(field)
    return [Node(name, STRUCT, (), tuple(columns)) for name, columns in families.items()]
