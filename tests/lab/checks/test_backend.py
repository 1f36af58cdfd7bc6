"""The API's graph is the one that was told, and any difference is named; on a real backend."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx2
import pytest

from mainstem.lab.checks.backend import BackendGraph, backend_difference
from mainstem.lab.checks.graph import ColumnEdge, Edge, Graph, Node, difference, told_by
from mainstem.lab.scenarios.addresses import Addresses
from mainstem.lab.scenarios.expected import expected, sources
from mainstem.lab.services.backend import Backend

pytestmark = pytest.mark.lab
AT = Addresses(
    postgres_host="127.0.0.1",
    postgres_port=5433,
    bootstrap="127.0.0.1:9092",
    second_bootstrap="kafka:9094",
    registry="http://127.0.0.1:8081",
    s3="http://127.0.0.1:9000",
    catalog=Path("/somewhere/catalog.db"),
    password="hush",
    secret_key="hush-hush",
)


@pytest.fixture
def backend(tmp_path: Path) -> Iterator[Backend]:
    backend = Backend(tmp_path)
    backend.start()
    yield backend
    backend.stop()


def events_of(graph: Graph) -> list[dict[str, Any]]:
    """One event per job that says exactly its part of the graph."""
    by_job = groupby(sorted(graph.edges, key=lambda edge: edge.job), key=lambda edge: edge.job)
    return [event(number, job, list(edges), graph) for number, (job, edges) in enumerate(by_job)]


def event(number: int, job: str, edges: list[Edge], graph: Graph) -> dict[str, Any]:
    outputs = sorted({edge.target for edge in edges})
    entries = [
        {**named(each), "type": "DATASET", "inputs": [
            {**named(edge.source), "type": "DATASET"} for edge in edges if edge.target == each
        ]}
        for each in outputs
    ]  # fmt: skip
    return {
        "eventType": "START",
        "eventTime": "2026-01-02T03:04:05Z",
        "producer": "https://example.com",
        "run": {"runId": str(UUID(int=number + 1, version=4))},
        "job": {"namespace": "lab", "name": job, "facets": {"lineage": {"entries": entries}}},
        "inputs": [named(each) for each in sorted({edge.source for edge in edges})],
        "outputs": [{**named(each), "facets": columns(each, graph)} for each in outputs],
    }


def columns(output: Node, graph: Graph) -> dict[str, Any]:
    fields: dict[str, dict[str, list[Any]]] = {}
    for edge in (edge for edge in sorted(graph.columns) if edge.target == output):
        kind = {"type": "DIRECT", "subtype": "IDENTITY"}
        source = {**named(edge.source), "field": edge.source_field, "transformations": [kind]}
        fields.setdefault(edge.target_field, {"inputFields": []})["inputFields"].append(source)
    schema = {"fields": [{"name": field, "type": "string"} for field in fields]}
    return {"schema": schema, "columnLineage": {"fields": fields}} if fields else {}


def named(node: Node) -> dict[str, str]:
    return {"namespace": node.namespace, "name": node.name}


def test_what_was_told_is_what_the_api_answers(backend: Backend) -> None:
    graph = expected(AT)
    told = events_of(graph)
    assert difference(graph, told_by(told)) == []
    asked = BackendGraph(backend.url, sources(AT))
    assert f"the API lacks {sources(AT)[0]} → shop-source" in backend_difference(graph, asked)
    answer = httpx2.post(f"{backend.url}/api/v1/lineage/batch", json=told).raise_for_status()
    assert answer.json()["failedEvents"] == []
    assert backend_difference(graph, asked) == []

    table = sources(AT)[0]
    topic = next(edge.target for edge in graph.edges if edge.source == table)
    more = ColumnEdge(table, "no-such-column", topic, "price")
    other = Graph(graph.nodes, graph.edges, graph.columns | {more})
    assert backend_difference(other, asked) == [f"the API lacks {more}"]
    less = min(graph.columns)
    fewer = Graph(graph.nodes, graph.edges, graph.columns - {less})
    assert backend_difference(fewer, asked) == [f"the API wrongly has {less}"]
