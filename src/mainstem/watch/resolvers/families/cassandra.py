"""Confluent's Cassandra sink; DataStax's and Lenses' are families of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.names.servers import on_server
from mainstem.watch.resolvers.column_rules import SAME_NAMES
from mainstem.watch.resolvers.contact_points import with_port
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.settings import Settings


def _table(config: Settings, topic: SinkTopic) -> DatasetName:
    servers = with_port(config.required("cassandra.contact.points"), config.port("cassandra.port"))
    return on_server("cassandra", servers, config.required("cassandra.keyspace"), topic.name)


RESOLVER = endpoint_family(
    "Cassandra",
    ("io.confluent.connect.cassandra.CassandraSinkConnector", "CassandraSink"),
    (
        "cassandra.contact.points",
        "cassandra.port",
        "cassandra.keyspace",
    ),
    Endpoint(written_to=_table),
    # vdesabou/kafka-docker-playground shows one at work: connect-cassandra-sink.
    columns=SAME_NAMES,
)
