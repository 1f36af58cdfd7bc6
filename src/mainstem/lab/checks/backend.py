"""The graph as the backend's API tells it, by walking from the sources down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx2

from mainstem.lab.checks.graph import ColumnEdge, Graph, Node
from mainstem.names.node_id import NodeId, NodeKind, parse_node_id

if TYPE_CHECKING:
    from collections.abc import Iterable

Link = tuple[str, str]
"""A dataset that a job reads, or a job and what it writes, as they are printed."""


def links_of(graph: Graph) -> set[Link]:
    """The edges of a graph cut in two at their jobs, which is how the API tells them."""
    return {
        link
        for edge in graph.edges
        for link in ((str(edge.source), edge.job), (edge.job, str(edge.target)))
    }


class BackendGraph:
    """What one backend answers about everything below some datasets."""

    def __init__(self, url: str, roots: Iterable[Node]) -> None:
        self._url = url
        self._roots = [str(NodeId(NodeKind.DATASET, (one.namespace, one.name))) for one in roots]

    def links(self) -> set[Link]:
        """Every step from a dataset to a job and from a job to a dataset."""
        return {(_name(edge["source"]), _name(edge["target"])) for edge in self._steps()}

    def columns(self) -> set[ColumnEdge]:
        """Every column whose value is made of another's."""
        written = {edge["target"] for edge in self._steps()}
        datasets = [one for one in written if parse_node_id(one).kind is NodeKind.DATASET]
        # Asked of each dataset that is written: of a source, nobody may have told the columns.
        made = [
            edge
            for one in datasets
            for edge in self._edges("columns", one, direction="upstream", depth="1")
        ]
        told = (edge for edge in made if edge["summary"] != "INDIRECT")
        return {_column(edge["source"], edge["target"]) for edge in told}

    def jobs_at(self, dataset: Node) -> set[str]:
        """The jobs that read or write a dataset."""
        node = str(NodeId(NodeKind.DATASET, (dataset.namespace, dataset.name)))
        ends = [end for edge in self._edges("lineage", node, depth="1") for end in edge.items()]
        return {_name(one) for key, one in ends if key in ("source", "target") and one != node}

    def _steps(self) -> list[dict[str, Any]]:
        walk = {"direction": "downstream", "depth": "1000"}
        return [edge for root in self._roots for edge in self._edges("lineage", root, **walk)]

    def _edges(self, what: str, node: str, **how: str) -> list[dict[str, Any]]:
        address = f"{self._url}/api/v2/{what}"
        answer = httpx2.get(address, params={"node": node, **how}, timeout=30, trust_env=False)
        if answer.status_code == httpx2.codes.NOT_FOUND:
            return []
        return answer.raise_for_status().json()["edges"]


def backend_difference(expected: Graph, backend: BackendGraph) -> list[str]:
    """One sentence per step or column that the API lacks, or tells although it is not so."""
    wanted, had = links_of(expected), backend.links()
    columns = backend.columns()
    return [
        *(f"the API lacks {one} → {other}" for one, other in sorted(wanted - had)),
        *(f"the API wrongly has {one} → {other}" for one, other in sorted(had - wanted)),
        *(f"the API lacks {one}" for one in sorted(expected.columns - columns)),
        *(f"the API wrongly has {one}" for one in sorted(columns - expected.columns)),
    ]


def _name(node: str) -> str:
    found = parse_node_id(node)
    return found.parts[1] if found.kind is NodeKind.JOB else str(Node(*found.parts))


def _column(source: str, target: str) -> ColumnEdge:
    (origin, name, field), (namespace, made, made_field) = (
        parse_node_id(each).parts for each in (source, target)
    )
    return ColumnEdge(Node(origin, name), field, Node(namespace, made), made_field)
