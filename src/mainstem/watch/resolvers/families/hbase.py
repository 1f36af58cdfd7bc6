"""Confluent's HBase sink."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.names.servers import on_server
from mainstem.watch.resolvers.column_families import cells
from mainstem.watch.resolvers.column_rules import ColumnRules, ConnectRecord
from mainstem.watch.resolvers.contact_points import with_port
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family
from mainstem.watch.resolvers.table_templates import filled_template

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.record import Node
    from mainstem.watch.transforms.settings import Settings

_QUORUM = "hbase.zookeeper.quorum"
_PORT = "hbase.zookeeper.property.clientPort"


def _table(config: Settings, topic: SinkTopic) -> DatasetName:
    servers = with_port(config.required(_QUORUM), config.port(_PORT))
    return on_server("hbase", servers, filled_template(config, "table.name.format", topic.name))


def _columns(record: ConnectRecord) -> Iterable[Node]:
    return cells(record, record.topic)


RESOLVER = endpoint_family(
    "HBase",
    ("io.confluent.connect.hbase.HBaseSinkConnector", "HBaseSink"),
    (
        _QUORUM,
        _PORT,
        "table.name.format",
    ),
    Endpoint(written_to=_table),
    columns=ColumnRules(written=_columns),
)
