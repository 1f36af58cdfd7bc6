"""Lenses' Stream Reactor: one KCQL key says which topic goes to or comes from what."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.errors import CannotTell
from mainstem.watch.resolvers import kcql_places
from mainstem.watch.resolvers.column_rules import ColumnRules, ConnectRecord
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.kcql import Statement, parse_kcql
from mainstem.watch.resolvers.kcql_columns import selected, sink_columns, source_columns
from mainstem.watch.resolvers.kcql_places import PLACES, Place
from mainstem.watch.resolvers.model import Direction, Family, Reads
from mainstem.watch.resolvers.sinks import SinkTopic, resolve_sink
from mainstem.watch.resolvers.sources import Feed, Source, feed_of, resolve_source
from mainstem.watch.transforms.model import Unpredictable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.record import Node
    from mainstem.watch.transforms.settings import Settings

NAME = "Stream Reactor"
_KCQL_KEY = re.compile(r"connect\.([a-z0-9]+)(?:\.source|\.sink)?\.kcql")


def resolve(connector: Connector) -> Resolution:
    """An edge for each statement, and columns where it selects them."""
    config = settings_of(connector)
    if connector.direction is Direction.SINK:
        return _sink(connector, config)
    place, statements = _statements(config)
    feeds = tuple(_feed(config, place, statement) for statement in statements)
    told = resolve_source(connector, NAME, Source(feeds=feeds))
    pairs = zip(statements, feeds, strict=True)
    return replace(told, columns=source_columns(config, told, pairs))


def _sink(connector: Connector, config: Settings) -> Resolution:
    written: dict[tuple[str, Statement], DatasetName] = {}

    def target(topic: SinkTopic) -> tuple[DatasetName, ...]:
        place, statements = config.once(_statements)
        matching = [one for one in statements if one.source in (topic.name, "*")]
        if not matching:
            raise CannotTell(f"no KCQL statement reads {topic.name}")
        named = {(topic.topic, one): place.written_to(config, one, topic.name) for one in matching}
        written.update(named)
        return tuple(named.values())

    told = resolve_sink(connector, NAME, target)
    return replace(told, columns=sink_columns(config, connector.kafka_namespace, written))


def _feed(config: Settings, place: Place, statement: Statement) -> Feed:
    topic = statement.target
    read = partial(place.read_from, config, statement.source)
    if topic is None or "$" in topic or topic == "*":
        return feed_of(Unpredictable("the topic's name is made from what is read"), read)
    return feed_of(topic, read)


def _statements(config: Settings) -> tuple[Place, tuple[Statement, ...]]:
    for key in config:
        found = _KCQL_KEY.fullmatch(key)
        if found is not None and config[key]:
            place = PLACES.get(found[1])
            if place is None:
                raise CannotTell(f"{key}: this kind of KCQL connector is not known")
            try:
                return place, parse_kcql(config[key])
            except CannotTell as unknown:
                raise CannotTell(f"{key}: {unknown.reason}") from unknown
    raise CannotTell("the config has no KCQL")


def _columns(record: ConnectRecord) -> Iterable[Node]:
    """What the one statement that writes a topic to a place takes of its records."""
    place, statements = _statements(record.config)
    if not place.keeps_fields:
        raise CannotTell("what is made of the fields there is not known")
    matching = [
        one
        for one in statements
        if one.source in (record.topic, "*")
        and place.written_to(record.config, one, record.topic) == record.other
    ]
    if len(matching) != 1:
        raise CannotTell("several KCQL statements write the topic there")
    return selected(record, matching[0], in_files=place.in_folders)


_CLASSES = (
    "aws.s3.sink.S3SinkConnector",
    "aws.s3.sink.S3ConsumerGroupsSinkConnector",
    "aws.s3.source.S3SourceConnector",
    "azure.cosmosdb.sink.CosmosDbSinkConnector",
    "azure.documentdb.sink.DocumentDbSinkConnector",
    "azure.eventhubs.source.AzureEventHubsSourceConnector",
    "azure.servicebus.sink.AzureServiceBusSinkConnector",
    "azure.servicebus.source.AzureServiceBusSourceConnector",
    "cassandra.CassandraSinkConnector",
    "cassandra.sink.CassandraSinkConnector",
    "cassandra.source.CassandraSourceConnector",
    "datalake.sink.DatalakeSinkConnector",
    "elastic6.ElasticSinkConnector",
    "elastic7.ElasticSinkConnector",
    "elastic8.ElasticSinkConnector",
    "opensearch.OpenSearchSinkConnector",
    "gcp.pubsub.source.GCPPubSubSourceConnector",
    "gcp.storage.sink.GCPStorageSinkConnector",
    "gcp.storage.source.GCPStorageSourceConnector",
    "hive.sink.HiveSinkConnector",
    "hive.source.HiveSourceConnector",
    "influx.InfluxSinkConnector",
    "jms.sink.JMSSinkConnector",
    "jms.source.JMSSourceConnector",
    "kudu.sink.KuduSinkConnector",
    "mongodb.sink.MongoSinkConnector",
    "mqtt.sink.MqttSinkConnector",
    "mqtt.source.MqttSourceConnector",
    "redis.sink.RedisSinkConnector",
)
_VENDORS = ("io.lenses", "com.datamountaineer")

RESOLVER = Family(
    name=NAME,
    classes=tuple(
        f"{vendor}.streamreactor.connect.{name}" for vendor in _VENDORS for name in _CLASSES
    ),
    reads=Reads(names=kcql_places.READS, patterns=(_KCQL_KEY.pattern,)),
    resolve=resolve,
    columns=ColumnRules(written=_columns),
)
