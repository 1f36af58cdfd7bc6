"""The lab says that the lineage stands only if it stands."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mainstem.lab.checks.graph import Edge, Graph, Node, difference, told_by

nodes = st.builds(Node, st.sampled_from(["kafka://h:1", "file"]), st.sampled_from("abcd"))
edges = st.builds(Edge, nodes, st.sampled_from(["in", "out"]), nodes)


def event(job: str, inputs: list[Node], outputs: list[Node]) -> dict[str, object]:
    def side(datasets: list[Node]) -> list[dict[str, str]]:
        return [{"namespace": each.namespace, "name": each.name} for each in datasets]

    return {"job": {"name": job}, "inputs": side(inputs), "outputs": side(outputs)}


@given(st.lists(edges, max_size=6))
def test_edges_told_one_by_one_are_the_graph(told: list[Edge]) -> None:
    events = [event(edge.job, [edge.source], [edge.target]) for edge in told]
    assert told_by(events) == Graph.of(told)
    assert difference(Graph.of(told), told_by(events)) == []


@given(st.sets(edges, min_size=1, max_size=6), st.data())
def test_each_missing_and_each_wrong_edge_is_named(
    all_edges: set[Edge], data: st.DataObject
) -> None:
    left_out = data.draw(st.sampled_from(sorted(all_edges)))
    fewer = Graph.of(all_edges - {left_out})
    assert f"missing edge: {left_out}" in difference(Graph.of(all_edges), fewer)
    assert f"wrong edge: {left_out}" in difference(fewer, Graph.of(all_edges))


def test_a_dataset_without_an_edge_is_told_too() -> None:
    topic = Node("kafka://h:1", "orders")
    told = told_by([event("sink", [topic], [])])
    assert told == Graph(frozenset({topic}), frozenset())
    assert difference(Graph.of([]), told) == [f"wrong dataset: {topic}"]


def test_an_event_without_sides_tells_nothing() -> None:
    assert told_by([{"job": {"name": "job"}}]) == Graph.of([])
