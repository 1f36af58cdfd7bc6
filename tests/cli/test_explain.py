from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from mainstem.cli.explain import explain
from mainstem.errors import BadRecipe

SINK = {
    "name": "out",
    "type": "sink",
    "config": {
        "connector.class": "FileStreamSink",
        "topics": "srv.orders",
        "file": "/out",
        "tasks.max": 1,
        "errors.deadletterqueue.topic.name": "dlq",
        "transforms": "route",
        "transforms.route.type": "org.apache.kafka.connect.transforms.RegexRouter",
        "transforms.route.regex": r"srv\.(.*)",
        "transforms.route.replacement": "$1",
    },
}
SOURCE = {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "pg",
    "database.password": "S3CR3T",
    "database.dbname": "shop",
    "topic.prefix": "srv",
    "table.include.list": "public.orders",
}


def told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], document: object
) -> list[dict[str, Any]]:
    stdin = io.TextIOWrapper(io.BytesIO(json.dumps(document).encode()))
    monkeypatch.setattr("sys.stdin", stdin)
    explain("-", kafka="b1:9092", json=True)
    return json.loads(capsys.readouterr().out)


def test_json_has_every_field_in_the_order_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sink, source, neither = told(monkeypatch, capsys, [SINK, SOURCE, 5])
    kafka = "kafka://b1:9092"
    topic = {"namespace": kafka, "name": "srv.orders"}
    out = {"namespace": "file", "name": "/out"}
    assert sink == {
        "name": "out",
        "family": "FileStream",
        "inputs": [topic],
        "outputs": [out],
        "control": [{"namespace": kafka, "name": "dlq", "kind": "dead-letter"}],
        "edges": [{"input": topic, "output": out, "evidence": "config"}],
        "columns": [],
        "unresolved": [],
        "notes": [],
    }
    assert source["outputs"] == [{"namespace": kafka, "name": "srv.public.orders"}]
    assert "S3CR3T" not in json.dumps(source)
    assert neither.keys() == sink.keys()
    assert neither["unresolved"]


def test_one_object_is_an_array_of_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [entry["name"] for entry in told(monkeypatch, capsys, SINK)] == ["out"]


def test_topics_and_provided_values_are_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config = {"connector.class": "FileStreamSink", "topics.regex": "or.*", "file": "${env:OUT}"}
    document = {"name": "x", "type": "sink", "config": config, "topics": ["orders", "other"]}
    (entry,) = told(monkeypatch, capsys, {**document, "provided": {"${env:OUT}": "/real"}})
    assert [one["name"] for one in entry["inputs"]] == ["orders"]
    assert [one["name"] for one in entry["outputs"]] == ["/real"]
    assert entry["edges"][0]["evidence"] == "seen"


