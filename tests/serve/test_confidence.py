"""How sure an edge is, and a way of several: one rule, told with every edge."""

from __future__ import annotations

from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from mainstem.said.confidence import Confidence, confidence_of, least_sure
from mainstem.serve.graph.sureness import least_doubts
from mainstem.serve.graph.walk import Edge, Node, Numbers
from mainstem.watch.resolvers.model import Evidence
from serve_fixtures import columns, dataset, post, run_event


@pytest.mark.parametrize(
    ("evidence", "ran", "confidence"),
    [
        ("seen", True, "certain"),
        ("reported", True, "certain"),
        ("reported", False, "declared"),
        ("declared", True, "declared"),
        ("config", True, "likely"),
        ("unknown", True, "unknown"),
        ("None", True, "unknown"),
        ("a newer watcher's word", True, "unknown"),
    ],
)
def test_the_rule(evidence: str, ran: bool, confidence: str) -> None:
    assert confidence_of(evidence, ran=ran) == confidence


def test_every_word_of_a_watcher_has_its_place_and_a_stronger_one_is_no_less_sure() -> None:
    doubts = [confidence_of(word.value, ran=True).doubt for word in Evidence]
    assert doubts == sorted(doubts)
    assert Confidence.UNKNOWN.doubt not in doubts


@given(st.sampled_from(Confidence))
def test_a_doubt_is_a_word_and_back(confidence: Confidence) -> None:
    assert least_sure(confidence.doubt) is confidence


def watched(*edges: tuple[str, str, str], **said: Any) -> dict[str, Any]:
    """An event of a watcher that tells how it knows some edges."""
    told = [
        {"input": dataset(one), "output": dataset(other), "evidence": evidence}
        for one, other, evidence in edges
    ]
    return run_event("RUNNING", run_facets={"mainstem_connector": {"edges": told}}, **said)


def known(client: TestClient, node: str) -> dict[tuple[str, str], tuple[str, str]]:
    edges = client.get("/api/v2/lineage", params={"node": node}).json()["edges"]
    return {
        (one["source"].rpartition(":")[2], one["target"].rpartition(":")[2]): (
            one["evidence"],
            one["confidence"],
        )
        for one in edges
    }


def test_each_edge_tells_how_it_is_known_and_how_sure_that_is(client: TestClient) -> None:
    post(
        client,
        watched(
            *[("a", "t", "config"), ("b", "t", "seen"), ("c", "t", "config")],
            ("d", "t", "declared"),
            inputs=["a", "b", "c", "d", "e"],
            outputs=["t"],
        ),
        run_event(job="spark", run="00000000-0000-4000-8000-000000000002", inputs=["t"]),
    )
    assert known(client, "job:jobs:job") == {
        ("a", "job"): ("config", "likely"),
        ("b", "job"): ("seen", "certain"),
        ("c", "job"): ("config", "likely"),
        ("d", "job"): ("declared", "declared"),
        ("e", "job"): ("unknown", "unknown"),
        # In several pairs it is as sure as the surest of them.
        ("job", "t"): ("seen", "certain"),
    }
    assert known(client, "job:jobs:spark") == {("t", "spark"): ("reported", "certain")}


def test_what_was_described_and_never_ran_is_declared(client: TestClient) -> None:
    described = run_event(None, inputs=["a"], outputs=["b"])
    del described["run"]
    described["schemaURL"] = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobEvent"
    post(client, described)
    assert set(known(client, "job:jobs:job").values()) == {("reported", "declared")}


def test_an_edge_that_is_gone_is_not_called_certain(client: TestClient) -> None:
    second = "00000000-0000-4000-8000-000000000002"
    post(
        client,
        watched(("a", "t", "config"), inputs=["a"], outputs=["t"]),
        watched(
            ("b", "t", "config"),
            inputs=["b"],
            outputs=["t"],
            run=second,
            time="2026-11-15T11:00:00Z",
        ),
    )
    asked = {"node": "job:jobs:job", "before": "2026-11-15T10:30:00Z"}
    (gone,) = client.get("/api/v2/lineage/diff", params=asked).json()["removed"]
    assert (gone["evidence"], gone["confidence"]) == ("unknown", "unknown")


def test_impact_is_as_sure_as_the_least_sure_edge_of_its_surest_way(client: TestClient) -> None:
    post(
        client,
        watched(("a", "b", "config"), job="slow", inputs=["a"], outputs=["b"]),
        run_event(
            job="fast", run="00000000-0000-4000-8000-000000000002", inputs=["b"], outputs=["c"]
        ),
        run_event(
            job="other", run="00000000-0000-4000-8000-000000000003", inputs=["a"], outputs=["d"]
        ),
    )
    asked = {"node": "dataset:postgres://db:5432:a"}
    rows = client.get("/api/v2/impact", params=asked).json()["rows"]
    assert {one["node"]["name"]: one["confidence"] for one in rows} == {
        "slow": "likely",
        "b": "likely",
        "fast": "likely",
        "c": "likely",
        "other": "certain",
        "d": "certain",
    }


