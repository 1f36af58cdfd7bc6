"""Confluent's sink for Azure Synapse, once called SQL Data Warehouse."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mainstem.names.servers import on_server
from mainstem.watch.resolvers.column_rules import ColumnRules, ConnectRecord
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family
from mainstem.watch.resolvers.table_templates import filled_template, qualified_table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.record import Node
    from mainstem.watch.transforms.settings import Settings

_SERVER = ("azure.sql.dw.url", "azure.sql.dw.server.name")
_DATABASE = "azure.sql.dw.database.name"
_FIELDS = "fields.whitelist"


def _table(config: Settings, topic: SinkTopic) -> DatasetName:
    server = re.sub(r"^jdbc:sqlserver://", "", config.required(*_SERVER))
    name = filled_template(config, "table.name.format", topic.name)
    return on_server("sqlserver", server, *qualified_table(name, config.required(_DATABASE), "dbo"))


def _columns(record: ConnectRecord) -> Iterable[Node]:
    """The fields that the list lets through; its config definition knows no primary keys."""
    listed = record.config.names(_FIELDS)
    fields = (field for field in record.value.fields if field.holds_one_value)
    return [field for field in fields if not listed or field.name in listed]


RESOLVER = endpoint_family(
    "Azure Synapse",
    ("io.confluent.connect.azuresqldw.AzureSqlDwSinkConnector", "AzureSqlDwSink"),
    (
        *_SERVER,
        _DATABASE,
        "table.name.format",
        _FIELDS,
    ),
    Endpoint(written_to=_table),
    columns=ColumnRules(written=_columns),
)
