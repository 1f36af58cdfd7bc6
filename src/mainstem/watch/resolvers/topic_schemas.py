"""The schemas of the topics that a connector reads or writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.names import kafka
from mainstem.watch.schema_registry.fields import topic_schema

if TYPE_CHECKING:
    from mainstem.watch.resolvers.model import Connector, Resolution


def with_topic_schemas(connector: Connector, resolution: Resolution) -> Resolution:
    """The resolution with the schema of each of its topics whose fields are known."""
    if not connector.fields:
        return resolution
    told = {*resolution.inputs, *resolution.outputs}
    topics = {
        dataset: topic_schema(fields)
        for topic, fields in connector.fields.items()
        if (dataset := kafka.topic(connector.kafka_namespace, topic)) in told
    }
    return replace(resolution, schemas={**resolution.schemas, **topics})
