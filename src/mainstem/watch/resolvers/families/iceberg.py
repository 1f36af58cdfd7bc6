"""The Iceberg sink (Apache, Tabular, Databricks): static tables, routed tables, dynamic tables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.errors import CannotTell
from mainstem.watch.resolvers import iceberg_tables
from mainstem.watch.resolvers.column_rules import SAME_NAMES
from mainstem.watch.resolvers.facts import control_topic, settings_of
from mainstem.watch.resolvers.iceberg_tables import Table, table_of
from mainstem.watch.resolvers.model import Family, Reads
from mainstem.watch.resolvers.sinks import SinkTopic, resolve_sink
from mainstem.watch.transforms.chain import chain_of
from mainstem.watch.transforms.java_regex import matches

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution, Symlink
    from mainstem.watch.transforms.settings import Settings

NAME = "Iceberg"
_ROUTE = re.compile(r"iceberg\.table\.(.+)\.route-regex")
_BY_DATA = "a field of each record chooses its table"


def resolve(connector: Connector) -> Resolution:
    """Topics to tables where the config alone decides; tables without edges where data do."""
    config = settings_of(connector)
    found: dict[DatasetName, tuple[Symlink, ...]] = {}

    def target(topic: SinkTopic) -> list[DatasetName]:
        tables = [table_of(config, name) for name in _tables_of(config, topic)]
        found.update({table.dataset: table.symlinks for table in tables})
        return [table.dataset for table in tables]

    control = control_topic(
        connector, config.text("iceberg.control.topic", "control-iceberg"), "iceberg-control"
    )
    told = resolve_sink(connector, NAME, target, control=(control,))
    named = _listed(config)
    found.update({table.dataset: table.symlinks for table in named})
    outputs = dict.fromkeys([*told.outputs, *(table.dataset for table in named)])
    return replace(told, outputs=tuple(outputs), symlinks=found)


# apache/iceberg: SinkWriter.java of kafka-connect
def _names(config: Settings) -> tuple[str, ...]:
    """The tables that records can reach: by a field's value, only those that have a route."""
    listed = config.names("iceberg.tables")
    if listed and config.first("iceberg.tables.route-field") is None:
        return listed
    routed = dict.fromkeys(found[1] for key in config if (found := _ROUTE.fullmatch(key)))
    return tuple(name for name in listed if name in routed) if listed else tuple(routed)


def _tables_of(config: Settings, topic: SinkTopic) -> tuple[str, ...]:
    tables = _names(config)
    field = config.first("iceberg.tables.route-field")
    dynamic = config.flag("iceberg.tables.dynamic-enabled", default=False)
    if field is None and not dynamic:
        config.required("iceberg.tables")
        return tables
    value = _topic_as_field(config, topic, field or "")
    if dynamic:
        if value is None:
            raise CannotTell(_BY_DATA)
        return (value.lower(),)
    if not tables:
        raise CannotTell("the config gives no table a route")
    if value is not None:
        return tuple(name for name in tables if matches(_route(config, name), value))
    # A single topic can only be the source of every table, and a single table the target of all.
    if len(tables) == 1 or len(config.names("topics")) == 1:
        return tables
    raise CannotTell(_BY_DATA)


def _listed(config: Settings) -> list[Table]:
    """The tables that are written whatever the records hold."""
    if config.flag("iceberg.tables.dynamic-enabled", default=False):
        return []
    try:
        return [table_of(config, name) for name in _names(config)]
    except CannotTell:
        return []


def _route(config: Settings, table: str) -> str:
    return config.required(f"iceberg.table.{table}.route-regex")


def _topic_as_field(config: Settings, topic: SinkTopic, field: str) -> str | None:
    """The routing field's value, where an InsertField before it holds the topic's name there."""
    chain = chain_of(config)
    name = topic.topic
    for step, (_, after) in zip(chain.steps, chain.route(name).after_steps, strict=True):
        inserted = step.options.settings.first("topic.field") or ""
        # A name may end in "!" or "?", which say whether the field is required.
        if step.kind == "InsertField$Value" and inserted.rstrip("!?") == field:
            return name if step.applies(name) else None
        name = after if isinstance(after, str) else name
    return None


RESOLVER = Family(
    name=NAME,
    classes=(
        "org.apache.iceberg.connect.IcebergSinkConnector",
        "io.tabular.iceberg.connect.IcebergSinkConnector",
    ),
    reads=Reads(
        names=(
            *iceberg_tables.READS,
            "iceberg.control.topic",
            "iceberg.tables",
            "iceberg.tables.dynamic-enabled",
            "iceberg.tables.route-field",
        ),
        patterns=(_ROUTE.pattern,),
    ),
    resolve=resolve,
    # apache/iceberg: RecordConverter.java of kafka-connect
    columns=SAME_NAMES,
)
