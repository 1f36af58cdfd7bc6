"""ServiceNow tables, in and out, self-hosted and managed."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names.servers import on_server
from mainstem.watch.resolvers.column_rules import (
    ColumnRules,
    ConnectRecord,
    as_one_column,
)
from mainstem.watch.resolvers.endpoints import topic_of
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Direction, Family, Reads
from mainstem.watch.resolvers.sinks import resolve_sink
from mainstem.watch.resolvers.sources import Feed, Source, feed_of, resolve_source

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.record import Node
    from mainstem.watch.transforms.settings import Settings

NAME = "ServiceNow"
_SECOND = "ServiceNowSourceV2"
_NUMBERED_TOPIC = re.compile(r"(table\d+)\.topic")


def resolve(connector: Connector) -> Resolution:
    """Tables of one instance to topics, or topics into a table."""
    config = settings_of(connector)
    if connector.direction is Direction.SINK:
        return resolve_sink(connector, NAME, lambda _topic: _table(config, "servicenow.table"))
    return resolve_source(connector, NAME, Source(feeds=tuple(_feeds(config))))


def _feeds(config: Settings) -> list[Feed]:
    numbered = [found for key in config if (found := _NUMBERED_TOPIC.fullmatch(key))]
    keys = [(one[0], f"{one[1]}.name") for one in numbered]
    return [
        feed_of(topic_of(config, topic), partial(_table, config, table))
        for topic, table in keys or [("kafka.topic", "servicenow.table")]
    ]


def _table(config: Settings, key: str) -> DatasetName:
    return on_server("servicenow", config.required("servicenow.url"), config.required(key))


# vdesabou/kafka-docker-playground shows both at work: connect-servicenow-source and -sink.
def _read(record: ConnectRecord) -> Iterable[Node]:
    if record.config["connector.class"] == _SECOND:
        raise CannotTell("how the records of this connector are built is not documented")
    # A reference to another table is a record of its value and a link, where it is not empty.
    return map(as_one_column, record.value.fields)


def _written(record: ConnectRecord) -> Iterable[Node]:
    return [field for field in record.value.fields if field.holds_one_value]


RESOLVER = Family(
    name=NAME,
    classes=(
        "io.confluent.connect.servicenow.ServiceNowSourceConnector",
        "io.confluent.connect.servicenow.ServiceNowSinkConnector",
        _SECOND,
    ),
    reads=Reads(
        names=("servicenow.url", "servicenow.table", "kafka.topic"),
        patterns=(r"table\d+\.(?:name|topic)",),
    ),
    resolve=resolve,
    columns=ColumnRules(written=_written, read=_read),
)
