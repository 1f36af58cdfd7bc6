"""QuestDB's own sink."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names.servers import on_server
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family
from mainstem.watch.resolvers.table_templates import filled_template

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.settings import Settings


def _table(config: Settings, topic: SinkTopic) -> DatasetName:
    server = config.first("host")
    if server is None:
        # client.conf.string holds the address, but the password too: it is not read at all.
        raise CannotTell("the config has no host; client.conf.string may hold a password")
    return on_server("questdb", server, filled_template(config, "table", topic.name))


RESOLVER = endpoint_family(
    "QuestDB",
    ("io.questdb.kafka.QuestDBSinkConnector",),
    ("host", "table"),
    Endpoint(written_to=_table),
)
