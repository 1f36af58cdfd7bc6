"""QuestDB's own sink."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.names.servers import on_server
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family
from mainstem.watch.resolvers.table_templates import filled_template

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.settings import Settings


_CLIENT = "client.conf.string"


def _table(config: Settings, topic: SinkTopic) -> DatasetName:
    table = filled_template(config, "table", topic.name)
    if host := config.first("host"):
        return on_server("questdb", host, table)
    # Only the address of client.conf.string gets here: the rest may be a password.
    address = config.required("host", _CLIENT).rpartition("addr=")[2].partition(";")[0]
    return on_server("questdb", address, table)


RESOLVER = endpoint_family(
    "QuestDB",
    ("io.questdb.kafka.QuestDBSinkConnector",),
    ("host", _CLIENT, "table"),
    Endpoint(written_to=_table),
)
