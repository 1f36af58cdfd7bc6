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
