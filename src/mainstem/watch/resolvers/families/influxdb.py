"""Confluent's InfluxDB connectors: 1.x, and the managed ones for 2 and 3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names.servers import on_server
from mainstem.watch.resolvers.column_rules import ColumnRules, ConnectRecord
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Direction, Family, Reads
from mainstem.watch.resolvers.sinks import SinkTopic, resolve_sink
from mainstem.watch.resolvers.sources import Source, feed_of, resolve_source, source_or_reason
from mainstem.watch.resolvers.table_templates import filled_template

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.record import Node
    from mainstem.watch.transforms.settings import Settings

NAME = "InfluxDB"
_DATABASE = ("influxdb.db", "influxdb.bucket", "influxdb.database")
_TIME = "event.time.fieldname"
_MEASUREMENT, _TAGS = "measurement", "tags"
_NO_FIELDS = ("array", "map", "repeated")


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


def _columns(record: ConnectRecord) -> Iterable[Node]:
    """The fields of the value that hold one value each; the names of tags stand in the data."""
    fields = record.value.fields
    if any(field.name == _MEASUREMENT for field in fields):
        raise CannotTell("a field of each record names the measurement")
    own = {_TAGS, record.config.first(_TIME)}
    return [
        field
        for field in fields
        if field.name not in own and not field.fields and not field.type.startswith(_NO_FIELDS)
    ]


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
        names=("influxdb.url", *_DATABASE, _TIME, "measurement.name.format", "topic.prefix"),
    ),
    resolve=resolve,
    columns=ColumnRules(written=_columns),
)
