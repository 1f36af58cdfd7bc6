"""The database that a connector's config leads to, by a JDBC URL or by the keys of managed ones."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from mainstem.errors import CannotTell
from mainstem.names.hosts import with_port
from mainstem.names.jdbc import jdbc_location
from mainstem.names.jdbc.location import JdbcLocation
from mainstem.names.jdbc.tables import assumed_schema, jdbc_table
from mainstem.names.servers import server_namespace

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.transforms.settings import Settings

READS = (
    "connection.url",
    "connection.user",
    "connection.username",
    "connection.host",
    "connection.port",
    "db.name",
)
MANAGED_SYSTEMS = {
    "Postgres": "postgres",
    "MySql": "mysql",
    "MicrosoftSqlServer": "sqlserver",
    "OracleDatabase": "oracle",
    "IbmDb2": "db2",
}
"""By the beginning of a managed connector's class."""

_USER_IN_URL = re.compile(r"[?&;]user=([^&;]+)", re.IGNORECASE)
_STANDARD_IDENTIFIER = re.compile(r'(?:"([^"]*)"|([^.]+))(?:\.|$)')
_IDENTIFIERS = {
    **dict.fromkeys(("bigquery", "mariadb", "mysql"), re.compile(r"(?:`([^`]*)`|([^.]+))(?:\.|$)")),
    "sqlserver": re.compile(r"(?:\[([^\]]*)\]|([^.]+))(?:\.|$)"),
}


class Database(Struct, frozen=True):
    """Where tables lie, and who asks for them."""

    location: JdbcLocation
    user: str | None

    @property
    def system(self) -> str:
        """The kind of database, such as ``postgres``."""
        return self.location.system

    def dataset(self, *table: str) -> DatasetName:
        """A table by the parts of its name; those left out are what the database fills in."""
        return jdbc_table(self.location, table, self.user)

    def assumption(self, *table: str) -> str | None:
        """What a person should know of the table's name: the schema in it may be another."""
        schema = assumed_schema(self.location, table)
        if schema is None:
            return None
        return f"table {table[-1]} names no schema; {schema} is assumed, as the database does"

    def within(self, catalog: str | None) -> Database:
        """The same server, with another database for tables that name none."""
        return replace(self, location=replace(self.location, database=catalog)) if catalog else self

    def split(self, name: str) -> tuple[str, ...]:
        """A table's name in parts: split on dots that stand in no quotes."""
        pattern = _IDENTIFIERS.get(self.system, _STANDARD_IDENTIFIER)
        parts = tuple(one or other for one, other in pattern.findall(name))
        if not any(parts):
            raise CannotTell(f"{name!r} is no table's name")
        return parts


def database_of(config: Settings) -> Database:
    """The database of a config; one that cannot be read raises ``CannotTell``."""
    user = config.first("connection.user", "connection.username")
    url = config.first("connection.url")
    managed = _managed_system(config["connector.class"])
    if url is None and managed is not None:
        server = with_port(config.required("connection.host"), config.port("connection.port"))
        namespace = server_namespace(managed, server)
        return Database(JdbcLocation(managed, namespace, config.required("db.name")), user)
    url = config.required("connection.url")
    in_url = _USER_IN_URL.search(url)
    return Database(jdbc_location(url), user or (in_url[1] if in_url else None))


def _managed_system(connector_class: str) -> str | None:
    for start, system in MANAGED_SYSTEMS.items():
        if connector_class.startswith(start):
            return system
    return None
