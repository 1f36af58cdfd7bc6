"""MongoDB's own sink, and Confluent's managed MongoDbAtlasSink."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names.mongodb import collection
from mainstem.watch.resolvers import mongodb_address
from mainstem.watch.resolvers.column_rules import KAFKA_PLACE, ColumnRules, ConnectRecord
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Family, Reads
from mainstem.watch.resolvers.mongodb_documents import ID, document_of_a_row
from mainstem.watch.resolvers.sinks import SinkTopic, resolve_sink
from mainstem.watch.transforms.record import Node, Origin

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.settings import Settings

NAME = "MongoDB sink"
_TARGET_KEYS = ("database", "collection", "namespace.mapper")
_HANDLER = "change.data.capture.handler"
_PROCESSORS = "post.processor.chain"
_STRATEGY = "document.id.strategy"
_OVERWRITES = "document.id.strategy.overwrite.existing"
_DOCUMENT_KEYS = (_HANDLER, _PROCESSORS, _STRATEGY)


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


# mongodb/mongo-kafka: DocumentIdAdder.java, id/strategy
def _columns(record: ConnectRecord) -> Iterable[Node]:
    """The document that is written: the value, or a change event's row, under an id."""
    own = f"topic.override.{record.topic}."
    handler = record.config.first(f"{own}{_HANDLER}", _HANDLER)
    if handler is not None:
        if ".debezium.rdbms." not in handler:
            raise CannotTell(f"what {_HANDLER} makes of a change event is not known")
        return document_of_a_row(record)
    chain = record.config.names(f"{own}{_PROCESSORS}", _PROCESSORS)
    if any(not name.endswith("DocumentIdAdder") for name in chain):
        raise CannotTell(f"{_PROCESSORS} changes the document")
    overwritten = record.config.flag(_OVERWRITES, default=False)
    fields = record.value.fields
    if record.value.child(ID) is not None and not overwritten:
        return fields
    strategy = record.config.first(f"{own}{_STRATEGY}", _STRATEGY) or "BsonOidStrategy"
    others = tuple(field for field in fields if field.name != ID)
    return *_identity(record, strategy.rpartition(".")[2]), *others


def _identity(record: ConnectRecord, strategy: str) -> tuple[Node, ...]:
    """The document's id; nothing where it is not known what it holds."""
    match strategy:
        case "BsonOidStrategy" | "UuidStrategy":
            return (Node(ID, "objectId" if strategy.startswith("Bson") else "uuid"),)
        case "KafkaMetaDataStrategy":
            place = tuple(Origin(part, "TRANSFORMATION") for part, _ in KAFKA_PLACE)
            return (Node(ID, "string", place),)
        case "FullKeyStrategy" if record.key is not None:
            return (record.key.named(ID),)
        case "ProvidedInKeyStrategy" if record.key is not None:
            given = record.key.child(ID)
            return (given,) if given is not None else ()
        case "ProvidedInValueStrategy":
            given = record.value.child(ID)
            return (given,) if given is not None else ()
        case _:
            return ()


RESOLVER = Family(
    name=NAME,
    classes=(
        "com.mongodb.kafka.connect.MongoSinkConnector",
        "at.grahsl.kafka.connect.mongodb.MongoDbSinkConnector",
        "MongoDbAtlasSink",
    ),
    reads=Reads(
        names=(*mongodb_address.READS, *_TARGET_KEYS, *_DOCUMENT_KEYS, _OVERWRITES),
        patterns=(
            rf"topic\.override\..+\.(?:{'|'.join(map(re.escape, _TARGET_KEYS + _DOCUMENT_KEYS))})",
        ),
    ),
    resolve=resolve,
    columns=ColumnRules(written=_columns),
)
