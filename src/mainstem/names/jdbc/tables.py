"""A connector's table behind a JDBC URL: parts left out are those that the database fills in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names.dataset import DatasetName
from mainstem.names.servers import dotted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mainstem.names.jdbc.location import JdbcLocation

_DEFAULT_SCHEMAS: dict[str, str | None] = {
    "awsathena": "default",
    "bigquery": None,  # the data set, which must be given
    "crate": "doc",
    "postgres": "public",
    "redshift": "public",
    "snowflake": "PUBLIC",
    "sqlserver": "dbo",
    "vertica": "public",
}
_SCHEMAS_BETWEEN_DOTS = {"snowflake": "PUBLIC", "sqlserver": "dbo"}
"""What ``database..table`` leaves out, whatever the URL says."""

_SCHEMA_OPTIONS = ("currentschema", "schema", "defaultdataset")
_DATABASE_OF_USER = {"sqlserver": {"sa": "master"}}
"""Users whose first database is known; any other user's is set on the server."""

_SCHEMA_OF_USER = frozenset({"db2", "oracle", "sap"})
_PARTS_WITH_CATALOG = 3
_CATALOG_AND_SCHEMA_IN_PATH = frozenset({"trino", "presto"})
_WITHOUT_SCHEMAS = frozenset(
    {
        "clickhouse",
        "databricks",
        "hive2",
        "mariadb",
        "mysql",
        "oceanbase",
        "singlestore",
        "teradata",
    }
)


def jdbc_table(
    location: JdbcLocation, table: Sequence[str], user: str | None = None
) -> DatasetName:
    """The dataset of a table whose name may lack its schema or database.

    ``user`` is the user the connector signs in as: some databases take it for a missing part.
    """
    if _is_left_between_dots(table):
        schema = _SCHEMAS_BETWEEN_DOTS.get(location.system)
        if schema is None:
            raise CannotTell("the schema that database..table leaves out is not known")
        table = (table[0], schema, table[-1])
    if location.system in _WITHOUT_SCHEMAS:
        parts = table[-2:] if len(table) > 1 else (_database(location, user), *table)
    elif location.system in _CATALOG_AND_SCHEMA_IN_PATH:
        parts = _below_path(location, table)
    elif location.system in _DEFAULT_SCHEMAS or location.system in _SCHEMA_OF_USER:
        parts = _with_schema(location, table, user)
    else:
        return location.dataset(table)
    return DatasetName(location.namespace, dotted(*parts))


def _below_path(location: JdbcLocation, table: Sequence[str]) -> tuple[str, ...]:
    above = [part for part in (location.database or "").split("/") if part]
    parts = (*above[: max(0, _PARTS_WITH_CATALOG - len(table))], *table)
    if len(parts) != _PARTS_WITH_CATALOG:
        raise CannotTell("neither the URL nor the table names catalog and schema")
    return parts


def assumed_schema(location: JdbcLocation, table: Sequence[str]) -> str | None:
    """The schema that a bare table's name is given although neither it nor the URL says so."""
    if _is_left_between_dots(table):
        return _SCHEMAS_BETWEEN_DOTS.get(location.system)
    said = any(key in location.options for key in _SCHEMA_OPTIONS)
    return None if len(table) > 1 or said else _DEFAULT_SCHEMAS.get(location.system)


def _is_left_between_dots(table: Sequence[str]) -> bool:
    return len(table) == _PARTS_WITH_CATALOG and not table[1]


def _with_schema(location: JdbcLocation, table: Sequence[str], user: str | None) -> tuple[str, ...]:
    match tuple(table):
        case (database, schema, name):
            return database, schema, name
        case (schema, name):
            return _database(location, user), schema, name
        case (name,):
            return _database(location, user), _schema(location, user), name
        case _:
            raise CannotTell("a table's name has more parts than the database knows")


def _database(location: JdbcLocation, user: str | None) -> str:
    said = location.database or location.options.get("databasename")
    found = said or _DATABASE_OF_USER.get(location.system, {}).get(user or "")
    if found is None and location.system == "postgres":
        found = user  # its driver takes the user's name where the URL names no database
    if not found:
        raise CannotTell("the URL names no database")
    return found


def _schema(location: JdbcLocation, user: str | None) -> str:
    said = next((location.options[key] for key in _SCHEMA_OPTIONS if key in location.options), None)
    own = user.upper() if user and location.system in _SCHEMA_OF_USER else None
    found = said or own or _DEFAULT_SCHEMAS.get(location.system)
    if not found:
        raise CannotTell("neither the URL nor the table names a schema")
    return found.split(",")[0].strip()
