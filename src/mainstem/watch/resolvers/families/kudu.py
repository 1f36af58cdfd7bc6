"""Confluent's Kudu source and sink, which reach Kudu's tables through Impala."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mainstem.names.servers import on_server
from mainstem.watch.resolvers.column_rules import ROWS, ColumnRules
from mainstem.watch.resolvers.contact_points import with_port
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.jdbc.columns import (
    CONFLUENTS_READS,
    CONFLUENTS_WITHOUT_PLACE_NAMES,
)
from mainstem.watch.resolvers.model import Direction, Family, Reads
from mainstem.watch.resolvers.sinks import SinkTopic, resolve_sink
from mainstem.watch.resolvers.sources import Source, feed_of, resolve_source, source_or_reason
from mainstem.watch.resolvers.table_templates import filled_template, qualified_table

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.settings import Settings

NAME = "Kudu"
_IMPALA_PORT = "21050"
_OPEN = "tables: the config names none; the topics seen tell only their names"


def resolve(connector: Connector) -> Resolution:
    """Topics to tables by a template, or tables listed to topics behind a prefix."""
    config = settings_of(connector)

    def target(topic: SinkTopic) -> DatasetName:
        return _table(config, filled_template(config, "table.name.format", topic.name))

    if connector.direction is Direction.SINK:
        return resolve_sink(connector, NAME, target)
    return resolve_source(connector, NAME, source_or_reason(lambda: _source(config)))


def _source(config: Settings) -> Source:
    tables = config.names("table.whitelist")
    prefix = config.text("topic.prefix", "")
    feeds = [feed_of(prefix + table, partial(_table, config, table)) for table in tables]
    return Source(feeds=tuple(feeds), unresolved=() if tables else (_OPEN,))


def _table(config: Settings, name: str) -> DatasetName:
    servers = with_port(
        config.required("impala.server"), config.port("impala.port") or _IMPALA_PORT
    )
    return on_server("kudu", servers, *qualified_table(name, config.required("kudu.database")))


# vdesabou/kafka-docker-playground shows both at work: connect-kudu-sink, connect-kudu-source.
_COLUMNS = ColumnRules(CONFLUENTS_WITHOUT_PLACE_NAMES.written, ROWS.read, ROWS.nesting)

RESOLVER = Family(
    name=NAME,
    classes=(
        "io.confluent.connect.kudu.KuduSinkConnector",
        "io.confluent.connect.kudu.KuduSourceConnector",
    ),
    reads=Reads(
        names=(
            "impala.server",
            "impala.port",
            "kudu.database",
            "table.name.format",
            "table.whitelist",
            "topic.prefix",
            *CONFLUENTS_READS,
        )
    ),
    resolve=resolve,
    columns=_COLUMNS,
)
