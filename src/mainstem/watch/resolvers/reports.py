"""Topics in which Confluent's sinks report what became of each record, whatever their family."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.errors import CannotTell
from mainstem.names import kafka
from mainstem.watch.resolvers.facts import control_topic, settings_of

if TYPE_CHECKING:
    from mainstem.watch.resolvers.model import Connector, ControlTopic

_TOPICS = ("reporter.result.topic.name", "reporter.error.topic.name")
_SERVERS = "reporter.bootstrap.servers"
READS = (*_TOPICS, _SERVERS)


def report_topics(connector: Connector) -> tuple[ControlTopic, ...]:
    """The topics that the config names, which may lie in another cluster."""
    config = settings_of(connector)
    try:
        names = [name for key in _TOPICS if (name := config.first(key))]
        servers = config.first(_SERVERS) if names else None
        if servers:
            connector = replace(connector, kafka_namespace=kafka.cluster_namespace(servers))
    except CannotTell:
        return ()
    return tuple(
        control_topic(connector, name.replace("${connector}", connector.name), "report")
        for name in names
    )
