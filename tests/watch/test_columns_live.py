"""What real transforms and connectors do to fields, against what is told of their columns.

Every value of a record is one of a kind, so that a value which arrives tells where it came from.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import confluent_kafka
import psycopg
import pytest
from psycopg.rows import dict_row
from psycopg.sql import SQL, Identifier

from mainstem.lab.services.connect import ConnectWorker
from mainstem.lab.services.kafka import KafkaBroker
from mainstem.lab.services.postgres import PostgresServer
from mainstem.watch.resolvers import resolve
from mainstem.watch.resolvers.model import ColumnEdge, Connector, Resolution
from mainstem.watch.resolvers.told import connector_from
from mainstem.watch.schema_registry.fields import Field, TopicFields
from mainstem.watch.transforms.chain import chain_of
from mainstem.watch.transforms.record import Origin, columns, start
from mainstem.watch.transforms.settings import Settings
from watch.live import PATIENCE_SECONDS, Buttons

pytestmark = pytest.mark.lab

APACHE = "org.apache.kafka.connect.transforms"
DEBEZIUM = "io.debezium.transforms"
JSON = {
    f"{half}.converter{key}": value
    for half in ("key", "value")
    for key, value in (
        ("", "org.apache.kafka.connect.json.JsonConverter"),
        (".schemas.enable", "true"),
    )
}
Json = dict[str, Any]
Answer = TypeVar("Answer")


def struct(*fields: Json, name: str | None = None, **more: Any) -> Json:
    return {"type": "struct", "fields": list(fields), "name": name, "optional": False, **more}


def plain(kind: str, of: str, **more: Any) -> Json:
    return {"type": kind, "optional": False, "field": of, **more}


ORDER = struct(
    plain("int64", "id"),
    plain("double", "price"),
    plain("string", "item"),
    plain("int64", "bid_time"),
    struct(
        plain("string", "name"),
        struct(plain("string", "city"), plain("string", "zip"), field="address"),
        field="buyer",
    ),
    plain("array", "tags", items={"type": "string", "optional": False}),
    name="Order",
)
ORDER_VALUES = {
    "id": 101,
    "price": 2.5,
    "item": "lamp",
    "bid_time": 1700000000000,
    "buyer": {"name": "ann", "address": {"city": "Oslo", "zip": "z77"}},
    "tags": ["t1"],
}
ROW = (plain("int64", "id"), plain("string", "email"), plain("double", "total"))
CHANGE = struct(
    struct(*ROW, field="before", optional=True),
    struct(*ROW, field="after", optional=True),
    struct(plain("string", "table"), plain("int64", "ts_ms"), field="source"),
    plain("string", "op"),
    plain("int64", "ts_ms"),
    name="shop.Envelope",
)
CHANGE_VALUES = {
    "before": {"id": 301, "email": "old@x", "total": 1.25},
    "after": {"id": 302, "email": "new@x", "total": 7.75},
    "source": {"table": "orders", "ts_ms": 303},
    "op": "c",
    "ts_ms": 304,
}
KEY = struct(plain("int64", "id"), plain("string", "region"), name="Key")
KEY_VALUES = {"id": 401, "region": "north"}


@dataclass(frozen=True)
class Case:
    """One chain, before a sink of its own or behind a source of its own."""

    name: str
    steps: tuple[tuple[str, dict[str, str]], ...] = ()
    schema: Json = field(default_factory=lambda: ORDER)
    values: Json = field(default_factory=lambda: ORDER_VALUES)
    more: dict[str, str] = field(default_factory=dict)

    @property
    def topic(self) -> str:
        return f"columns.{self.name}"

    @property
    def chain(self) -> dict[str, str]:
        config = {"transforms": ",".join(f"t{at}" for at in range(len(self.steps)))}
        for at, (kind, options) in enumerate(self.steps):
            config[f"transforms.t{at}.type"] = kind
            config |= {f"transforms.t{at}.{key}": value for key, value in options.items()}
        return {**config, **self.more} if self.steps else dict(self.more)

    @property
    def fields(self) -> TopicFields:
        return TopicFields(fields_of(self.schema), fields_of(KEY))


def fields_of(schema: Json) -> tuple[Field, ...]:
    """The fields of the schema that JsonConverter writes beside each record."""
    if schema["type"] != "struct":
        return (Field("", schema["type"]),)
    return tuple(
        Field(
            one["field"],
            one["type"],
            fields_of(one) if one["type"] == "struct" else (),
            bool(one.get("optional")),
        )
        for one in schema["fields"]
    )


HAS_HEADER = {"predicates": "p", "predicates.p.type": f"{APACHE}.predicates.HasHeaderKey"}
NO_SUCH_HEADER = {**HAS_HEADER, "predicates.p.name": "absent"}
THAT_HEADER = {**HAS_HEADER, "predicates.p.name": "kind"}
TOMBSTONES = {"predicates": "p", "predicates.p.type": f"{APACHE}.predicates.RecordIsTombstone"}
UNWRAP = (f"{DEBEZIUM}.ExtractNewRecordState", {"add.fields": "op,source.ts_ms,table"})
FLATTEN = (f"{APACHE}.Flatten$Value", {"delimiter": "_"})
FOR_FILES = (
    Case("as_it_is"),
    Case("flattened", (FLATTEN,)),
    Case(
        "flattened_and_renamed",
        (
            FLATTEN,
            (f"{APACHE}.ReplaceField$Value", {"renames": "buyer_name:who,id:order_id"}),
            (f"{APACHE}.ReplaceField$Value", {"exclude": "buyer_address_zip,tags"}),
        ),
    ),
    Case("kept", ((f"{APACHE}.ReplaceField$Value", {"include": "id,buyer"}),)),
    Case("hoisted", ((f"{APACHE}.HoistField$Value", {"field": "row"}),)),
    Case("extracted", ((f"{APACHE}.ExtractField$Value", {"field": "buyer"}),)),
    Case(
        "extracted_from_below",
        (
            (
                f"{APACHE}.ExtractField$Value",
                {"field": "buyer.address.city", "field.syntax.version": "V2"},
            ),
        ),
    ),
    Case(
        "inserted",
        (
            (
                f"{APACHE}.InsertField$Value",
                {"static.field": "site", "static.value": "web", "topic.field": "came_from"},
            ),
            (f"{APACHE}.InsertField$Value", {"offset.field": "at", "partition.field": "part"}),
        ),
    ),
    Case(
        "cast_and_masked",
        (
            (f"{APACHE}.Cast$Value", {"spec": "id:string,price:int32"}),
            (f"{APACHE}.MaskField$Value", {"fields": "item", "replacement": "hidden"}),
        ),
    ),
    Case(
        "converted",
        (
            (
                f"{APACHE}.TimestampConverter$Value",
                {"field": "bid_time", "target.type": "string", "format": "yyyy"},
            ),
        ),
    ),
    Case(
        "the_lab_s",
        (
            (f"{APACHE}.ValueToKey", {"fields": "id"}),
            (f"{APACHE}.ExtractField$Key", {"field": "id"}),
            (
                f"{APACHE}.TimestampConverter$Value",
                {"field": "bid_time", "target.type": "Timestamp"},
            ),
        ),
    ),
    Case("unwrapped", (UNWRAP,), CHANGE, CHANGE_VALUES),
    Case(
        "unwrapped_renamed_and_wrapped",
        (
            UNWRAP,
            (f"{APACHE}.ReplaceField$Value", {"renames": "total:amount", "exclude": "email"}),
            (f"{APACHE}.HoistField$Value", {"field": "payload"}),
            FLATTEN,
        ),
        CHANGE,
        CHANGE_VALUES,
    ),
    Case("a_change_flattened", (FLATTEN,), CHANGE, CHANGE_VALUES),
    Case(
        "into_a_header_and_back",
        (
            (f"{APACHE}.HeaderFrom$Value", {"fields": "item", "headers": "h", "operation": "move"}),
            (
                f"{DEBEZIUM}.HeaderToValue",
                {"fields": "thing", "headers": "h", "operation": "move"},
            ),
        ),
    ),
    Case(
        "tombstones_dropped",
        ((f"{APACHE}.Filter", {"predicate": "p"}), FLATTEN),
        more=TOMBSTONES,
    ),
    Case(
        "masked_by_topic",
        ((f"{APACHE}.MaskField$Value", {"fields": "price", "predicate": "p", "negate": "true"}),),
        more={
            "predicates": "p",
            "predicates.p.type": f"{APACHE}.predicates.TopicNameMatches",
            "predicates.p.pattern": "other",
        },
    ),
    Case(
        "renamed_topic_and_masked",
        (
            (f"{APACHE}.RegexRouter", {"regex": r"columns\.(.*)", "replacement": "$1"}),
            (f"{APACHE}.MaskField$Value", {"fields": "price", "predicate": "p"}),
        ),
        more={
            "predicates": "p",
            "predicates.p.type": f"{APACHE}.predicates.TopicNameMatches",
            "predicates.p.pattern": "renamed_.*",
        },
    ),
)
FOR_SOME = (
    Case(
        "not_masked_without_the_header",
        ((f"{APACHE}.MaskField$Value", {"fields": "price", "predicate": "p"}),),
        more=NO_SUCH_HEADER,
    ),
    Case(
        "masked_with_the_header",
        ((f"{APACHE}.MaskField$Value", {"fields": "price", "predicate": "p"}),),
        more=THAT_HEADER,
    ),
    Case(
        "renamed_with_the_header",
        ((f"{APACHE}.ReplaceField$Value", {"renames": "price:amount", "predicate": "p"}),),
        more=THAT_HEADER,
    ),
)
FLAT = ((f"{APACHE}.ReplaceField$Value", {"exclude": "tags"}), FLATTEN)
FOR_TABLES = (
    Case("row_by_key", FLAT, more={"primary.key.mode": "record_key", "insert.mode": "upsert"}),
    Case(
        "row_by_value",
        FLAT,
        more={"primary.key.mode": "record_value", "primary.key.fields": "id"},
    ),
    Case("row_by_place", FLAT, more={"primary.key.mode": "kafka"}),
    Case("row_without_key", FLAT, more={"primary.key.mode": "none"}),
    Case(
        "row_of_a_change",
        (),
        CHANGE,
        CHANGE_VALUES,
        {"primary.key.mode": "record_key", "field.exclude.list": "total,region"},
    ),
    Case(
        "row_unwrapped",
        (UNWRAP, (f"{APACHE}.ReplaceField$Value", {"renames": "email:Contact"})),
        CHANGE,
        CHANGE_VALUES,
        {"primary.key.mode": "record_key", "primary.key.fields": "id"},
    ),
    Case(
        "row_with_quoted_names",
        (*FLAT, (f"{APACHE}.ReplaceField$Value", {"renames": "item:Item,price:Price"})),
        more={"quote.identifiers": "true", "field.include.list": "Item, id"},
    ),
)


@pytest.fixture(scope="module")
def buttons(connect: ConnectWorker) -> Iterator[Buttons]:
    buttons = Buttons(connect.url)
    yield buttons
    buttons.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("columns")


@pytest.fixture(scope="module")
def written_files(buttons: Buttons, kafka: KafkaBroker, folder: Path) -> Iterator[Path]:
    """Each case's record, sent through its chain by a file sink of its own."""
    cases = (*FOR_FILES, *FOR_SOME)
    send(kafka, cases)
    for case in cases:
        config = {"connector.class": "FileStreamSink", "file": str(folder / case.name)}
        buttons.put(case.topic, {**config, "topics": case.topic, **JSON, **case.chain})
    yield folder
    for case in cases:
        buttons.delete(case.topic)


