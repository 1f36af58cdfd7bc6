"""Warehouses of the clouds: an account, a region or a project instead of a server."""

from __future__ import annotations

from mainstem.errors import CannotTell
from mainstem.names.jdbc import servers
from mainstem.names.jdbc.credentials import place_options
from mainstem.names.jdbc.location import JdbcLocation
from mainstem.names.warehouse_hosts import snowflake_namespace


def parse_snowflake(address: str) -> JdbcLocation:
    """The account is the host without Snowflake's own domain; database and schema are options."""
    found = servers.parse("snowflake", address)
    database = found.options.get("db") or found.options.get("database")
    return JdbcLocation("snowflake", snowflake_namespace(found.namespace), database, found.options)


def parse_athena(address: str) -> JdbcLocation:
    """The region stands in an option, or in the host; tables lie in a catalog's databases."""
    options = place_options(f";{address}")
    region = options.get("awsregion") or options.get("region")
    host = address.split(";", maxsplit=1)[0].split(":", maxsplit=1)[0].split("/", maxsplit=1)[0]
    if region is None and host.startswith("athena."):
        region = host.split(".")[1]
    if region is None:
        raise CannotTell("the URL names no region")
    return JdbcLocation(
        "awsathena",
        f"awsathena://athena.{region.lower()}.amazonaws.com",
        options.get("catalog", "AwsDataCatalog"),
        options,
    )


def parse_bigquery(address: str) -> JdbcLocation:
    """Project and data set stand in options; the host is the service's own."""
    options = place_options(address)
    return JdbcLocation("bigquery", "bigquery", options.get("projectid"), options)
