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
OTHERS = [{"field": "*", "from": ["*"], "masking": False}]
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
        "symlinks": [],
        "unresolved": [],
        "notes": [],
        "chain": [
            [
                {"transform": None, "topic": "srv.orders", "form": None, "fields": OTHERS},
                {"transform": "route", "topic": "orders", "form": None, "fields": OTHERS},
            ]
        ],
    }
    assert source["outputs"] == [{"namespace": kafka, "name": "srv.public.orders"}]
    assert "S3CR3T" not in json.dumps(source)
    assert neither.keys() == sink.keys()
    assert neither["unresolved"]


def test_one_object_is_an_array_of_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [entry["name"] for entry in told(monkeypatch, capsys, SINK)] == ["out"]


def test_a_connectors_own_kafka_is_read_without_its_type_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    own = {**SOURCE, "producer.override.bootstrap.servers": "other:9092"}
    (entry,) = told(monkeypatch, capsys, own)
    assert entry["outputs"] == [{"namespace": "kafka://other:9092", "name": "srv.public.orders"}]


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
    assert "  chain       srv.orders  [*]" in lines
    assert "    route (RegexRouter): orders  [*]" in lines
    assert "  chain       srv.public.orders  [*]" in lines
    assert "    r (RegexRouter): public.orders  [*]" in lines
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


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        ({"connector.class": "SnowflakeSource"}, "how its records are built is not documented"),
        ({"connector.class": "HttpSink", "topics": "t"}, "a message there is one value"),
        ({"connector.class": "CouchbaseSource"}, "the document is one value"),
        (TABLE_SINK["config"], "no schema of a topic is given"),
    ],
)
def test_where_there_are_no_columns_it_says_why(
    config: dict[str, str], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "connector.json"
    file.write_text(json.dumps({"name": "c", "config": config}))
    explain(str(file), kafka="b1:9092", columns=True)
    assert f"  columns     none can be told: {reason}" in capsys.readouterr().out


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


def test_what_stands_beside_a_config_in_a_wrong_shape_is_a_note(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = {**TABLE_SINK, "topics": "x", "tasks": 3, "provided": 3}
    (entry,) = told(monkeypatch, capsys, wrong)
    assert {
        "topics is no list of topics",
        "tasks is no list of task configs",
        "provided is no object from placeholders to values",
    } <= set(entry["notes"])
    assert entry["edges"]


def test_topics_named_in_two_ways_are_a_note(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    twice, unknown = [
        {**TABLE_SINK, "config": {**TABLE_SINK["config"], "topics.regex": pattern}}
        for pattern in ("ord.*", "${env:TOPICS}")
    ]
    noted, silent = told(monkeypatch, capsys, [twice, unknown])
    assert any(note.startswith("topics and topics.regex are both set") for note in noted["notes"])
    assert noted["edges"] == silent["edges"]


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


SMT = "org.apache.kafka.connect.transforms"
ROW = {
    "transforms": "unwrap,mask,rename,key,route",
    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.unwrap.add.fields": "op,source.ts_ms",
    "transforms.mask.type": f"{SMT}.MaskField$Value",
    "transforms.mask.fields": "ssn",
    "transforms.rename.type": f"{SMT}.ReplaceField$Value",
    "transforms.rename.renames": "id:order_id",
    "transforms.key.type": f"{SMT}.ValueToKey",
    "transforms.key.fields": "order_id",
    "transforms.route.type": f"{SMT}.RegexRouter",
    "transforms.route.regex": r"srv\.public\.(.*)",
    "transforms.route.replacement": "$1",
}


def way(lines: list[str]) -> list[str]:
    start = next(number for number, line in enumerate(lines) if line.startswith("  chain"))
    return [line.strip() for line in lines[start:] if line]


def test_people_see_the_fields_at_each_step_of_a_source(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "source.json"
    file.write_text(json.dumps(SOURCE | ROW))
    explain(str(file), kafka="b1:9092")
    rest = "* ← after.*, __op ← op, __source_ts_ms ← source.ts_ms"
    masked = "ssn ← after.ssn (masked)"
    assert way(capsys.readouterr().out.splitlines()) == [
        "chain       srv.public.orders  [after.ssn, after.id, after.*, op, source.*, source.ts_ms]",
        (
            "unwrap (ExtractNewRecordState): srv.public.orders  "
            f"[ssn ← after.ssn, id ← after.id, {rest}]"
        ),
        f"mask (MaskField$Value): srv.public.orders  [{masked}, id ← after.id, {rest}]",
        f"rename (ReplaceField$Value): srv.public.orders  [{masked}, order_id ← after.id, {rest}]",
        (
            "key (ValueToKey): srv.public.orders  "
            f"[{masked}, order_id ← after.id, {rest}, $key.order_id ← after.id]"
        ),
        (
            f"route (RegexRouter): orders  [{masked}, order_id ← after.id, {rest}, "
            "$key.order_id ← after.id]"
        ),
    ]


def test_people_see_the_fields_at_each_step_of_a_sink_until_they_are_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chain = {
        "transforms": "keep,mark,own,flat",
        "transforms.keep.type": f"{SMT}.ReplaceField$Value",
        "transforms.keep.include": "id,price",
        "transforms.mark.type": f"{SMT}.InsertField$Value",
        "transforms.mark.topic.field": "came_by",
        "transforms.own.type": "com.acme.Reshape",
        "transforms.flat.type": f"{SMT}.Flatten$Value",
    }
    file = tmp_path / "sink.json"
    file.write_text(json.dumps({**SINK, "config": {**SINK["config"], **chain}}))  # type: ignore[dict-item]
    explain(str(file), kafka="b1:9092")
    lost = "[fields: what transform own does to the fields is not known"
    start, keep, mark, own, flat = way(capsys.readouterr().out.splitlines())
    assert start == "chain       srv.orders  [id, price, *]"
    assert keep == "keep (ReplaceField$Value): srv.orders  [id, price]"
    assert mark == "mark (InsertField$Value): srv.orders  [id, price, came_by ← $topic]"
    assert own.startswith("own (Reshape): ? (transform own (Reshape) is not known)  " + lost)
    assert flat.startswith("flat (Flatten$Value): ?  " + lost)


def test_what_connect_answers_and_configs_by_name_are_read_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    info = {"name": "out", "config": SINK["config"], "tasks": [{"connector": "out", "task": 0}]}
    status = {"name": "out", "connector": {"state": "RUNNING"}, "tasks": [], "type": "sink"}
    expanded = {"out": {"info": info, "status": status}, "lost": {"status": status}}
    out, lost = told(monkeypatch, capsys, expanded)
    assert (out["name"], [one["name"] for one in out["outputs"]]) == ("out", ["/out"])
    assert (lost["name"], bool(lost["unresolved"])) == ("lost", True)
    by_name = {"first": SOURCE, "second": {"config": SINK["config"]}}
    first, second = told(monkeypatch, capsys, by_name)
    assert (first["name"], first["family"]) == ("first", "Debezium")
    assert (second["name"], second["family"]) == ("second", "FileStream")


def test_an_assumed_kafka_is_said_once_and_beside_the_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KAFKA_BOOTSTRAP", raising=False)
    file = tmp_path / "two.json"
    file.write_text(json.dumps([SINK, SINK]))
    explain(str(file), json=True)
    said = capsys.readouterr()
    assert len(json.loads(said.out)) == 2
    assert said.err.count("--kafka") == 1
    explain(str(file), json=True, kafka="b1:9092")
    assert not capsys.readouterr().err


def test_a_mark_of_the_byte_order_and_lists_in_a_config_are_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "connector.json"
    config = {"connector.class": "FileStreamSink", "file": "/out", "topics": ["a", "b"]}
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps({"name": "s", "config": config}).encode())
    explain(str(file), json=True, kafka="b:9092")
    entry = json.loads(capsys.readouterr().out)[0]
    assert [one["name"] for one in entry["inputs"]] == ["a", "b"]


def test_an_error_of_connect_is_no_connector(tmp_path: Path) -> None:
    file = tmp_path / "answer.json"
    file.write_text('{"error_code": 404, "message": "Connector x not found"}')
    with pytest.raises(BadRecipe, match="404 Connector x not found"):
        explain(str(file))


def test_a_config_without_a_class_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "connector.json"
    file.write_text('{"name": "s", "type": "sink", "config": {"topics": "a"}}')
    explain(str(file), kafka="b:9092")
    assert "the config has no connector.class" in capsys.readouterr().out


def debezium(tables: str, **transforms: str) -> dict[str, Any]:
    config = {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "database.hostname": "pg",
        "database.dbname": "d",
        "topic.prefix": "s",
        "table.include.list": tables,
        **transforms,
    }
    return {"name": "source", "type": "source", "config": config}


def router(regex: str, replacement: str) -> dict[str, str]:
    return {
        "transforms": "r",
        "transforms.r.type": "org.apache.kafka.connect.transforms.RegexRouter",
        "transforms.r.regex": regex,
        "transforms.r.replacement": replacement,
    }


@pytest.mark.parametrize(
    ("document", "ways"),
    [
        (
            debezium("public.a,sales.x", **router(r"s\.public\.(.*)", "$1")),
            [["s.public.a", "a"], ["s.sales.x", "s.sales.x"]],
        ),
        (
            debezium("public.a,public.b", **router(".*", "all")),
            [["s.public.a", "all"], ["s.public.b", "all"]],
        ),
    ],
)
def test_a_sources_chain_begins_with_the_name_that_the_connector_gives(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    document: dict[str, Any],
    ways: list[list[str]],
) -> None:
    (entry,) = told(monkeypatch, capsys, document)
    assert [[stop["topic"] for stop in way] for way in entry["chain"]] == ways


def test_a_sources_registered_schema_is_the_record_behind_its_chain(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    unwrap = {
        "transforms": "u,r",
        "transforms.u.type": "io.debezium.transforms.ExtractNewRecordState",
        "transforms.r.type": "org.apache.kafka.connect.transforms.ReplaceField$Value",
        "transforms.r.renames": "id:oid",
    }
    fields = [{"name": "oid", "type": "long"}, {"name": "ssn", "type": "string"}]
    schema = json.dumps({"type": "record", "name": "V", "fields": fields})
    document = {
        **debezium("public.orders", **unwrap),
        "schemas": {"s.public.orders-value": {"schemaType": "AVRO", "schema": schema}},
    }
    (entry,) = told(monkeypatch, capsys, document)
    (way,) = entry["chain"]
    assert [[field["field"] for field in stop["fields"]] for stop in way] == [
        ["after.id", "after.ssn"],
        ["id", "ssn"],
        ["oid", "ssn"],
    ]


@pytest.mark.parametrize(
    ("document", "mistake"),
    [
        ([{}], "an empty object"),
        ([5], "the entry is a number;"),
        (["x"], "the entry is a text;"),
        ([None], "the entry is null;"),
        ([[]], "the entry is an empty list;"),
        ([{"hello": "world"}], "an object without config and connector.class"),
        ([{"name": "x", "config": {}}], "a connector without a config"),
    ],
)
def test_what_is_no_connector_is_told_as_such(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    document: list[object],
    mistake: str,
) -> None:
    entry, known = told(monkeypatch, capsys, [*document, SINK])
    assert entry["family"] == "no connector"
    assert mistake in entry["unresolved"][0]
    assert known["outputs"]


def test_a_type_that_contradicts_the_class_is_noted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong, right = told(monkeypatch, capsys, [{**SINK, "type": "source"}, SINK])
    assert "the type says source, but the class is called a sink" in wrong["notes"]
    assert not right["notes"]


def test_provided_values_may_be_named_without_their_braces(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config = {"connector.class": "FileStreamSink", "topics": "orders", "file": "${env:OUT}"}
    document = {"type": "sink", "config": config, "provided": {"env:OUT": "/real"}}
    (entry,) = told(monkeypatch, capsys, document)
    assert [one["name"] for one in entry["outputs"]] == ["/real"]


def test_several_files_are_told_in_the_order_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / f"{name}.json" for name in ("b", "a")]
    for file in files:
        file.write_text(json.dumps({**SINK, "name": file.stem}))
    explain(*map(str, files), kafka="b1:9092", json=True)
    assert [entry["name"] for entry in json.loads(capsys.readouterr().out)] == ["b", "a"]
