"""``mainstem plan`` as CI calls it: beside a live cluster and against a real backend."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from mainstem.cli.plan import plan
from mainstem.errors import BackendUnavailable, BadRecipe
from mainstem.watch.connect.fake import FakeConnect
from mainstem.watch.connect.fake_server import FakeConnectServer
from serve_running import running
from watch.loop.world import FILE_SOURCE

KAFKA = "kafka://b1:9092"
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


def event(job: str, inputs: list[str], outputs: list[dict[str, Any]], number: int) -> Any:
    return {
        "eventType": "RUNNING",
        "eventTime": "2026-11-16T10:00:00Z",
        "producer": "https://example.com/test",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": f"0193348a-0000-7000-8000-00000000000{number}"},
        "job": {"namespace": NAMESPACE, "name": job},
        "inputs": [dataset(name) for name in inputs],
        "outputs": outputs,
    }


def dataset(name: str, **columns: tuple[str, str]) -> dict[str, Any]:
    namespace = "file" if name.startswith("/") else KAFKA
    made = {
        field: {"inputFields": [{**dataset(source), "field": source_field}]}
        for field, (source, source_field) in columns.items()
    }
    facets = {"columnLineage": signed({"fields": made})} if made else {}
    return {"namespace": namespace, "name": name, **({"facets": facets} if facets else {})}


def signed(facet: dict[str, Any]) -> dict[str, Any]:
    url = "https://openlineage.io/spec/facets/1-2-0/ColumnLineageDatasetFacet.json"
    return {"_producer": "https://example.com/test", "_schemaURL": url, **facet}


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    events = (
        event("in", ["/data/in.txt"], [dataset("old-lines")], 1),
        event("in:/data/in.txt", ["/data/in.txt"], [dataset("lines")], 2),
        event("reader", ["old-lines"], [dataset("more", n=("old-lines", "x"))], 3),
        event("twin", ["/data/in.txt"], [dataset("lines")], 4),
    )
    with running(str(tmp_path_factory.mktemp("plan") / "store.db")) as backend:
        for each in events:
            httpx2.post(f"{backend.url}/api/v1/lineage", json=each).raise_for_status()
        yield backend.url


def test_the_backends_graph_tells_what_breaks(
    connector: Path, capsys: pytest.CaptureFixture[str], backend: str
) -> None:
    code, told = planned(connector, capsys, backend=backend, namespace=NAMESPACE)
    assert (code, kinds(told)) == (1, ["already-written", "no-longer-written"])
    written, lost = (finding["message"] for finding in told["findings"])
    assert written.endswith(f"job:{NAMESPACE}:twin")
    assert "old-lines will not be written any more" in lost
    assert lost.endswith(f"job:{NAMESPACE}:reader reads it")


def test_a_connector_that_the_backend_does_not_know_breaks_nothing(
    connector: Path, capsys: pytest.CaptureFixture[str], backend: str
) -> None:
    code, told = planned(connector, capsys, backend=backend, namespace="kafka-connect://new")
    assert (code, set(kinds(told))) == (1, {"already-written"})


def test_a_column_that_goes_away_is_found_in_the_backends_graph(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], backend: str
) -> None:
    topic = "sunk"
    current = dataset("/data/out.json", line=(topic, "line"), price=(topic, "price"))
    reader = dataset("sums", total=("/data/out.json", "price"))
    for each in (
        event("out", [topic], [current], 5),
        event("summer", ["/data/out.json"], [reader], 6),
    ):
        httpx2.post(f"{backend}/api/v1/lineage", json=each).raise_for_status()
    from mainstem.names.dataset import DatasetName  # noqa: PLC0415
    from mainstem.watch.preview.backend import BackendGraph  # noqa: PLC0415

    with BackendGraph(backend, None) as graph:
        today = graph.today(NAMESPACE, "out", [DatasetName("file", "/data/out.json")])
    (price,) = (each for each in today.columns if each.field == "price")
    assert price.sources == {DatasetName(KAFKA, topic)}
    assert price.downstream == (f"datasetField:{KAFKA}:sums:total",)


def test_a_backend_that_does_not_answer_is_said_so(connector: Path) -> None:
    with pytest.raises(BackendUnavailable, match=r"127\.0\.0\.1:9"):
        plan(str(connector), backend="http://127.0.0.1:9")
    with pytest.raises(BadRecipe, match="must be http"):
        plan(str(connector), backend="backend:5000")


def test_a_wrong_kind_is_told_with_what_is_allowed(connector: Path) -> None:
    with pytest.raises(BadRecipe, match=r"'warn': must be one of already-written, .*never"):
        plan(str(connector), fail_on=("warn",))
