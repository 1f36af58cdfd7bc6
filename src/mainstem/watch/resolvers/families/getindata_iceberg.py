"""GetInData's Iceberg sink: a table for each topic, its name made of the topic's."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.watch.resolvers.column_rules import SAME_NAMES
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.iceberg_tables import CATALOG_KEYS, table_of
from mainstem.watch.resolvers.model import Family, Reads
from mainstem.watch.resolvers.sinks import SinkTopic, resolve_sink

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution, Symlink
    from mainstem.watch.transforms.settings import Settings

NAME = "GetInData Iceberg"
_CATALOG = "iceberg."
_SNAKE_CASE = "table.snake-case"


def resolve(connector: Connector) -> Resolution:
    """Each topic to the table of its name, behind the prefix and in the namespace of the config."""
    config = settings_of(connector)
    found: dict[DatasetName, tuple[Symlink, ...]] = {}

    def target(topic: SinkTopic) -> DatasetName:
        table = table_of(config, _name(config, topic.name), catalog_keys=_CATALOG)
        found[table.dataset] = table.symlinks
        return table.dataset

    told = resolve_sink(connector, NAME, target)
    return replace(told, symlinks=found)


def _name(config: Settings, topic: str) -> str:
    if config.flag(_SNAKE_CASE, default=False) and not topic.islower():
        raise CannotTell(f"{_SNAKE_CASE} spells the topic's name in another way")
    table = topic.replace(".", "_").replace("-", "_")
    return f"{config.text('table.namespace', 'default')}.{config.text('table.prefix', '')}{table}"


RESOLVER = Family(
    name=NAME,
    classes=("com.getindata.kafka.connect.iceberg.sink.IcebergSink",),
    reads=Reads(
        names=(
            *(f"{_CATALOG}{key}" for key in CATALOG_KEYS),
            "table.namespace",
            "table.prefix",
            _SNAKE_CASE,
        )
    ),
    resolve=resolve,
    columns=SAME_NAMES,
)
