"""A small graph of datasets, the jobs between them and their columns; expected or told."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


class Node(Struct, frozen=True, order=True):
    """A dataset by its OpenLineage name."""

    namespace: str
    name: str

    def __str__(self) -> str:
        return f"{self.namespace} {self.name}"


class Edge(Struct, frozen=True, order=True):
    """A job reads ``source`` and makes ``target`` of it."""

    source: Node
    job: str
    target: Node

    def __str__(self) -> str:
        return f"{self.source} → [{self.job}] → {self.target}"


class ColumnEdge(Struct, frozen=True, order=True):
    """The value of a column is made of the value of another."""

    source: Node
    source_field: str
    target: Node
    target_field: str

    def __str__(self) -> str:
        return f"{self.source} {self.source_field} → {self.target} {self.target_field}"


class Graph(Struct, frozen=True):
    """Datasets, the edges between them and between their columns."""

    nodes: frozenset[Node]
    edges: frozenset[Edge]
    columns: frozenset[ColumnEdge] = frozenset()

    @classmethod
    def of(cls, edges: Iterable[Edge], columns: Iterable[ColumnEdge] = ()) -> Graph:
        """The graph of these edges and their ends."""
        kept = frozenset(edges)
        nodes = frozenset(node for edge in kept for node in (edge.source, edge.target))
        return cls(nodes, kept, frozenset(columns))


def told_by(events: Iterable[Mapping[str, Any]]) -> Graph:
    """Every dataset, edge and column that any of these OpenLineage events names."""
    nodes: set[Node] = set()
    edges: set[Edge] = set()
    columns: set[ColumnEdge] = set()
    for event in events:
        nodes.update(_nodes(event, "inputs"), _nodes(event, "outputs"))
        edges.update(_edges(event))
        for output in event.get("outputs", ()):
            columns.update(_columns(output))
    return Graph(frozenset(nodes), frozenset(edges), frozenset(columns))


def difference(expected: Graph, told: Graph) -> list[str]:
    """One sentence per dataset, edge or column that is missing, or told although it is not so."""
    parts = (
        ("dataset", expected.nodes, told.nodes),
        ("edge", expected.edges, told.edges),
        ("column", expected.columns, told.columns),
    )
    return [
        *(f"missing {what}: {one}" for what, wanted, had in parts for one in sorted(wanted - had)),
        *(f"wrong {what}: {one}" for what, wanted, had in parts for one in sorted(had - wanted)),
    ]


def _nodes(event: Mapping[str, Any], side: str) -> list[Node]:
    return [Node(dataset["namespace"], dataset["name"]) for dataset in event.get(side, ())]


def _edges(event: Mapping[str, Any]) -> Iterator[Edge]:
    job = event["job"]["name"]
    facet = event["job"].get("facets", {}).get("lineage")
    if facet is None:
        for source, target in product(_nodes(event, "inputs"), _nodes(event, "outputs")):
            yield Edge(source, job, target)
        return
    for entry in facet["entries"]:
        for source in entry.get("inputs") or ():
            yield Edge(
                Node(source["namespace"], source["name"]),
                job,
                Node(entry["namespace"], entry["name"]),
            )


def _columns(output: Mapping[str, Any]) -> Iterator[ColumnEdge]:
    target = Node(output["namespace"], output["name"])
    fields = output.get("facets", {}).get("columnLineage", {}).get("fields", {})
    for field, made in fields.items():
        for source in made["inputFields"]:
            if any(step["type"] == "DIRECT" for step in source["transformations"]):
                origin = Node(source["namespace"], source["name"])
                yield ColumnEdge(origin, source["field"], target, field)
