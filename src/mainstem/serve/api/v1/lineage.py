"""GET /lineage: Marquez's graph around a node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import Query, Response

from mainstem.errors import NotFound
from mainstem.names.node_id import NodeKind
from mainstem.serve.api.parameters import Depth, Held, JsonBytes, NodeText, node_of
from mainstem.serve.api.resources import Resources
from mainstem.serve.api.routers import router_of
from mainstem.serve.api.spelling import joined_graph
from mainstem.serve.graph.walk import walk_jobs

if TYPE_CHECKING:
    from mainstem.serve.api.resources import Around
    from mainstem.serve.graph.view import Numbers

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


class _InOrder(dict["Numbers", tuple[bytes, ...]]):
    """The ids of neighbours that an answer shows, in order; many nodes have the same ones."""

    def __init__(self, ids: dict[int, bytes]) -> None:
        self._ids = ids

    def __missing__(self, numbers: Numbers) -> tuple[bytes, ...]:
        ids = self._ids
        shown = self[numbers] = tuple(sorted([ids[one] for one in numbers if one in ids]))
        return shown


def _graph(resources: Resources, jobs: set[int], datasets: set[int]) -> bytes:
    ids = resources.graph_ids(jobs, datasets)
    view = resources.view
    shown = _InOrder(ids.datasets)
    around_jobs: dict[int, Around] = {
        job: (shown[view.inputs(job)], shown[view.outputs(job)])
        for job in sorted(ids.jobs, key=ids.jobs.__getitem__)
    }
    shown = _InOrder(ids.jobs)
    around_datasets: dict[int, Around] = {
        one: (shown[view.writers(one)], shown[view.readers(one)])
        for one in sorted(ids.datasets, key=ids.datasets.__getitem__)
    }
    return joined_graph(resources.graph_nodes(around_jobs, around_datasets, ids))
