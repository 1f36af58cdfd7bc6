"""Columns across the whole path."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from mainstem.names.node_id import NodeId, NodeKind
from mainstem.serve.api.columns import StoredColumns
from mainstem.serve.api.parameters import Held, NodeText, json_of, node_of
from mainstem.serve.api.resources import Resources
from mainstem.serve.api.v1.column_lineage import column_id
from mainstem.serve.api.v2 import shapes
from mainstem.serve.graph.columns import walk_columns
from mainstem.serve.graph.walk import Direction

router = APIRouter(tags=["graph"])
Hops = Annotated[int, Query(ge=0, le=1000)]


@router.get("/columns", response_model=shapes.ColumnGraphShape)
def get_columns(
    backend: Held, node: NodeText, direction: Direction = Direction.BOTH, depth: Hops = 1000
) -> Response:
    """What columns are made from and what is made from them; of a field, a dataset or a job."""
    parsed, number = node_of(backend, node)
    with backend.read() as connection:
        resources = Resources(backend, connection)
        graph = StoredColumns(backend, connection, resources, None)
        start = graph.of_node(parsed, number, resources)
        walked = walk_columns(
            graph,
            start,
            depth,
            upstream=direction is not Direction.DOWNSTREAM,
            downstream=direction is not Direction.UPSTREAM,
        )
    ids = {column: column_id(resources, column) for column in walked.nodes}
    nodes = [_node(resources, one, ids[one], far) for one, far in walked.nodes.items()]
    edges = [
        {
            "source": ids[source],
            "target": ids[target],
            "transformations": how,
            "summary": summary(how),
        }
        for (source, target), how in sorted(walked.edges.items())
        if source in ids and target in ids
    ]
    return json_of({"root": node, "nodes": nodes, "edges": edges})


def summary(transformations: list[dict[str, Any]]) -> str:
    """One word for how a column is made from another: the least harmless of its steps."""
    if any(step.get("masking") is True for step in transformations):
        return "MASKED"
    if transformations and all(step.get("type") == "INDIRECT" for step in transformations):
        return "INDIRECT"
    words = {step.get("subtype") for step in transformations if step.get("type") != "INDIRECT"}
    for word in ("AGGREGATION", "TRANSFORMATION", "IDENTITY"):
        if word in words:
            return word
    return "UNKNOWN"


def _node(resources: Resources, column: tuple[int, str], text: str, far: int) -> dict[str, Any]:
    name = resources.name_of(column[0])
    dataset = str(NodeId(NodeKind.DATASET, (name.namespace, name.name)))
    return {
        "id": text, "dataset": dataset, "namespace": name.namespace, "name": name.name,
        "field": column[1], "distance": far,
    }  # fmt: skip
