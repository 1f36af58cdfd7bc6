"""Confluent's managed Snowflake source: tables polled, one topic each."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mainstem.names import cloud
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Family, Reads
from mainstem.watch.resolvers.name_lists import NameLists, split_patterns
from mainstem.watch.resolvers.sources import (
    Source,
    Stranger,
    feed_of,
    resolve_source,
    source_or_reason,
)

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.settings import Settings

NAME = "Snowflake source"
_PARTS = 3
_OPEN = "tables: the lists do not spell out every table; the topics seen would tell"


def resolve(connector: Connector) -> Resolution:
    """Each table of the lists to the topic of its qualified name behind the prefix."""
    config = settings_of(connector)
    return resolve_source(connector, NAME, source_or_reason(lambda: _source(config)))


def _source(config: Settings) -> Source:
    prefix = config.text("topic.prefix", "")
    lists = NameLists(
        split_patterns(config.first("table.include.list")),
        split_patterns(config.first("table.exclude.list")),
    )

    def input_of(topic: str) -> DatasetName | Stranger:
        table = topic.removeprefix(prefix)
        if not topic.startswith(prefix) or table.count(".") != _PARTS - 1:
            return Stranger.FOREIGN
        return _dataset(config, table) if lists.allows(table) else Stranger.EXCLUDED

    qualified = [name for name in lists.exact if name.count(".") == _PARTS - 1]
    return Source(
        feeds=tuple(feed_of(prefix + name, partial(_dataset, config, name)) for name in qualified),
        input_of=input_of,
        unresolved=() if lists.complete else (_OPEN,),
    )


def _dataset(config: Settings, qualified: str) -> DatasetName:
    database, schema, table = qualified.split(".")
    return cloud.snowflake(config.required("connection.url"), database, schema, table)


RESOLVER = Family(
    name=NAME,
    classes=("SnowflakeSource",),
    reads=Reads(
        names=("connection.url", "table.include.list", "table.exclude.list", "topic.prefix")
    ),
    resolve=resolve,
)
