"""ClickHouse's own sink, self-hosted and managed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.names.servers import on_server
from mainstem.watch.resolvers.column_rules import SAME_NAMES
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family
from mainstem.watch.resolvers.topic_maps import by_name, pairs

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.settings import Settings

_TLS_PORT = "8443"
"""The connector's own default, which is not ClickHouse's."""


def _table(config: Settings, topic: SinkTopic) -> DatasetName:
    server = f"{config.required('hostname')}:{config.text('port', _TLS_PORT)}"
    database, name = _database_and_topic(config, topic.name)
    mapped = by_name(pairs(config, "topic2TableMap", separator="="), name)
    return on_server("clickhouse", server, database, mapped or name)


def _database_and_topic(config: Settings, topic: str) -> tuple[str, str]:
    if config.flag("enableDbTopicSplit", default=False):
        database, mark, rest = topic.partition(config.required("dbTopicSplitChar"))
        if mark:
            return database, rest
    return config.text("database", "default"), topic


RESOLVER = endpoint_family(
    "ClickHouse",
    ("com.clickhouse.kafka.connect.ClickHouseSinkConnector", "ClickHouseSink"),
    (
        "hostname",
        "port",
        "database",
        "topic2TableMap",
        "enableDbTopicSplit",
        "dbTopicSplitChar",
    ),
    Endpoint(written_to=_table),
    # ClickHouse/clickhouse-kafka-connect: ClickHouseWriter.java
    columns=SAME_NAMES,
)
