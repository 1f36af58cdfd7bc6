"""Debezium's MongoDB sink: change events of any Debezium source into collections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names.mongodb import collection
from mainstem.watch.resolvers.column_rules import ColumnRules, row_behind
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Family, Reads
from mainstem.watch.resolvers.sinks import SinkTopic, resolve_sink

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.settings import Settings

NAME = "Debezium MongoDB sink"
_ADDRESS = ("mongodb.connection.string", "connection.string")
_DATABASE = ("sink.database", "mongodb.sink.database")
_FORMAT = "collection.name.format"
_STRATEGY = "collection.naming.strategy"


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


RESOLVER = Family(
    name=NAME,
    classes=(
        "io.debezium.connector.mongodb.MongoDbSinkConnector",
        "io.debezium.connector.mongodb.sink.MongoDbSinkConnector",
    ),
    reads=Reads(names=(*_ADDRESS, *_DATABASE, _FORMAT, _STRATEGY)),
    resolve=resolve,
    columns=ColumnRules(written=row_behind),
)
