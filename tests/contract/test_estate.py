"""The whole estate in one answer, and the findings that somebody else makes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
from starlette.testclient import TestClient

from doctor_drawing import in_no_order
from mainstem.doctor.estate import read_estate
from mainstem.doctor.reading.events import read_events
from mainstem.doctor.thinking import judge
from mainstem.serve.api.backend import Backend
from mainstem.serve.api.v2 import shapes
from serve_fixtures import client_of, columns, dataset, open_backend, post, run_event, schema

LAB = Path(__file__).resolve().parents[1] / "samples" / "lab" / "healthy.ndjson"
FACETS = {**schema("x", "y"), **columns(x=[("a", "id"), ("a", "price")])}
WATCHED: dict[str, Any] = {
    "mainstem_connector": {
        "connectorClass": "io.example.Sink",
        "tasks": [],
        "control": [],
        "unresolved": ["no topic is told"],
        "edges": [
            {
                "input": {"namespace": "postgres://db:5432", "name": "a"},
                "output": {"namespace": "postgres://db:5432", "name": "b"},
                "evidence": "config",
            }
        ],
    }
}
PERIODIC: dict[str, Any] = {
    "jobType": {
        "processingType": "STREAMING",
        "integration": "KAFKA_CONNECT",
        "jobType": "SINK_CONNECTOR",
        "emissionPattern": {
            "eventTrigger": "PERIODIC",
            "eventContentMode": "COMPLETE_SNAPSHOT",
            "windowDuration": 300,
        },
    }
}


def estate(client: TestClient) -> shapes.Estate:
    return shapes.Estate.model_validate(client.get("/api/v2/estate").json())


def test_jobs_name_datasets_by_their_places(client: TestClient) -> None:
    outputs = [{**dataset("b"), "facets": FACETS}]
    post(
        client,
        run_event(
            "RUNNING", inputs=["a"], outputs=outputs, run_facets=WATCHED, job_facets=PERIODIC
        ),
    )
    told = estate(client)
    (job,) = told.jobs
    source, target = (told.datasets[job.inputs[0]], told.datasets[job.outputs[0]])
    assert (source.name, target.name) == ("a", "b")
    assert [field.name for field in target.fields] == ["x", "y"]
    assert job.columnsMade == job.outputs
    assert job.columnsRead == [shapes.EstateColumns(dataset=job.inputs[0], columns=["id", "price"])]
    assert {told.datasets[one.dataset].name: one.evidence for one in job.evidence} == {
        "a": "config",
        "b": "config",
    }
    assert (job.integration, job.type, job.streaming) == ("KAFKA_CONNECT", "SINK_CONNECTOR", True)
    assert (job.state, job.stale, job.heartbeatSeconds) == ("RUNNING", True, 300)
    assert job.unresolved == ["no topic is told"]


def test_a_dataset_of_several_names_stands_there_once_with_all_of_them(client: TestClient) -> None:
    links = {"symlinks": {"identifiers": [{"namespace": "hive://m:9083", "name": "shop.b"}]}}
    post(client, run_event(outputs=[{**dataset("b"), "facets": links}]))
    alias = {"namespace": "postgres://db:5432", "otherNamespace": "postgres://localhost:5432"}
    client.put("/api/v2/aliases", json=alias)
    other = {"namespace": "postgres://localhost:5432", "name": "b"}
    post(client, run_event(run="00000000-0000-4000-8000-000000000002", job="r", inputs=[other]))
    told = estate(client)
    (one,) = told.datasets
    assert (one.namespace, one.name) == ("postgres://db:5432", "b")
    assert {(name.namespace, name.name) for name in one.aliases} == {
        ("hive://m:9083", "shop.b"),
        ("postgres://localhost:5432", "b"),
    }
    assert [job.inputs + job.outputs for job in told.jobs] == [[0], [0]]
    assert [alias.otherNamespace for alias in told.aliases] == ["postgres://localhost:5432"]


def test_columns_that_the_same_voice_wrote_before_are_told(client: TestClient) -> None:
    for number, fields in enumerate((["id", "price"], ["id", "amount"])):
        out = [{**dataset("b"), "facets": schema(*fields)}]
        post(client, run_event(outputs=out, time=f"2026-11-15T10:0{number}:00Z"))
    reader = [{**dataset("b"), "facets": schema("id", "amount", "file")}]
    post(client, run_event(job="r", run="00000000-0000-4000-8000-000000000002", inputs=reader))
    (one,) = estate(client).datasets
    assert [field.name for field in one.fields] == ["id", "amount"]
    assert one.formerColumns == ["price"]


def test_what_users_took_apart_is_told(client: TestClient) -> None:
    alias = {"namespace": "a", "name": "x", "otherNamespace": "a", "otherName": "y"}
    client.request("DELETE", "/api/v2/aliases", json=alias)
    told = estate(client)
    assert told.aliases == []
    assert [(one.name, one.otherName) for one in told.rejected] == [("x", "y")]


def test_what_was_hidden_is_not_in_the_estate(client: TestClient) -> None:
    post(client, run_event(inputs=["a"], outputs=["b"]))
    client.delete("/api/v1/namespaces/postgres%3A%2F%2Fdb%3A5432/datasets/b")
    told = estate(client)
    assert [one.name for one in told.datasets] == ["a"]
    assert [job.outputs for job in told.jobs] == [[]]


def test_without_a_judge_there_are_no_findings(client: TestClient) -> None:
    told = shapes.Findings.model_validate(client.get("/api/v2/findings").json())
    assert told.findings == []
    assert told.counts == shapes.FindingCounts(error=0, warn=0, info=0)


def test_findings_are_what_the_judge_makes_of_the_estate_once_per_change(
    backend: Backend, client: TestClient
) -> None:
    judged: list[bytes] = []

    def judge(told: bytes) -> bytes:
        judged.append(told)
        return orjson.dumps({"findings": [], "counts": {}, "madeAt": f"{len(judged)}"})

    backend.findings.judge = judge
    post(client, run_event(outputs=["b"]))
    assert client.get("/api/v2/findings").json()["madeAt"] == "1"
    assert client.get("/api/v2/findings").json()["madeAt"] == "1"
    assert judged[0] == client.get("/api/v2/estate").content
    post(client, run_event(outputs=["c"], time="2026-11-15T11:00:00Z"))
    assert client.get("/api/v2/findings").json()["madeAt"] == "2"
    client.put("/api/v2/aliases", json={"namespace": "a", "otherNamespace": "b"})
    assert client.get("/api/v2/findings").json()["madeAt"] == "3"


def test_a_lab_s_events_give_the_picture_that_they_give_in_a_file(client: TestClient) -> None:
    post(client, *map(orjson.loads, LAB.read_bytes().splitlines()))
    told = read_estate(client.get("/api/v2/estate").content)
    assert in_no_order(told) == in_no_order(read_events(LAB, lambda _: None)[0])


def test_an_alias_heals_what_was_found_and_forgetting_it_cuts_again(
    backend: Backend, client: TestClient, store_url: str
) -> None:
    backend.findings.judge = judge
    written, read = (f"kafka://{at}:9092" for at in ("broker-1", "localhost"))
    post(
        client,
        run_event(job="w", outputs=[{"namespace": written, "name": "orders"}]),
        run_event(job="r", run="r2", inputs=[{"namespace": read, "name": "orders"}]),
    )
    cut = findings(client)
    assert [one.kind for one in cut] == ["server-loopback"]
    (alias,) = next(one.aliases for one in cut[0].remedies if one.where == "backend")
    asked = alias.model_dump()
    assert client.put("/api/v2/aliases", json=asked).status_code == 200
    assert findings(client) == []
    assert [job.outputs + job.inputs for job in estate(client).jobs] == [[0], [0]]
    backend.close()

    reopened = open_backend(store_url)
    reopened.findings.judge = judge
    again = client_of(reopened)
    assert findings(again) == []
    forgotten = again.request("DELETE", "/api/v2/aliases?forget=true", json=asked)
    assert forgotten.status_code == 200
    assert findings(again) == cut
    assert again.get("/api/v2/aliases").json() == {"aliases": [], "rejected": []}
    reopened.close()


def findings(client: TestClient) -> list[shapes.Finding]:
    return shapes.Findings.model_validate(client.get("/api/v2/findings").json()).findings
