"""Seventy-two connectors of eighteen kinds, and what a recipe says of them."""

from __future__ import annotations

from typing import Any

from mainstem.watch.connect.fake import FakeConnect

Config = dict[str, str]

_ROUTE = {
    "transforms": "route",
    "transforms.route.type": "org.apache.kafka.connect.transforms.RegexRouter",
}


def _jdbc_source(url: str, **more: str) -> Config:
    return {
        "connector.class": "io.confluent.connect.jdbc.JdbcSourceConnector",
        "connection.url": url,
        "connection.user": "reader",
        "connection.password": "not-a-real-one",
        "mode": "incrementing",
        **{key.replace("__", "."): value for key, value in more.items()},
    }


def _debezium(kind: str, **more: str) -> Config:
    return {
        "connector.class": f"io.debezium.connector.{kind}",
        "database.user": "reader",
        "database.password": "not-a-real-one",
        **{key.replace("__", "."): value for key, value in more.items()},
    }


def _sink(connector_class: str, topics: str, **more: str) -> Config:
    return {
        "connector.class": connector_class,
        "topics": topics,
        **{key.replace("__", "."): value for key, value in more.items()},
    }


MYSQL = "jdbc:mysql://db-{n}:3306/shop{n}"
POSTGRES = "jdbc:postgresql://pg-{n}:5432/shop{n}"

TEMPLATES: tuple[tuple[str, Config, tuple[str, ...]], ...] = (
    ("jdbc-mysql", _jdbc_source(MYSQL, table__whitelist="orders,customers", topic__prefix="my{n}-"),
     ("my{n}-orders", "my{n}-customers")),
    ("jdbc-pg", _jdbc_source(POSTGRES, table__whitelist="public.items", topic__prefix="pg{n}-"),
     ("pg{n}-items",)),
    ("jdbc-query", _jdbc_source(MYSQL, query="SELECT id FROM orders", topic__prefix="q{n}"),
     ("q{n}",)),
    ("jdbc-routed", {**_jdbc_source(MYSQL, table__whitelist="orders", topic__prefix="raw{n}-"),
     **_ROUTE, "transforms.route.regex": "raw{n}-(.*)", "transforms.route.replacement": "in{n}-$1"},
     ("in{n}-orders",)),
    ("jdbc-shrunk", _jdbc_source(MYSQL, table__whitelist="orders", topic__prefix="cut{n}-"),
     ("cut{n}-orders", "cut{n}-customers")),
    ("jdbc-renamed", _jdbc_source(MYSQL, table__whitelist="orders", topic__prefix="now{n}-"),
     ("then{n}-orders", "now{n}-orders")),
    ("dbz-mysql", _debezium("mysql.MySqlConnector", database__hostname="db-{n}",
     topic__prefix="m{n}", database__include__list="shop", table__include__list="shop.orders"),
     ("m{n}.shop.orders",)),
    ("dbz-pg", _debezium("postgresql.PostgresConnector", database__hostname="pg-{n}",
     database__dbname="shop", topic__prefix="p{n}",
     table__include__list="public.orders,public.items"),
     ("p{n}.public.orders", "p{n}.public.items")),
    ("dbz-shrunk", _debezium("postgresql.PostgresConnector", database__hostname="pg-{n}",
     database__dbname="shop", topic__prefix="c{n}", table__include__list="public.orders"),
     ("c{n}.public.orders", "c{n}.public.items")),
    ("dbz-mssql", _debezium("sqlserver.SqlServerConnector", database__hostname="ms-{n}",
     database__names="shop", topic__prefix="s{n}", table__include__list="dbo.orders"),
     ("s{n}.shop.dbo.orders",)),
    ("mongo", {"connector.class": "com.mongodb.kafka.connect.MongoSourceConnector",
     "connection.uri": "mongodb://mongo-{n}:27017", "database": "shop", "collection": "orders",
     "topic.prefix": "mongo{n}"}, ("mongo{n}.shop.orders",)),
    ("bigquery", _sink("com.wepay.kafka.connect.bigquery.BigQuerySinkConnector", "orders{n}",
     project="acme", defaultDataset="lake", autoCreateTables="true", sanitizeTopics="true"),
     ("orders{n}",)),
    ("s3", _sink("io.confluent.connect.s3.S3SinkConnector", "orders{n},items{n}",
     s3__bucket__name="lake-{n}", topics__dir="raw"), ("orders{n}", "items{n}")),
    ("snowflake", _sink("com.snowflake.kafka.connector.SnowflakeSinkConnector", "orders{n}",
     snowflake__url__name="acme-x{n}.snowflakecomputing.com:443", snowflake__database__name="LAKE",
     snowflake__schema__name="RAW", snowflake__topic2table__map="orders{n}:ORDERS"),
     ("orders{n}",)),
    ("jdbc-sink", _sink("io.confluent.connect.jdbc.JdbcSinkConnector", "orders{n}",
     connection__url=POSTGRES, table__name__format="copy_${topic}"), ("orders{n}",)),
    ("file-in", {"connector.class": "FileStreamSource", "file": "/data/in{n}.txt",
     "topic": "lines{n}"}, ("lines{n}",)),
    ("file-out", _sink("FileStreamSink", "lines{n}", file="/data/out{n}.txt"), ("lines{n}",)),
    ("sauce", {"connector.class": "com.acme.SecretSauceSource", "kitchen": "{n}"}, ("sauce{n}",)),
)  # fmt: skip
"""A name, a config and the topics seen; ``{n}`` stands for the number of the copy."""

COPIES = 4
GENERIC = [
    {
        "connector_name": f"sauce-{n}",
        "source_dataset": f"kitchen.pot{n}",
        "source_platform": "oracle",
    }
    for n in range(1, COPIES + 1)
] + [
    {
        "connector_name": "jdbc-sink-2",
        "source_dataset": "orders2",
        "source_platform": "kafka",
        "target_dataset": "lake.copy",
        "target_platform": "oracle",
    },
    {"connector_name": "s3-2", "source_dataset": "not.me", "source_platform": "oracle"},
]

RECIPE: dict[str, Any] = {
    "generic_connectors": GENERIC,
    "platform_instance_map": {"postgres": "pg-prod"},
    "connect_to_platform_map": {"jdbc-mysql-1": {"mysql": "core"}, "s3-1": {"kafka": "east"}},
}
"""What both sources are told besides the address."""


def recorded_cluster() -> FakeConnect:
    """The cluster in memory."""
    connect = FakeConnect()
    for name, config, topics in TEMPLATES:
        for n in range(1, COPIES + 1):
            numbered = {key: value.replace("{n}", str(n)) for key, value in config.items()}
            created = connect.create(f"{name}-{n}", numbered)
            created.topics = tuple(topic.replace("{n}", str(n)) for topic in topics)
    return connect
