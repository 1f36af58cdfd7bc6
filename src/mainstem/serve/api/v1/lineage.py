"""GET /lineage: Marquez's graph around a node."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response

from mainstem.errors import NotFound
from mainstem.names.node_id import NodeKind
from mainstem.serve.api.parameters import Depth, Held, JsonBytes, NodeText, node_of
from mainstem.serve.api.resources import Resources
from mainstem.serve.api.routers import router_of
from mainstem.serve.api.spelling import joined_graph
from mainstem.serve.api.surroundings import around_datasets, around_jobs
from mainstem.serve.graph.walk import walk_jobs

router = router_of("/api/v1", "lineage")
MOST_JOB_HOPS = 10_000


@router.get("/lineage")
def get_lineage(
    backend: Held, node_id: Annotated[NodeText, Query(alias="nodeId")], depth: Depth = 20
) -> Response:
    """The graph around a job or dataset, both ways; depth counts hops from job to job."""
    node, number = node_of(backend, node_id)
    if node.kind is NodeKind.DATASET_FIELD:
        raise NotFound("Node", node_id)
    with backend.read() as connection:
        resources = Resources(backend, connection)
        hops = min(max(depth, 0), MOST_JOB_HOPS)
        jobs, datasets = walk_jobs(resources.view, (node.kind is NodeKind.JOB, number), hops)
        return JsonBytes(_graph(resources, jobs, datasets))


def _graph(resources: Resources, jobs: set[int], datasets: set[int]) -> bytes:
    ids = resources.graph_ids(jobs, datasets)
    in_order = sorted(ids.jobs, key=ids.jobs.__getitem__)
    shown = sorted(ids.datasets, key=ids.datasets.__getitem__)
    nodes = resources.graph_nodes(
        around_jobs(resources.view, in_order, ids),
        around_datasets(resources.view, shown, ids),
        ids,
    )
    return joined_graph(nodes)
