"""Stores that live on servers: ``{system}://{host}:{port}`` and a name of dotted parts."""

from __future__ import annotations

from functools import lru_cache

from mainstem.errors import CannotTell
from mainstem.names.dataset import DatasetName
from mainstem.names.hosts import authority

DEFAULT_PORTS: dict[str, int | None] = {
    "amqp": 5672,
    "cassandra": 9042,
    "clickhouse": 8123,
    "couchbase": None,  # its seed nodes are named without a port
    "crate": 5432,
    "databricks": 443,
    "db2": 50000,
    "elasticsearch": 9200,
    "github": None,
    "hbase": 2181,
    "hive": 10000,
    "ibmmq": 1414,
    "influxdb": 8086,
    "informix": 9088,
    "jira": None,
    "jms": None,
    "kafka": 9092,
    "kudu": 7051,
    "mariadb": 3306,
    "marketo": None,
    "mongodb": 27017,
    "mongodb+srv": None,  # the port stands in the DNS record
    "mqtt": 1883,
    "mysql": 3306,
    "neo4j": 7687,
    "opensearch": 9200,
    "oracle": 1521,
    "postgres": 5432,
    "questdb": 9000,
    "redis": 6379,
    "redshift": 5439,
    "salesforce": None,
    "sap": 30015,
    "servicenow": None,
    "singlestore": 3306,
    "splunk": 8088,
    "sqlserver": 1433,
    "teradata": 1025,
    "trino": 443,
    "vertica": 5433,
    "vitess": 15991,
    "zendesk": None,
}
"""Every system named this way, and the port it listens on when none is said."""


def on_server(system: str, servers: str, *parts: str) -> DatasetName:
    """A dataset of a system from :data:`DEFAULT_PORTS`, its name made of the parts given.

    >>> on_server("postgres", "DB", "shop", "public", "orders")
    DatasetName(namespace='postgres://db:5432', name='shop.public.orders')
    """
    return DatasetName(server_namespace(system, servers), dotted(*parts))


@lru_cache(maxsize=4096)
def server_namespace(system: str, servers: str) -> str:
    """The namespace of a system's servers, several of them joined by commas."""
    return f"{system}://{authority(servers, DEFAULT_PORTS[system])}"


def dotted(*parts: str) -> str:
    """The parts of a name joined by dots; a missing one is an error and not a shorter name."""
    if not parts or not all(map(str.strip, parts)):
        raise CannotTell("a part of the name is missing")
    return ".".join(parts)
