"""Connectors resolved per second on one core, beside the machine's own rate of parsing JSON.

Every connector differs from the others in its names, patterns and queries, so that nothing that is
remembered from one helps with the next.
"""

from __future__ import annotations

import json
import time
from itertools import islice
from typing import TYPE_CHECKING, Any

from mainstem.watch.resolvers import resolve
from mainstem.watch.resolvers.model import Unresolved
from mainstem.watch.resolvers.told import connector_from

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

COUNT = 10_000
KAFKA = "kafka://broker:9092"
QUERY = """
    SELECT o.id, c.name AS customer, o.price * o.amount AS total
    FROM orders AS o JOIN crm.customers AS c ON c.id = o.customer_id
"""
Document = dict[str, Any]


def debezium_postgres(number: int) -> Document:
    tables = [f"public.orders_{number}", f"public.items_{number}"]
    return {
        "type": "source",
        "config": {
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
            "database.hostname": f"pg-{number}.example",
            "database.dbname": "shop",
            "topic.prefix": f"srv{number}",
            "table.include.list": ",".join(tables),
            "heartbeat.interval.ms": "10000",
            "transforms": "unwrap,route",
            "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
            "transforms.route.type": "org.apache.kafka.connect.transforms.RegexRouter",
            "transforms.route.regex": rf"srv{number}\.([^.]+)\.([^.]+)",
            "transforms.route.replacement": "$2",
        },
        "topics": [f"orders_{number}", f"items_{number}"],
    }


def debezium_mysql(number: int) -> Document:
    return {
        "type": "source",
        "config": {
            "connector.class": "io.debezium.connector.mysql.MySqlConnector",
            "database.hostname": "my.example",
            "topic.prefix": f"m{number}",
            "database.include.list": "shop",
            "table.include.list": rf"shop\.part_{number}_.*",
            "schema.history.internal.kafka.topic": f"history-{number}",
        },
        "topics": [f"m{number}", *(f"m{number}.shop.part_{number}_{part}" for part in range(8))],
    }


def jdbc_query(number: int) -> Document:
    return {
        "type": "source",
        "config": {
            "connector.class": "io.confluent.connect.jdbc.JdbcSourceConnector",
            "connection.url": f"jdbc:postgresql://pg.example:5432/erp_{number}",
            "topic.prefix": f"report-{number}",
            "mode": "bulk",
            "query": QUERY.replace("orders", f"orders_{number}"),
        },
    }


def jdbc_tables(number: int) -> Document:
    return {
        "type": "source",
        "config": {
            "connector.class": "io.confluent.connect.jdbc.JdbcSourceConnector",
            "connection.url": f"jdbc:mysql://my-{number}.example/erp",
            "topic.prefix": "erp-",
            "table.whitelist": f"people_{number},teams_{number}",
        },
        "topics": [f"erp-people_{number}", f"erp-teams_{number}"],
    }


def jdbc_sink(number: int) -> Document:
    return {
        "type": "sink",
        "config": {
            "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
            "connection.url": f"jdbc:sqlserver://ms-{number}.example:1433;databaseName=wh",
            "topics.regex": f"wh-{number}-.*",
            "table.name.format": "dbo.${topic}",
        },
        "topics": [f"wh-{number}-{part}" for part in range(5)],
    }


def s3_sink(number: int) -> Document:
    return {
        "type": "sink",
        "config": {
            "connector.class": "io.confluent.connect.s3.S3SinkConnector",
            "s3.bucket.name": f"lake-{number}",
            "topics": f"clicks-{number},views-{number}",
        },
    }


def unknown_sink(number: int) -> Document:
    return {
        "type": "sink",
        "config": {"connector.class": f"com.example.Sink{number}", "topics": f"a{number}"},
    }


KINDS: tuple[Callable[[int], Document], ...] = (
    debezium_postgres,
    debezium_mysql,
    jdbc_query,
    jdbc_tables,
    jdbc_sink,
    s3_sink,
    unknown_sink,
)


def documents() -> Iterator[Document]:
    number = 0
    while True:
        for kind in KINDS:
            number += 1
            yield {"name": f"connector-{number}", **kind(number)}


def main() -> None:
    texts = [json.dumps(document) for document in islice(documents(), COUNT)]
    started = time.process_time()
    for text in texts:
        json.loads(text)
    parsing = time.process_time() - started
    resolve(connector_from(json.loads(texts[0]), KAFKA))  # loads the families
    started = time.process_time()
    answers = (resolve(connector_from(json.loads(text), KAFKA)) for text in texts)
    silent = sum(isinstance(answer, Unresolved) for answer in answers)
    resolving = time.process_time() - started - parsing
    rate = COUNT / resolving
    print(f"{COUNT} connectors resolved in {resolving:.2f} s of one core: {rate:,.0f} a second")
    print(f"their JSON parsed in {parsing:.2f} s: {COUNT / parsing:,.0f} a second")
    print(f"resolving takes {resolving / parsing:.0f} times as long; {silent} could not be told")


if __name__ == "__main__":
    main()
