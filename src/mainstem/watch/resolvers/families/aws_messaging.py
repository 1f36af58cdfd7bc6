"""Kinesis, Firehose, SQS, SNS and Lambda: one stream, queue or function per connector."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names import messaging
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family

if TYPE_CHECKING:
    from collections.abc import Callable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.settings import Settings

_REGIONS = ("kinesis.region", "sqs.region", "aws.lambda.region", "aws.region", "region")
_THINGS: tuple[tuple[tuple[str, ...], Callable[[str, str | None], DatasetName]], ...] = (
    (("kinesis.stream", "streamName"), messaging.kinesis_stream),
    (("deliveryStream",), messaging.firehose_stream),
    (("sqs.url", "sqs.queue.url"), messaging.sqs_queue),
    (("sns.topic.arn", "aws.sns.topic.arn"), messaging.sns_topic),
    (("aws.lambda.function.name", "aws.lambda.function.arn"), messaging.lambda_function),
)


def _thing(config: Settings) -> DatasetName:
    for keys, named in _THINGS:
        if name := config.first(*keys):
            return named(name, config.first(*_REGIONS))
    raise CannotTell("the config names no stream, queue, topic or function")


def _written(config: Settings, _topic: SinkTopic) -> DatasetName:
    return _thing(config)


RESOLVER = endpoint_family(
    "AWS messaging",
    classes=(
        "io.confluent.connect.kinesis.KinesisSourceConnector",
        "KinesisSource",
        "com.github.jcustenborder.kafka.connect.kinesis.KinesisSourceConnector",
        "com.amazon.kinesis.kafka.AmazonKinesisSinkConnector",
        "com.amazon.kinesis.kafka.FirehoseSinkConnector",
        "io.confluent.connect.sqs.source.SqsSourceConnector",
        "SqsSource",
        "com.nordstrom.kafka.connect.sqs.SqsSourceConnector",
        "com.nordstrom.kafka.connect.sqs.SqsSinkConnector",
        "io.confluent.connect.aws.lambda.AwsLambdaSinkConnector",
        "LambdaSink",
        "com.nordstrom.kafka.connect.lambda.LambdaSinkConnector",
    ),
    reads=(*_REGIONS, *(key for keys, _ in _THINGS for key in keys)),
    endpoint=Endpoint(read_from=_thing, written_to=_written, topic_keys=("kafka.topic", "topics")),
)
