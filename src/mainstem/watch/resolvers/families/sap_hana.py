"""SAP's own HANA source and sink: a table for each topic, named in the topic's key."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mainstem.names.jdbc import jdbc_dataset
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Direction, Family, Reads
from mainstem.watch.resolvers.sinks import resolve_sink
from mainstem.watch.resolvers.sources import Source, feed_of, resolve_source

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.settings import Settings

NAME = "SAP HANA"


def resolve(connector: Connector) -> Resolution:
    """Each topic from or to the table that its own key names."""
    config = settings_of(connector)
    if connector.direction is Direction.SINK:
        return resolve_sink(connector, NAME, lambda topic: _table(config, topic.name))
    feeds = [feed_of(topic, partial(_table, config, topic)) for topic in config.names("topics")]
    return resolve_source(connector, NAME, Source(feeds=tuple(feeds)))


def _table(config: Settings, topic: str) -> DatasetName:
    name = config.required(f"{topic}.table.name").replace("${topic}", topic)
    return jdbc_dataset(config.required("connection.url"), name.replace('"', ""))


RESOLVER = Family(
    name=NAME,
    classes=(
        "com.sap.kafka.connect.sink.hana.HANASinkConnector",
        "com.sap.kafka.connect.source.hana.HANASourceConnector",
    ),
    reads=Reads(names=("connection.url",), patterns=(r".+\.table\.name",)),
    resolve=resolve,
)
