"""Confluent's sources for S3, GCS, Azure Blob and HDFS: a backup restored, or files as they are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mainstem.names.files import join_path
from mainstem.watch.resolvers import stores
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Family, Reads
from mainstem.watch.resolvers.sources import Source, feed_of, resolve_source
from mainstem.watch.resolvers.stores import dataset_in_store, topics_dir

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.settings import Settings

NAME = "Confluent storage sources"
_UNKNOWN = "topics: the folders of the backup name them; the topics seen would tell"
# topic:regex,topic:regex, and a regex may hold commas and colons
_TOPIC = re.compile(r"(?:^|,)\s*([A-Za-z0-9._-]+)\s*:")


def resolve(connector: Connector) -> Resolution:
    """Each folder below ``topics.dir`` to the topic of its name, or the topics that are listed."""
    config = settings_of(connector)
    source = _listed_files(config) if _reads_any_file(config) else _backup(config)
    return resolve_source(connector, NAME, source)


def _reads_any_file(config: Settings) -> bool:
    mode = config.text("mode", "").upper()
    return mode == "GENERIC" or (not mode and config.first("topic.regex.list") is not None)


def _listed_files(config: Settings) -> Source:
    topics = _TOPIC.findall(config.required("topic.regex.list"))
    return Source(
        feeds=tuple(
            feed_of(topic, lambda: dataset_in_store(config, topics_dir(config)))
            for topic in dict.fromkeys(topics)
        )
    )


def _backup(config: Settings) -> Source:
    def folder_of(topic: str) -> DatasetName:
        return dataset_in_store(config, join_path(topics_dir(config), topic))

    return Source(input_of=folder_of, unresolved=(_UNKNOWN,))


RESOLVER = Family(
    name=NAME,
    classes=(
        "io.confluent.connect.s3.source.S3SourceConnector",
        "S3Source",
        "io.confluent.connect.gcs.GcsSourceConnector",
        "GcsSource",
        "io.confluent.connect.azure.blob.storage.AzureBlobStorageSourceConnector",
        "AzureBlobSource",
        "io.confluent.connect.hdfs2.Hdfs2SourceConnector",
        "io.confluent.connect.hdfs3.Hdfs3SourceConnector",
    ),
    reads=Reads(names=(*stores.READS, "mode", "topic.regex.list")),
    resolve=resolve,
)
