"""Queues and streams of the clouds, as URLs, ARNs and namespaces of Azure name them."""

from __future__ import annotations

import re

from mainstem.errors import CannotTell
from mainstem.names.dataset import DatasetName
from mainstem.names.hosts import authority

_ARN = re.compile(r"arn:[\w-]+:[\w-]+:([\w-]+):\d*:(?:[\w-]+[/:])?([^:/\s]+)$")
_SQS_URL = re.compile(
    r"https?://(?:sqs(?:-fips)?\.([\w-]+)|([\w-]+)\.queue)\.amazonaws\.com(?:\.cn)?/\w+/([\w.-]+)/?$"
)
_AZURE_NAME = re.compile(r"[\w-]+")


def kinesis_stream(stream: str, region: str | None = None) -> DatasetName:
    """A Kinesis stream, by its name and region or by its ARN.

    >>> kinesis_stream("arn:aws:kinesis:eu-west-1:000000000000:stream/clicks")
    DatasetName(namespace='kinesis://eu-west-1', name='clicks')
    """
    return _in_region("kinesis", stream, region)


def sqs_queue(queue: str, region: str | None = None) -> DatasetName:
    """An SQS queue, by its URL, by its ARN, or by its name and region.

    >>> sqs_queue("https://sqs.eu-west-3.amazonaws.com/000000000000/orders")
    DatasetName(namespace='sqs://eu-west-3', name='orders')
    """
    by_url = _SQS_URL.match(queue.strip())
    if by_url is not None:
        return DatasetName(f"sqs://{by_url[1] or by_url[2]}", by_url[3])
    if "://" in queue:
        # A stand-in for AWS: its URLs end in the queue's name too.
        queue = queue.partition("?")[0].rstrip("/").rpartition("/")[2]
    return _in_region("sqs", queue, region)


def firehose_stream(stream: str, region: str | None = None) -> DatasetName:
    """A delivery stream of Kinesis Data Firehose, by its name and region or by its ARN."""
    return _in_region("firehose", stream, region)


def sns_topic(topic: str, region: str | None = None) -> DatasetName:
    """An SNS topic, by its name and region or by its ARN."""
    return _in_region("sns", topic, region)


def lambda_function(function: str, region: str | None = None) -> DatasetName:
    """A Lambda function that records are handed to, by its name and region or by its ARN."""
    return _in_region("lambda", function, region)


def pubsub_topic(project: str, topic: str) -> DatasetName:
    """A Pub/Sub topic, by its name or its whole path.

    >>> pubsub_topic("acme", "projects/acme/topics/orders").name
    'topic:acme:orders'
    """
    return _pubsub("topic", project, topic)


def pubsub_subscription(project: str, subscription: str) -> DatasetName:
    """A Pub/Sub subscription, which is what readers read."""
    return _pubsub("subscription", project, subscription)


def pubsub_lite(kind: str, project: str, location: str, name: str) -> DatasetName:
    """A topic or subscription of Pub/Sub Lite, which lies in a zone or region.

    >>> pubsub_lite("topic", "acme", "europe-west1-b", "orders")
    DatasetName(namespace='pubsublite', name='topic:acme:europe-west1-b:orders')
    """
    place = ":".join((_present(project), _present(location), _present(name)))
    return DatasetName("pubsublite", f"{kind}:{place}")


def event_hub(namespace: str, hub: str) -> DatasetName:
    """A hub of an Azure Event Hubs namespace.

    >>> event_hub("Acme", "clicks")
    DatasetName(namespace='eventhubs://acme.servicebus.windows.net', name='clicks')
    """
    return DatasetName(f"eventhubs://{_azure_host(namespace)}", _present(hub))


def service_bus(namespace: str, entity: str, subscription: str | None = None) -> DatasetName:
    """A queue or topic of an Azure Service Bus namespace, or a topic's subscription."""
    name = f"{_present(entity)}/subscriptions/{subscription}" if subscription else _present(entity)
    return DatasetName(f"servicebus://{_azure_host(namespace)}", name)


def _in_region(system: str, name: str, region: str | None) -> DatasetName:
    by_arn = _ARN.match(name.strip())
    if by_arn is not None:
        return DatasetName(f"{system}://{by_arn[1]}", by_arn[2])
    if not region:
        raise CannotTell("the config does not say the AWS region")
    # The AWS SDK for Java also spells regions as constants: EU_WEST_1.
    return DatasetName(f"{system}://{region.lower().replace('_', '-')}", _present(name))


def _pubsub(kind: str, project: str, name: str) -> DatasetName:
    return DatasetName("pubsub", f"{kind}:{_present(project)}:{_present(name).rpartition('/')[2]}")


def _azure_host(namespace: str) -> str:
    host = authority(_present(namespace)).partition(":")[0]
    return f"{host}.servicebus.windows.net" if _AZURE_NAME.fullmatch(host) else host


def _present(text: str) -> str:
    if not text.strip():
        raise CannotTell("a part of the name is missing")
    return text.strip()
