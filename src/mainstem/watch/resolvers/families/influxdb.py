"""Confluent's InfluxDB connectors: 1.x, and the managed ones for 2 and 3."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names.servers import on_server
from mainstem.watch.resolvers.column_rules import ColumnRules, ConnectRecord
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Direction, Family, Reads
from mainstem.watch.resolvers.sinks import SinkTopic, resolve_sink
from mainstem.watch.resolvers.sources import (
    Source,
    Stranger,
    feed_of,
    resolve_source,
    source_or_reason,
)
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
_FORMAT = "measurement.name.format"
_MAPPER = "topic.mapper"
_LISTED = "influxdb.measurement.whitelist"
_UNLISTED = "influxdb.measurement.blacklist"
_NO_FIELDS = frozenset({"measurement", "tags"})
"""Fields of a record that say where it goes and how it is tagged."""
_OPEN = "measurements: the config lists none; the topics seen tell only their names"


def resolve(connector: Connector) -> Resolution:
    """Each topic to a measurement of its name; a database to one topic, or to one of each."""
    config = settings_of(connector)
    if connector.direction is Direction.SINK:
        return resolve_sink(connector, NAME, lambda topic: _measurement(config, topic))
    return resolve_source(connector, NAME, source_or_reason(lambda: _source(config)))


def _measurement(config: Settings, topic: SinkTopic) -> DatasetName:
    # The config definition of the managed sinks says so; none of the sinks has a default for it.
    if config.first(_FORMAT) is None:
        raise CannotTell(f"without {_FORMAT} a field of each record names the measurement")
    # Version 1 makes a database for each topic where the config names none.
    database = config.first(*_DATABASE) or topic.name
    measurement = filled_template(config, _FORMAT, topic.name)
    return on_server("influxdb", config.required("influxdb.url"), database, measurement)


def _source(config: Settings) -> Source:
    database = config.required(*_DATABASE)
    prefix = config.text("topic.prefix", "")

    def part(*measurement: str) -> DatasetName:
        return on_server("influxdb", config.required("influxdb.url"), database, *measurement)

    if config.first("query"):
        # The prefix is then the whole name of the topic.
        return Source(feeds=(feed_of(prefix, part),))
    if config.text(_MAPPER, "") != "measurement":
        return Source(feeds=(feed_of(prefix + database, part),))

    def input_of(topic: str) -> DatasetName | Stranger:
        name = topic.removeprefix(prefix)
        if not topic.startswith(prefix) or not name:
            return Stranger.FOREIGN
        return Stranger.EXCLUDED if name in config.names(_UNLISTED) else part(name)

    listed = config.names(_LISTED)
    return Source(
        feeds=tuple(feed_of(prefix + one, partial(part, one)) for one in listed),
        input_of=input_of,
        unresolved=() if listed else (_OPEN,),
    )


def _columns(record: ConnectRecord) -> Iterable[Node]:
    """The fields of the value that hold one value each; the names of tags stand in the data."""
    own = {*_NO_FIELDS, record.config.first(_TIME)}
    return [
        field for field in record.value.fields if field.name not in own and field.holds_one_value
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
        names=(
            "influxdb.url",
            *_DATABASE,
            _TIME,
            _FORMAT,
            _MAPPER,
            _LISTED,
            _UNLISTED,
            "query",
            "topic.prefix",
        ),
    ),
    resolve=resolve,
    columns=ColumnRules(written=_columns),
)
