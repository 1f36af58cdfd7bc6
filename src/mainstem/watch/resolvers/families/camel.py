"""Apache Camel's connectors: one endpoint, and ``topics`` on both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.watch.resolvers.camel import endpoint as spelling
from mainstem.watch.resolvers.camel.endpoint import read_endpoint
from mainstem.watch.resolvers.camel.places import datasets_of
from mainstem.watch.resolvers.camel.sql import inserted_fields
from mainstem.watch.resolvers.endpoints import Endpoint, source_feeds
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import ColumnEdge, ColumnSource, Direction, Family, Reads
from mainstem.watch.resolvers.sinks import SinkTopic, resolve_sink
from mainstem.watch.resolvers.sources import Source, resolve_source
from mainstem.watch.transforms.chain import chain_of

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.settings import Settings

NAME = "Camel"


def resolve(connector: Connector) -> Resolution:
    """Every topic to the endpoint, or the endpoint to every topic."""
    config = settings_of(connector)
    if connector.direction is Direction.SINK:

        def target(_topic: SinkTopic) -> tuple[DatasetName, ...]:
            return datasets_of(read_endpoint(config, "sink"), reads=False)

        told = resolve_sink(connector, NAME, target)
        return replace(told, columns=_columns(config, told))
    # A Camel source's topics are what it writes, whatever the key means elsewhere.
    feeds = source_feeds(config, Endpoint(read_from=_read_from, topic_keys=("topics",)))
    return resolve_source(connector, NAME, Source(feeds=feeds))


def _read_from(config: Settings) -> tuple[DatasetName, ...]:
    return datasets_of(read_endpoint(config, "source"), reads=True)


def _columns(config: Settings, told: Resolution) -> tuple[ColumnEdge, ...]:
    """What the SQL of a Kamelet states; of the text that it reads transforms know no fields."""
    if not told.edges or chain_of(config).steps:
        return ()
    filled = inserted_fields(read_endpoint(config, "sink"))
    return tuple(
        ColumnEdge(edge.output, column, (ColumnSource(edge.input, field),))
        for edge in told.edges
        for column, field in filled.items()
    )


RESOLVER = Family(
    name=NAME,
    classes=("org.apache.camel.kafkaconnector.*",),
    reads=Reads(patterns=spelling.READS),
    resolve=resolve,
)
