"""Columns that KCQL selects, as column lineage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names import kafka
from mainstem.watch.resolvers.column_rules import as_one_column
from mainstem.watch.resolvers.model import ColumnEdge, ColumnSource
from mainstem.watch.transforms.chain import chain_of
from mainstem.watch.transforms.record import KEY_ROOT, VALUE_ROOT, Node, Origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.column_rules import ConnectRecord
    from mainstem.watch.resolvers.kcql import Column, Statement
    from mainstem.watch.resolvers.model import Resolution
    from mainstem.watch.resolvers.sources import Feed
    from mainstem.watch.transforms.settings import Settings

_RECORD_FORMATS = frozenset({"AVRO", "PARQUET", "JSON"})
_METADATA = ("_offset", "_partition", "_timestamp", "_topic")


def sink_columns(
    config: Settings,
    kafka_namespace: str,
    written: Mapping[tuple[str, Statement], DatasetName],
) -> tuple[ColumnEdge, ...]:
    """Each selected field of a topic to the column it is written to.

    Behind transforms the names that KCQL selects are no longer the topic's, so nothing is told.
    """
    if chain_of(config).steps:
        return ()
    return tuple(
        _edge(output, column, kafka.topic(kafka_namespace, topic), _topic_field(column.path))
        for (topic, statement), output in written.items()
        for column in statement.columns
    )


def source_columns(
    config: Settings, told: Resolution, feeds: Iterable[tuple[Statement, Feed]]
) -> tuple[ColumnEdge, ...]:
    """Each selected column to the field of the topic it becomes."""
    if chain_of(config).steps:
        return ()
    topics = {edge.output.name: edge.output for edge in told.edges}
    return tuple(
        _edge(topics[statement.target], column, feed.inputs[0], column.path)
        for statement, feed in feeds
        if statement.target in topics and feed.inputs
        for column in statement.columns
    )


def selected(record: ConnectRecord, statement: Statement, *, in_files: bool) -> Iterable[Node]:
    """The fields of a record behind the chain that a sink's statement writes."""
    if in_files and not _writes_records(statement):
        raise CannotTell("the format of the files may hold more or less than the fields")
    if statement.is_all:
        return record.value.fields
    if not statement.columns:
        raise CannotTell("the statement takes all fields and others besides")
    return [found for column in statement.columns if (found := _selected(record, column))]


def _writes_records(statement: Statement) -> bool:
    # a property may put each record into an envelope
    return statement.stored_as in _RECORD_FORMATS and "PROPERTIES" not in statement.clauses


def _selected(record: ConnectRecord, column: Column) -> Node | None:
    if column.computed:
        return Node(column.name, "")
    path = _topic_field(column.path)
    if path in {KEY_ROOT, VALUE_ROOT}:
        half = record.key if path == KEY_ROOT else record.value
        return as_one_column(half).named(column.name) if half else None
    if path.startswith("$") and not path.startswith(f"{KEY_ROOT}."):
        return Node(column.name, "", (Origin(path),))
    node = record.key if path.startswith(KEY_ROOT) else record.value
    for name in path.removeprefix(f"{KEY_ROOT}.").split("."):
        node = node.child(name) if node and node.is_record else None
    return node.named(column.name) if node else None


def _edge(output: DatasetName, column: Column, source: DatasetName, field: str) -> ColumnEdge:
    sources = () if column.computed else (ColumnSource(source, field),)
    return ColumnEdge(output, column.name, sources)


def _topic_field(path: str) -> str:
    """A selected field in the spelling that topics' columns have everywhere."""
    first, _, rest = path.partition(".")
    match first, rest:
        case (("_key" | "_value"), ""):
            return f"${first[1:]}"
        case "_key", _:
            return f"$key.{rest}"
        case "_value", _:
            return rest
        case (("_header" | "_headers"), _):
            return "$headers"
        case _:
            return f"${first[1:]}" if first in _METADATA else path