def test_people_see_the_topic_at_each_step(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "connectors.json"
    unwrap = {"transforms": "r"} | {
        key.replace("route", "r"): value
        for key, value in SINK["config"].items()  # type: ignore[union-attr]
        if key.startswith("transforms.")
    }
    file.write_text(json.dumps([SINK, {**SOURCE, **unwrap}]))
    explain(str(file), kafka="b1:9092")
    lines = capsys.readouterr().out.splitlines()
    assert "  chain       srv.orders —route→ orders" in lines
    assert "  chain       srv.public.orders —r→ public.orders" in lines
    assert "  edge        srv.orders → /out  (config)" in lines
    assert "  control     kafka://b1:9092  dlq  (dead-letter)" in lines


@pytest.mark.parametrize("text", ["{", ""])
def test_what_is_no_json_is_a_mistake_of_the_user(tmp_path: Path, text: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(text)
    with pytest.raises(BadRecipe, match="not JSON"):
        explain(str(file))
    with pytest.raises(BadRecipe, match="cannot be read"):
        explain(str(tmp_path / "absent.json"))


ORDERS = {
    "type": "record",
    "name": "Order",
    "fields": [
        {"name": "price", "type": "double"},
        {"name": "buyer", "type": {"type": "record", "name": "Buyer", "fields": [
            {"name": "name", "type": "string"}, {"name": "card", "type": ["null", "string"]}
        ]}},
    ],
}  # fmt: skip
TABLE_SINK = {
    "name": "to-table",
    "type": "sink",
    "config": {
        "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
        "connection.url": "jdbc:postgresql://pg:5432/wh",
        "topics": "orders,items",
        "pk.mode": "record_key",
        "pk.fields": "id",
        "transforms": "flat,mask,drop,site",
        "transforms.flat.type": "org.apache.kafka.connect.transforms.Flatten$Value",
        "transforms.flat.delimiter": "_",
        "transforms.mask.type": "org.apache.kafka.connect.transforms.MaskField$Value",
        "transforms.mask.fields": "buyer_card",
        "transforms.drop.type": "org.apache.kafka.connect.transforms.Filter",
        "transforms.drop.predicate": "gone",
        "predicates": "gone",
        "predicates.gone.type": "org.apache.kafka.connect.transforms.predicates.RecordIsTombstone",
        "transforms.site.type": "org.apache.kafka.connect.transforms.InsertField$Value",
        "transforms.site.static.field": "site",
        "transforms.site.static.value": "web",
    },
    "schemas": {
        "orders-value": {"schemaType": "AVRO", "schema": json.dumps(ORDERS)},
        "orders-key": {"schema": '"string"'},
        "items-value": {"schema": "{"},
    },
}


def test_columns_are_printed_as_a_table_per_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "connector.json"
    file.write_text(json.dumps(TABLE_SINK))
    explain(str(file), kafka="b1:9092", columns=True)
    lines = capsys.readouterr().out.splitlines()
    start = lines.index("  columns     wh.public.orders  from orders")
    assert lines[start + 1 : start + 7] == [
        "    id           string  ← $key",
        "    price        double  ← price",
        "    buyer_name   string  ← buyer.name",
        "    buyer_card   string  ← buyer.card (transformation, masked)",
        "    site         string  ← made here",
        "    (every row)          ← $value (filter)",
    ]
    assert any(line.startswith("  note        schemas: items-value: Avro") for line in lines)


def test_without_the_word_no_columns_are_printed_and_without_schemas_there_are_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "connector.json"
    file.write_text(json.dumps(TABLE_SINK))
    explain(str(file), kafka="b1:9092")
    assert "columns" not in capsys.readouterr().out.replace("schemas", "")
    file.write_text(json.dumps({**TABLE_SINK, "schemas": {}}))
    explain(str(file), kafka="b1:9092", columns=True)
    assert "  columns     none can be told" in capsys.readouterr().out


def test_columns_in_json_have_the_fields_that_all_columns_have(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (entry,) = told(monkeypatch, capsys, TABLE_SINK)
    masked = next(one for one in entry["columns"] if one["field"] == "buyer_card")
    topic = {"namespace": "kafka://b1:9092", "name": "orders"}
    assert masked == {
        "output": {"namespace": "postgres://pg:5432", "name": "wh.public.orders"},
        "field": "buyer_card",
        "inputs": [
            {**topic, "field": "buyer.card", "transformation": "TRANSFORMATION", "masking": True},
            {**topic, "field": "$value", "transformation": "FILTER", "masking": False},
        ],
    }


@pytest.mark.parametrize(
    ("schemas", "complaint"),
    [
        ([], "schemas is no object"),
        ({"orders-value": "x"}, "orders-value is not given as an object with a schema"),
        ({"orders-value": {"schemaType": "THRIFT", "schema": "x"}}, "schema type 'THRIFT'"),
        (
            {"orders-value": {"schema": '"x"', "references": [{"name": "x", "subject": "y"}]}},
            "y is not given as an object with a schema",
        ),
    ],
)
def test_a_schema_that_cannot_be_read_is_a_note_and_the_rest_is_told(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    schemas: object,
    complaint: str,
) -> None:
    (entry,) = told(monkeypatch, capsys, {**TABLE_SINK, "schemas": schemas})
    assert complaint in " ".join(entry["notes"])
    assert entry["edges"]


def test_a_schema_may_refer_to_others_that_are_given_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    buyer = {"type": "record", "name": "Buyer", "fields": [{"name": "name", "type": "string"}]}
    order = {"type": "record", "name": "Order", "fields": [{"name": "buyer", "type": "Buyer"}]}
    reference = {"name": "Buyer", "subject": "buyer", "version": 1}
    schemas = {
        "orders-value": {"schema": order, "references": [reference]},
        # It refers to itself, as no registry would let it.
        "buyer": {"schema": buyer, "references": [{"name": "Buyer", "subject": "buyer"}]},
        "orders-key": {"schema": '"long"'},
    }
    (entry,) = told(monkeypatch, capsys, {**TABLE_SINK, "schemas": schemas})
    assert [column["field"] for column in entry["columns"]] == ["id", "buyer_name", "site"]