def made(name: str, **made_from: list[tuple[str, str]]) -> dict[str, Any]:
    return {**dataset(name), "facets": columns(**made_from)}


def test_impact_of_a_column_is_as_sure_as_the_edges_that_its_values_take(
    client: TestClient,
) -> None:
    post(
        client,
        watched(
            ("a", "b", "config"),
            job="slow",
            inputs=["a"],
            outputs=[made("b", x=[("a", "x")])],
        ),
        run_event(
            job="fast",
            run="00000000-0000-4000-8000-000000000002",
            inputs=["b", "a"],
            outputs=[made("c", x=[("b", "x")], y=[("a", "y")])],
        ),
        run_event(
            job="other",
            run="00000000-0000-4000-8000-000000000003",
            inputs=["a", "e"],
            outputs=[made("d", x=[("a", "x")], z=[("nobody", "z")])],
        ),
    )
    assert sure_of(client, "a:x") == {"b": "likely", "c": "likely", "d": "certain"}
    # What only another column takes makes this one no surer, nor less sure.
    assert sure_of(client, "a:y") == {"c": "certain"}


def test_impact_of_a_column_that_no_job_makes_tells_no_confidence(client: TestClient) -> None:
    described = {
        "eventTime": "2026-11-15T10:00:00Z",
        "producer": "https://example.com/test",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetEvent",
        "dataset": made("b", x=[("a", "x")]),
    }
    post(
        client,
        run_event(inputs=["a"], outputs=["z"]),
        described,
        run_event(
            job="forgets",
            run="00000000-0000-4000-8000-000000000002",
            outputs=[made("c", x=[("a", "x")])],
        ),
    )
    assert sure_of(client, "a:x") == {"b": None, "c": None}


def sure_of(client: TestClient, column: str) -> dict[str, str | None]:
    asked = {"node": f"datasetField:postgres://db:5432:{column}"}
    rows = client.get("/api/v2/impact", params=asked).json()["rows"]
    return {one["node"]["name"]: one["confidence"] for one in rows}


class Plain:
    """A graph of jobs that do not tell pairs."""

    def __init__(self, reads: set[tuple[int, int]], writes: set[tuple[int, int]]) -> None:
        self._reads, self._writes = reads, writes

    def readers(self, dataset: int) -> Numbers:
        return tuple(job for job, one in sorted(self._reads) if one == dataset)

    def writers(self, dataset: int) -> Numbers:
        return tuple(job for job, one in sorted(self._writes) if one == dataset)

    def inputs(self, job: int) -> Numbers:
        return tuple(one for reader, one in sorted(self._reads) if reader == job)

    def outputs(self, job: int) -> Numbers:
        return tuple(one for writer, one in sorted(self._writes) if writer == job)

    def outputs_from(self, job: int, dataset: int) -> Numbers:
        return self.outputs(job)

    def inputs_to(self, job: int, dataset: int) -> Numbers:
        return self.inputs(job)

    def tells_pairs(self, job: int) -> bool:
        return False

    def pairs(self, job: int) -> None:
        return None


class Telling(Plain):
    """The same, but what job 0 reads of dataset 0 ends in dataset 1 alone."""

    def tells_pairs(self, job: int) -> bool:
        return job == 0

    def outputs_from(self, job: int, dataset: int) -> Numbers:
        return (1,) if (job, dataset) == (0, 0) else self.outputs(job)


sides = st.sets(st.tuples(st.integers(0, 4), st.integers(0, 5)), max_size=12)


@given(sides, sides, st.data())
def test_the_surest_way_is_the_one_that_another_library_finds(
    reads: set[tuple[int, int]], writes: set[tuple[int, int]], data: st.DataObject
) -> None:
    edges: list[Edge] = [((False, one), (True, job)) for job, one in sorted(reads)]
    edges += [((True, job), (False, one)) for job, one in sorted(writes)]
    doubts = {edge: data.draw(st.integers(0, 3)) for edge in edges}
    start: Node = (False, 0)
    expected: dict[Node, int] = {}
    for level in range(4):
        sure: nx.DiGraph[Node] = nx.DiGraph([edge for edge in edges if doubts[edge] <= level])
        sure.add_node(start)
        for node in {start, *nx.descendants(sure, start)}:
            expected.setdefault(node, level)
    assert least_doubts(Plain(reads, writes), start, doubts) == {**expected, start: 0}


def test_a_way_that_no_data_takes_makes_nothing_surer() -> None:
    graph = Telling({(0, 0), (0, 2), (1, 0)}, {(0, 1), (0, 3), (1, 2)})
    doubts: dict[Edge, int] = {
        ((False, 0), (True, 0)): 0,
        ((True, 0), (False, 1)): 1,
        ((True, 0), (False, 3)): 0,
        ((False, 0), (True, 1)): 2,
        ((True, 1), (False, 2)): 0,
        ((False, 2), (True, 0)): 0,
    }
    found = least_doubts(graph, (False, 0), doubts)
    assert (found[False, 1], found[False, 3]) == (1, 2)
