"""Cosmos DB: Microsoft's first connectors, their successors, and the managed ones of both."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names import cloud
from mainstem.watch.resolvers.column_rules import (
    KAFKA_PLACE,
    ColumnRules,
    ConnectRecord,
    as_one_column,
)
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Direction, Family, Reads
from mainstem.watch.resolvers.sinks import SinkTopic, resolve_sink
from mainstem.watch.resolvers.sources import Source, feed_of, resolve_source, source_or_reason
from mainstem.watch.resolvers.topic_maps import by_name, pairs
from mainstem.watch.transforms.record import Node, Origin

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.settings import Settings

NAME = "Cosmos DB"
_ENDPOINT = ("connect.cosmos.connection.endpoint", "azure.cosmos.account.endpoint")
_DATABASE = (
    "connect.cosmos.databasename",
    "azure.cosmos.sink.database.name",
    "azure.cosmos.source.database.name",
)
_MAP = (
    "connect.cosmos.containers.topicmap",
    "azure.cosmos.sink.containers.topicMap",
    "azure.cosmos.source.containers.topicMap",
)
_LISTED = "azure.cosmos.source.containers.includedList"
_ALL = "azure.cosmos.source.containers.includeAll"
_ID = "id"
_ID_STRATEGY = ("id.strategy", "azure.cosmos.sink.id.strategy")
_ID_PATHS = (
    "id.strategy.jsonPath",
    "id.strategy.jsonpath",
    "azure.cosmos.sink.id.strategy.jsonPath",
)
_OPEN = "containers: the connector reads all of the database; the topics seen would tell"


def resolve(connector: Connector) -> Resolution:
    """Topics and containers as the map pairs them, or by the same name."""
    config = settings_of(connector)
    if connector.direction is Direction.SINK:
        return resolve_sink(connector, NAME, lambda topic: _target(config, topic))
    return resolve_source(connector, NAME, source_or_reason(lambda: _source(config)))


def _target(config: Settings, topic: SinkTopic) -> DatasetName:
    name = by_name(pairs(config, *_MAP, separator="#"), topic.name)
    if name is None and _is_first_generation(config):
        raise CannotTell("the map of topics and containers does not name the topic")
    return _container(config, name or topic.name)


def _source(config: Settings) -> Source:
    topics = {name: topic for topic, name in pairs(config, *_MAP, separator="#")}
    listed = config.names(_LISTED) or tuple(topics)
    return Source(
        feeds=tuple(
            feed_of(topics.get(name, name), partial(_container, config, name)) for name in listed
        ),
        unresolved=(_OPEN,) if config.flag(_ALL, default=False) or not listed else (),
    )


def _container(config: Settings, name: str) -> DatasetName:
    return cloud.cosmos(config.required(*_ENDPOINT), config.required(*_DATABASE), name)


def _is_first_generation(config: Settings) -> bool:
    return any(key.startswith("connect.cosmos.") for key in config)


# microsoft/kafka-connect-cosmosdb: sink/id/strategy, CosmosDBSinkTask.java
def _columns(record: ConnectRecord) -> Iterable[Node]:
    """The fields of the value; ``id`` is made by the strategy of the config."""
    yield from (field for field in record.value.fields if field.name != _ID)
    strategy = record.config.first(*_ID_STRATEGY) or "ProvidedInValueStrategy"
    path = record.config.first(*_ID_PATHS)
    match strategy.rpartition(".")[2]:
        case "ProvidedInValueStrategy" if path in {None, "$.id"}:
            found = record.value.child(_ID)
            yield from (found,) if found else ()
        case "FullKeyStrategy" if record.key is not None:
            yield as_one_column(record.key).marked("TRANSFORMATION").named(_ID)
        case "KafkaMetadataStrategy":
            place = [Origin(part, "TRANSFORMATION") for part, _ in KAFKA_PLACE]
            yield Node(_ID, "string", tuple(place))
        case _:
            return


RESOLVER = Family(
    name=NAME,
    classes=(
        "com.azure.cosmos.kafka.connect.sink.CosmosDBSinkConnector",
        "com.azure.cosmos.kafka.connect.source.CosmosDBSourceConnector",
        "com.azure.cosmos.kafka.connect.CosmosSinkConnector",
        "com.azure.cosmos.kafka.connect.CosmosSourceConnector",
        "CosmosDbSink",
        "CosmosDbSource",
        "CosmosDbSinkV2",
        "CosmosDbSourceV2",
    ),
    reads=Reads(names=(*_ENDPOINT, *_DATABASE, *_MAP, _LISTED, _ALL, *_ID_STRATEGY, *_ID_PATHS)),
    resolve=resolve,
    columns=ColumnRules(written=_columns),
)
