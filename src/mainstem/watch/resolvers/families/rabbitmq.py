"""RabbitMQ: queues into one topic, topics into one exchange."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.names.servers import on_server
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.settings import Settings


def _queues(config: Settings) -> Iterable[DatasetName]:
    config.required("rabbitmq.queue")
    return [on_server("amqp", _server(config), queue) for queue in config.names("rabbitmq.queue")]


def _exchange(config: Settings, _topic: SinkTopic) -> DatasetName:
    # What the unnamed exchange is given goes to the queue that the routing key names.
    name = config.required("rabbitmq.exchange", "rabbitmq.routing.key")
    return on_server("amqp", _server(config), name)


def _server(config: Settings) -> str:
    host = config.text("rabbitmq.host", "localhost")
    return f"{host}:{config.text('rabbitmq.port', '5672')}"


RESOLVER = endpoint_family(
    "RabbitMQ",
    classes=(
        "io.confluent.connect.rabbitmq.RabbitMQSourceConnector",
        "RabbitMQSource",
        "io.confluent.connect.rabbitmq.sink.RabbitMQSinkConnector",
        "RabbitMQSink",
        "com.github.jcustenborder.kafka.connect.rabbitmq.RabbitMQSourceConnector",
        "com.github.themeetgroup.kafka.connect.rabbitmq.source.RabbitMQSourceConnector",
        "com.github.themeetgroup.kafka.connect.rabbitmq.sink.RabbitMQSinkConnector",
    ),
    reads=(
        "rabbitmq.exchange",
        "rabbitmq.host",
        "rabbitmq.port",
        "rabbitmq.queue",
        "rabbitmq.routing.key",
    ),
    endpoint=Endpoint(read_from=_queues, written_to=_exchange),
)
