"""Where a captured table lies, in the words of OpenLineage, for each kind of database."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mainstem.names.dataset import DatasetName
from mainstem.names.servers import dotted, on_server

if TYPE_CHECKING:
    from collections.abc import Callable

    from mainstem.watch.resolvers.debezium.tables import Table
    from mainstem.watch.transforms.settings import Settings

    Place = Callable[[Settings, Table], DatasetName]

READS = (
    "database.hostname",
    "database.port",
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
_REPLICA_SET = re.compile(r"^[^/,;]+/")
_URL = re.compile(r"^(mongodb(?:\+srv)?)://([^/?]*)")


def in_schema(system: str, *database_keys: str, default_port: str | None = None) -> Place:
    """Tables in schemas of a database: the topic's, or the one that a key names."""

    def place(config: Settings, table: Table) -> DatasetName:
        server = _server(config, "database.hostname", "database.port", default_port)
        database = table.database or config.required(*database_keys)
        return on_server(system, server, database, table.qualifier, table.name)

    return place


def in_database(system: str) -> Place:
    """Tables right in one of a server's databases."""

    def place(config: Settings, table: Table) -> DatasetName:
        server = _server(config, "database.hostname", "database.port")
        return on_server(system, server, table.qualifier, table.name)

    return place


def in_keyspace(system: str, host_key: str, port_key: str) -> Place:
    """Tables in keyspaces."""

    def place(config: Settings, table: Table) -> DatasetName:
        return on_server(system, _server(config, host_key, port_key), table.qualifier, table.name)

    return place


def in_mongodb(config: Settings, table: Table) -> DatasetName:
    """A collection of the servers in the connection string, or by 1.x in the list of hosts."""
    address = config.required("mongodb.connection.string", "mongodb.hosts")
    # A password may hold a slash or a question mark, so only the part behind it is looked at.
    scheme, _, rest = address.rpartition("://")
    bare = f"{scheme or 'mongodb'}://{rest.rpartition('@')[2]}"
    found = _URL.match(bare) if scheme else None
    servers = found[2] if found else _REPLICA_SET.sub("", rest).partition(";")[0]
    return on_server(found[1] if found else "mongodb", servers, table.qualifier, table.name)


def in_spanner(config: Settings, table: Table) -> DatasetName:
    """A table of a Spanner database; its default schema has no name."""
    project = config.required("gcp.spanner.project.id")
    instance = config.required("gcp.spanner.instance.id")
    database = config.required("gcp.spanner.database.id")
    return DatasetName(f"spanner://{project}:{instance}", dotted(database, table.name))


def _server(config: Settings, host_key: str, port_key: str, default_port: str | None = None) -> str:
    host = config.required(host_key)
    port = config.first(port_key) or default_port
    return ",".join(f"{one.strip()}:{port}" if port else one for one in host.split(","))
