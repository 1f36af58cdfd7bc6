"""Orders: from a table by Debezium to a topic, and from there by a sink to a file. Pure data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mainstem.lab.checks.graph import Edge, Node

if TYPE_CHECKING:
    from pathlib import Path

DATABASE = "shop"
TOPIC = f"{DATABASE}.public.orders"
SOURCE = "orders-source"
SINK = "orders-sink"

CREATE_TABLE = """
    CREATE TABLE orders (
        order_id bigint PRIMARY KEY,
        item text NOT NULL,
        price numeric(10, 2) NOT NULL,
        supplier text NOT NULL,
        bid_time timestamptz NOT NULL
    )
"""
INSERT_ORDER = """
    INSERT INTO orders (order_id, item, price, supplier, bid_time)
    VALUES (%s, %s, %s, %s, now())
"""

JSON = "org.apache.kafka.connect.json.JsonConverter"
TEXT = "org.apache.kafka.connect.storage.StringConverter"


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the pieces of this run are."""

    postgres_host: str
    postgres_port: int
    bootstrap: str
    file: Path
    password: str
    """Asked for by nobody, and told to nobody: the lab looks for it in what was told."""


def source_config(at: Addresses) -> dict[str, str]:
    """The Debezium connector that follows the table; the transform leaves the new row alone."""
    return {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "tasks.max": "1",
        "database.hostname": at.postgres_host,
        "database.port": str(at.postgres_port),
        "database.user": "postgres",
        "database.password": at.password,
        "database.dbname": DATABASE,
        "topic.prefix": DATABASE,
        "table.include.list": "public.orders",
        "plugin.name": "pgoutput",
        "publication.autocreate.mode": "filtered",
        "slot.name": "lab",
        "decimal.handling.mode": "string",
        "retriable.restart.connector.wait.ms": "2000",
        "transforms": "unwrap",
        "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
        "key.converter": JSON,
        "key.converter.schemas.enable": "false",
        "value.converter": JSON,
        "value.converter.schemas.enable": "false",
    }


def sink_config(at: Addresses) -> dict[str, str]:
    """The connector that writes each order as one line of a file."""
    return {
        "connector.class": "org.apache.kafka.connect.file.FileStreamSinkConnector",
        "tasks.max": "1",
        "topics": TOPIC,
        "file": str(at.file),
        "key.converter": TEXT,
        "value.converter": TEXT,
    }


def expected_edges(at: Addresses) -> tuple[Edge, Edge]:
    """What must be told, in the direction of the data."""
    table = Node(f"postgres://{at.postgres_host}:{at.postgres_port}", f"{DATABASE}.public.orders")
    topic = Node(f"kafka://{at.bootstrap}", TOPIC)
    file = Node("file", str(at.file))
    return Edge(table, SOURCE, topic), Edge(topic, SINK, file)
