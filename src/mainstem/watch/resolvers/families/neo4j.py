"""Neo4j's connector, with the keys of 5.x and of the old Streams connector, and managed."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from mainstem.names.servers import on_server
from mainstem.watch.resolvers.endpoints import topic_of
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Direction, Family, Reads
from mainstem.watch.resolvers.sinks import resolve_sink
from mainstem.watch.resolvers.sources import Source, feed_of, resolve_source

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.model import Unpredictable
    from mainstem.watch.transforms.settings import Settings

NAME = "Neo4j"
_ADDRESS = ("neo4j.uri", "neo4j.server.uri")
_QUERY_TOPIC = ("neo4j.query.topic", "topic")
_CHANGES = re.compile(
    r"neo4j\.cdc\.topic\.([\w.-]+?)\.(?:patterns(?:\..+)?|key-strategy|value-strategy)"
)


def resolve(connector: Connector) -> Resolution:
    """One graph database on the one side, topics of keys or queries on the other."""
    config = settings_of(connector)
    if connector.direction is Direction.SINK:
        return resolve_sink(connector, NAME, lambda _topic: _database(config))
    feeds = [feed_of(topic, partial(_database, config)) for topic in _topics(config)]
    return resolve_source(connector, NAME, Source(feeds=tuple(feeds)))


def _topics(config: Settings) -> tuple[str | Unpredictable, ...]:
    if config.text("neo4j.source-strategy", "QUERY").upper() == "CDC":
        found = (_CHANGES.fullmatch(key) for key in config)
        return tuple(dict.fromkeys(one[1] for one in found if one))
    return (topic_of(config, *_QUERY_TOPIC),)


def _database(config: Settings) -> DatasetName:
    # Without a database the server picks its home database, which is called neo4j unless changed.
    database = config.text("neo4j.database", "neo4j")
    return on_server("neo4j", config.required(*_ADDRESS), database)


RESOLVER = Family(
    name=NAME,
    classes=(
        "org.neo4j.connectors.kafka.source.Neo4jConnector",
        "org.neo4j.connectors.kafka.sink.Neo4jConnector",
        "streams.kafka.connect.source.Neo4jSourceConnector",
        "streams.kafka.connect.sink.Neo4jSinkConnector",
        "Neo4jSource",
        "Neo4jSink",
    ),
    reads=Reads(
        names=(*_ADDRESS, *_QUERY_TOPIC, "neo4j.database", "neo4j.source-strategy"),
        patterns=(r"neo4j\.cdc\.topic\..+",),
    ),
    resolve=resolve,
)
