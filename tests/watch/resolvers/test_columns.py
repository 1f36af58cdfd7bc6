"""Columns of any connector, behind any chain, for topics of any schema."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.names.dataset import DatasetName
from mainstem.watch.resolvers import FAMILIES, resolve
from mainstem.watch.resolvers.column_rules import NOT_TOLD
from mainstem.watch.resolvers.model import Connector, Declaration, Direction, Resolution
from mainstem.watch.resolvers.told import connector_from
from mainstem.watch.schema_registry.fields import Field, SchemaVersion, TopicFields
from mainstem.watch.transforms import TRANSFORMS
from mainstem.watch.transforms.record import columns as leaves
from mainstem.watch.transforms.record import start

KAFKA = "kafka://b:9092"
TOPIC = "srv.public.orders"
JDBC = {"connection.url": "jdbc:postgresql://pg:5432/wh", "table.name.format": "orders"}
CONNECTORS: list[tuple[str, dict[str, str]]] = [
    ("sink", {"connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector", **JDBC}),
    ("sink", {"connector.class": "io.debezium.connector.jdbc.JdbcSinkConnector", **JDBC}),
    (
        "sink",
        {
            "connector.class": "com.wepay.kafka.connect.bigquery.BigQuerySinkConnector",
            "project": "p",
            "defaultDataset": "d",
        },
    ),
    (
        "sink",
        {
            "connector.class": "com.snowflake.kafka.connector.SnowflakeSinkConnector",
            "snowflake.url.name": "a.snowflakecomputing.com",
            "snowflake.database.name": "d",
            "snowflake.schema.name": "s",
        },
    ),
    (
        "sink",
        {
            "connector.class": "com.mongodb.kafka.connect.MongoSinkConnector",
            "connection.uri": "mongodb://m:27017",
            "database": "d",
            "collection": "c",
        },
    ),
    (
        "sink",
        {"connector.class": "io.confluent.connect.s3.S3SinkConnector", "s3.bucket.name": "lake"},
    ),
    (
        "source",
        {
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
            "database.hostname": "pg",
            "database.dbname": "shop",
            "topic.prefix": "srv",
            "table.include.list": "public.orders",
        },
    ),
    (
        "source",
        {
            "connector.class": "io.confluent.connect.jdbc.JdbcSourceConnector",
            "connection.url": "jdbc:postgresql://pg:5432/shop",
            "topic.prefix": "srv.public.",
            "table.whitelist": "orders",
        },
    ),
    (
        "source",
        {
            "connector.class": "org.apache.kafka.connect.mirror.MirrorSourceConnector",
            "source.cluster.alias": "srv",
            "source.cluster.bootstrap.servers": "eu:9092",
            "topics": "public.orders",
        },
    ),
]
OPTIONS = {
    "pk.mode": ("none", "kafka", "record_key", "record_value", "other"),
    "pk.fields": ("id", "id,price", "absent"),
    "primary.key.mode": ("none", "kafka", "record_key", "record_value", "record_header"),
    "primary.key.fields": ("id", "absent"),
    "field.include.list": ("id", "srv.public.orders:id"),
    "fields.whitelist": ("id", "absent"),
    "kafkaKeyFieldName": ("k",),
    "kafkaDataFieldName": ("m",),
    "sanitizeFieldNames": ("true",),
    "snowflake.enable.schematization": ("true", "false"),
    "document.id.strategy": ("FullKeyStrategy", "PartialKeyStrategy", "KafkaMetaDataStrategy"),
    "change.data.capture.handler": ("a.debezium.rdbms.X", "b"),
    "output.data.format": ("BYTES", "JSON"),
}
METADATA = {"$topic", "$partition", "$offset", "$timestamp", "$headers", "$key", "$value"}

names = st.sampled_from(["id", "price", "after", "before", "op", "a.b", "a_b", "ä", "$key"])
types = st.sampled_from(["long", "string", "array<string>", "map<string,long>", "decimal(10,2)"])
leaf = st.builds(Field, names, types, st.just(()), st.booleans())
tree = st.recursive(
    leaf,
    lambda inner: st.builds(
        Field,
        names,
        st.sampled_from(["record", "message", "union<a,b>", "array<record>", "struct"]),
        st.lists(inner, max_size=3, unique_by=lambda one: one.name).map(tuple),
    ),
    max_leaves=6,
)
half = st.lists(tree, max_size=4, unique_by=lambda one: one.name).map(tuple) | st.tuples(
    st.builds(Field, st.just(""), types)
)
steps = st.lists(
    st.tuples(
        st.sampled_from([name for one in TRANSFORMS for name in one.classes]),
        st.sampled_from(["", "$Key", "$Value"]),
        st.dictionaries(
            st.sampled_from(sorted({name for one in TRANSFORMS for name in one.reads})),
            st.sampled_from(["id", "id:x,price:y", "after.id", "price:string", "_", "true", "$1"]),
            max_size=5,
        ),
        st.sampled_from([None, "TopicNameMatches", "HasHeaderKey", "RecordIsTombstone", "Own"]),
    ),
    max_size=3,
)
options = st.fixed_dictionaries(
    {}, optional={key: st.sampled_from(words) for key, words in OPTIONS.items()}
)


def chained(steps: list[tuple[str, str, dict[str, str], str | None]]) -> dict[str, str]:
    config = {"transforms": ",".join(f"t{at}" for at in range(len(steps)))}
    for at, (kind, side, more, predicate) in enumerate(steps):
        config[f"transforms.t{at}.type"] = kind + side
        config |= {f"transforms.t{at}.{key}": value for key, value in more.items()}
        if predicate:
            config[f"transforms.t{at}.predicate"] = f"p{at}"
            config[f"predicates.p{at}.type"] = f"x.{predicate}"
            config[f"predicates.p{at}.pattern"] = ".*"
    return config if steps else {}


def connector(kind: str, config: dict[str, str], fields: TopicFields) -> Connector:
    if kind == "sink":
        config = {"topics": TOPIC, **config}
    return Connector("c", Direction(kind), config, KAFKA, fields={TOPIC: fields})


def paths(fields: TopicFields) -> set[str]:
    found: set[str] = set()

    def walk(inner: tuple[Field, ...], above: str) -> None:
        for field in inner:
            found.add(above + field.name)
            walk(field.fields, f"{above}{field.name}.")

    walk(fields.value, "")
    walk(fields.key, "$key.")
    return found | METADATA


@settings(max_examples=400)
@given(st.sampled_from(CONNECTORS), st.builds(TopicFields, half, half), steps, options)
def test_every_source_of_a_column_is_there(
    family: tuple[str, dict[str, str]],
    fields: TopicFields,
    chain: list[tuple[str, str, dict[str, str], str | None]],
    more: dict[str, str],
) -> None:
    kind, config = family
    told = resolve(connector(kind, {**config, **more, **chained(chain)}, fields))
    assert isinstance(told, Resolution), told
    for column in told.columns:
        assert column.output in told.outputs
        topics_fields = {one.field for one in column.sources} if kind == "sink" else {column.field}
        assert topics_fields <= paths(fields)
        assert {one.dataset for one in column.sources} <= set(told.inputs)
    seen = [(column.output, column.field) for column in told.columns]
    assert len(seen) == len(set(seen))


@pytest.mark.parametrize(("kind", "config"), CONNECTORS, ids=lambda one: str(one)[:60])
def test_without_a_schema_nothing_is_told_and_with_one_something_is(
    kind: str, config: dict[str, str]
) -> None:
    row = (Field("id", "long"), Field("price", "double"))
    envelope = (Field("after", "record", row), Field("op", "string"))
    is_debezium = "debezium.connector.postgresql" in config["connector.class"]
    known = connector(kind, config, TopicFields(envelope if is_debezium else row, row[:1]))
    without = resolve(Connector("c", Direction(kind), known.config, KAFKA))
    told = resolve(known)
    assert isinstance(without, Resolution)
    assert isinstance(told, Resolution)
    assert not without.columns
    assert not without.schemas
    assert told.columns
    assert told.edges == without.edges


def test_schemas_of_both_sides_carry_the_registry_s_id_and_version() -> None:
    version = SchemaVersion("orders-value", 3, 12, "AVRO")
    fields = TopicFields((Field("id", "long", description="its number"),), (), version)
    config = {"connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector", **JDBC}
    told = resolve(connector("sink", config, fields))
    assert isinstance(told, Resolution)
    table = told.schemas[DatasetName("postgres://pg:5432", "wh.public.orders")]
    assert table.value == version
    assert table.fields == (Field("id", "long", description="its number"),)
    assert told.schemas[DatasetName(KAFKA, TOPIC)].value == version


def test_a_table_of_two_topics_belongs_to_no_one_version() -> None:
    config = {
        "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
        **JDBC,
        "topics": "a,b",
    }
    fields = {
        topic: TopicFields(
            (Field(topic, "long"), Field("id", "long")),
            value_schema=SchemaVersion(f"{topic}-value", 1, number, "AVRO"),
        )
        for number, topic in enumerate("ab")
    }
    told = resolve(Connector("c", Direction.SINK, config, KAFKA, fields=fields))
    assert isinstance(told, Resolution)
    table = told.schemas[DatasetName("postgres://pg:5432", "wh.public.orders")]
    assert [field.name for field in table.fields] == ["a", "id", "b"]
    assert table.value is None


def test_a_table_before_a_cast_has_the_column_and_no_type_for_it() -> None:
    kind, config = CONNECTORS[7]
    cast: list[tuple[str, str, dict[str, str], str | None]] = [
        ("org.apache.kafka.connect.transforms.Cast", "$Value", {"spec": "price:string"}, None)
    ]
    fields = TopicFields((Field("id", "long"), Field("price", "string")))
    told = resolve(connector(kind, {**config, **chained(cast)}, fields))
    assert isinstance(told, Resolution)
    table = told.schemas[DatasetName("postgres://pg:5432", "shop.public.orders")]
    assert [(field.name, field.type) for field in table.fields] == [("id", "long"), ("price", "")]


def test_a_class_that_no_family_knows_has_no_columns_whatever_the_user_declares() -> None:
    declared = Declaration(edges=((DatasetName(KAFKA, TOPIC), DatasetName("acme://x", "t")),))
    own = Connector(
        "c",
        Direction.SINK,
        {"connector.class": "com.acme.Own", "topics": TOPIC},
        KAFKA,
        fields={TOPIC: TopicFields((Field("id", "long"),))},
        declared=declared,
    )
    told = resolve(own)
    assert isinstance(told, Resolution)
    assert told.edges
    assert not told.columns


def test_most_families_declare_what_their_columns_are() -> None:
    declared = [family.name for family in FAMILIES if family.columns != NOT_TOLD]
    assert len(declared) >= 20


def test_a_hundred_topics_keep_their_own_schemas() -> None:
    fields: dict[str, Any] = {
        f"t{number}": TopicFields((Field(f"column_{number}", "long"),)) for number in range(100)
    }
    config = {
        "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
        "connection.url": "jdbc:postgresql://pg:5432/wh",
        "topics": ",".join(fields),
    }
    told = resolve(Connector("c", Direction.SINK, config, KAFKA, fields=fields))
    assert isinstance(told, Resolution)
    assert {(column.output.name, column.field) for column in told.columns} == {
        (f"wh.public.t{number}", f"column_{number}") for number in range(100)
    }
    for column in told.columns:
        (source,) = column.sources
        assert source.dataset.name == column.output.name.removeprefix("wh.public.")
        assert [path for path, _ in leaves(start(fields[source.dataset.name]))] == [source.field]


def documents(**more: str) -> Resolution:
    row = {"type": "record", "name": "Row", "fields": [{"name": "price", "type": "double"}]}
    envelope = {"type": "record", "name": "Envelope", "fields": [{"name": "after", "type": row}]}
    config = {
        "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
        "mongodb.connection.string": "mongodb://m:27017",
        "topic.prefix": "srv",
        "collection.include.list": "shop.orders",
        **more,
    }
    schemas = {"srv.shop.orders-value": {"schema": envelope}}
    document = {"name": "c", "type": "source", "config": config, "schemas": schemas}
    told = resolve(connector_from(document, "kafka://b:9092"))
    assert isinstance(told, Resolution)
    return told


def test_documents_whose_fields_are_renamed_are_not_guessed_at() -> None:
    (column,) = documents().columns
    assert (column.field, column.sources[0].field) == ("after.price", "price")
    renamed = documents(**{"field.renames": "shop.orders.cost:price"})
    assert renamed.columns == ()
    assert any("field.renames" in note for note in renamed.notes)
