"""FilePulse: files of a local folder, a bucket or an SFTP server, filtered on their way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names import files
from mainstem.watch.resolvers.endpoints import Endpoint, source_feeds
from mainstem.watch.resolvers.facts import control_topic, settings_of
from mainstem.watch.resolvers.model import Family, Reads
from mainstem.watch.resolvers.sources import Feed, Source, resolve_source
from mainstem.watch.transforms.model import Unpredictable

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.settings import Settings

NAME = "FilePulse"
_STATUS_KEYS = ("tasks.file.status.storage.topic", "internal.kafka.reporter.topic")


def resolve(connector: Connector) -> Resolution:
    """One folder or prefix to one topic, unless a filter sets each record's topic."""
    config = settings_of(connector)
    feeds = source_feeds(config, Endpoint(read_from=_listed, topic_keys=("topic",)))
    if any(key.startswith("filters.") and value == "$topic" for key, value in config.items()):
        chosen = Unpredictable("a filter chooses the topic of each record")
        feeds = tuple(Feed(chosen, feed.inputs, feed.missing) for feed in feeds)
    status = config.first(*_STATUS_KEYS) or "connect-file-pulse-status"
    control = (control_topic(connector, status, "status"),)
    return resolve_source(connector, NAME, Source(feeds=feeds, control=control))


def _listed(config: Settings) -> DatasetName:
    listing = config.text("fs.listing.class", "").rpartition(".")[2]
    if listing.startswith("AmazonS3"):
        return files.s3(
            config.required("aws.s3.bucket.name"), _prefix(config, "aws.s3.bucket.prefix")
        )
    if listing.startswith("Gcs"):
        return files.gcs(
            config.required("gcs.bucket.name"), _prefix(config, "gcs.blobs.filter.prefix")
        )
    if listing.startswith("AzureBlob"):
        container = config.required("azure.storage.container.name")
        account = config.required("azure.storage.account.name")
        return files.azure_blob(container, account, _prefix(config, "azure.storage.blob.prefix"))
    if listing.startswith("Sftp"):
        path = config.required("sftp.listing.directory.path")
        return files.remote_file(config.required("sftp.listing.host"), path.rstrip("/") or "/")
    if listing and not listing.startswith("LocalFS"):
        raise CannotTell("the kind of file system that fs.listing.class names is not known")
    path = config.required("fs.listing.directory.path", "fs.scan.directory.path")
    return files.local_file(path.rstrip("/") or "/")


def _prefix(config: Settings, key: str) -> str:
    return config.first(key) or ""


RESOLVER = Family(
    name=NAME,
    classes=("io.streamthoughts.kafka.connect.filepulse.source.FilePulseSourceConnector",),
    reads=Reads(
        names=(
            *_STATUS_KEYS,
            "aws.s3.bucket.name",
            "aws.s3.bucket.prefix",
            "azure.storage.account.name",
            "azure.storage.blob.prefix",
            "azure.storage.container.name",
            "fs.listing.class",
            "fs.listing.directory.path",
            "fs.scan.directory.path",
            "gcs.blobs.filter.prefix",
            "gcs.bucket.name",
            "sftp.listing.directory.path",
            "sftp.listing.host",
            "topic",
        ),
        patterns=(r"filters\.[^.]+\.field",),
    ),
    resolve=resolve,
)
