"""Confluent's DynamoDB sink, self-hosted and managed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.names import cloud
from mainstem.watch.resolvers.column_rules import ColumnRules, ConnectRecord, as_one_column
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family
from mainstem.watch.resolvers.table_templates import filled_template
from mainstem.watch.transforms.record import Node, Origin

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.settings import Settings

_KEYS = (("aws.dynamodb.pk.hash", "partition"), ("aws.dynamodb.pk.sort", "offset"))
_ENDPOINT = "aws.dynamodb.endpoint"


def _table(config: Settings, topic: SinkTopic) -> DatasetName:
    endpoint = config.first(_ENDPOINT)
    region = cloud.region_of(endpoint) if endpoint else None
    return cloud.dynamodb(
        region or config.required("aws.dynamodb.region"),
        filled_template(config, "table.name.format", topic.name),
    )


# vdesabou/kafka-docker-playground shows the default keys: README of connect-aws-dynamodb-sink.
def _columns(record: ConnectRecord) -> Iterable[Node]:
    """The attributes of the table's key, each by its reference, then the fields of the value."""
    wanted = (record.config.get(key, default) for key, default in _KEYS)
    keys = {node.name: node for one in wanted if one and (node := _referred(record, one))}
    others = (field for field in record.value.fields if field.name not in keys)
    return (*keys.values(), *others)


def _referred(record: ConnectRecord, reference: str) -> Node | None:
    """What ``partition``, ``offset``, ``key.path`` or ``value.path``, and ``:alias``, means."""
    path, _, alias = reference.partition(":")
    first, *names = path.split(".")
    if first in {"partition", "offset"}:
        return Node(alias or first, "", (Origin(f"${first}"),))
    node = record.key if first == "key" else record.value
    for name in names:
        node = node.child(name) if node else None
    return as_one_column(node).named(alias or path.rpartition(".")[2]) if node else None


RESOLVER = endpoint_family(
    "DynamoDB sink",
    ("io.confluent.connect.aws.dynamodb.DynamoDbSinkConnector", "DynamoDbSink"),
    (
        "aws.dynamodb.region",
        _ENDPOINT,
        "table.name.format",
        *(key for key, _ in _KEYS),
    ),
    Endpoint(written_to=_table),
    columns=ColumnRules(written=_columns),
)
