"""Directed walks: around a node, now or at an instant; what changed; what is affected; a way."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, NamedTuple

from fastapi import Query, Response

from mainstem.errors import NotFound
from mainstem.names.node_id import NodeKind
from mainstem.said.confidence import least_sure
from mainstem.said.times import iso
from mainstem.serve.api.columns import StoredColumns, is_known_column
from mainstem.serve.api.nodes import Nodes
from mainstem.serve.api.parameters import After, AsOf, Before, Held, NodeText, json_of, node_of
from mainstem.serve.api.past import past_at
from mainstem.serve.api.resources import Resources
from mainstem.serve.api.routers import router_of
from mainstem.serve.api.v2 import shapes
from mainstem.serve.graph.columns import walk_columns
from mainstem.serve.graph.sureness import least_column_doubts, least_doubts
from mainstem.serve.graph.walk import Direction, pairs_among, shortest_path, walk
from mainstem.serve.model.history import validities
from mainstem.serve.store.history import naming_runs

if TYPE_CHECKING:
    from mainstem.serve.api.backend import Backend
    from mainstem.serve.graph.columns import Column, ColumnsWalked
    from mainstem.serve.graph.walk import Edge, Graph, Node

router = router_of("/api/v2", "graph")
Hops = Annotated[int, Query(ge=0, le=1000, description="Hops from the node, each side.")]
Most = Annotated[int, Query(ge=1, le=50_000, description="How many nodes at most.")]
WithPairs = Annotated[
    bool, Query(alias="pairs", description="Whether to tell which input becomes which output.")
]


@router.get("/lineage", response_model=shapes.Graph)
def get_graph(
    backend: Held,
    node: NodeText,
    *,
    direction: Direction = Direction.BOTH,
    depth: Hops = 1,
    most: Most = 3000,
    as_of: AsOf = None,
    with_pairs: WithPairs = False,
) -> Response:
    """The graph around a job or dataset, now or as of an instant."""
    start = _table_node(backend, node)
    with backend.read() as connection:
        resources = Resources(backend, connection)
        graph = past_at(backend, connection, as_of) or resources.view
        walked = walk(graph, start, direction, depth, most)
        nodes = Nodes(backend, connection, resources, graph)
        return json_of(
            {
                "root": nodes.node_id(start),
                "nodes": nodes.shown(walked.nodes),
                "edges": nodes.edges(sorted(walked.edges)),
                "truncated": walked.truncated,
                "pairs": nodes.pairs(pairs_among(graph, walked.nodes) if with_pairs else {}),
            }
        )


@router.get("/lineage/diff", response_model=shapes.GraphDifference)
def get_difference(
    backend: Held,
    node: NodeText,
    *,
    before: Before,
    after: After = None,
    direction: Direction = Direction.BOTH,
    depth: Hops = 1,
    with_pairs: WithPairs = False,
) -> Response:
    """The edges around a node that came and went between two instants."""
    start = _table_node(backend, node)
    with backend.read() as connection:
        resources = Resources(backend, connection)
        then = past_at(backend, connection, before) or resources.view
        later = past_at(backend, connection, after) or resources.view
        old = walk(then, start, direction, depth, 3000)
        new = walk(later, start, direction, depth, 3000)
        nodes = Nodes(backend, connection, resources, later)
        around = {**old.nodes, **new.nodes}
        told = [pairs_among(graph, around) for graph in (then, later)] if with_pairs else []
        pairs = {
            job: sorted({pair for by_job in told for pair in by_job.get(job, ())})
            for job in dict.fromkeys(job for by_job in told for job in by_job)
        }
        return json_of(
            {
                "root": nodes.node_id(start),
                "nodes": nodes.shown(around),
                "added": nodes.edges(sorted(new.edges - old.edges)),
                "removed": nodes.edges(sorted(old.edges - new.edges)),
                "kept": nodes.edges(sorted(old.edges & new.edges)),
                "pairs": nodes.pairs(pairs),
            }
        )


@router.get("/impact", response_model=shapes.Impact)
def get_impact(backend: Held, node: NodeText, *, depth: Hops = 1000, most: Most = 3000) -> Response:
    """What is downstream of a job, dataset or column, nearest first."""
    parsed, number = node_of(backend, node)
    with backend.read() as connection:
        resources = Resources(backend, connection)
        nodes = Nodes(backend, connection, resources, resources.view)
        if parsed.kind is NodeKind.DATASET_FIELD:
            columns = StoredColumns(backend, connection, resources, None)
            start = columns.of_node(parsed, number, resources)
            if not is_known_column(columns, resources, start[0]):
                raise NotFound("Column", parsed.parts[-1])
            hit = _hit_by_columns(columns, start, resources.view, nodes, depth)
        else:
            hit = _hit_by(resources.view, (parsed.kind is NodeKind.JOB, number), nodes, depth, most)
        fields = {nodes.node_id(one): sorted(reached) for one, reached in hit.columns.items()}
        sure = {nodes.node_id(one): least_sure(doubt) for one, doubt in hit.doubts.items()}
        rows = [
            {"node": one, "columns": fields.get(one["id"], []), "confidence": sure.get(one["id"])}
            for one in nodes.shown(hit.distances)
        ]
    return json_of({"root": node, "rows": rows, "truncated": hit.truncated})


class _Hit(NamedTuple):
    """What is downstream: how far, by which columns, and with how much doubt."""

    distances: dict[Node, int]
    columns: dict[Node, set[str]]
    doubts: dict[Node, int]
    truncated: bool


def _hit_by(graph: Graph, root: Node, nodes: Nodes, depth: int, most: int) -> _Hit:
    walked = walk(graph, root, Direction.DOWNSTREAM, depth, most)
    distances = {one: far for one, far in walked.nodes.items() if one != root}
    doubts = least_doubts(graph, root, nodes.doubts(walked.edges))
    return _Hit(distances, {}, doubts, walked.truncated)


def _hit_by_columns(
    columns: StoredColumns, start: list[Column], graph: Graph, nodes: Nodes, depth: int
) -> _Hit:
    walked = walk_columns(columns, start, depth, upstream=False, downstream=True)
    reached: dict[Node, set[str]] = {}
    distances: dict[Node, int] = {}
    for (dataset, field), distance in walked.nodes.items():
        if (dataset, field) not in start:
            reached.setdefault((False, dataset), set()).add(field)
            distances.setdefault((False, dataset), distance)
    doubts = least_column_doubts(walked, start, nodes.doubts(_edges_of(walked, graph)))
    return _Hit(distances, reached, {(False, one): far for one, far in doubts.items()}, False)


def _edges_of(walked: ColumnsWalked, graph: Graph) -> set[Edge]:
    """The edges of the jobs that make columns of a walk."""
    jobs = {one.job for ways in walked.made.values() for one in ways}
    edges: set[Edge] = set()
    for job in jobs:
        edges |= {((False, one), (True, job)) for one in graph.inputs(job)}
        edges |= {((True, job), (False, one)) for one in graph.outputs(job)}
    return edges


@router.get("/path", response_model=shapes.PathShape)
def get_path(
    backend: Held,
    start: Annotated[NodeText, Query(alias="from")],
    goal: Annotated[NodeText, Query(alias="to")],
) -> Response:
    """A shortest way that data takes from one node to another."""
    first, last = _table_node(backend, start), _table_node(backend, goal)
    with backend.read() as connection:
        resources = Resources(backend, connection)
        nodes = Nodes(backend, connection, resources, resources.view)
        found = shortest_path(resources.view, first, last)
        edges = nodes.edges(list(pairwise(found)))
        return json_of({"nodes": [nodes.node_id(one) for one in found], "edges": edges})


@router.get("/edges", response_model=shapes.EdgeHistory)
def get_edge_history(backend: Held, job: NodeText) -> Response:
    """When a job read and wrote what."""
    is_job, number = _table_node(backend, job)
    if not is_job:
        raise NotFound("Job", job)
    with backend.read() as connection:
        resources = Resources(backend, connection)
        nodes = Nodes(backend, connection, resources, resources.view)
        runs = [naming for naming, _ in naming_runs(connection, number)]
        periods = [
            {
                "dataset": nodes.node_id((False, resources.identities.leader(one.side[0]))),
                "written": one.side[1],
                "since": iso(one.since),
                "until": None if one.until is None else iso(one.until),
            }
            for one in validities(runs)
        ]
    return json_of({"job": job, "periods": periods})


def _table_node(backend: Backend, text: str) -> Node:
    node, number = node_of(backend, text)
    return node.kind is NodeKind.JOB, number
