"""How fast connectors are resolved with their columns: CPU time of one core.

A thousand connectors of two hundred columns each, in the proportions of a real estate: change
events read and written, nested records flattened, masked, cast, filtered. The bar is ten seconds.
"""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING

from mainstem.watch.connect.snapshot import ObservedConnector, State
from mainstem.watch.events import Subject
from mainstem.watch.events.building import build
from mainstem.watch.resolvers import resolve
from mainstem.watch.resolvers.model import Connector, Direction, Resolution
from mainstem.watch.runs.model import Telling, Transition
from mainstem.watch.schema_registry.fields import Field, TopicFields
from mainstem.watch.schema_registry.formats import read_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

COUNT = 1_000
WIDTH = 200
BAR_SECONDS = 10
RUN = "0193348a-0000-7000-8000-000000000001"
KAFKA = "kafka://b:9092"
APACHE = "org.apache.kafka.connect.transforms"
DEBEZIUM = "io.debezium.transforms"
TYPES = ("long", "string", "double", "decimal(10,2)", "timestamp-millis")


def row(width: int = WIDTH) -> tuple[Field, ...]:
    return tuple(Field(f"column_{at}", TYPES[at % len(TYPES)]) for at in range(width))


def nested() -> tuple[Field, ...]:
    """Two hundred fields, in records of ten below records of five."""
    return tuple(
        Field(
            f"part_{outer}",
            "record",
            tuple(Field(f"group_{inner}", "record", row(10)) for inner in range(5)),
        )
        for outer in range(WIDTH // 50)
    )


def change_event() -> TopicFields:
    source = tuple(Field(name, "string") for name in ("version", "db", "schema", "table", "ts_ms"))
    value = (
        Field("before", "record", row(), optional=True),
        Field("after", "record", row(), optional=True),
        Field("source", "record", source),
        Field("op", "string"),
        Field("ts_ms", "long"),
    )
    return TopicFields(value, row(1))


def steps(*chain: tuple[str, dict[str, str]]) -> dict[str, str]:
    config = {"transforms": ",".join(f"t{at}" for at in range(len(chain)))}
    for at, (kind, options) in enumerate(chain):
        config[f"transforms.t{at}.type"] = kind
        config |= {f"transforms.t{at}.{key}": value for key, value in options.items()}
    return config


UNWRAP = (f"{DEBEZIUM}.ExtractNewRecordState", {"add.fields": "op,source.ts_ms"})
RENAMES = ",".join(f"column_{at}:renamed_{at}" for at in range(0, WIDTH, 10))


def debezium(number: int, **chain: str) -> dict[str, str]:
    return {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "database.hostname": "pg",
        "database.dbname": "shop",
        "topic.prefix": f"srv{number}",
        "table.include.list": "public.orders",
        **chain,
    }


def source_of_changes(number: int) -> Connector:
    topic = f"srv{number}.public.orders"
    return _connector("source", debezium(number), topic, change_event())


def source_of_rows(number: int) -> Connector:
    chain = steps(UNWRAP, (f"{APACHE}.MaskField$Value", {"fields": "column_1,column_2"}))
    topic = f"srv{number}.public.orders"
    return _connector("source", debezium(number, **chain), topic, TopicFields(row(), row(1)))


def sink_of_changes(number: int) -> Connector:
    config = {
        "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
        "connection.url": "jdbc:postgresql://pg:5432/wh",
        "topics": f"srv{number}.public.orders",
        "table.name.format": f"orders_{number}",
        "pk.mode": "record_key",
        **steps(UNWRAP, (f"{APACHE}.ReplaceField$Value", {"renames": RENAMES})),
    }
    return _connector("sink", config, f"srv{number}.public.orders", change_event())


def sink_of_nested_records(number: int) -> Connector:
    config = {
        "connector.class": "com.wepay.kafka.connect.bigquery.BigQuerySinkConnector",
        "project": "p",
        "defaultDataset": "raw",
        "topics": f"clicks_{number}",
        "sanitizeFieldNames": "true",
        **steps((f"{APACHE}.Flatten$Value", {"delimiter": "_"})),
    }
    return _connector("sink", config, f"clicks_{number}", TopicFields(nested()))


def sink_of_files(number: int) -> Connector:
    config = {
        "connector.class": "io.confluent.connect.s3.S3SinkConnector",
        "s3.bucket.name": "lake",
        "topics": f"raw_{number}",
        **steps(
            (f"{APACHE}.Filter", {"predicate": "p"}),
            (f"{APACHE}.Cast$Value", {"spec": "column_0:string,column_1:string"}),
            (f"{APACHE}.InsertField$Value", {"offset.field": "at", "topic.field": "from"}),
        ),
        "predicates": "p",
        "predicates.p.type": f"{APACHE}.predicates.RecordIsTombstone",
    }
    return _connector("sink", config, f"raw_{number}", TopicFields(row()))


KINDS: tuple[Callable[[int], Connector], ...] = (
    source_of_changes,
    source_of_rows,
    sink_of_changes,
    sink_of_nested_records,
    sink_of_files,
)


def _connector(kind: str, config: dict[str, str], topic: str, fields: TopicFields) -> Connector:
    return Connector(f"{kind} {topic}", Direction(kind), config, KAFKA, fields={topic: fields})


def connectors() -> Iterator[Connector]:
    number = 0
    while True:
        for kind in KINDS:
            number += 1
            yield kind(number)


def subject(told: Resolution) -> Subject:
    seen = ObservedConnector(
        name="c",
        type="sink",
        connector_class="c",
        state=State.RUNNING,
        worker_id="w",
        config={},
        config_version="v",
        tasks=(),
        expected_tasks=0,
    )
    return Subject("kafka-connect://c", "c", seen, told, "4.3.1", timedelta(minutes=5))


def avro() -> str:
    fields = [{"name": f"column_{at}", "type": ["null", "string"]} for at in range(WIDTH)]
    return json.dumps({"type": "record", "name": "Row", "fields": fields})


def main() -> None:
    known = list(islice(connectors(), COUNT))
    resolve(known[0])  # loads the families
    started = time.process_time()
    answers = [resolve(connector) for connector in known]
    resolving = time.process_time() - started
    told = [answer for answer in answers if isinstance(answer, Resolution)]
    columns = sum(len(answer.columns) for answer in told)
    narrow = sum(len(answer.columns) < WIDTH for answer in told)
    print(
        f"{COUNT} connectors, {columns} columns, resolved in {resolving:.2f} s of one core"
        f" ({resolving / BAR_SECONDS:.0%} of the bar of {BAR_SECONDS} s);"
        f" {narrow} told fewer than {WIDTH} columns"
    )
    without = [Connector(one.name, one.direction, one.config, one.kafka_namespace) for one in known]
    started = time.process_time()
    for connector in without:
        resolve(connector)
    print(f"the same without schemas: {time.process_time() - started:.2f} s")
    when = Transition(Telling.RUNNING, datetime(2026, 1, 1, tzinfo=UTC), RUN, "why")
    started = time.process_time()
    sizes = [len(build(subject(answer), when)) for answer in told]
    building = time.process_time() - started
    print(f"their events built in {building:.2f} s, {sum(sizes) / len(sizes) / 1000:.0f} kB each")
    text = avro()
    started = time.process_time()
    for _ in range(100):
        read_schema("AVRO", text, {})
    reading = (time.process_time() - started) * 10
    print(f"an Avro schema of {WIDTH} fields is read in {reading:.1f} ms")


if __name__ == "__main__":
    main()
