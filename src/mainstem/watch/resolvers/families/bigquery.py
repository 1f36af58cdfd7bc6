"""BigQuery sinks: WePay's 1.x and 2.x, which Confluent, Aiven and Google carry on, and managed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.errors import CannotTell
from mainstem.names import cloud
from mainstem.watch.resolvers.column_rules import ColumnRules, ConnectRecord, place_columns
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Family, Reads
from mainstem.watch.resolvers.sinks import SinkTopic, resolve_sink
from mainstem.watch.resolvers.topic_maps import by_name, by_regex, pairs
from mainstem.watch.transforms.record import STRUCT, Node

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.settings import Settings

NAME = "BigQuery"
_MANAGED = ("BigQuerySink", "BigQueryStorageSink")
_DATASET = ("defaultDataset", "datasets")
_PLACE = ("topic", "partition", "offset")
_COLUMN_KEYS = (
    "includeKafkaData",
    "kafkaDataFieldName",
    "kafkaKeyFieldName",
    "sanitizeFieldNames",
    "sanitize.field.names",
)
_TABLE_MAP = ("topic2TableMap", "topic2table.map")


def resolve(connector: Connector) -> Resolution:
    """Each topic to the table that its name, a map or a pattern makes."""
    config = settings_of(connector)
    return resolve_sink(connector, NAME, lambda topic: _table(config, topic))


def _table(config: Settings, topic: SinkTopic) -> DatasetName:
    project = config.required("project")
    own_dataset, table = _dataset_and_table(config, topic.name)
    dataset = own_dataset or _default_dataset(config, topic)
    return cloud.bigquery(project, dataset, table)


def _dataset_and_table(config: Settings, topic: str) -> tuple[str | None, str]:
    mapped = pairs(config, *_TABLE_MAP)
    if mapped:
        # A map switches sanitising off, also for the topics that it does not name.
        dataset, _, table = (by_name(mapped, topic) or topic).rpartition(":")
        return dataset or None, table
    legacy = by_regex(pairs(config, "topicsToTables", separator="="), topic, fill_groups=True)
    dataset, _, table = (legacy or topic).rpartition(":")
    return dataset or None, _sanitised(table) if _sanitises(config) else table


def _default_dataset(config: Settings, topic: SinkTopic) -> str:
    # Up to 1.x datasets is a list of regex=dataset, and later configs carry that form on.
    if "=" not in config.required(*_DATASET):
        return config.required(*_DATASET)
    patterns = pairs(config, *_DATASET, separator="=")
    found = by_regex(patterns, topic.name) or by_regex(patterns, topic.topic)
    if found is None:
        raise CannotTell("no pattern for the dataset matches the topic")
    return found


def _sanitises(config: Settings) -> bool:
    managed = config["connector.class"] in _MANAGED
    key = "sanitize.topics" if config.first("sanitize.topics") else "sanitizeTopics"
    return config.flag(key, default=managed)


def _sanitised(name: str) -> str:
    clean = re.sub(r"[^a-zA-Z0-9_]", "_", name)
    return clean if re.match(r"[a-zA-Z_]", clean) else f"_{clean}"


# confluentinc/kafka-connect-bigquery: SchemaManager.java, KafkaDataBuilder.java,
# FieldNameSanitizer.java
def _columns(record: ConnectRecord) -> Iterable[Node]:
    """The fields of the value, and a record each for key and place where the config asks so."""
    config = record.config
    columns = list(record.value.fields)
    key_name, data_name = config.first("kafkaKeyFieldName"), config.first("kafkaDataFieldName")
    if key_name and record.key and record.key.is_record:
        columns.append(record.key.named(key_name))
    if data_name or config.flag("includeKafkaData", default=False):
        place = (*place_columns(_PLACE), Node("insertTime", "timestamp"))
        columns.append(Node(data_name or "kafkaData", STRUCT, (), place))
    return map(_renamed, columns) if _sanitises_fields(config) else columns


def _sanitises_fields(config: Settings) -> bool:
    return config.flag("sanitizeFieldNames", default=False) or config.flag(
        "sanitize.field.names", default=False
    )


def _renamed(node: Node) -> Node:
    return replace(node, name=_sanitised(node.name), fields=tuple(map(_renamed, node.fields)))


RESOLVER = Family(
    name=NAME,
    classes=(
        "com.wepay.kafka.connect.bigquery.BigQuerySinkConnector",
        "io.aiven.kafka.connect.bigquery.BigQuerySinkConnector",
        *_MANAGED,
    ),
    reads=Reads(
        names=(
            "project",
            *_DATASET,
            "topicsToTables",
            *_TABLE_MAP,
            *_COLUMN_KEYS,
            "sanitizeTopics",
            "sanitize.topics",
        )
    ),
    resolve=resolve,
    columns=ColumnRules(written=_columns),
)
