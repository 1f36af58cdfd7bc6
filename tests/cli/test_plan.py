"""``mainstem plan`` as CI calls it: beside a live cluster and against a real backend."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mainstem.cli.importing import import_events
from mainstem.cli.plan import plan
from mainstem.errors import BackendUnavailable, BadRecipe
from mainstem.watch.connect.fake import FakeConnect
from mainstem.watch.connect.fake_server import FakeConnectServer
from serve_running import running
from watch.loop.world import FILE_SOURCE

KAFKA = "kafka://b1:9092"
MYSQL = "mysql://db:3306"
NAMESPACE = "kafka-connect://prod"


@pytest.fixture
def connector(tmp_path: Path) -> Path:
    file = tmp_path / "connector.json"
    file.write_text(json.dumps({"name": "in", "type": "source", "config": FILE_SOURCE}))
    return file


def planned(
    source: Path, capsys: pytest.CaptureFixture[str], **flags: Any
) -> tuple[int, dict[str, Any]]:
    """Exit code and the one plan."""
    code = 0
    try:
        plan(str(source), kafka="b1:9092", json=True, **flags)
    except SystemExit as ended:
        code = int(str(ended.code))
    (told,) = json.loads(capsys.readouterr().out)["plans"]
    return code, told


def kinds(told: dict[str, Any]) -> list[str]:
    return [finding["kind"] for finding in told["findings"]]


def test_a_plan_names_what_is_touched(connector: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, told = planned(connector, capsys)
    assert (code, told["findings"]) == (0, [])
    assert told["inputs"] == [{"namespace": "file", "name": "/data/in.txt"}]
    assert told["outputs"] == [{"namespace": KAFKA, "name": "lines"}]
    plan(str(connector))
    printed = capsys.readouterr().out
    assert "  writes   kafka://unknown  lines" in printed
    assert "naming: nothing tells which Kafka cluster is meant" in printed


def test_another_connector_that_writes_the_same_fails_the_plan(
    connector: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    connect = FakeConnect()
    connect.create("in", FILE_SOURCE)
    connect.create("twin", FILE_SOURCE)
    with FakeConnectServer(connect) as server:
        code, told = planned(connector, capsys, connect=server.url)
        assert (code, kinds(told)) == (1, ["already-written"])
        assert "by connector twin" in told["findings"][0]["message"]
        assert planned(connector, capsys, connect=server.url, fail_on=("never",))[0] == 0
        assert planned(connector, capsys, connect=server.url, fail_on=("naming",))[0] == 0
        assert planned(connector, capsys, connect=server.url, fail_on=("any",))[0] == 1


def event(
    job: str,
    inputs: list[str],
    outputs: list[dict[str, Any]],
    number: int,
    namespace: str = NAMESPACE,
) -> Any:
    return {
        "eventType": "RUNNING",
        "eventTime": "2026-11-16T10:00:00Z",
        "producer": "https://example.com/test",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": f"0193348a-0000-7000-8000-00000000000{number}"},
        "job": {"namespace": namespace, "name": job},
        "inputs": [dataset(name) for name in inputs],
        "outputs": outputs,
    }


def dataset(name: str, **columns: tuple[str, str]) -> dict[str, Any]:
    namespace = {"/": "file", "s": MYSQL}.get(name[0], KAFKA)
    made = {
        field: {"inputFields": [{**dataset(source), "field": source_field}]}
        for field, (source, source_field) in columns.items()
    }
    facets = {"columnLineage": signed({"fields": made})} if made else {}
    return {"namespace": namespace, "name": name, **({"facets": facets} if facets else {})}


def signed(facet: dict[str, Any]) -> dict[str, Any]:
    url = "https://openlineage.io/spec/facets/1-2-0/ColumnLineageDatasetFacet.json"
    return {"_producer": "https://example.com/test", "_schemaURL": url, **facet}


TABLE = "shop.orders"
EVENTS = (
    event("in", ["/data/in.txt"], [dataset("old-lines")], 1),
    event("in:/data/in.txt", ["/data/in.txt"], [dataset("lines")], 2),
    event("reader", ["old-lines"], [dataset("more", n=("old-lines", "x"))], 3),
    event("twin", ["/data/in.txt"], [dataset("lines")], 4),
    event("out", ["orders"], [dataset(TABLE, id=("orders", "id"), price=("orders", "price"))], 5),
    event("totals", [TABLE], [dataset("totals", total=(TABLE, "price"), of=(TABLE, "id"))], 6),
    event("taxes", [TABLE], [dataset("taxes", due=(TABLE, "price"))], 7),
    event("taxes", [], [], 8, "kafka-connect://dev"),
)


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("plan")
    events, store = folder / "events.ndjson", str(folder / "store.db")
    events.write_text("".join(json.dumps(each) + "\n" for each in EVENTS))
    assert import_events(events, store=store) == 0
    with running(store) as backend:
        yield backend.url


def test_the_backends_graph_tells_what_breaks(
    connector: Path, capsys: pytest.CaptureFixture[str], backend: str
) -> None:
    code, told = planned(connector, capsys, backend=backend, namespace=NAMESPACE)
    assert (code, kinds(told)) == (1, ["already-written", "no-longer-written"])
    written, lost = (finding["message"] for finding in told["findings"])
    assert written.endswith(f"by job twin of {NAMESPACE}")
    assert "old-lines will not be written any more" in lost
    assert lost.endswith(f"job reader of {NAMESPACE} reads it")
    assert told["job"] == {"namespace": NAMESPACE, "name": "in"}


def test_the_connectors_own_job_is_found_in_the_backend(
    connector: Path, capsys: pytest.CaptureFixture[str], backend: str
) -> None:
    by_flag = planned(connector, capsys, backend=backend, namespace=NAMESPACE)
    assert planned(connector, capsys, backend=backend) == by_flag
    document = json.loads(connector.read_text())
    connector.write_text(json.dumps({**document, "name": "other"}))
    assert planned(connector, capsys, backend=backend)[1]["job"] is None


def test_which_of_several_jobs_is_meant_is_for_the_user_to_say(
    connector: Path, capsys: pytest.CaptureFixture[str], backend: str
) -> None:
    document = json.loads(connector.read_text())
    connector.write_text(json.dumps({**document, "name": "taxes"}))
    listed = rf"--namespace:\n.*kafka-connect://dev, {NAMESPACE}"
    with pytest.raises(BadRecipe, match=listed):
        plan(str(connector), kafka="b1:9092", backend=backend)
    told = planned(connector, capsys, backend=backend, namespace="kafka-connect://dev")[1]
    assert told["job"] == {"namespace": "kafka-connect://dev", "name": "taxes"}


def test_a_recipes_cluster_names_the_job_and_the_kafka(
    connector: Path, tmp_path: Path, backend: str, capsys: pytest.CaptureFixture[str]
) -> None:
    connect = FakeConnect()
    connect.create("twin", FILE_SOURCE)
    with FakeConnectServer(connect) as server:
        config = {"connect_uri": server.url, "cluster_name": "prod", "kafka": {"bootstrap": "b1"}}
        recipe = tmp_path / "ingest.yml"
        recipe.write_text(json.dumps({"source": {"type": "kafka-connect", "config": config}}))
        with pytest.raises(SystemExit):
            plan(str(connector), config=recipe, backend=backend, json=True)
    (told,) = json.loads(capsys.readouterr().out)["plans"]
    assert told["outputs"] == [{"namespace": KAFKA, "name": "lines"}]
    assert told["job"] == {"namespace": NAMESPACE, "name": "in"}
    assert kinds(told) == ["already-written", "no-longer-written"]


def test_topics_of_an_unknown_kafka_are_compared_with_none(
    connector: Path, backend: str, capsys: pytest.CaptureFixture[str]
) -> None:
    plan(str(connector), backend=backend)
    printed = capsys.readouterr().out
    assert f"  today    job in of {NAMESPACE}\n" in printed
    assert "compared with none; give --kafka" in printed
    assert "any more" not in printed


def test_a_connector_that_the_backend_does_not_know_breaks_nothing(
    connector: Path, capsys: pytest.CaptureFixture[str], backend: str
) -> None:
    code, told = planned(connector, capsys, backend=backend, namespace="kafka-connect://new")
    assert (code, set(kinds(told))) == (1, {"already-written"})


@pytest.fixture
def sink(tmp_path: Path) -> Path:
    """Writes the table as it does today, or without the columns that it is told to drop."""
    fields = [{"name": name, "type": "double"} for name in ("id", "price")]
    schema = {"type": "record", "name": "Order", "fields": fields}
    document = {
        "name": "out",
        "type": "sink",
        "config": {
            "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
            "connection.url": "jdbc:mysql://db:3306/shop",
            "topics": "orders",
            "value.converter": "io.confluent.connect.avro.AvroConverter",
            "value.converter.schema.registry.url": "http://registry:8081",
        },
        "schemas": {"orders-value": {"schemaType": "AVRO", "schema": json.dumps(schema)}},
    }
    file = tmp_path / "sink.json"
    file.write_text(json.dumps(document))
    return file


def dropping(sink: Path, column: str) -> Path:
    document = json.loads(sink.read_text())
    document["config"] |= {
        "transforms": "drop",
        "transforms.drop.type": "org.apache.kafka.connect.transforms.ReplaceField$Value",
        "transforms.drop.exclude": column,
    }
    sink.write_text(json.dumps(document))
    return sink


def test_columns_that_break_downstream_are_named(
    sink: Path, capsys: pytest.CaptureFixture[str], backend: str
) -> None:
    there = {"backend": backend, "namespace": NAMESPACE}
    same = {"findings": [], "job": {"namespace": NAMESPACE, "name": "out"}}
    assert planned(sink, capsys, **there) == (0, {**planned(sink, capsys)[1], **same})
    code, told = planned(dropping(sink, "price"), capsys, **there)
    assert (code, kinds(told)) == (1, ["broken-column", "broken-column"])
    goes = f"{MYSQL} {TABLE} column price goes away, and"
    assert [finding["message"] for finding in told["findings"]] == [
        f"{goes} {KAFKA} taxes column due is made from it",
        f"{goes} {KAFKA} totals column total is made from it",
    ]


@pytest.mark.parametrize(
    ("fail_on", "code"),
    [("broken-column", 1), ("any", 1), ("already-written", 0), ("never", 0)],
)
def test_a_broken_column_fails_the_plan_where_that_is_wanted(
    sink: Path, capsys: pytest.CaptureFixture[str], backend: str, fail_on: str, code: int
) -> None:
    there = {"backend": backend, "namespace": NAMESPACE, "fail_on": (fail_on,)}
    ended, told = planned(dropping(sink, "price"), capsys, **there)
    assert (ended, "broken-column" in kinds(told)) == (code, True)


def test_a_backend_that_does_not_answer_is_said_so(connector: Path) -> None:
    with pytest.raises(BackendUnavailable, match=r"127\.0\.0\.1:9"):
        plan(str(connector), backend="http://127.0.0.1:9")
    with pytest.raises(BadRecipe, match="must be http"):
        plan(str(connector), backend="backend:5000")


def test_what_is_no_backend_is_said_so(connector: Path, backend: str) -> None:
    with pytest.raises(BackendUnavailable, match="this is no backend"):
        plan(str(connector), kafka="b1:9092", backend=f"{backend}/nope")
    with (
        FakeConnectServer(FakeConnect()) as worker,
        pytest.raises(BackendUnavailable, match="this is no backend"),
    ):
        plan(str(connector), kafka="b1:9092", backend=worker.url)


def test_a_wrong_kind_is_told_with_what_is_allowed(connector: Path) -> None:
    with pytest.raises(BadRecipe, match=r"'warn': must be one of already-written, .*never"):
        plan(str(connector), fail_on=("warn",))
