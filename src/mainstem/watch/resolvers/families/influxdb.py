"""Confluent's InfluxDB connectors: 1.x, and the managed ones for 2 and 3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.names.servers import on_server
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Direction, Family, Reads
from mainstem.watch.resolvers.sinks import SinkTopic, resolve_sink
from mainstem.watch.resolvers.sources import Source, feed_of, resolve_source, source_or_reason
from mainstem.watch.resolvers.table_templates import filled_template

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.settings import Settings

NAME = "InfluxDB"
_DATABASE = ("influxdb.db", "influxdb.bucket", "influxdb.database")


def resolve(connector: Connector) -> Resolution:
    """Each topic to a measurement of its name, or a whole database to one topic."""
    config = settings_of(connector)
    if connector.direction is Direction.SINK:
        return resolve_sink(connector, NAME, lambda topic: _measurement(config, topic))
    return resolve_source(connector, NAME, source_or_reason(lambda: _source(config)))


def _measurement(config: Settings, topic: SinkTopic) -> DatasetName:
    # Version 1 makes a database for each topic where the config names none.
    database = config.first(*_DATABASE) or topic.name
    measurement = filled_template(config, "measurement.name.format", topic.name)
    return on_server("influxdb", config.required("influxdb.url"), database, measurement)


def _source(config: Settings) -> Source:
    database = config.required(*_DATABASE)
    topic = config.text("topic.prefix", "") + database

    def whole() -> DatasetName:
        return on_server("influxdb", config.required("influxdb.url"), database)

    return Source(feeds=(feed_of(topic, whole),))


RESOLVER = Family(
    name=NAME,
    classes=(
        "io.confluent.influxdb.InfluxDBSinkConnector",
        "io.confluent.influxdb.source.InfluxdbSourceConnector",
        "io.confluent.influxdb.v2.sink.InfluxDB2SinkConnector",
        "io.confluent.influxdb.v2.source.InfluxDB2SourceConnector",
        "InfluxDB2Sink",
        "InfluxDB2Source",
        "InfluxDB3Sink",
    ),
    reads=Reads(
        names=("influxdb.url", *_DATABASE, "measurement.name.format", "topic.prefix"),
    ),
    resolve=resolve,
)
