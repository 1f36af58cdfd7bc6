"""Confluent's DynamoDB sink, self-hosted and managed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.names import cloud
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family
from mainstem.watch.resolvers.table_templates import filled_template

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.settings import Settings

_ENDPOINT = "aws.dynamodb.endpoint"


def _table(config: Settings, topic: SinkTopic) -> DatasetName:
    endpoint = config.first(_ENDPOINT)
    region = cloud.region_of(endpoint) if endpoint else None
    return cloud.dynamodb(
        region or config.required("aws.dynamodb.region"),
        filled_template(config, "table.name.format", topic.name),
    )


RESOLVER = endpoint_family(
    "DynamoDB sink",
    ("io.confluent.connect.aws.dynamodb.DynamoDbSinkConnector", "DynamoDbSink"),
    (
        "aws.dynamodb.region",
        _ENDPOINT,
        "table.name.format",
    ),
    Endpoint(written_to=_table),
)
