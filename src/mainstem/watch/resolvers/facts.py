"""Facts about a connector that every family asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.names import kafka
from mainstem.watch.resolvers.model import ControlTopic
from mainstem.watch.transforms.settings import Settings

if TYPE_CHECKING:
    from mainstem.watch.resolvers.model import Connector


def settings_of(connector: Connector) -> Settings:
    """The connector's config as the connector reads it: trimmed, placeholders filled in."""
    if isinstance(connector.config, Settings):
        return connector.config
    return Settings(connector.config, connector.provided)


def control_topic(connector: Connector, name: str, kind: str) -> ControlTopic:
    """A topic of the connector's own cluster that it uses for itself."""
    return ControlTopic(kafka.topic(connector.kafka_namespace, name), kind)
