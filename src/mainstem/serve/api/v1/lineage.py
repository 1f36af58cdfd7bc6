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
    nodes: list[tuple[bytes, bytes]] = []
    for job, data in resources.job_nodes(jobs).items():
        inputs = [ids[False, one] for one in view.inputs(job) if one in datasets]
        outputs = [ids[False, one] for one in view.outputs(job) if one in datasets]
        nodes.append(_node(ids[True, job], b"JOB", data, inputs, outputs))
    for dataset, data in resources.dataset_nodes(datasets).items():
        writers = [ids[True, one] for one in view.writers(dataset) if one in jobs]
        readers = [ids[True, one] for one in view.readers(dataset) if one in jobs]
        nodes.append(_node(ids[False, dataset], b"DATASET", data, writers, readers))
    return b'{"graph":[%b]}' % b",".join(node for _, node in sorted(nodes))


def _node(
    node: bytes, kind: bytes, data: bytes, before: list[bytes], after: list[bytes]
) -> tuple[bytes, bytes]:
    in_edges = b",".join(b'{"origin":%b,"destination":%b}' % (one, node) for one in sorted(before))
    out_edges = b",".join(b'{"origin":%b,"destination":%b}' % (node, one) for one in sorted(after))
    return node, b'{"id":%b,"type":"%b","data":%b,"inEdges":[%b],"outEdges":[%b]}' % (
        node, kind, data, in_edges, out_edges,
    )  # fmt: skip
