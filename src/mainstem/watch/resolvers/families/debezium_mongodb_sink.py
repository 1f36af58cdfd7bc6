"""Debezium's MongoDB sink: change events of any Debezium source into collections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names.mongodb import collection
from mainstem.watch.resolvers.column_rules import ColumnRules, ConnectRecord
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Family, Reads
from mainstem.watch.resolvers.mongodb_documents import document_of_a_row
from mainstem.watch.resolvers.sinks import SinkTopic, resolve_sink

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.record import Node
    from mainstem.watch.transforms.settings import Settings

NAME = "Debezium MongoDB sink"
_ADDRESS = ("mongodb.connection.string", "connection.string")
_DATABASE = ("sink.database", "mongodb.sink.database")
_FORMAT = "collection.name.format"
_STRATEGY = "collection.naming.strategy"
_COLUMN_STRATEGY = "column.naming.strategy"
_KEEPS_NAMES = "DefaultColumnNamingStrategy"


def resolve(connector: Connector) -> Resolution:
    """Each topic to the collection of its name, dots made underscores."""
    config = settings_of(connector)
    return resolve_sink(connector, NAME, lambda topic: _collection(config, topic))


def _collection(config: Settings, topic: SinkTopic) -> DatasetName:
    template = config.text(_FORMAT, "${topic}")
    if "${source." in template:
        raise CannotTell(f"{_FORMAT} names the collection record by record")
    name = template.replace("${topic}", _topic_part(config, topic.name))
    return collection(config.required(*_ADDRESS), config.required(*_DATABASE), name)


def _topic_part(config: Settings, topic: str) -> str:
    strategy = config.text(_STRATEGY, "DefaultCollectionNamingStrategy").rpartition(".")[2]
    match strategy:
        case "DefaultCollectionNamingStrategy":
            return topic.replace(".", "_")
        case "PassthroughCollectionNamingStrategy":
            return topic
        case _:
            raise CannotTell("the collection naming strategy is a class of its own")


def _columns(record: ConnectRecord) -> Iterable[Node]:
    strategy = record.config.text(_COLUMN_STRATEGY, _KEEPS_NAMES).rpartition(".")[2]
    if strategy != _KEEPS_NAMES:
        raise CannotTell("the column naming strategy is a class of its own")
    return document_of_a_row(record)


RESOLVER = Family(
    name=NAME,
    classes=(
        "io.debezium.connector.mongodb.MongoDbSinkConnector",
        "io.debezium.connector.mongodb.sink.MongoDbSinkConnector",
    ),
    reads=Reads(names=(*_ADDRESS, *_DATABASE, _FORMAT, _STRATEGY, _COLUMN_STRATEGY)),
    resolve=resolve,
    columns=ColumnRules(written=_columns),
)
