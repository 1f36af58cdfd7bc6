"""QuestDB's own sink."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names.servers import on_server
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family
from mainstem.watch.resolvers.table_templates import filled_template

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.settings import Settings

_ADDRESS = re.compile(r"(?:::|;)\s*addr=([^;]+)")


def _table(config: Settings, topic: SinkTopic) -> DatasetName:
    return on_server("questdb", _server(config), filled_template(config, "table", topic.name))


def _server(config: Settings) -> str:
    host = config.first("host")
    if host:
        return host
    found = _ADDRESS.search(config.required("host", "client.conf.string"))
    if found is None:
        raise CannotTell("client.conf.string has no addr")
    return found[1]


RESOLVER = endpoint_family(
    "QuestDB",
    ("io.questdb.kafka.QuestDBSinkConnector",),
    (
        "host",
        "client.conf.string",
        "table",
    ),
    Endpoint(written_to=_table),
)
