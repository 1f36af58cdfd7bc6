"""Our document of the API: requests made from it are answered as it says, never by a 5xx."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.core.result import Ok
from starlette.testclient import TestClient

from mainstem.serve.app import make_api, make_app
from serve_fixtures import columns, dataset, open_backend, post, run_event, schema, sqlite_url

NODE = "datasetField:postgres://db:5432:b:x"
CHANGES = "/api/v2/changes"  # answers for ever; tests/serve/test_changes.py follows it
PICTURE = "/api/v2/lineage.svg"

bounded = settings(
    max_examples=6,
    deadline=None,
    phases=[Phase.generate],
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The application over a store that has a little of everything."""
    backend = open_backend(sqlite_url(tmp_path_factory.mktemp("openapi")))
    made = {**schema("x"), **columns(x=[("a", "x")])}
    outputs = [{**dataset("b"), "facets": made}]
    post(
        TestClient(make_app(backend)),
        run_event("START", inputs=["a"], outputs=outputs),
        run_event("FAIL", inputs=["a"], outputs=outputs, time="2026-11-15T11:00:00Z"),
    )
    yield make_app(backend), make_api(backend)
    backend.close()


def document(api: tuple[Any, FastAPI]) -> dict[str, Any]:
    return api[1].openapi()


def test_requests_made_from_the_document_are_answered_as_it_says(
    api: tuple[Any, FastAPI],
) -> None:
    app, _ = api
    described = schemathesis.openapi.from_dict(document(api))
    operations = [one.ok() for one in described.get_all_operations() if isinstance(one, Ok)]
    assert len(operations) > 50

    def asked(case: schemathesis.Case) -> None:
        answer = case.call(app=app)
        assert answer.status_code < 500, (case.method, case.formatted_path, answer.text)
        if answer.status_code >= 400:
            assert answer.json()["code"] == answer.status_code
            assert isinstance(answer.json()["message"], str)
        elif case.path.startswith("/api/v2"):
            case.operation.validate_response(answer)

    for operation in operations:
        if operation.path != CHANGES:
            bounded(given(case=operation.as_strategy())(asked))()


def test_every_answer_of_v2_has_a_shape(api: tuple[Any, FastAPI]) -> None:
    for path, operations in document(api)["paths"].items():
        for method, operation in operations.items():
            if not path.startswith("/api/v2") or path in (CHANGES, PICTURE):
                continue
            (code,) = [code for code in operation["responses"] if code.startswith("2")]
            if code != "204":
                content = operation["responses"][code]["content"]["application/json"]
                assert "$ref" in content["schema"], f"{method} {path} does not say what it answers"


def test_no_shape_of_v2_has_an_untyped_part(api: tuple[Any, FastAPI]) -> None:
    shapes = document(api)["components"]["schemas"]
    told = [shape for name, shape in shapes.items() if name not in ("JobSaid", "DatasetSaid")]
    for shape in told:
        for name, said in shape.get("properties", {}).items():
            assert said.keys() & {"type", "$ref", "anyOf", "const", "enum"}, (shape["title"], name)


def test_a_graph_of_everything_conforms(api: tuple[Any, FastAPI]) -> None:
    app, _ = api
    client = TestClient(app)
    described = schemathesis.openapi.from_dict(document(api))
    asked: dict[str, dict[str, str]] = {
        "/api/v2/lineage": {"node": "job:jobs:job", "pairs": "true"},
        PICTURE: {"node": "job:jobs:job"},
        "/api/v2/lineage/diff": {"node": "job:jobs:job", "before": "2026-11-01T00:00:00Z"},
        "/api/v2/columns": {"node": NODE},
        "/api/v2/columns/diff": {"node": NODE, "before": "2026-11-01T00:00:00Z"},
        "/api/v2/impact": {"node": "datasetField:postgres://db:5432:a:x"},
        "/api/v2/path": {
            "from": "dataset:postgres://db:5432:a",
            "to": "dataset:postgres://db:5432:b",
        },
        "/api/v2/edges": {"job": "job:jobs:job"},
        "/api/v2/aliases": {},
        "/api/v2/search": {"q": "b"},
        "/api/v2/nodes": {"kind": "TABLE", "q": "b"},
        "/api/v2/platforms": {},
        "/api/v2/summary": {},
        "/api/v2/news": {"hours": "744"},
        "/api/v2/estate": {},
        "/api/v2/findings": {},
        "/api/v2/session": {},
    }
    listed = {path for path, one in document(api)["paths"].items() if "get" in one}
    assert asked.keys() == {one for one in listed if one.startswith("/api/v2")} - {CHANGES}
    for path, params in asked.items():
        answer = client.get(path, params=params)
        assert answer.status_code == 200, (path, answer.text)
        described[path]["GET"].validate_response(answer)
