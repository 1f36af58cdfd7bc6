"""Lenses' FTP source, which has no KCQL: files of a server, each pattern of paths to its topic."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mainstem.names.files import remote_file
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Family, Reads
from mainstem.watch.resolvers.sources import Source, feed_of, resolve_source, source_or_reason
from mainstem.watch.resolvers.topic_maps import pairs

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.settings import Settings

NAME = "Lenses FTP"
_ADDRESS = "connect.ftp.address"
_MONITORED = ("connect.ftp.monitor.tail", "connect.ftp.monitor.update")


def resolve(connector: Connector) -> Resolution:
    """Each path that is watched, for new lines or for changes, to the topic behind its colon."""
    config = settings_of(connector)
    return resolve_source(connector, NAME, source_or_reason(lambda: _source(config)))


def _source(config: Settings) -> Source:
    config.required(*_MONITORED)
    watched = [pair for key in _MONITORED for pair in pairs(config, key)]
    return Source(
        feeds=tuple(feed_of(topic, partial(_files, config, path)) for path, topic in watched)
    )


def _files(config: Settings, path: str) -> DatasetName:
    return remote_file(f"ftp://{config.required(_ADDRESS)}", path)


_CLASSES = ("streamreactor.connect.ftp.source.FtpSourceConnector",)

RESOLVER = Family(
    name=NAME,
    classes=tuple(
        f"{vendor}.{name}" for vendor in ("io.lenses", "com.datamountaineer") for name in _CLASSES
    ),
    reads=Reads(names=(_ADDRESS, *_MONITORED)),
    resolve=resolve,
)
