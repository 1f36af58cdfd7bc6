"""Confluent's sink for Azure Synapse, once called SQL Data Warehouse."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mainstem.names.servers import on_server
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family
from mainstem.watch.resolvers.jdbc.columns import CONFLUENTS, CONFLUENTS_READS
from mainstem.watch.resolvers.table_templates import filled_template, qualified_table

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.settings import Settings

_SERVER = ("azure.sql.dw.url", "azure.sql.dw.server.name")
_DATABASE = "azure.sql.dw.database.name"


def _table(config: Settings, topic: SinkTopic) -> DatasetName:
    server = re.sub(r"^jdbc:sqlserver://", "", config.required(*_SERVER))
    name = filled_template(config, "table.name.format", topic.name)
    return on_server("sqlserver", server, *qualified_table(name, config.required(_DATABASE), "dbo"))


RESOLVER = endpoint_family(
    "Azure Synapse",
    ("io.confluent.connect.azuresqldw.AzureSqlDwSinkConnector", "AzureSqlDwSink"),
    (
        *_SERVER,
        _DATABASE,
        "table.name.format",
        *CONFLUENTS_READS,
    ),
    Endpoint(written_to=_table),
    columns=CONFLUENTS,
)
