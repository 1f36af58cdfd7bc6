"""OpenSearch sinks: Aiven's, and Confluent's managed one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names.servers import on_server
from mainstem.watch.resolvers.column_rules import SAME_NAMES
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family
from mainstem.watch.resolvers.search_indices import index_name
from mainstem.watch.resolvers.topic_maps import by_name, pairs

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.settings import Settings

_RESOURCES = "topic.to.existing.resource.mapping"
_ADDRESS = ("connection.url", "instance.url")


def _index(config: Settings, topic: SinkTopic) -> DatasetName:
    name = _managed_index(config, topic.name) if config.first("instance.url") else None
    return on_server(
        "opensearch", config.required(*_ADDRESS), name or _aiven_index(config, topic.name)
    )


def _managed_index(config: Settings, topic: str) -> str:
    """The managed sink numbers its indices, each with its topic."""
    for key in config:
        if key.startswith("index") and key.endswith(".topic") and config[key] == topic:
            return config.required(f"{key.removesuffix('.topic')}.name")
    raise CannotTell("no index of the config names the topic")


def _aiven_index(config: Settings, topic: str) -> str:
    mapped = by_name(pairs(config, _RESOURCES), topic)
    if mapped:
        return mapped
    name = index_name(topic.replace(":", "_"), may_not_start_with="-_+")
    prefix = config.first("data.stream.prefix")
    streams = config.flag("data.stream.enabled", default=False)
    return f"{prefix}-{name}" if prefix and streams else name


RESOLVER = endpoint_family(
    "OpenSearch",
    (
        "io.aiven.kafka.connect.opensearch.OpensearchSinkConnector",
        "io.aiven.kafka.connect.opensearch.OpenSearchSinkConnector",
        "OpenSearchSink",
    ),
    (
        *_ADDRESS,
        _RESOURCES,
        "data.stream.enabled",
        "data.stream.prefix",
    ),
    Endpoint(written_to=_index),
    patterns=(r"index\d+\.(?:name|topic)",),
    # Aiven-Open/opensearch-connector-for-apache-kafka: DocumentPayload.java
    columns=SAME_NAMES,
)
