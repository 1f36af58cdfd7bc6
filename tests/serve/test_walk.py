"""Walks against a small breadth-first search and against networkx."""

from __future__ import annotations

from itertools import pairwise

import networkx
from hypothesis import given, settings
from hypothesis import strategies as st

from mainstem.serve.graph.identities import Identities
from mainstem.serve.graph.index import GraphIndex
from mainstem.serve.graph.view import GraphView
from mainstem.serve.graph.walk import (
    Direction,
    Edge,
    Node,
    pairs_among,
    shortest_path,
    steps_from,
    walk,
    walk_jobs,
)
from mainstem.serve.model.job import Reach

_NUMBERS = st.lists(st.integers(1, 8), max_size=3, unique=True).map(tuple)
_REACHES = st.dictionaries(st.integers(1, 6), st.builds(Reach, _NUMBERS, _NUMBERS), min_size=1)


def view_of(reaches: dict[int, Reach]) -> GraphView:
    index = GraphIndex()
    for job, reach in reaches.items():
        index.set_reach(job, Reach((1, 2), (3,)))  # replaced at once: what was is forgotten
        index.set_reach(job, reach)
    return GraphView(index, Identities(), lambda _: False)


def digraph(reaches: dict[int, Reach]) -> networkx.DiGraph:
    edges = [((False, one), (True, job)) for job, r in reaches.items() for one in r.inputs]
    edges += [((True, job), (False, one)) for job, r in reaches.items() for one in r.outputs]
    graph = networkx.DiGraph(edges)
    graph.add_nodes_from((True, job) for job in reaches)
    return graph


@settings(max_examples=150)
@given(_REACHES, st.integers(0, 6))
def test_directed_walks_are_those_of_networkx(reaches: dict[int, Reach], depth: int) -> None:
    view, graph = view_of(reaches), digraph(reaches)
    start = (True, min(reaches))
    for direction, seen_from in (
        (Direction.DOWNSTREAM, graph),
        (Direction.UPSTREAM, graph.reverse()),
    ):
        found = walk(view, start, direction, depth, 10_000)
        expected = networkx.single_source_shortest_path_length(seen_from, start, cutoff=depth)
        assert found.nodes == dict(expected)


@settings(max_examples=100)
@given(_REACHES, st.integers(1, 8))
def test_a_path_is_shortest(reaches: dict[int, Reach], goal: int) -> None:
    view, graph = view_of(reaches), digraph(reaches)
    start = (True, min(reaches))
    found = shortest_path(view, start, (False, goal))
    if not found:
        assert not graph.has_node((False, goal)) or not networkx.has_path(
            graph, start, (False, goal)
        )
    else:
        assert len(found) - 1 == networkx.shortest_path_length(graph, start, (False, goal))
        assert all(graph.has_edge(*edge) for edge in pairwise(found))


@settings(max_examples=100)
@given(_REACHES, st.integers(0, 4))
def test_marquez_walk_is_a_search_from_job_to_job(reaches: dict[int, Reach], depth: int) -> None:
    start = min(reaches)
    touched = {job: {*reach.inputs, *reach.outputs} for job, reach in reaches.items()}
    seen = {start}
    for _ in range(depth):
        seen |= {job for job in touched for other in seen if touched[job] & touched[other]}
    jobs, datasets = walk_jobs(view_of(reaches), (True, start), depth)
    assert jobs == seen
    assert datasets == {one for job in seen for one in touched[job]}


_PAIRS = st.sets(st.tuples(st.integers(1, 5), st.integers(1, 5)), max_size=5).map(tuple)
_TOLD = st.builds(
    lambda pairs: Reach(tuple({i for i, _ in pairs}), tuple({o for _, o in pairs}), pairs), _PAIRS
)


@settings(max_examples=50)
@given(st.dictionaries(st.integers(1, 4), _TOLD | st.builds(Reach, _NUMBERS, _NUMBERS)), st.data())
def test_pairs_are_told_among_the_nodes_that_are_shown(
    reaches: dict[int, Reach], data: st.DataObject
) -> None:
    shown = data.draw(st.sets(st.integers(1, 8)))
    nodes = [*((True, job) for job in reaches), *((False, one) for one in shown)]
    assert pairs_among(view_of(reaches), nodes) == {
        job: sorted(pair for pair in reach.pairs if shown.issuperset(pair))
        for job, reach in reaches.items()
        if reach.pairs is not None
    }


@settings(max_examples=100)
@given(
    st.dictionaries(st.integers(1, 4), _TOLD | st.builds(Reach, _NUMBERS, _NUMBERS), min_size=1),
    st.integers(0, 6),
    st.booleans(),
)
def test_a_walk_finds_what_entering_every_job_by_each_dataset_finds(
    reaches: dict[int, Reach], depth: int, upstream: bool
) -> None:
    view, start = view_of(reaches), (False, 1)
    nodes, edges = {start: 0}, set[Edge]()
    level: set[tuple[Node, int | None]] = {(start, None)}
    seen = set(level)
    for distance in range(1, depth + 1):
        steps = [
            (node, neighbour)
            for node, came_from in level
            for neighbour in steps_from(view, node, came_from, upstream=upstream)
        ]
        edges |= {(after, before) if upstream else (before, after) for before, after in steps}
        for _, neighbour in steps:
            nodes.setdefault(neighbour, distance)
        level = {(one, before[1] if one[0] else None) for before, one in steps} - seen
        seen |= level
    found = walk(view, start, Direction.UPSTREAM if upstream else Direction.DOWNSTREAM, depth, 999)
    assert (found.nodes, found.edges) == (nodes, edges)
