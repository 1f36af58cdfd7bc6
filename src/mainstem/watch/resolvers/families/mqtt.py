"""MQTT (Confluent and the community's): MQTT topics into one Kafka topic, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.names.servers import on_server
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.settings import Settings

_SERVERS = ("mqtt.server.uri", "mqtt.broker")
_TOPICS = ("mqtt.topics", "mqtt.topic")


def _subscribed(config: Settings) -> Iterable[DatasetName]:
    server = config.required(*_SERVERS)
    config.required(*_TOPICS)
    return [on_server("mqtt", server, topic) for topic in config.names(*_TOPICS)]


def _published(config: Settings, topic: SinkTopic) -> DatasetName:
    # Confluent's sink has no key for the MQTT topic and ignores mqtt.topics: it keeps Kafka's name.
    return on_server("mqtt", config.required(*_SERVERS), config.first("mqtt.topic") or topic.name)


RESOLVER = endpoint_family(
    "MQTT",
    classes=(
        "io.confluent.connect.mqtt.MqttSourceConnector",
        "MqttSource",
        "io.confluent.connect.mqtt.MqttSinkConnector",
        "MqttSink",
        "be.jovacon.kafka.connect.MQTTSourceConnector",
        "be.jovacon.kafka.connect.MQTTSinkConnector",
    ),
    reads=(*_SERVERS, *_TOPICS),
    endpoint=Endpoint(read_from=_subscribed, written_to=_published, default_topic="mqtt"),
)
