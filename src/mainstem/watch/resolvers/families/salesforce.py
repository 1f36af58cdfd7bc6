"""Salesforce: objects, change and platform events, in and out, self-hosted and managed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mainstem.names.servers import on_server
from mainstem.watch.resolvers.column_rules import ColumnRules, ConnectRecord
from mainstem.watch.resolvers.endpoints import topic_of
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Direction, Family, Reads
from mainstem.watch.resolvers.sinks import resolve_sink
from mainstem.watch.resolvers.sources import Feed, Source, feed_of, resolve_source, source_or_reason

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.model import Unpredictable
    from mainstem.watch.transforms.record import Node
    from mainstem.watch.transforms.settings import Settings

NAME = "Salesforce"
# The config definition of the streaming sources, at kafka.topic: on every record of theirs.
_SAID_OF_A_CHANGE = frozenset({"_ObjectType", "_EventType"})
_LOWER_CASE = "kafka.topic.lowercase"
_OBJECT = (
    "salesforce.platform.event.name",
    "salesforce.cdc.channel",
    "salesforce.cdc.name",
    "salesforce.object",
)


def resolve(connector: Connector) -> Resolution:
    """The objects or events of one instance on the one side, topics on the other."""
    config = settings_of(connector)
    if connector.direction is Direction.SINK:
        return resolve_sink(connector, NAME, lambda _topic: _object(config))
    source = source_or_reason(lambda: Source(feeds=tuple(_feeds(config))))
    return resolve_source(connector, NAME, source)


def _feeds(config: Settings) -> list[Feed]:
    several = config.names("sobject.names")
    if not several:
        return [feed_of(_topic(config), partial(_object, config))]
    prefix = config.required("topic.prefix")
    return [feed_of(f"{prefix}.{name}", partial(_object, config, name)) for name in several]


def _topic(config: Settings) -> str | Unpredictable:
    topic = topic_of(config, "kafka.topic")
    folds = config["connector.class"] in _STREAMS and config.flag(_LOWER_CASE, default=True)
    return topic.lower() if folds and isinstance(topic, str) else topic


def _object(config: Settings, name: str | None = None) -> DatasetName:
    # Without an instance the login page picks it by the user, and nothing names it.
    instance = config.required("salesforce.instance")
    return on_server("salesforce", instance, name or config.required(*_OBJECT))


def _columns(record: ConnectRecord) -> Iterable[Node]:
    """The fields of the object or event, which stand beside what the connector says of it.

    ``ReplayId`` is a field of the event (Platform Events Developer Guide). The second version says
    what it knows of a change in headers. Records of each kind that a connector wrote stand in
    vdesabou/kafka-docker-playground: connect-salesforce-sobject-sink, -platform-events-sink,
    fm-salesforce-v2-source.
    """
    return [field for field in record.value.fields if field.name not in _SAID_OF_A_CHANGE]


_STREAMS = (
    "io.confluent.salesforce.SalesforcePushTopicSourceConnector",
    "io.confluent.salesforce.SalesforceCdcSourceConnector",
    "io.confluent.salesforce.SalesforcePlatformEventSourceConnector",
)
RESOLVER = Family(
    name=NAME,
    classes=(
        *_STREAMS,
        "io.confluent.salesforce.SalesforcePlatformEventSinkConnector",
        "io.confluent.salesforce.SalesforceSObjectSinkConnector",
        "io.confluent.connect.salesforce.SalesforceBulkApiSourceConnector",
        "io.confluent.connect.salesforce.SalesforceBulkApiSinkConnector",
        "SalesforceBulkApiV2Source",
        "SalesforceBulkApiV2Sink",
        "SalesforceSourceV2",
    ),
    reads=Reads(
        names=(
            "salesforce.instance",
            *_OBJECT,
            "kafka.topic",
            _LOWER_CASE,
            "sobject.names",
            "topic.prefix",
        )
    ),
    resolve=resolve,
    columns=ColumnRules(read=_columns),
)
