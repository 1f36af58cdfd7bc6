"""Which columns a JDBC sink writes: Confluent's rule, which many share, and Debezium's."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.watch.resolvers.column_rules import (
    KAFKA_PLACE,
    ColumnRules,
    ConnectRecord,
    as_one_column,
    place_columns,
    row_behind,
)
from mainstem.watch.schema_registry.fields import NoSchema
from mainstem.watch.transforms.record import Node

if TYPE_CHECKING:
    from collections.abc import Iterable

CONFLUENTS_READS = ("fields.whitelist", "pk.mode", "pk.fields")
DEBEZIUMS_READS = (
    "column.naming.strategy",
    "field.exclude.list",
    "field.include.list",
    "primary.key.fields",
    "primary.key.mode",
)
_OWN_STRATEGY = "DefaultColumnNamingStrategy"
_ARRAYS = ("array", "repeated")
_PLACE_NAMES = ("__connect_topic", "__connect_partition", "__connect_offset")


# confluentinc/kafka-connect-jdbc: FieldsMetadata.java, the names in JdbcSinkConfig.java, and of
# arrays PostgreSqlDatabaseDialect.java
def confluents_columns(
    record: ConnectRecord,
    mode: str = "none",
    place_names: tuple[str, ...] = _PLACE_NAMES,
    *,
    takes_arrays: bool = False,
) -> list[Node]:
    """The columns of the primary key, then the fields of the value that may be written.

    ``mode`` is what holds without ``pk.mode``, ``place_names`` are the columns of ``kafka`` without
    ``pk.fields``; where these are not known, those columns are not told.
    """
    listed = record.config.names("fields.whitelist")
    keys = {node.name: node for node in _confluents_keys(record, mode, place_names)}
    others = [
        field
        for field in record.value.fields
        if field.name not in keys and (not listed or field.name in listed)
    ]
    # It refuses records, and collections but for PostgreSQL's arrays.
    return [
        node
        for node in (*keys.values(), *others)
        if node.holds_one_value or (takes_arrays and node.type.lower().startswith(_ARRAYS))
    ]


def _confluents_keys(
    record: ConnectRecord, mode: str, place_names: tuple[str, ...]
) -> Iterable[Node]:
    named = record.config.names("pk.fields")
    match record.config.text("pk.mode", mode).lower():
        case "none":
            return ()
        case "kafka":
            if len(named) not in (0, len(KAFKA_PLACE)):
                raise CannotTell("pk.mode kafka needs three names in pk.fields, or none")
            return place_columns(named or place_names)
        case "record_key":
            return _of_key(_known_key(record), named)
        case "record_value":
            return _chosen(record.value.fields, named)
        case _:
            raise CannotTell("pk.mode is none of those that are known")


def _of_key(key: Node, named: tuple[str, ...]) -> Iterable[Node]:
    if key.is_record:
        return _chosen(key.fields, named)
    if len(named) != 1:
        raise CannotTell("a key that is no record needs one name in pk.fields")
    return (Node(named[0], key.type, key.origins),)


# debezium/debezium: JdbcKafkaSinkRecord.java, KafkaDebeziumSinkRecord.java, FieldFilterFactory.java
def debeziums_columns(record: ConnectRecord) -> list[Node]:
    """The columns of the primary key, then the fields of the row that the lists let through."""
    config = record.config
    strategy = config.text("column.naming.strategy", _OWN_STRATEGY)
    if strategy.rpartition(".")[2] != _OWN_STRATEGY:
        raise CannotTell("the column naming strategy is a class of its own")
    payload = tuple(field for field in row_behind(record) if _lets_through(record, field.name))
    keys = {node.name: node for node in _debeziums_keys(record, payload)}
    others = [field for field in payload if field.name not in keys]
    return [as_one_column(node) for node in (*keys.values(), *others)]


def _debeziums_keys(record: ConnectRecord, payload: tuple[Node, ...]) -> Iterable[Node]:
    named = record.config.names("primary.key.fields")
    match record.config.text("primary.key.mode", "none").lower():
        case "none":
            return ()
        case "kafka":
            return place_columns(_PLACE_NAMES)
        case "record_key":
            fields = _known_key(record).fields
            return _chosen(fields, named) if named else _let_through(record, fields)
        case "record_value":
            return _chosen(tuple(row_behind(record)), named) if named else payload
        case _:
            raise CannotTell("headers hold the key, and no schema tells them")


def _let_through(record: ConnectRecord, fields: tuple[Node, ...]) -> Iterable[Node]:
    return [field for field in fields if _lets_through(record, field.name)]


def _lets_through(record: ConnectRecord, field: str) -> bool:
    config = record.config
    names = {field, f"{record.topic}:{field}"}
    if excluded := config.names("field.exclude.list"):
        return not names & _spelt(excluded)
    included = config.names("field.include.list")
    return not included or bool(names & _spelt(included))


def _spelt(entries: tuple[str, ...]) -> set[str]:
    return {":".join(part.strip() for part in entry.split(":")) for entry in entries}


def _known_key(record: ConnectRecord) -> Node:
    key = record.record.key
    if isinstance(key, NoSchema):
        raise CannotTell(f"the key fills columns, and of its fields: {key.reason}")
    return key


def _chosen(fields: tuple[Node, ...], named: tuple[str, ...]) -> Iterable[Node]:
    if not named:
        return fields
    by_name = {field.name: field for field in fields}
    if not by_name.keys() >= set(named):
        raise CannotTell("a field of the primary key is not there")
    return [by_name[name] for name in named]


CONFLUENTS = ColumnRules(written=confluents_columns)
"""For the sinks that took over the keys of Confluent's."""

CONFLUENTS_WITHOUT_PLACE_NAMES = ColumnRules(written=partial(confluents_columns, place_names=()))
"""For those of them whose columns of ``pk.mode`` ``kafka`` no source names."""
