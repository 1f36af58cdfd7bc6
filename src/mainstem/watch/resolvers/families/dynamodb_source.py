"""DynamoDB sources: Confluent's managed change capture, and Trustpilot's."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names import cloud
from mainstem.watch.resolvers.column_rules import ColumnRules, ConnectRecord
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Family, Reads
from mainstem.watch.resolvers.sources import Feed, Source, feed_of, resolve_source, source_or_reason

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.record import Node
    from mainstem.watch.transforms.settings import Settings

NAME = "DynamoDB source"
_TRUSTPILOT = "com.trustpilot.connector.dynamodb.DynamoDBSourceConnector"
_TABLES = ("dynamodb.table.includelist", "dynamodb.table.whitelist")
_REGION = ("aws.region", "aws.dynamodb.region")
_ENDPOINT = "dynamodb.service.endpoint"
# trustpilot/kafka-connect-dynamodb: RecordConverter.java; the managed one's records stand in
# vdesabou/kafka-docker-playground: fm-aws-dynamodb-cdc-source.
_TEXTS = (("document",), ("after", "document"), ("before", "document"))


def resolve(connector: Connector) -> Resolution:
    """Each table of the list to the topic of its name behind the prefix."""
    config = settings_of(connector)
    source = source_or_reason(lambda: Source(feeds=tuple(_feeds(config))))
    return resolve_source(connector, NAME, source)


def _feeds(config: Settings) -> list[Feed]:
    tables = config.names(*_TABLES)
    if not tables:
        raise CannotTell("the tables are found by their tags, and no list names them")
    default = "dynamodb-" if config["connector.class"] == _TRUSTPILOT else ""
    prefix = config.text("kafka.topic.prefix", default)
    return [feed_of(prefix + table, partial(_table, config, table)) for table in tables]


def _table(config: Settings, table: str) -> DatasetName:
    endpoint = config.first(_ENDPOINT)
    region = cloud.region_of(endpoint) if endpoint else None
    return cloud.dynamodb(region or config.required(*_REGION), table)


def _columns(record: ConnectRecord) -> Iterable[Node]:
    """The attributes of the table's key, which stand in the key and in the text of the item.

    What else the item holds no schema tells.
    """
    texts = [text for path in _TEXTS if (text := _at(record.value, path))]
    if not texts:
        raise CannotTell("the value is no envelope with the item as a text")
    if record.key is None or not record.key.is_record:
        raise CannotTell("the item is one text, and no schema of a key tells its attributes")
    within = tuple(one for text in texts for one in text.marked("TRANSFORMATION").origins)
    return [attribute.also_from(within) for attribute in record.key.fields]


def _at(node: Node | None, path: tuple[str, ...]) -> Node | None:
    for name in path:
        node = node.child(name) if node else None
    return node


RESOLVER = Family(
    NAME,
    ("DynamoDbCdcSource", _TRUSTPILOT),
    Reads(names=(*_TABLES, *_REGION, _ENDPOINT, "kafka.topic.prefix")),
    resolve,
    ColumnRules(read=_columns),
)
