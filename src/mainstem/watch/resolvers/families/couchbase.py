"""Couchbase's own source and sink, self-hosted and managed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.errors import CannotTell
from mainstem.names.dataset import DatasetName
from mainstem.names.servers import dotted, server_namespace
from mainstem.watch.resolvers.column_rules import ColumnRules, ConnectRecord, value_fields
from mainstem.watch.resolvers.facts import control_topic, settings_of
from mainstem.watch.resolvers.model import Direction, Family, Reads
from mainstem.watch.resolvers.sinks import SinkTopic, resolve_sink
from mainstem.watch.resolvers.sources import Feed, Source, feed_of, resolve_source, source_or_reason
from mainstem.watch.resolvers.table_templates import qualified_table
from mainstem.watch.resolvers.topic_maps import by_name, pairs
from mainstem.watch.transforms.model import Unpredictable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.watch.resolvers.model import Connector, ControlTopic, Resolution
    from mainstem.watch.transforms.record import Node
    from mainstem.watch.transforms.settings import Settings

NAME = "Couchbase"
_SERVERS = ("couchbase.seed.nodes", "connection.cluster_address")
_BUCKET = ("couchbase.bucket", "connection.bucket")
_OWN_TOPICS = ("couchbase.black.hole.topic", "couchbase.initial.offset.topic")
_HANDLER = "couchbase.sink.handler"
_UPSERT = "UpsertSinkHandler"
_MODE = "couchbase.document.mode"
_REMOVES_ID = "couchbase.remove.document.id"
_PER_COLLECTION = "couchbase.topic names a topic for each collection"


def resolve(connector: Connector) -> Resolution:
    """Collections to the topic of their names, or topics to the collections of a map."""
    config = settings_of(connector)
    if connector.direction is Direction.SINK:
        return resolve_sink(connector, NAME, lambda topic: _target(config, topic))
    source = source_or_reason(lambda: Source(feeds=tuple(_feeds(config))))
    return resolve_source(connector, NAME, replace(source, control=_own_topics(connector, config)))


def _target(config: Settings, topic: SinkTopic) -> DatasetName:
    key = "couchbase.default.collection"
    mapped = by_name(pairs(config, "couchbase.topic.to.collection", separator="="), topic.name)
    own = config.first(f"{key}[{topic.name}]") or mapped or config.text(key, "_default._default")
    return _keyspace(config, *qualified_table(own, config.required(*_BUCKET), "_default"))


def _feeds(config: Settings) -> list[Feed]:
    scope = config.first("couchbase.scope")
    named = [
        qualified_table(name, scope or "_default") for name in config.names("couchbase.collections")
    ]
    if not named:
        return [feed_of(_topic_of_all(config), lambda: _all_of(config, scope))]
    return [_feed(config, *parts) for parts in named]


def _feed(config: Settings, scope: str, collection: str) -> Feed:
    bucket = config.required(*_BUCKET)
    name = f"{scope}.{collection}"
    mapped = by_name(pairs(config, "couchbase.collection.to.topic", separator="="), name)
    template = config.first(f"couchbase.topic[{name}]") or mapped or _template(config)
    topic = (
        template.replace("${bucket}", bucket)
        .replace("${scope}", scope)
        .replace("${collection}", collection)
    )
    return feed_of(topic, partial(_keyspace, config, bucket, scope, collection))


def _all_of(config: Settings, scope: str | None) -> DatasetName:
    bucket = config.required(*_BUCKET)
    return _keyspace(config, bucket, scope) if scope else _keyspace(config, bucket)


def _topic_of_all(config: Settings) -> str | Unpredictable:
    topic = _template(config)
    if "${bucket}" in topic:
        topic = topic.replace("${bucket}", config.required(*_BUCKET))
    return Unpredictable(_PER_COLLECTION) if "${" in topic else topic


def _template(config: Settings) -> str:
    old_key = config.first("topic.name")
    return old_key or config.text("couchbase.topic", "${bucket}.${scope}.${collection}")


def _keyspace(config: Settings, *parts: str) -> DatasetName:
    namespace = server_namespace("couchbase", config.required(*_SERVERS))
    return DatasetName(namespace, dotted(*parts))


def _own_topics(connector: Connector, config: Settings) -> tuple[ControlTopic, ...]:
    named = [config.first(key) for key in _OWN_TOPICS]
    return tuple(control_topic(connector, topic, "offset") for topic in named if topic)


# couchbase/kafka-connect-couchbase: UpsertSinkHandler.java, SinkBehaviorConfig.java
def _columns(record: ConnectRecord) -> Iterable[Node]:
    """The document is the value, unless another handler makes something else of it."""
    config = record.config
    handler = config.text(_HANDLER, _UPSERT).rpartition(".")[2]
    if handler != _UPSERT or config.text(_MODE, "DOCUMENT").upper() != "DOCUMENT":
        raise CannotTell(f"{_HANDLER} is none that writes the value as it is")
    everywhere = config.flag(_REMOVES_ID, default=False)
    if config.flag(f"{_REMOVES_ID}[{record.topic}]", default=everywhere):
        raise CannotTell(f"{_REMOVES_ID} takes fields out of the document")
    return value_fields(record)


RESOLVER = Family(
    name=NAME,
    classes=(
        "com.couchbase.connect.kafka.CouchbaseSourceConnector",
        "com.couchbase.connect.kafka.CouchbaseSinkConnector",
        "CouchbaseSource",
        "CouchbaseSink",
    ),
    reads=Reads(
        names=(
            *_SERVERS,
            *_BUCKET,
            *_OWN_TOPICS,
            _HANDLER,
            _MODE,
            _REMOVES_ID,
            "topic.name",
            "couchbase.topic",
            "couchbase.scope",
            "couchbase.collections",
            "couchbase.collection.to.topic",
            "couchbase.default.collection",
            "couchbase.topic.to.collection",
        ),
        patterns=(r"couchbase\.(?:topic|default\.collection|remove\.document\.id)\[.+\]",),
    ),
    resolve=resolve,
    columns=ColumnRules(written=_columns),
)
