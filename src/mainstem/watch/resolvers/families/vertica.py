"""Confluent's Vertica sink."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.names.servers import on_server
from mainstem.watch.resolvers.contact_points import with_port
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family
from mainstem.watch.resolvers.jdbc.columns import (
    CONFLUENTS_READS,
    CONFLUENTS_WITHOUT_PLACE_NAMES,
)
from mainstem.watch.resolvers.table_templates import filled_template, qualified_table

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.settings import Settings


def _table(config: Settings, topic: SinkTopic) -> DatasetName:
    server = with_port(config.required("vertica.host"), config.port("vertica.port"))
    name = filled_template(config, "table.name.format", topic.name)
    parts = qualified_table(name, config.required("vertica.database"), "public")
    return on_server("vertica", server, *parts)


RESOLVER = endpoint_family(
    "Vertica",
    ("io.confluent.vertica.VerticaSinkConnector",),
    (
        "vertica.host",
        "vertica.port",
        "vertica.database",
        "table.name.format",
        *CONFLUENTS_READS,
    ),
    Endpoint(written_to=_table),
    # Its config definition, as vdesabou/kafka-docker-playground prints it: connect-vertica-sink.
    columns=CONFLUENTS_WITHOUT_PLACE_NAMES,
)
