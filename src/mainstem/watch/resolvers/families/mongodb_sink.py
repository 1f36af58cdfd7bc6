"""MongoDB's own sink, and Confluent's managed MongoDbAtlasSink."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names.mongodb import collection
from mainstem.watch.resolvers import mongodb_address
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Family, Reads
from mainstem.watch.resolvers.sinks import SinkTopic, resolve_sink

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.settings import Settings

NAME = "MongoDB sink"
_TARGET_KEYS = ("database", "collection", "namespace.mapper")


def resolve(connector: Connector) -> Resolution:
    """Each topic to the collection that its override, the config or its own name says."""
    config = settings_of(connector)
    return resolve_sink(connector, NAME, lambda topic: _collection(config, topic))


def _collection(config: Settings, topic: SinkTopic) -> DatasetName:
    own = f"topic.override.{topic.name}."
    mapper = config.text(f"{own}namespace.mapper", config.text("namespace.mapper", ""))
    if mapper and not mapper.endswith("DefaultNamespaceMapper"):
        raise CannotTell("the namespace mapper picks the collection record by record")
    database = config.required(f"{own}database", "database")
    name = config.first(f"{own}collection", "collection") or topic.name
    return collection(mongodb_address.of(config), database, name)


RESOLVER = Family(
    name=NAME,
    classes=(
        "com.mongodb.kafka.connect.MongoSinkConnector",
        "at.grahsl.kafka.connect.mongodb.MongoDbSinkConnector",
        "MongoDbAtlasSink",
    ),
    reads=Reads(
        names=(*mongodb_address.READS, *_TARGET_KEYS),
        patterns=(r"topic\.override\..+\.(?:database|collection|namespace\.mapper)",),
    ),
    resolve=resolve,
)
