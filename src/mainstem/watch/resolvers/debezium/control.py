"""The topics that a Debezium connector keeps for itself; by exact name, a table is a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names import kafka
from mainstem.watch.resolvers.facts import control_topic
from mainstem.watch.resolvers.model import ControlTopic
from mainstem.watch.transforms.model import Unpredictable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.watch.resolvers.debezium.flavours import Flavour
    from mainstem.watch.resolvers.model import Connector
    from mainstem.watch.transforms.chain import Chain
    from mainstem.watch.transforms.settings import Settings

READS = (
    "topic.heartbeat.prefix",
    "topic.heartbeat.name",
    "heartbeat.topics.prefix",
    "heartbeat.interval.ms",
    "topic.transaction",
    "provide.transaction.metadata",
    "include.schema.changes",
    "notification.enabled.channels",
    "notification.sink.topic.name",
    "signal.kafka.topic",
    "signal.kafka.bootstrap.servers",
    "schema.history.internal.kafka.topic",
    "schema.history.internal.kafka.bootstrap.servers",
    "database.history.kafka.topic",
    "database.history.kafka.bootstrap.servers",
)


def control_topics(
    connector: Connector, config: Settings, chain: Chain, prefix: str, flavour: Flavour
) -> tuple[ControlTopic, ...]:
    """Those that the config switches on, and those that were seen although it does not say so."""
    seen = connector.topics or ()
    delimiter = config.text("topic.delimiter", ".")
    heartbeat = config.text("topic.heartbeat.prefix", "") or config.text(
        "heartbeat.topics.prefix", "__debezium-heartbeat"
    )
    candidates = (
        (
            config.first("topic.heartbeat.name") or f"{heartbeat}{delimiter}{prefix}",
            "heartbeat",
            config.text("heartbeat.interval.ms", "0") != "0",
        ),
        (
            f"{prefix}{delimiter}{config.text('topic.transaction', 'transaction')}",
            "transaction",
            config.flag("provide.transaction.metadata", default=False),
        ),
        (
            prefix,
            "schema-change",
            flavour.records_schema_changes
            and config.flag("include.schema.changes", default=flavour.schema_changes_by_default),
        ),
    )
    notified = config.first("notification.sink.topic.name")
    if notified is not None:
        sinks = "sink" in config.names("notification.enabled.channels")
        candidates = (*candidates, (notified, "notification", sinks))
    # What the connector sends itself passes through its transforms; the others are of clients.
    own = [
        control_topic(connector, routed, kind)
        for name, kind, on in candidates
        if (on or seen) and ((routed := _routed(chain, name)) in seen or on)
    ]
    return (*own, *_elsewhere(connector, config))


def _routed(chain: Chain, name: str) -> str:
    end = chain.end_of_own(name)
    return name if isinstance(end, Unpredictable) else end


def _elsewhere(connector: Connector, config: Settings) -> Iterator[ControlTopic]:
    """Topics that the config may put on another cluster."""
    for start, kind in (
        ("schema.history.internal.kafka", "schema-history"),
        ("database.history.kafka", "schema-history"),
        ("signal.kafka", "signal"),
    ):
        try:
            name = config.first(f"{start}.topic")
            servers = config.first(f"{start}.bootstrap.servers")
            namespace = kafka.cluster_namespace(servers) if servers else connector.kafka_namespace
        except CannotTell:
            continue
        if name:
            yield ControlTopic(kafka.topic(namespace, name), kind)
