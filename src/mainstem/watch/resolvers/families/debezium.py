"""Debezium's connectors for relational databases, self-hosted and managed, from 1.x to 3.x."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names.servers import on_server
from mainstem.watch.resolvers.debezium import control, tables, topics
from mainstem.watch.resolvers.debezium.control import control_topics
from mainstem.watch.resolvers.debezium.tables import Table, TableLists, table_lists
from mainstem.watch.resolvers.debezium.topics import TopicNames, topic_names
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Family, Reads
from mainstem.watch.resolvers.sources import Source, Stranger, feed_of, resolve_source
from mainstem.watch.transforms import timescale_db
from mainstem.watch.transforms.chain import chain_of

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.settings import Settings

NAME = "Debezium"


@dataclass(frozen=True, slots=True)
class Flavour:
    """How one database differs from the others."""

    system: str
    classes: tuple[str, ...]
    has_schemas: bool = True
    """Whether tables lie in schemas of one database, or right in one of several databases."""

    database_keys: tuple[str, ...] = ("database.dbname",)
    """Where the database's name stands, for systems with schemas."""

    database_in_topic: str | None = None
    """The key that lists several databases, whose names are then a part of the topics'."""

    records_schema_changes: bool = True


FLAVOURS: tuple[Flavour, ...] = (
    Flavour(
        system="postgres",
        classes=(
            "io.debezium.connector.postgresql.PostgresConnector",
            "PostgresCdcSource",
            "PostgresCdcSourceV2",
        ),
        records_schema_changes=False,
    ),
    Flavour(
        system="mysql",
        classes=(
            "io.debezium.connector.mysql.MySqlConnector",
            "MySqlCdcSource",
            "MySqlCdcSourceV2",
        ),
        has_schemas=False,
    ),
    Flavour(
        system="mariadb",
        classes=("io.debezium.connector.mariadb.MariaDbConnector", "MariaDbCdcSource"),
        has_schemas=False,
    ),
    Flavour(
        system="sqlserver",
        classes=(
            "io.debezium.connector.sqlserver.SqlServerConnector",
            "SqlServerCdcSource",
            "SqlServerCdcSourceV2",
        ),
        database_in_topic="database.names",
    ),
    Flavour(
        system="oracle",
        classes=(
            "io.debezium.connector.oracle.OracleConnector",
            "io.confluent.connect.oracle.xstream.cdc.OracleXStreamSourceConnector",
            "OracleXStreamSource",
        ),
        database_keys=("database.pdb.name", "database.dbname"),
    ),
    Flavour(system="db2", classes=("io.debezium.connector.db2.Db2Connector",)),
    Flavour(system="informix", classes=("io.debezium.connector.informix.InformixConnector",)),
)
_BY_CLASS = {name.rpartition(".")[2]: one for one in FLAVOURS for name in one.classes}


def resolve(connector: Connector) -> Resolution:
    """Each captured table to the topic that the naming strategy makes of it."""
    config = settings_of(connector)
    flavour = _flavour(config)
    databases = config.names(flavour.database_in_topic) if flavour.database_in_topic else ()
    lists = table_lists(
        config,
        tables="table",
        qualifiers="schema" if flavour.has_schemas else "database",
        databases=databases,
    )
    names = topic_names(config, default_strategy="Schema" if flavour.has_schemas else "Default")
    words = lists.words(names.prefix)

    def dataset(table: Table) -> DatasetName:
        return _dataset(config, flavour, table)

    def input_of(topic: str) -> DatasetName | Stranger:
        table = _hypertable(config, topic) or _table_of(topic, names, lists, words)
        return table if isinstance(table, Stranger) else dataset(table)

    source = Source(
        feeds=tuple(
            feed_of(names.of_table(table), partial(dataset, table)) for table in lists.exact
        ),
        input_of=input_of,
        words=words,
        control=control_topics(
            connector, config, names.prefix, schema_changes=flavour.records_schema_changes
        ),
        unresolved=() if lists.all_known else (_OPEN,),
    )
    return resolve_source(connector, NAME, source)


_OPEN = "tables: the lists do not spell out every table; the topics seen would tell"


def _table_of(
    topic: str, names: TopicNames, lists: TableLists, words: tuple[str, ...]
) -> Table | Stranger:
    found = names.tables_of(topic, bool(lists.databases), words)
    allowed = [table for table in found if lists.allows(table)]
    if len(allowed) == 1:
        return allowed[0]
    return Stranger.EXCLUDED if found and not allowed else Stranger.FOREIGN


def _hypertable(config: Settings, topic: str) -> Table | None:
    """The hypertable that TimescaleDb's transform names; its chunks are what is captured."""
    for step in chain_of(config).steps:
        if step.transform is timescale_db.TRANSFORM:
            start = f"{timescale_db.topic_prefix(step.options)}."
            schema, _, table = topic.removeprefix(start).partition(".")
            return Table(schema, table) if topic.startswith(start) and table else None
    return None


def _dataset(config: Settings, flavour: Flavour, table: Table) -> DatasetName:
    host = config.required("database.hostname")
    port = config.first("database.port")
    server = f"{host}:{port}" if port else host
    if not flavour.has_schemas:
        return on_server(flavour.system, server, table.qualifier, table.name)
    database = table.database or config.required(*flavour.database_keys)
    return on_server(flavour.system, server, database, table.qualifier, table.name)


def _flavour(config: Settings) -> Flavour:
    simple_name = config["connector.class"].rpartition(".")[2]
    flavour = _BY_CLASS.get(simple_name) or _BY_CLASS.get(f"{simple_name}Connector")
    if flavour is None:
        raise CannotTell("this class is none of Debezium's relational connectors")
    return flavour


RESOLVER = Family(
    name=NAME,
    classes=tuple(name for flavour in FLAVOURS for name in flavour.classes),
    reads=Reads(
        names=(
            "database.hostname",
            "database.port",
            "database.dbname",
            "database.names",
            "database.pdb.name",
            *tables.LIST_READS,
            *topics.READS,
            *control.READS,
        )
    ),
    resolve=resolve,
)
