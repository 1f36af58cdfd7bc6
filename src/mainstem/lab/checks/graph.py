"""A small graph of datasets and the jobs between them, expected or told, and their difference."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True, slots=True, order=True)
class Node:
    """A dataset by its OpenLineage name."""

    namespace: str
    name: str

    def __str__(self) -> str:
        return f"{self.namespace} {self.name}"


@dataclass(frozen=True, slots=True, order=True)
class Edge:
    """A job reads ``source`` and writes ``target``."""

    source: Node
    job: str
    target: Node

    def __str__(self) -> str:
        return f"{self.source} → [{self.job}] → {self.target}"


@dataclass(frozen=True, slots=True)
class Graph:
    """Datasets and the edges between them."""

    nodes: frozenset[Node]
    edges: frozenset[Edge]

    @classmethod
    def of(cls, edges: Iterable[Edge]) -> Graph:
        """The graph of these edges and their ends."""
        kept = frozenset(edges)
        return cls(frozenset(node for edge in kept for node in (edge.source, edge.target)), kept)


def told_by(events: Iterable[Mapping[str, Any]]) -> Graph:
    """Every dataset and every edge that any of these OpenLineage events names."""
    nodes: set[Node] = set()
    edges: set[Edge] = set()
    for event in events:
        inputs, outputs = (_nodes(event, side) for side in ("inputs", "outputs"))
        nodes.update(inputs, outputs)
        job = event["job"]["name"]
        edges.update(Edge(source, job, target) for source, target in product(inputs, outputs))
    return Graph(frozenset(nodes), frozenset(edges))


def difference(expected: Graph, told: Graph) -> list[str]:
    """One sentence per dataset or edge that is missing, or told although it is not there."""
    return [
        *(f"missing dataset: {node}" for node in sorted(expected.nodes - told.nodes)),
        *(f"missing edge: {edge}" for edge in sorted(expected.edges - told.edges)),
        *(f"wrong dataset: {node}" for node in sorted(told.nodes - expected.nodes)),
        *(f"wrong edge: {edge}" for edge in sorted(told.edges - expected.edges)),
    ]


def _nodes(event: Mapping[str, Any], side: str) -> list[Node]:
    return [Node(dataset["namespace"], dataset["name"]) for dataset in event.get(side, ())]
