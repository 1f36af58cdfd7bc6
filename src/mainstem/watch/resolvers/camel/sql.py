"""Tables of the SQL that a Camel endpoint runs, in the database that its options name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names.jdbc import jdbc_location
from mainstem.names.jdbc.tables import jdbc_table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.camel.endpoint import CamelEndpoint

_URLS = {
    "mariadb": "jdbc:mariadb://{server}/{database}",
    "mysql": "jdbc:mysql://{server}/{database}",
    "oracledatabase": "jdbc:oracle:thin:@//{server}/{database}",
    "postgresql": "jdbc:postgresql://{server}/{database}",
    "redshift": "jdbc:redshift://{server}/{database}",
    "sqlserver": "jdbc:sqlserver://{server};databaseName={database}",
}
_DATA_SOURCES = {"org.postgresql.": "postgresql", "com.mysql.": "mysql", "org.mariadb.": "mariadb"}
COMPONENTS = frozenset({"sql", "jdbc", *_URLS})
_WRITTEN = re.compile(r"\s*(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+([\w.$\"`]+)", re.IGNORECASE)
# Camel's parameters are no SQL: :#name, :?name, #.
_PARAMETER = re.compile(r":[#?][\w.]+|#")
_FIELD = re.compile(r":[#?](\w+)")
_INSERT = re.compile(
    r"\s*INSERT\s+INTO\s+[\w.$\"`]+\s*\(([^()]*)\)\s*VALUES\s*\(([^()]*)\)\s*;?\s*", re.IGNORECASE
)


def tables_of(endpoint: CamelEndpoint, *, reads: bool) -> tuple[DatasetName, ...]:
    """The tables that the endpoint's SQL reads, or the one that it writes."""
    location = jdbc_location(_url(endpoint))
    query = endpoint.required("query")
    if reads:
        from mainstem.watch.resolvers.sql_query import parse_query  # noqa: PLC0415 - sqlglot is heavy

        tables = parse_query(_PARAMETER.sub("NULL", query), location.system).tables
        return tuple(jdbc_table(location, table) for table in tables)
    written = _WRITTEN.match(query)
    if written is None:
        raise CannotTell("the SQL names no table that it writes")
    return (jdbc_table(location, re.sub(r"[\"`]", "", written[1]).split(".")),)


def inserted_fields(endpoint: CamelEndpoint) -> Mapping[str, str]:
    """The columns that an INSERT fills with fields of the record, each with its field.

    Kamelets read the record as JSON and fill the parameters from it; the plain component takes
    them from headers, where the record is no map.
    """
    # apache/camel-kamelets: the templates of the SQL sinks unmarshal JSON and hand the query over;
    # apache/camel, DefaultSqlPrepareStatementStrategy.java: the body's keys come before headers.
    if endpoint.component not in _URLS:
        return {}
    found = _INSERT.fullmatch(endpoint.first("query") or "")
    columns, values = (found[1].split(","), found[2].split(",")) if found else ((), ())
    if len(columns) != len(values):
        return {}
    return {
        column.strip().strip('"`'): field[1]
        for column, value in zip(columns, values, strict=True)
        if (field := _FIELD.fullmatch(value.strip()))
    }


def _url(endpoint: CamelEndpoint) -> str:
    given = endpoint.first("url", "jdbcurl")
    if given is not None and given.startswith("jdbc:"):
        return given
    template = _URLS.get(_system(endpoint))
    if template is None:
        raise CannotTell("the endpoint's data source does not say its database")
    server, port = endpoint.required("servername"), endpoint.first("serverport", "portnumber")
    return template.format(
        server=f"{server}:{port}" if port else server, database=endpoint.required("databasename")
    )


def _system(endpoint: CamelEndpoint) -> str:
    source = endpoint.first("datasource") or ""
    for package, system in _DATA_SOURCES.items():
        if source.removeprefix("#class:").startswith(package):
            return system
    return endpoint.component
