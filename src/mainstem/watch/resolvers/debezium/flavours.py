"""How the databases that Debezium captures differ from each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.errors import CannotTell
from mainstem.watch.resolvers.debezium import places

if TYPE_CHECKING:
    from collections.abc import Callable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.debezium.tables import Table
    from mainstem.watch.transforms.settings import Settings


class Flavour(Struct, frozen=True):
    """What is particular about one database."""

    classes: tuple[str, ...]
    place: Callable[[Settings, Table], DatasetName]
    """What a captured table is called."""

    qualifier: str = "schema"
    """What tables lie in: ``schema``, ``database`` where there are no schemas, or nothing."""

    tables: str = "table"
    """How the include and exclude lists call what is captured."""

    database_keys: tuple[str, ...] = ()
    """Where the database above the schemas stands, for systems that keep it as the catalog."""

    database_in_topic: str | None = None
    """The key that lists several databases, whose names are then a part of the topics'."""

    prefix_keys: tuple[str, ...] = ("topic.prefix", "database.server.name")
    prefix_is_name: bool = False
    """Whether the connector's own name takes the place of ``topic.prefix``."""

    prefix_is_id: bool = False
    """Whether the id that Confluent Cloud gives the connector does, which no config tells."""

    records_schema_changes: bool = True
    schema_changes_by_default: bool = True
    cells: bool = False
    """Whether a column of a change event is a record, of its value and when it was set."""

    folds_to_upper_case: bool = False
    """Whether the database keeps names in upper case unless they are quoted."""

    @property
    def default_strategy(self) -> str:
        """The naming strategy when the config names none."""
        return "Schema" if self.qualifier == "schema" else "Default"


FLAVOURS: tuple[Flavour, ...] = (
    Flavour(
        classes=(
            "io.debezium.connector.postgresql.PostgresConnector",
            "PostgresCdcSource",
            "PostgresCdcSourceV2",
        ),
        place=places.in_schema("postgres", "database.dbname"),
        records_schema_changes=False,
    ),
    Flavour(
        classes=(
            "io.debezium.connector.yugabytedb.YugabyteDBConnector",
            "io.debezium.connector.yugabytedb.YugabyteDBgRPCConnector",
            "io.debezium.connector.postgresql.YugabyteDBConnector",
        ),
        place=places.in_schema("postgres", "database.dbname", default_port="5433"),
        records_schema_changes=False,
    ),
    Flavour(
        classes=(
            "io.debezium.connector.mysql.MySqlConnector",
            "MySqlCdcSource",
            "MySqlCdcSourceV2",
        ),
        place=places.in_database("mysql"),
        qualifier="database",
    ),
    Flavour(
        classes=(
            "io.debezium.connector.mariadb.MariaDbConnector",
            "MariaDbCdcSource",
        ),
        place=places.in_database("mariadb"),
        qualifier="database",
    ),
    Flavour(
        classes=(
            "io.debezium.connector.sqlserver.SqlServerConnector",
            "SqlServerCdcSource",
            "SqlServerCdcSourceV2",
        ),
        place=places.in_instance("sqlserver", "database.dbname"),
        database_keys=("database.dbname",),
        database_in_topic="database.names",
    ),
    Flavour(
        classes=(
            "io.debezium.connector.oracle.OracleConnector",
            "io.confluent.connect.oracle.xstream.cdc.OracleXStreamSourceConnector",
            "OracleXStreamSource",
        ),
        place=places.in_oracle,
        database_keys=("database.pdb.name", "database.dbname"),
        folds_to_upper_case=True,
    ),
    Flavour(
        classes=("io.debezium.connector.db2.Db2Connector",),
        place=places.in_schema("db2", "database.dbname"),
        database_keys=("database.dbname",),
        folds_to_upper_case=True,
    ),
    Flavour(
        classes=("io.debezium.connector.informix.InformixConnector",),
        place=places.in_schema("informix", "database.dbname"),
        database_keys=("database.dbname",),
    ),
    Flavour(
        classes=("io.debezium.connector.mongodb.MongoDbConnector", "MongoDbCdcSource"),
        place=places.in_mongodb,
        qualifier="database",
        tables="collection",
        prefix_keys=("topic.prefix", "mongodb.name", "database.server.name"),
        records_schema_changes=False,
    ),
    Flavour(
        classes=("io.debezium.connector.vitess.VitessConnector",),
        place=places.in_keyspace("vitess", "database.hostname", "database.port"),
        # Its lists and topics name the keyspace where other databases have their schema.
        schema_changes_by_default=False,
    ),
    Flavour(
        classes=(
            "io.debezium.connector.cassandra.CassandraConnector",
            "io.debezium.connector.cassandra.Cassandra3Connector",
            "io.debezium.connector.cassandra.Cassandra4Connector",
        ),
        place=places.in_keyspace("cassandra", "cassandra.hosts", "cassandra.port"),
        cells=True,
        prefix_keys=("topic.prefix", "kafka.topic.prefix"),
        records_schema_changes=False,
    ),
    Flavour(
        classes=("io.debezium.connector.spanner.SpannerConnector",),
        place=places.in_spanner,
        qualifier="",
        prefix_is_name=True,
        records_schema_changes=False,
    ),
    Flavour(
        classes=("SpannerCdcSource",),
        place=places.in_spanner,
        qualifier="",
        prefix_is_id=True,
        records_schema_changes=False,
    ),
)
_BY_CLASS = {name.rpartition(".")[2]: one for one in FLAVOURS for name in one.classes}


def flavour_of(connector_class: str) -> Flavour:
    """The flavour of a connector's class, by its simple name."""
    simple_name = connector_class.rpartition(".")[2]
    flavour = _BY_CLASS.get(simple_name) or _BY_CLASS.get(f"{simple_name}Connector")
    if flavour is None:
        raise CannotTell("this class is none of Debezium's source connectors")
    return flavour
