"""JDBC sinks: a topic into a table; Confluent's, Aiven's, Debezium's, the managed ones, forks."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.watch.resolvers.column_rules import ColumnRules, ConnectRecord
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.jdbc import database, targets
from mainstem.watch.resolvers.jdbc.columns import (
    CONFLUENTS_READS,
    DEBEZIUMS_READS,
    confluents_columns,
    debeziums_columns,
)
from mainstem.watch.resolvers.jdbc.database import MANAGED_SYSTEMS, database_of
from mainstem.watch.resolvers.jdbc.targets import column_spelling, is_debeziums, table_of
from mainstem.watch.resolvers.model import ColumnEdge, Family, Reads
from mainstem.watch.resolvers.record_columns import written_columns
from mainstem.watch.resolvers.sinks import SinkTopic, resolve_sink
from mainstem.watch.transforms.chain import chain_of

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.record import Node
    from mainstem.watch.transforms.settings import Settings

NAME = "JDBC sink"
_WITH_ARRAYS = "postgres"


def resolve(connector: Connector) -> Resolution:
    """Every topic to the table that the format makes of its name."""
    config = settings_of(connector)
    place = cache(lambda: database_of(config))
    notes: dict[str, None] = {}

    def target(topic: SinkTopic) -> DatasetName:
        parts = table_of(config, place(), topic.name)
        if assumption := place().assumption(*parts):
            notes[assumption] = None
        return place().dataset(*parts)

    told = resolve_sink(connector, NAME, target)
    columns = _listed_columns(connector, config, told)
    return replace(told, columns=columns, notes=tuple(notes)) if columns or notes else told


def _columns(record: ConnectRecord) -> list[Node]:
    """The columns of a topic whose schema is known."""
    config = record.config
    place = database_of(config)
    if is_debeziums(config):
        columns = debeziums_columns(record)
    else:
        columns = confluents_columns(record, takes_arrays=place.system == _WITH_ARRAYS)
    fold = column_spelling(config, place)
    return [column.named(fold(column.name)) for column in columns]


def _listed_columns(
    connector: Connector, config: Settings, told: Resolution
) -> tuple[ColumnEdge, ...]:
    """Without a schema, the columns that the config spells out."""
    fields = () if is_debeziums(config) else _written_fields(config)
    if not fields:
        return ()
    chain = chain_of(config)
    return tuple(
        column
        for edge in told.edges
        if edge.input.name not in connector.fields
        for column in written_columns(chain, edge.input.name, edge.input, edge.output, fields)
    )


def _written_fields(config: Settings) -> tuple[str, ...]:
    """The columns that the config spells out and that come from the value."""
    listed = config.names("fields.whitelist")
    from_value = config.text("pk.mode", "none").lower() == "record_value"
    keys = config.names("pk.fields") if from_value else ()
    return tuple(dict.fromkeys([*keys, *listed]))


RESOLVER = Family(
    name=NAME,
    classes=(
        "io.confluent.connect.jdbc.JdbcSinkConnector",
        "io.aiven.connect.jdbc.JdbcSinkConnector",
        "io.debezium.connector.jdbc.JdbcSinkConnector",
        *(f"{system}Sink" for system in MANAGED_SYSTEMS),
    ),
    reads=Reads(names=(*database.READS, *targets.READS, *CONFLUENTS_READS, *DEBEZIUMS_READS)),
    resolve=resolve,
    columns=ColumnRules(written=_columns),
)
