"""What a table behind a JDBC URL is called, exactly as the official Java client calls it.

Spark names its JDBC tables by that client, so a connector and a Spark job that use one table must
agree to the letter. Where that client would keep a password, a host that Java's URI class does not
know, or an account's domain, this is better; every such URL is a case in the tests.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from mainstem.errors import CannotTell
from mainstem.names.jdbc import clouds, mysql, oracle, servers, sqlserver, teradata
from mainstem.names.jdbc.credentials import split_options, without_user_info
from mainstem.names.jdbc.location import JdbcLocation

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mainstem.names.dataset import DatasetName

_PARSERS: Mapping[str, Callable[[str], JdbcLocation]] = {
    "postgresql": partial(servers.parse, "postgres", default_port=5432),
    "postgres": partial(servers.parse, "postgres", default_port=5432),
    "mysql": mysql.parse_mysql,
    "oceanbase": partial(servers.parse, "oceanbase", default_port=2881),
    "mariadb": partial(servers.parse, "mariadb"),
    "singlestore": partial(servers.parse, "singlestore"),
    "sqlserver": sqlserver.parse_sqlserver,
    "jtds:sqlserver": sqlserver.parse_sqlserver,
    "teradata": teradata.parse_teradata,
    "crate": partial(servers.parse, "crate", default_port=5432),
    "db2": partial(servers.parse, "db2", default_port=6789, option_marks=":;"),
    "trino": partial(servers.parse, "trino", default_port=443),
    "clickhouse": partial(
        servers.parse, "clickhouse", default_port=8123, schemas_are_databases=True
    ),
    "snowflake": clouds.parse_snowflake,
    "awsathena": clouds.parse_athena,
    "athena": clouds.parse_athena,
    "bigquery": clouds.parse_bigquery,
    "databricks": partial(servers.parse, "databricks"),
    "hive2": partial(servers.parse, "hive2"),
    "informix-sqli": partial(servers.parse, "informix-sqli", option_marks=":;"),
    "as400": partial(servers.parse, "as400"),
    "redshift": partial(servers.parse, "redshift"),
    "sap": partial(servers.parse, "sap"),
    "vertica": partial(servers.parse, "vertica"),
}
"""By the word before ``://``; variants such as ``mysql+srv:loadbalance`` are brought to it."""

_JDBC = "jdbc:"
_URL = re.compile(r"(?P<scheme>[A-Za-z][\w+.:-]*?)://(?P<address>.*)", re.DOTALL)
_VARIANTS = re.compile(r"^(mysql|oceanbase|redshift|mariadb)[+:].*")
_CLICKHOUSE = re.compile(r"^(?:ch|clickhouse)(?::(?:https?|grpc))?$")


def jdbc_dataset(url: str, table: str) -> DatasetName:
    """The dataset of a table, whose name may be qualified by dots.

    >>> jdbc_dataset("jdbc:oracle:thin:@//h:1521/SVC", "HR.EMP")
    DatasetName(namespace='oracle://h:1521', name='SVC.HR.EMP')
    """
    return jdbc_location(url).dataset([part for part in table.split(".") if part])


def jdbc_location(url: str) -> JdbcLocation:
    """Where a JDBC URL leads; one that cannot be read without a risk raises ``CannotTell``."""
    bare = url.strip()
    uri = bare[len(_JDBC) :] if bare[: len(_JDBC)].lower() == _JDBC else bare
    lower = uri.lower()
    if lower.startswith("oracle:"):
        return oracle.parse_oracle(uri)
    if lower.startswith("derby:"):
        # Java names the file by the directory the program runs in, which no config tells.
        return JdbcLocation("derby", "file:")
    if lower.startswith("cassandra:"):
        address = uri.partition("://")[2].replace("--", ",")
        return servers.parse("cassandra", address, default_port=9042)
    found = _URL.fullmatch(uri)
    if found is None:
        return _without_server(uri)
    scheme = found["scheme"].lower()
    known = "clickhouse" if _CLICKHOUSE.match(scheme) else _VARIANTS.sub(r"\1", scheme)
    parser = _PARSERS.get(known)
    return parser(found["address"]) if parser else servers.parse_unknown(scheme, found["address"])


def _without_server(uri: str) -> JdbcLocation:
    """A database that is a file or in memory, such as ``sqlite:/var/shop.db``."""
    scheme, colon, rest = uri.partition(":")
    bare = without_user_info(split_options(rest)[0])
    if not colon or not re.fullmatch(r"[A-Za-z][\w+.-]*", scheme) or not bare:
        raise CannotTell("the URL is not of the form jdbc:system:…")
    return JdbcLocation(scheme.lower(), f"{scheme.lower()}:{bare}")
