"""GET /lineage: Marquez's graph around a node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import Query, Response

from mainstem.errors import NotFound
from mainstem.names.node_id import NodeKind
from mainstem.serve.api.parameters import Depth, Held, JsonBytes, NodeText, node_of
from mainstem.serve.api.resources import Resources, joined_graph
from mainstem.serve.api.routers import router_of
from mainstem.serve.graph.walk import walk_jobs

if TYPE_CHECKING:
    from mainstem.serve.api.resources import Around

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
    view = resources.view
    job_ranks, dataset_ranks = _ranks(ids.jobs), _ranks(ids.datasets)
    by_rank = dataset_ranks.__getitem__
    around_jobs: dict[int, Around] = {
        job: (sorted(view.inputs(job), key=by_rank), sorted(view.outputs(job), key=by_rank))
        for job in job_ranks
    }
    around_datasets: dict[int, Around] = {
        one: (_within(view.writers(one), job_ranks), _within(view.readers(one), job_ranks))
        for one in dataset_ranks
    }
    return joined_graph(resources.graph_nodes(around_jobs, around_datasets, ids))


def _ranks(ids: dict[int, bytes]) -> dict[int, int]:
    """Nodes in the order of their ids, and where each stands: numbers are sorted faster."""
    return {one: rank for rank, one in enumerate(sorted(ids, key=ids.__getitem__))}


def _within(numbers: tuple[int, ...], ranks: dict[int, int]) -> list[int]:
    """Those that are shown, in the order of their ids."""
    return sorted([one for one in numbers if one in ranks], key=ranks.__getitem__)