@pytest.fixture(scope="module")
def written_tables(
    buttons: Buttons, kafka: KafkaBroker, postgres_server: PostgresServer
) -> Iterator[PostgresServer]:
    """Each case's record, written to a table of its own by Debezium's JDBC sink."""
    send(kafka, FOR_TABLES)
    for case in FOR_TABLES:
        buttons.put(case.topic, table_sink(case, postgres_server))
    yield postgres_server
    for case in FOR_TABLES:
        buttons.delete(case.topic)


def table_sink(case: Case, server: PostgresServer) -> dict[str, str]:
    return {
        "connector.class": "io.debezium.connector.jdbc.JdbcSinkConnector",
        "connection.url": f"jdbc:postgresql://{server.host}:{server.port}/shop",
        "connection.username": "postgres",
        "connection.password": "any",
        "topics": case.topic,
        "schema.evolution": "basic",
        "insert.mode": "insert",
        # Seven pools of the default size are more than the server has connections.
        "connection.pool.min_size": "1",
        "connection.pool.max_size": "2",
        "connection.pool.acquire_increment": "1",
        **JSON,
        **case.chain,
    }


def send(kafka: KafkaBroker, cases: tuple[Case, ...]) -> None:
    producer = confluent_kafka.Producer({"bootstrap.servers": kafka.bootstrap})
    for case in cases:
        producer.produce(
            case.topic,
            json.dumps({"schema": case.schema, "payload": case.values}).encode(),
            json.dumps({"schema": KEY, "payload": KEY_VALUES}).encode(),
            headers={"kind": b"test"},
        )
    assert producer.flush(60) == 0


