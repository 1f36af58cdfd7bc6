"""SingleStore's own sink, also under its old name MemSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names.servers import on_server
from mainstem.watch.resolvers.column_rules import listed_fields
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.settings import Settings

_ENDPOINTS = ("connection.ddlEndpoint", "connection.clientEndpoint")
_FIELDS = "fields.whitelist"
_BY_FIELD = "singlestore.recordToTable.mappingField"


def _table(config: Settings, topic: SinkTopic) -> DatasetName:
    if config.first(_BY_FIELD):
        raise CannotTell("a field of each record picks the table")
    mapped = config.first(f"singlestore.tableName.{topic.name}", f"memsql.tableName.{topic.name}")
    server = config.required(*_ENDPOINTS)
    return on_server(
        "singlestore", server, config.required("connection.database"), mapped or topic.name
    )


RESOLVER = endpoint_family(
    "SingleStore",
    ("com.singlestore.kafka.SingleStoreSinkConnector", "com.memsql.kafka.MemSQLSinkConnector"),
    (
        *_ENDPOINTS,
        "connection.database",
        _BY_FIELD,
        _FIELDS,
    ),
    Endpoint(written_to=_table),
    # memsql/singlestore-kafka-connector: DataTransform.java
    columns=listed_fields(_FIELDS),
    patterns=(r"(?:singlestore|memsql)\.tableName\..+",),
)
