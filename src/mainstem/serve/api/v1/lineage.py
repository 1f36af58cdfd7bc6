"""GET /lineage: Marquez's graph around a node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import orjson
from fastapi import APIRouter, Query, Response

from mainstem.errors import NotFound
from mainstem.names.node_id import NodeId, NodeKind
from mainstem.serve.api.parameters import Depth, Held, JsonBytes, NodeText, node_of
from mainstem.serve.api.resources import Resources
from mainstem.serve.graph.walk import walk_jobs

if TYPE_CHECKING:
    from mainstem.serve.graph.view import Node

router = APIRouter(tags=["lineage"])
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
        return JsonBytes(_graph(backend, resources, jobs, datasets))


def _graph(backend: Held, resources: Resources, jobs: set[int], datasets: set[int]) -> bytes:
    view = resources.view
    ids: dict[Node, bytes] = {}
    for job in jobs:
        ids[True, job] = orjson.dumps(str(NodeId(NodeKind.JOB, tuple(backend.catalog.job(job)))))
    for dataset in datasets:
        name = resources.name_of(dataset)
        text = str(NodeId(NodeKind.DATASET, (name.namespace, name.name)))
        ids[False, dataset] = orjson.dumps(text)
    around_jobs = {job: (view.inputs(job), view.outputs(job)) for job in jobs}
    around_datasets = {
        one: (_within(view.writers(one), jobs), _within(view.readers(one), jobs))
        for one in datasets
    }
    return b'{"graph":[%b]}' % b",".join(resources.graph_nodes(around_jobs, around_datasets, ids))


def _within(numbers: tuple[int, ...], shown: set[int]) -> tuple[int, ...]:
    return numbers if shown.issuperset(numbers) else tuple(one for one in numbers if one in shown)