def wait_for(what: str, look: Callable[[], Answer | None], why: Callable[[], Any]) -> Answer:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (found := look()) is None:
        if time.monotonic() > deadline:
            raise AssertionError(f"{what} did not come: {why()}")
        time.sleep(0.2)
    return found


def leaves(values: Any, above: str = "") -> dict[str, Any]:
    """Every value by its path; an array is one value."""
    if not isinstance(values, dict):
        return {above.rstrip(".") or "$value": values}
    return {
        path: value
        for name, inner in values.items()
        for path, value in leaves(inner, f"{above}{name}.").items()
    }


def parse_struct(text: str) -> Any:
    """The fields of what Connect prints of a record: ``Struct{id=1,buyer=Struct{name=ann}}``."""
    if not text.startswith("Struct{"):
        return text
    inner, depth, parts = text[len("Struct{") : -1], 0, [""]
    for letter in inner:
        depth += (letter in "{[") - (letter in "}]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    pairs = (part.partition("=") for part in parts)
    return {name: parse_struct(value) for name, _, value in pairs}


def sent_values(case: Case) -> dict[str, str]:
    """What was sent, by path, as Connect prints it."""
    values = {path: printed(value) for path, value in leaves(case.values).items()}
    return values | {f"$key.{name}": printed(value) for name, value in KEY_VALUES.items()}


def printed(value: Any) -> str:
    return f"[{', '.join(value)}]" if isinstance(value, list) else str(value)


def agrees(value: str, origins: tuple[Origin, ...], case: Case) -> bool:
    """Whether a value that arrived is of the origins told."""
    sent = sent_values(case)
    direct = [origin for origin in origins if origin.direct]
    if not direct:
        return value not in sent.values()
    known = sent | {"$topic": case.topic, "$partition": "0", "$offset": "0"}
    # The one case that reads a header has put a field there before.
    copies = [known.get(origin.path, "lamp") for origin in direct]
    if all(origin.transformation == "IDENTITY" for origin in direct):
        return value in copies
    return not any(origin.masking for origin in direct) or value not in copies


def arrived(folder: Path, case: Case, buttons: Buttons) -> dict[str, str]:
    file = folder / case.name

    def look() -> str | None:
        return (file.read_text().splitlines() or [None])[0] if file.exists() else None

    line = wait_for(f"the line of {case.name}", look, lambda: buttons.status(case.topic))
    return leaves(parse_struct(line))


@pytest.mark.parametrize("case", FOR_FILES, ids=lambda case: case.name)
def test_fields_arrive_as_told(case: Case, written_files: Path, buttons: Buttons) -> None:
    found = arrived(written_files, case, buttons)
    after = chain_of(Settings(case.chain)).forward(case.topic, start(case.fields))
    told = {path: node for path, node in columns(after) if not path.startswith("$key")}
    assert told.keys() == found.keys()
    for path, node in told.items():
        assert agrees(found[path], node.origins, case), (path, node, found[path])


@pytest.mark.parametrize("case", FOR_SOME, ids=lambda case: case.name)
def test_what_only_some_records_meet_is_one_of_the_ways_told(
    case: Case, written_files: Path, buttons: Buttons
) -> None:
    found = arrived(written_files, case, buttons)
    after = chain_of(Settings(case.chain)).forward(case.topic, start(case.fields))
    told = {path: node for path, node in columns(after) if not path.startswith("$key")}
    assert found.keys() <= told.keys()
    sent = sent_values(case)
    for path, value in found.items():
        direct = [origin for origin in told[path].origins if origin.direct]
        copied = value in {sent[origin.path] for origin in direct}
        assert copied or any(one.transformation != "IDENTITY" for one in direct), path
    for path in told.keys() - found.keys():
        assert any(not origin.direct for origin in told[path].origins), path


def told_columns(document: Json, kafka: KafkaBroker, topic: str, fields: TopicFields) -> Resolution:
    read = connector_from(document, f"kafka://{kafka.bootstrap}")
    known = Connector(
        read.name, read.direction, read.config, read.kafka_namespace, fields={topic: fields}
    )
    told = resolve(known)
    assert isinstance(told, Resolution), told
    assert not told.notes
    return told


@pytest.mark.parametrize("case", FOR_TABLES, ids=lambda case: case.name)
def test_columns_of_a_table_are_those_told(
    case: Case, written_tables: PostgresServer, kafka: KafkaBroker, buttons: Buttons
) -> None:
    document = {"name": case.topic, "type": "sink", "config": table_sink(case, written_tables)}
    told = told_columns(document, kafka, case.topic, case.fields)
    (table,) = {column.output.name for column in told.columns}
    row = wait_for(
        f"the row of {case.name}",
        lambda: first_row(written_tables, table.rpartition(".")[2]),
        lambda: buttons.status(case.topic),
    )
    assert {column.field for column in told.columns} == row.keys()
    for column in told.columns:
        assert agrees(str(row[column.field]), origins_of(column), case), (column, row)


def origins_of(column: ColumnEdge) -> tuple[Origin, ...]:
    return tuple(
        Origin(one.field, one.transformation, one.masking, one.direct) for one in column.sources
    )


def first_row(server: PostgresServer, table: str) -> dict[str, Any] | None:
    query = SQL("SELECT * FROM {}").format(Identifier(table))
    with psycopg.connect(server.dsn("shop")) as session:
        try:
            return session.cursor(row_factory=dict_row).execute(query).fetchone()
        except psycopg.errors.UndefinedTable:
            return None


FROM_TABLES = (
    Case("envelope"),
    Case("row_alone", ((f"{DEBEZIUM}.ExtractNewRecordState", {"add.fields": "op,source.table"}),)),
    Case(
        "row_changed",
        (
            (
                f"{DEBEZIUM}.ExtractNewRecordState",
                {"delete.tombstone.handling.mode": "rewrite"},
            ),
            (f"{APACHE}.ReplaceField$Value", {"renames": "item:thing"}),
            (f"{APACHE}.MaskField$Value", {"fields": "supplier"}),
            (f"{APACHE}.Cast$Value", {"spec": "price:string"}),
            (f"{APACHE}.InsertField$Value", {"static.field": "site", "static.value": "web"}),
        ),
    ),
    Case(
        "row_keyed_anew",
        (
            (f"{DEBEZIUM}.ExtractNewRecordState", {}),
            (f"{APACHE}.ValueToKey", {"fields": "item,order_id"}),
            (f"{APACHE}.ExtractField$Key", {"field": "item"}),
            (f"{APACHE}.RegexRouter", {"regex": r"(.*)\.public\.(.*)", "replacement": "$1-$2"}),
        ),
    ),
)
BOUGHT = {"order_id": 501, "item": "kettle", "price": 31.5, "supplier": "hearth"}


def table_source(case: Case, server: PostgresServer) -> dict[str, str]:
    name = f"cols_{case.name}"
    return {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "database.hostname": server.host,
        "database.port": str(server.port),
        "database.user": "postgres",
        "database.password": "any",
        "database.dbname": "shop",
        "plugin.name": "pgoutput",
        "slot.name": name,
        "publication.name": name,
        "publication.autocreate.mode": "filtered",
        "topic.prefix": name,
        "table.include.list": "public.bought",
        **JSON,
        **case.chain,
    }


@pytest.fixture(scope="module")
def read_tables(buttons: Buttons, postgres_server: PostgresServer) -> Iterator[PostgresServer]:
    """One table, followed by a Debezium connector for each case."""
    postgres_server.execute(
        "CREATE TABLE bought (order_id bigint PRIMARY KEY, item text, price float, supplier text)",
        "INSERT INTO bought VALUES (501, 'kettle', 31.5, 'hearth')",
        database="shop",
    )
    for case in FROM_TABLES:
        buttons.put(f"cols {case.name}", table_source(case, postgres_server))
    yield postgres_server
    for case in FROM_TABLES:
        buttons.delete(f"cols {case.name}")


@pytest.mark.parametrize("case", FROM_TABLES, ids=lambda case: case.name)
def test_a_topic_s_fields_are_led_back_to_the_columns_they_came_from(
    case: Case, read_tables: PostgresServer, kafka: KafkaBroker, buttons: Buttons
) -> None:
    config = table_source(case, read_tables)
    start_name = f"cols_{case.name}.public.bought"
    topic = chain_of(Settings(config)).route(start_name).end
    assert isinstance(topic, str)
    key, value = record_of(kafka, topic, lambda: buttons.status(f"cols {case.name}"))
    fields = TopicFields(fields_of(value["schema"]), fields_of(key["schema"]))
    found = {path: printed(one) for path, one in leaves(value["payload"]).items()}
    in_key = leaves(key["payload"]) if isinstance(key["payload"], dict) else {"": key["payload"]}
    found |= {f"$key.{path}".rstrip("."): printed(one) for path, one in in_key.items()}
    document = {"name": "c", "type": "source", "config": config, "topics": [topic]}
    told = told_columns(document, kafka, topic, fields)
    assert found_paths(found) <= {column.field for column in told.columns}
    bought = {name: printed(one) for name, one in BOUGHT.items()}
    for column in told.columns:
        arrived = found.get(column.field, "None")
        if not column.sources:
            assert arrived not in bought.values(), column
        elif arrived != "None":
            (source,) = column.sources
            same = arrived == bought[source.field]
            assert same or source.transformation == "TRANSFORMATION", column
            assert not (source.masking and same), column


def found_paths(found: dict[str, str]) -> set[str]:
    """Every path that holds a value; a row that is not there has no columns below it."""
    return {path for path, value in found.items() if value != "None"}


def record_of(kafka: KafkaBroker, topic: str, why: Callable[[], Any]) -> tuple[Json, Json]:
    consumer = confluent_kafka.Consumer(
        {
            "bootstrap.servers": kafka.bootstrap,
            "group.id": f"read {topic}",
            "auto.offset.reset": "earliest",
        }
    )
    consumer.subscribe([topic])

    def look() -> tuple[Json, Json] | None:
        message = consumer.poll(1)
        if message is None or message.error():
            return None
        return json.loads(message.key() or b"{}"), json.loads(message.value() or b"{}")

    try:
        return wait_for(f"a record of {topic}", look, why)
    finally:
        consumer.close()
