"""Google Pub/Sub and Pub/Sub Lite: a subscription is read, a topic is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.names.messaging import pubsub_lite, pubsub_subscription, pubsub_topic
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.settings import Settings

_PROJECTS = ("gcp.pubsub.project.id", "cps.project")
_SUBSCRIPTIONS = ("gcp.pubsub.subscription.id", "cps.subscription")


def _subscription(config: Settings) -> DatasetName:
    if name := config.first("pubsublite.subscription"):
        return pubsub_lite("subscription", *_lite_place(config), name)
    return pubsub_subscription(config.required(*_PROJECTS), config.required(*_SUBSCRIPTIONS))


def _lite_place(config: Settings) -> tuple[str, str]:
    return config.required("pubsublite.project"), config.required("pubsublite.location")


def _topic(config: Settings, _topic: SinkTopic) -> DatasetName:
    if name := config.first("pubsublite.topic"):
        return pubsub_lite("topic", *_lite_place(config), name)
    return pubsub_topic(config.required(*_PROJECTS), config.required("cps.topic"))


RESOLVER = endpoint_family(
    "Pub/Sub",
    classes=(
        "io.confluent.connect.gcp.pubsub.PubSubSourceConnector",
        "PubSubSource",
        "com.google.pubsub.kafka.source.CloudPubSubSourceConnector",
        "com.google.pubsub.kafka.sink.CloudPubSubSinkConnector",
        "com.google.pubsublite.kafka.source.PubSubLiteSourceConnector",
        "com.google.pubsublite.kafka.sink.PubSubLiteSinkConnector",
    ),
    reads=(
        *_PROJECTS,
        *_SUBSCRIPTIONS,
        "cps.topic",
        "pubsublite.location",
        "pubsublite.project",
        "pubsublite.subscription",
        "pubsublite.topic",
    ),
    endpoint=Endpoint(read_from=_subscription, written_to=_topic),
)
