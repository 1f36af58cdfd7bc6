"""FileStream: lines of one local file, as they come with Apache Kafka."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names.files import local_file
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Direction, Family, Reads
from mainstem.watch.resolvers.sinks import resolve_sink
from mainstem.watch.resolvers.sources import Source, feed_of, resolve_source

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.settings import Settings

NAME = "FileStream"


def resolve(connector: Connector) -> Resolution:
    """One file to one topic, or every topic into one file."""
    config = settings_of(connector)
    if connector.direction is Direction.SINK:
        return resolve_sink(connector, NAME, lambda _topic: _file(config))
    feed = feed_of(config.required("topic"), lambda: _file(config))
    return resolve_source(connector, NAME, Source(feeds=(feed,)))


def _file(config: Settings) -> DatasetName:
    path = config.first("file")
    if path is None:
        raise CannotTell("without file, the worker's standard input or output is used")
    return local_file(path)


RESOLVER = Family(
    name=NAME,
    classes=(
        "org.apache.kafka.connect.file.FileStreamSourceConnector",
        "org.apache.kafka.connect.file.FileStreamSinkConnector",
    ),
    reads=Reads(names=("file", "topic")),
    resolve=resolve,
)
