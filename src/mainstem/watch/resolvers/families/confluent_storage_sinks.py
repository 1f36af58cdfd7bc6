"""Confluent's sinks for S3, GCS, Azure, HDFS, SFTP and FTPS: ``{topics.dir}/{topic}``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.errors import CannotTell
from mainstem.names.files import join_path
from mainstem.names.lake import in_hive_metastore
from mainstem.watch.resolvers import stores
from mainstem.watch.resolvers.column_rules import ColumnRules, ConnectRecord, value_fields
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Family, Reads, Symlink
from mainstem.watch.resolvers.sinks import SinkTopic, resolve_sink
from mainstem.watch.resolvers.stores import dataset_in_store, topics_dir
from mainstem.watch.transforms.java_regex import matches, replace_first

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.record import Node
    from mainstem.watch.transforms.settings import Settings

NAME = "Confluent storage sinks"
_CAPTURE_GROUPS = "topic.capture.groups.regex"
_GROUP = re.compile(r"\$\{(\d)\}")
_FORMATS = ("format.class", "output.data.format")
_WITHOUT_FIELDS = {"BYTEARRAY", "BYTES", "STRING"}


def resolve(connector: Connector) -> Resolution:
    """Each topic to its own folder; partitioners only divide what lies below it."""
    config = settings_of(connector)
    symlinks: dict[DatasetName, tuple[Symlink, ...]] = {}

    def target(topic: SinkTopic) -> DatasetName:
        output = dataset_in_store(config, join_path(_folder(config, topic.name), topic.name))
        table = _hive_table(config, topic.name)
        if table is not None:
            symlinks[output] = (Symlink(table),)
        return output

    told = resolve_sink(connector, NAME, target)
    return replace(told, symlinks=symlinks)


def _folder(config: Settings, topic: str) -> str:
    folder = topics_dir(config).replace("${topic}", topic)
    groups = config.first(_CAPTURE_GROUPS)
    if groups is not None:
        # It knows no other names than numbers, written as ${1}, where a replacement has $1.
        folder = _filled(folder, groups, topic)
    if "${" in folder:
        raise CannotTell("topics.dir is a template of a kind that is not known")
    return folder


def _filled(folder: str, pattern: str, topic: str) -> str:
    if not matches(pattern, topic):
        raise CannotTell(f"{_CAPTURE_GROUPS} does not match the topic")
    return _GROUP.sub(lambda found: replace_first(pattern, f"${found[1]}", topic), folder)


def _hive_table(config: Settings, topic: str) -> DatasetName | None:
    """What Hive calls the folder, where the connector keeps a table on it up to date."""
    if not config.flag("hive.integration", default=False):
        return None
    template = config.text("hive.table.name", "${topic}")
    table = template.replace("${topic}", topic).replace(".", "_").replace("-", "_")
    database = config.text("hive.database", "default")
    return in_hive_metastore(config.required("hive.metastore.uris"), f"{database}.{table}")


def _columns(record: ConnectRecord) -> Iterable[Node]:
    written_as = record.config.first(*_FORMATS) or ""
    if written_as.rpartition(".")[2].removesuffix("Format").upper() in _WITHOUT_FIELDS:
        raise CannotTell("the files hold values without their fields")
    return value_fields(record)


RESOLVER = Family(
    name=NAME,
    classes=(
        "io.confluent.connect.s3.S3SinkConnector",
        "S3_SINK",
        "io.confluent.connect.gcs.GcsSinkConnector",
        "GcsSink",
        "io.confluent.connect.azure.blob.AzureBlobStorageSinkConnector",
        "AzureBlobSink",
        "io.confluent.connect.azure.datalake.gen1.AzureDataLakeGen1StorageSinkConnector",
        "io.confluent.connect.azure.datalake.gen2.AzureDataLakeGen2SinkConnector",
        "AzureDataLakeGen2Sink",
        "io.confluent.connect.hdfs.HdfsSinkConnector",
        "io.confluent.connect.hdfs3.Hdfs3SinkConnector",
        "io.confluent.connect.sftp.SftpSinkConnector",
        "SftpSink",
        "io.confluent.connect.ftps.FtpsSinkConnector",
    ),
    reads=Reads(
        names=(
            *stores.READS,
            _CAPTURE_GROUPS,
            *_FORMATS,
            "hive.database",
            "hive.integration",
            "hive.metastore.uris",
            "hive.table.name",
        )
    ),
    resolve=resolve,
    columns=ColumnRules(written=_columns),
)
