"""Aiven's sinks and sources for S3, GCS and Azure Blob: a prefix and a template of file names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names import files
from mainstem.watch.resolvers.column_rules import ColumnRules, ConnectRecord
from mainstem.watch.resolvers.endpoints import Endpoint, endpoint_family
from mainstem.watch.transforms.record import Node, Origin

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.sinks import SinkTopic
    from mainstem.watch.transforms.settings import Settings

NAME = "Aiven storage"
_FORMAT = "format.output.type"
_FIELDS = "format.output.fields"
_ENVELOPE = "format.output.envelope"
_TEMPLATE = "{{topic}}-{{partition}}-{{start_offset}}"
_TOPIC = re.compile(r"\{\{\s*topic\s*(?::[^}]*)?\}\}|\$\{topic\}")
_VARIABLE = re.compile(r"\{\{|\$\{")
_ACCOUNT = re.compile(r"(?:^|;)AccountName=([a-z0-9]+)(?:;|$)")
_PREFIX_KEYS = (
    "aws.s3.prefix.template",
    "aws.s3.prefix",
    "aws_s3_prefix",
    "azure.blob.prefix",
    "file.name.prefix",
)


def _folder_of_topic(config: Settings, topic: SinkTopic) -> DatasetName:
    prefix = config.first(*_PREFIX_KEYS) or ""
    template = prefix + config.text("file.name.template", _TEMPLATE)
    return _dataset(config, steady_part(template, topic.name))


def steady_part(template: str, topic: str) -> str:
    """What all files of a topic have in common: the name up to the first other variable.

    >>> steady_part("raw/{{topic}}-{{partition:padding=true}}-{{start_offset}}.gz", "orders")
    'raw/orders'
    >>> steady_part("raw/{{topic}}/year={{timestamp:unit=yyyy}}/{{key}}", "orders")
    'raw/orders'
    """
    kept: list[str] = []
    for segment in _TOPIC.sub("\0", template).split("/"):
        steady, *variable = _VARIABLE.split(segment, maxsplit=1)
        if variable:
            if "\0" in steady:
                kept.append(steady.rstrip("-_."))
            break
        kept.append(segment)
    return "/".join(kept).replace("\0", topic)


def _prefix(config: Settings) -> DatasetName:
    prefix = config.first(*_PREFIX_KEYS) or ""
    return _dataset(config, "" if _VARIABLE.search(prefix) else prefix)


def _dataset(config: Settings, path: str) -> DatasetName:
    if bucket := config.first("aws.s3.bucket.name", "aws_s3_bucket"):
        return files.s3(bucket, path)
    if bucket := config.first("gcs.bucket.name"):
        return files.gcs(bucket, path)
    return files.azure_blob(config.required("azure.storage.container.name"), _account(config), path)


def _account(config: Settings) -> str:
    # Only the account's name gets here of a connection string, which is a secret as a whole.
    found = _ACCOUNT.search(config.first("azure.storage.connection.string") or "")
    if found is None:
        raise CannotTell("the connection string names no storage account")
    return found[1]


# Aiven-Open/cloud-storage-connectors-for-apache-kafka: SinkSchemaBuilder.java and its neighbours
def _columns(record: ConnectRecord) -> Iterable[Node]:
    """The parts of each record that the config names, each below its own name."""
    config = record.config
    form = config.text(_FORMAT, "csv").lower()
    if form not in {"json", "jsonl", "avro", "parquet"}:
        raise CannotTell(f"{_FORMAT} {form} writes a value as one text")
    named = tuple(name.lower() for name in config.names(_FIELDS)) or ("value",)
    if named == ("value",) and not config.flag(_ENVELOPE, default=True):
        yield from record.value.fields
        return
    for name in named:
        if name == "value":
            yield record.value.named(name)
        elif name == "key" and record.key is not None:
            yield record.key.named(name)
        elif name in {"offset", "timestamp", "headers"}:
            yield Node(name, "", (Origin(f"${name}"),))


RESOLVER = endpoint_family(
    NAME,
    classes=(
        "io.aiven.kafka.connect.s3.AivenKafkaConnectS3SinkConnector",
        "io.aiven.kafka.connect.s3.source.S3SourceConnector",
        "io.aiven.kafka.connect.s3.S3SourceConnector",
        "io.aiven.kafka.connect.gcs.GcsSinkConnector",
        "io.aiven.kafka.connect.azure.sink.AzureBlobSinkConnector",
        "io.aiven.kafka.connect.azure.source.AzureBlobSourceConnector",
    ),
    reads=(
        *_PREFIX_KEYS,
        "aws.s3.bucket.name",
        "aws_s3_bucket",
        "azure.storage.connection.string",
        "azure.storage.container.name",
        "file.name.template",
        *(_FORMAT, _FIELDS, _ENVELOPE),
        "gcs.bucket.name",
    ),
    endpoint=Endpoint(
        read_from=_prefix,
        written_to=_folder_of_topic,
        topic_keys=("topic",),
    ),
    columns=ColumnRules(written=_columns),
)
