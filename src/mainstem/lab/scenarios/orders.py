"""Orders and bids: tables, and the connectors that bring them to Kafka, S3 and Iceberg. Data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.lab.scenarios import lake
from mainstem.lab.services.objects import ACCESS_KEY, REGION

if TYPE_CHECKING:
    from mainstem.lab.scenarios.addresses import Addresses

DATABASE = "shop"
ORDERS = f"{DATABASE}.public.orders"
BIDS = f"{DATABASE}.public.bids"
"""What Debezium calls a table's topic is what PostgreSQL calls the table."""
ORDERS_BUCKET = "orders-archive"
ALL_BUCKET = "shop-archive"

SOURCE = "shop-source"
ORDERS_TO_S3 = "orders-s3-sink"
ALL_TO_S3 = "orders-and-bids-s3-sink"
ORDERS_TO_ICEBERG = "orders-iceberg-sink"

# Whole seconds: Debezium spells a time with a fraction in a way that TimestampConverter misreads.
CREATE_TABLES = (
    """
    CREATE TABLE orders (
        order_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        item text NOT NULL,
        price numeric(10, 2) NOT NULL,
        supplier text NOT NULL,
        bid_time timestamptz(0) NOT NULL
    )
    """,
    """
    CREATE TABLE bids (
        bid_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        order_id bigint NOT NULL,
        price numeric(10, 2) NOT NULL,
        supplier text NOT NULL,
        bid_time timestamptz(0) NOT NULL
    )
    """,
)

AVRO = "io.confluent.connect.avro.AvroConverter"
BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter"
APACHE = "org.apache.kafka.connect.transforms"


def source_config(at: Addresses) -> dict[str, str]:
    """Debezium follows both tables; the chain leaves the new row, keyed by its order."""
    return {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "tasks.max": "1",
        "database.hostname": at.postgres_host,
        "database.port": str(at.postgres_port),
        "database.user": "postgres",
        "database.password": at.password,
        "database.dbname": DATABASE,
        "topic.prefix": DATABASE,
        "table.include.list": "public.orders,public.bids",
        "plugin.name": "pgoutput",
        "publication.autocreate.mode": "filtered",
        "slot.name": "lab",
        "decimal.handling.mode": "string",
        "retriable.restart.connector.wait.ms": "2000",
        "transforms": "unwrap,extractKey,flattenKey,convertBidTime",
        "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
        "transforms.extractKey.type": f"{APACHE}.ValueToKey",
        "transforms.extractKey.fields": "order_id",
        "transforms.flattenKey.type": f"{APACHE}.ExtractField$Key",
        "transforms.flattenKey.field": "order_id",
        "transforms.convertBidTime.type": f"{APACHE}.TimestampConverter$Value",
        "transforms.convertBidTime.field": "bid_time",
        "transforms.convertBidTime.format": "yyyy-MM-dd'T'HH:mm:ssX",
        "transforms.convertBidTime.target.type": "Timestamp",
        **_avro(at),
    }


def orders_to_s3_config(at: Addresses) -> dict[str, str]:
    """Every order as an object, with the bytes that lie on the topic."""
    return _to_s3(at, (ORDERS,), ORDERS_BUCKET)


def all_to_s3_config(at: Addresses) -> dict[str, str]:
    """The same for several topics at once."""
    return _to_s3(at, (ORDERS, BIDS), ALL_BUCKET)


def orders_to_iceberg_config(at: Addresses) -> dict[str, str]:
    """Orders into a table that is there already."""
    catalog = lake.catalog_settings(at)
    return {
        "connector.class": "org.apache.iceberg.connect.IcebergSinkConnector",
        "tasks.max": "1",
        "topics": ORDERS,
        "iceberg.tables": f"{lake.NAMESPACE}.{lake.ORDERS_BY_CONNECT}",
        "iceberg.control.commit.interval-ms": "5000",
        "iceberg.catalog": lake.CATALOG,
        **{f"iceberg.catalog.{key}": value for key, value in catalog.items()},
        **_avro(at),
    }


CONNECTORS = {
    SOURCE: source_config,
    ORDERS_TO_S3: orders_to_s3_config,
    ALL_TO_S3: all_to_s3_config,
    ORDERS_TO_ICEBERG: orders_to_iceberg_config,
}
"""Every connector of the lab, in the order in which they are made."""


def _avro(at: Addresses) -> dict[str, str]:
    return {
        f"{side}.converter{key}": value
        for side in ("key", "value")
        for key, value in (("", AVRO), (".schema.registry.url", at.registry))
    }


def _to_s3(at: Addresses, topics: tuple[str, ...], bucket: str) -> dict[str, str]:
    component = "camel.component.aws2-s3"
    return {
        "connector.class": "org.apache.camel.kafkaconnector.CamelSinkConnector",
        "tasks.max": "1",
        "topics": ",".join(topics),
        "camel.sink.url": f"aws2-s3://{bucket}?keyName=raw/${{exchangeId}}",
        f"{component}.accessKey": ACCESS_KEY,
        f"{component}.secretKey": at.secret_key,
        f"{component}.region": REGION,
        f"{component}.overrideEndpoint": "true",
        f"{component}.uriEndpointOverride": at.s3,
        "key.converter": BYTES,
        "value.converter": BYTES,
    }
