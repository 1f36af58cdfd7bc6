"""Columns that KCQL selects, as column lineage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.names import kafka
from mainstem.watch.resolvers.model import ColumnEdge, ColumnSource
from mainstem.watch.transforms.chain import chain_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.kcql import Column, Statement
    from mainstem.watch.resolvers.model import Resolution
    from mainstem.watch.resolvers.sources import Feed
    from mainstem.watch.transforms.settings import Settings

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
