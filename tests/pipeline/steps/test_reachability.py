"""The closure equals a second opinion: networkx, on graphs of chance."""

from __future__ import annotations

import random

import networkx as nx
import pytest

from mainstem.pipeline.steps.reachability import Graph, Walk, arcs, changed_parts


def second_opinion(
    edges: set[tuple[int, int, bool]], pairs: dict[int, set[tuple[int, int]]]
) -> dict[tuple[int, int], int]:
    graph: nx.DiGraph = nx.DiGraph()
    for job, dataset, written in edges:
        if written:
            graph.add_edge(job, dataset)
        elif job not in pairs:
            graph.add_edge(dataset, job)
        else:
            graph.add_edge(dataset, (job, dataset))
            for source, target in pairs[job]:
                if source == dataset:
                    graph.add_edge((job, dataset), target)
    least: dict[tuple[int, int], int] = {}
    for start, reached in nx.all_pairs_shortest_path_length(graph):
        if isinstance(start, tuple):
            continue
        for end, far in reached.items():
            node = end[0] if isinstance(end, tuple) else end
            if far:
                least[start, node] = min(far, least.get((start, node), far))
    return least


@pytest.mark.parametrize("seed", range(30))
def test_graphs_of_chance(seed: int) -> None:
    draw = random.Random(seed)
    jobs, datasets = range(1000, 1000 + draw.randint(1, 30)), range(1, draw.randint(3, 40))
    edges = {
        (draw.choice(jobs), draw.choice(datasets), draw.random() < 0.5)
        for _ in range(draw.randint(1, 90))
    }
    pairs: dict[int, set[tuple[int, int]]] = {}
    for job in jobs:
        reads = [one for number, one, written in edges if number == job and not written]
        writes = [one for number, one, written in edges if number == job and written]
        if reads and writes and draw.random() < 0.4:
            pairs[job] = {(draw.choice(reads), draw.choice(writes)) for _ in range(2)}
    listed = [(job, *pair) for job, told in pairs.items() for pair in told]
    found: dict[tuple[int, int], int] = {}
    by_part: dict[int, list[tuple[int, int, int, int]]] = {}
    for part, arc in arcs(edges, listed):
        by_part.setdefault(part, []).append(arc)
    for part in by_part.values():
        walk = Walk(part)
        assert [begin for begin, _ in walk.blocks()][:1] == [0]
        for block in walk.blocks():
            for ancestors, descendants, far in walk.levels(*block):
                pairs_found = zip(ancestors.tolist(), descendants.tolist(), strict=True)
                found.update({pair: far for pair in pairs_found if pair not in found})
    assert found == second_opinion(edges, pairs)
    assert len(by_part) <= nx.number_connected_components(
        nx.Graph((job, one) for job, one, _ in edges)
    )


@pytest.mark.parametrize("seed", range(20))
def test_what_did_not_change_is_kept(seed: int) -> None:
    draw = random.Random(seed)

    def some(count: int) -> frozenset[tuple[int, int, bool]]:
        return frozenset(
            (draw.randint(100, 130), draw.randint(1, 40), draw.random() < 0.5) for _ in range(count)
        )

    before = Graph(some(30))
    after = Graph((before.edges | some(3)) - set(draw.sample(sorted(before.edges), 3)))
    old, new = changed_parts(before, after)
    assert old
    was = {arc for part, arc in arcs(*before) if part not in old}
    assert was == {arc for part, arc in arcs(*after) if part not in new}
