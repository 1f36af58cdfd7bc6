"""Where a captured table lies, in the words of OpenLineage, for each kind of database."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mainstem.names.dataset import DatasetName
from mainstem.names.hosts import with_port
from mainstem.names.jdbc import jdbc_dataset
from mainstem.names.mongodb import collection
from mainstem.names.servers import dotted, server_namespace

if TYPE_CHECKING:
    from collections.abc import Callable

    from mainstem.watch.resolvers.debezium.tables import Table
    from mainstem.watch.transforms.settings import Settings

    Place = Callable[[Settings, Table], DatasetName]

READS = (
    "database.hostname",
    "database.port",
    "database.url",
    "database.instance",
    "database.dbname",
    "database.names",
    "database.pdb.name",
    "mongodb.connection.string",
    "mongodb.hosts",
    "mongodb.name",
    "vitess.keyspace",
    "cassandra.hosts",
    "cassandra.port",
    "kafka.topic.prefix",
    "gcp.spanner.project.id",
    "gcp.spanner.instance.id",
    "gcp.spanner.database.id",
)
_REPLICA_SET = re.compile(r"^[\w.-]+/")


def in_schema(system: str, *database_keys: str, default_port: str | None = None) -> Place:
    """Tables in schemas of a database: the topic's, or the one that a key names."""

    def namespace(config: Settings) -> str:
        server = _server(config, "database.hostname", "database.port", default_port)
        return server_namespace(system, server)

    def place(config: Settings, table: Table) -> DatasetName:
        database = table.database or config.required(*database_keys)
        name = dotted(database, table.qualifier, table.name)
        return DatasetName(config.once(namespace), name)

    return place


def in_oracle(config: Settings, table: Table) -> DatasetName:
    """The same in Oracle, whose server may stand in a JDBC URL of its own."""
    keys = ("database.pdb.name", "database.dbname")
    url = config.first("database.url")
    if url is None:
        return in_schema("oracle", *keys)(config, table)
    database = table.database or config.required(*keys)
    return DatasetName(
        jdbc_dataset(url, table.name).namespace, dotted(database, table.qualifier, table.name)
    )


def in_instance(system: str, *database_keys: str) -> Place:
    """The same on a server that may hold several instances, as Microsoft's JDBC URLs name them."""

    def place(config: Settings, table: Table) -> DatasetName:
        dataset = in_schema(system, *database_keys)(config, table)
        instance = config.first("database.instance")
        if instance is None:
            return dataset
        server = dataset.namespace
        if config.first("database.port") is None:  # its port is asked for by the driver
            server = server.rpartition(":")[0]
        return DatasetName(f"{server}/{instance}", dataset.name)

    return place


def in_database(system: str) -> Place:
    """Tables right in one of a server's databases."""
    return in_keyspace(system, "database.hostname", "database.port")


def in_keyspace(system: str, host_key: str, port_key: str) -> Place:
    """Tables in keyspaces."""

    def namespace(config: Settings) -> str:
        return server_namespace(system, _server(config, host_key, port_key))

    def place(config: Settings, table: Table) -> DatasetName:
        return DatasetName(config.once(namespace), dotted(table.qualifier, table.name))

    return place


def in_mongodb(config: Settings, table: Table) -> DatasetName:
    """A collection of the servers in the connection string, or by 1.x in the list of hosts."""
    url = config.first("mongodb.connection.string")
    hosts = _REPLICA_SET.sub("", config.required("mongodb.hosts")) if url is None else url
    return collection(hosts.partition(";")[0], table.qualifier, table.name)


def in_spanner(config: Settings, table: Table) -> DatasetName:
    """A table of a Spanner database; its default schema has no name."""
    project = config.required("gcp.spanner.project.id")
    instance = config.required("gcp.spanner.instance.id")
    database = config.required("gcp.spanner.database.id")
    return DatasetName(f"spanner://{project}:{instance}", dotted(database, table.name))


def _server(config: Settings, host_key: str, port_key: str, default_port: str | None = None) -> str:
    return with_port(config.required(host_key), config.port(port_key) or default_port)
