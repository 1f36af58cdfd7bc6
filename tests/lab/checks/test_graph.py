"""The lab says that the lineage stands only if it stands."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mainstem.lab.checks.backend import links_of
from mainstem.lab.checks.graph import ColumnEdge, Edge, Graph, Node, difference, told_by

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


TABLE, TOPIC, OTHER = (Node("n", name) for name in ("table", "topic", "other"))


def test_an_explicit_facet_replaces_inputs_times_outputs() -> None:
    said = event("source", [TABLE, OTHER], [TOPIC])
    source = {"namespace": TABLE.namespace, "name": TABLE.name}
    entry = {"namespace": TOPIC.namespace, "name": TOPIC.name, "inputs": [source]}
    job = {"name": "source", "facets": {"lineage": {"entries": [entry]}}}
    told = told_by([{**said, "job": job}])
    assert told.edges == {Edge(TABLE, "source", TOPIC)}
    assert OTHER in told.nodes


def column(kind: str) -> dict[str, object]:
    source = {"namespace": TABLE.namespace, "name": TABLE.name, "field": "price"}
    made = {"inputFields": [{**source, "transformations": [{"type": kind}]}]}
    output = {"facets": {"columnLineage": {"fields": {"total": made}}}}
    return {
        "job": {"name": "job"},
        "outputs": [{"namespace": TOPIC.namespace, "name": TOPIC.name, **output}],
    }


def test_only_what_a_value_is_made_of_is_its_column() -> None:
    edge = ColumnEdge(TABLE, "price", TOPIC, "total")
    assert told_by([column("DIRECT")]).columns == {edge}
    assert told_by([column("INDIRECT")]).columns == set()
    assert difference(Graph(frozenset({TOPIC}), frozenset(), frozenset({edge})), Graph.of([])) == [
        f"missing dataset: {TOPIC}",
        f"missing column: {edge}",
    ]


def test_links_are_edges_cut_at_their_jobs() -> None:
    graph = Graph.of([Edge(TABLE, "job", TOPIC), Edge(OTHER, "job", TOPIC)])
    assert links_of(graph) == {("n table", "job"), ("n other", "job"), ("job", "n topic")}
