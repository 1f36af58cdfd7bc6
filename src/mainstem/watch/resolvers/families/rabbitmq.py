"""RabbitMQ: queues into topics, topics into one exchange."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mainstem.names.servers import on_server
from mainstem.watch.resolvers.endpoints import topic_of
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Direction, Family, Reads
from mainstem.watch.resolvers.sinks import resolve_sink
from mainstem.watch.resolvers.sources import Feed, Source, feed_of, resolve_source, source_or_reason
from mainstem.watch.resolvers.topic_maps import pairs

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.settings import Settings

NAME = "RabbitMQ"
_MAPPING = "rabbitmq.queue.topic.mapping"


def resolve(connector: Connector) -> Resolution:
    """All queues to one topic or each to its own, or every topic to the exchange."""
    config = settings_of(connector)
    if connector.direction is Direction.SINK:
        return resolve_sink(connector, NAME, lambda _topic: _exchange(config))
    source = source_or_reason(lambda: Source(feeds=tuple(_feeds(config))))
    return resolve_source(connector, NAME, source)


def _feeds(config: Settings) -> list[Feed]:
    queues = config.names("rabbitmq.queue")
    mapped = pairs(config, _MAPPING)
    # The mapping stands in for the other two keys, and yields to them where both are set.
    if mapped and not (queues and config.first("kafka.topic")):
        return [feed_of(topic, partial(_on_broker, config, queue)) for queue, topic in mapped]
    config.required("rabbitmq.queue")
    topic = topic_of(config, "kafka.topic")
    return [feed_of(topic, *(partial(_on_broker, config, queue) for queue in queues))]


def _exchange(config: Settings) -> DatasetName:
    # What the unnamed exchange is given goes to the queue that the routing key names.
    return _on_broker(config, config.required("rabbitmq.exchange", "rabbitmq.routing.key"))


def _on_broker(config: Settings, name: str) -> DatasetName:
    host = config.text("rabbitmq.host", "localhost")
    return on_server("amqp", f"{host}:{config.text('rabbitmq.port', '5672')}", name)


RESOLVER = Family(
    name=NAME,
    classes=(
        "io.confluent.connect.rabbitmq.RabbitMQSourceConnector",
        "RabbitMQSource",
        "io.confluent.connect.rabbitmq.sink.RabbitMQSinkConnector",
        "RabbitMQSink",
        "com.github.jcustenborder.kafka.connect.rabbitmq.RabbitMQSourceConnector",
        "com.github.themeetgroup.kafka.connect.rabbitmq.source.RabbitMQSourceConnector",
        "com.github.themeetgroup.kafka.connect.rabbitmq.sink.RabbitMQSinkConnector",
    ),
    reads=Reads(
        names=(
            _MAPPING,
            "kafka.topic",
            "rabbitmq.exchange",
            "rabbitmq.host",
            "rabbitmq.port",
            "rabbitmq.queue",
            "rabbitmq.routing.key",
        )
    ),
    resolve=resolve,
)
