"""MongoDB's own source, and Confluent's managed MongoDbAtlasSource."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.errors import CannotTell
from mainstem.names.mongodb import collection
from mainstem.watch.resolvers import mongodb_address, mongodb_topics
from mainstem.watch.resolvers.column_rules import ColumnRules, ConnectRecord, with_copies
from mainstem.watch.resolvers.facts import control_topic, settings_of
from mainstem.watch.resolvers.model import Family, Reads
from mainstem.watch.resolvers.sources import (
    Feed,
    Source,
    Stranger,
    feed_of,
    resolve_source,
    source_or_reason,
)
from mainstem.watch.transforms.model import Unpredictable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, ControlTopic, Resolution
    from mainstem.watch.transforms.record import Node
    from mainstem.watch.transforms.settings import Settings

NAME = "MongoDB source"
_DEAD_LETTERS = (
    "mongo.errors.deadletterqueue.topic.name",
    "errors.deadletterqueue.topic.name",
)
_RESHAPES = re.compile(r"\$(?:addFields|project|redact|replaceRoot|replaceWith|set|unset)\b")
"""The stages of a change stream's pipeline that change what an event holds."""
_COPIES = ("fullDocumentBeforeChange", "documentKey")
"""Where an event has the document, or the fields that identify it, a second time."""
_CUSTOM = "the topic mapper is a class of its own"
_OPEN = "collections: the config watches all of a database or server; the topics seen would tell"


def resolve(connector: Connector) -> Resolution:
    """The collection watched to its topic, or those that the topics seen tell of."""
    config = settings_of(connector)
    source = source_or_reason(lambda: _source(config))
    return resolve_source(connector, NAME, replace(source, control=_control(connector, config)))


def _source(config: Settings) -> Source:
    database, name = config.first("database"), config.first("collection")
    names = mongodb_topics.topic_names(config)
    wanted = [(database, name)] if database and name else names.spelt_out(database)

    def feed(database: str, name: str) -> Feed:
        topic = names.of(database, name) if names.predictable else Unpredictable(_CUSTOM)
        return feed_of(topic, partial(_dataset, config, database, name))

    def input_of(topic: str) -> DatasetName | Stranger:
        found = names.collections_of(topic, database) if names.predictable else []
        if len(found) > 1:
            raise CannotTell("several collections share the topic")
        if not found:
            return Stranger.FOREIGN
        return _dataset(config, *found[0]) if name in (None, found[0][1]) else Stranger.EXCLUDED

    return Source(
        feeds=tuple(feed(*one) for one in wanted),
        input_of=input_of,
        unresolved=() if database and name else (_OPEN,),
    )


def _dataset(config: Settings, database: str, name: str) -> DatasetName:
    return collection(mongodb_address.of(config), database, name)


def _control(connector: Connector, config: Settings) -> tuple[ControlTopic, ...]:
    found: list[ControlTopic] = []
    dead_letters = config.first(*_DEAD_LETTERS)
    if dead_letters:
        found.append(control_topic(connector, dead_letters, "dead-letter"))
    if config.text("heartbeat.interval.ms", "0") != "0":
        heartbeats = config.text("heartbeat.topic.name", "__mongodb_heartbeats")
        found.append(control_topic(connector, heartbeats, "heartbeat"))
    return tuple(found)


# mongodb/mongo-kafka: AvroSchemaDefaults.java, MongoCopyDataManager.java
def _columns(record: ConnectRecord) -> Iterable[Node]:
    """The document's fields, alone or wherever an event of the change stream holds them."""
    if _RESHAPES.search(record.config.text("pipeline", "")):
        raise CannotTell("the pipeline may give the documents other fields")
    if record.config.flag("publish.full.document.only", default=False):
        return record.value.fields
    document = record.value.child("fullDocument")
    if document is None or not document.is_record:
        raise CannotTell("the document is one text, whose fields no schema tells")
    copies = [record.value.child(name) for name in _COPIES]
    return [with_copies(field, copies) for field in document.fields]


RESOLVER = Family(
    name=NAME,
    classes=("com.mongodb.kafka.connect.MongoSourceConnector", "MongoDbAtlasSource"),
    reads=Reads(
        names=(
            *mongodb_address.READS,
            *mongodb_topics.READS,
            *_DEAD_LETTERS,
            "database",
            "collection",
            "heartbeat.interval.ms",
            "heartbeat.topic.name",
            "pipeline",
            "publish.full.document.only",
        )
    ),
    resolve=resolve,
    columns=ColumnRules(read=_columns),
)
