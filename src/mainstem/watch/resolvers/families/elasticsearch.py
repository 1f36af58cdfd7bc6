"""Elasticsearch sinks: Confluent's from the first to the newest, Aiven's fork, managed ones."""

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

_RESOURCES = "topic.to.external.resource.mapping"
_LONGEST_NAMESPACE = 100


def _index(config: Settings, topic: SinkTopic) -> DatasetName:
    return on_server("elasticsearch", config.required("connection.url"), _name(config, topic.name))


def _name(config: Settings, topic: str) -> str:
    if config.text("external.resource.usage", "DISABLED").upper() != "DISABLED":
        mapped = by_name(pairs(config, _RESOURCES), topic)
        if mapped is None:
            raise CannotTell(f"{_RESOURCES} does not name the topic")
        return mapped
    if config.first("data.stream.dataset"):
        return _data_stream(config, topic)
    # Versions before 11 know this map; from 11 on the connector refuses to start with it.
    return by_name(pairs(config, "topic.index.map"), topic) or index_name(topic)


def _data_stream(config: Settings, topic: str) -> str:
    kind = config.text("data.stream.type", "none").lower()
    if kind == "none":
        return index_name(topic)
    namespace = config.text("data.stream.namespace", "${topic}")
    namespace = namespace.replace("${topic}", topic.lower())[:_LONGEST_NAMESPACE]
    name = f"{kind}-{config.required('data.stream.dataset')}-{namespace}"
    if "${" in name:
        # Only the namespace may hold ${topic}; no Elasticsearch takes what is left of another.
        raise CannotTell("the data stream's name holds a template that the connector does not fill")
    return name


RESOLVER = endpoint_family(
    "Elasticsearch",
    (
        "io.confluent.connect.elasticsearch.ElasticsearchSinkConnector",
        "io.aiven.connect.elasticsearch.ElasticsearchSinkConnector",
        "ElasticsearchSink",
        "ElasticsearchSinkV2",
    ),
    (
        "connection.url",
        "topic.index.map",
        "external.resource.usage",
        _RESOURCES,
        "data.stream.type",
        "data.stream.dataset",
        "data.stream.namespace",
    ),
    Endpoint(written_to=_index),
    # confluentinc/kafka-connect-elasticsearch: DataConverter.java
    columns=SAME_NAMES,
)
