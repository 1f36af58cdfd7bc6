"""Jobs and datasets by name, place, kind, state and tag, a page at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from fastapi import Query, Response
from pydantic import BaseModel

from mainstem.names.platforms import cluster_of
from mainstem.said.json_values import as_object
from mainstem.serve.api.finding import Wanted, find_nodes
from mainstem.serve.api.nodes import Nodes, node_platform
from mainstem.serve.api.parameters import Held, Limit, Offset, json_of, namespace_hidden
from mainstem.serve.api.resources import Resources
from mainstem.serve.api.routers import router_of
from mainstem.serve.api.v2 import shapes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.serve.api.backend import Backend
    from mainstem.serve.graph.walk import Node

router = router_of("/api/v2", "home")
MOST_LOOKED_AT = 5000
"""Kind, state and tag are read from rows; of so many nodes at most."""

_AT_ONCE = 500


class NodeList(BaseModel):
    """One page of the nodes that were asked for."""

    total: int
    nodes: list[shapes.GraphNode]
    truncated: bool
    """Whether there were more nodes than were looked at, so that ``total`` may be too small."""


class Platform(BaseModel):
    """A system that jobs run or datasets lie in."""

    name: str
    clusters: list[str]
    """Its clusters or servers, where namespaces name them."""


class Platforms(BaseModel):
    """Every system that the store knows of."""

    platforms: list[Platform]


@router.get("/platforms", response_model=Platforms)
def list_platforms(backend: Held) -> Response:
    """The systems that jobs run and datasets lie in, and their clusters."""
    catalog = backend.catalog
    namespaces = {(True, one.namespace) for one in catalog.jobs}
    namespaces |= {(False, one.namespace) for one in catalog.datasets}
    clusters: dict[str, set[str]] = {}
    for is_job, namespace in namespaces:
        platform = node_platform(namespace, is_job=is_job)
        if platform is not None and not namespace_hidden(backend, namespace):
            named = clusters.setdefault(platform, set())
            named.update(filter(None, [cluster_of(namespace)]))
    shown = [{"name": name, "clusters": sorted(clusters[name])} for name in sorted(clusters)]
    return json_of({"platforms": shown})


@router.get("/nodes", response_model=NodeList)
def list_nodes(
    backend: Held,
    *,
    q: Annotated[str, Query(max_length=1000)] = "",
    type: Literal["JOB", "DATASET"] | None = None,  # noqa: A002
    namespace: str | None = None,
    platform: Annotated[str | None, Query(description="kafka, postgres, …")] = None,
    cluster: Annotated[str | None, Query(description="kafka://b1:9092, …")] = None,
    kind: str | None = None,
    state: Annotated[str | None, Query(description="DEGRADED and UNKNOWN too.")] = None,
    tag: str | None = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Response:
    """Jobs and datasets, narrowed down."""
    is_job = None if type is None else type == "JOB"
    found = _candidates(backend, q, is_job, _Place(namespace, platform, cluster))
    if state is not None:
        found = [node for node in found if node[0]]
    with backend.read() as connection:
        resources = Resources(backend, connection)
        nodes = Nodes(backend, connection, resources, resources.view)
        if kind is None and state is None and tag is None:
            shown = _in_order(nodes, found[offset : offset + limit])
            return json_of({"total": len(found), "nodes": shown, "truncated": False})
        fitting = [
            one
            for part in _parts(found[:MOST_LOOKED_AT])
            for one in _in_order(nodes, part)
            if _fits(one, kind, state, tag)
        ]
    return json_of(
        {
            "total": len(fitting),
            "nodes": fitting[offset : offset + limit],
            "truncated": len(found) > MOST_LOOKED_AT,
        }
    )


class _Place(NamedTuple):
    """Where nodes are looked for: whatever is None may be any."""

    namespace: str | None
    platform: str | None
    cluster: str | None

    def holds(self, namespace: str, *, is_job: bool) -> bool:
        """Whether what has this namespace lies there."""
        return (
            self.namespace in (None, namespace)
            and (self.platform is None or self.platform == node_platform(namespace, is_job=is_job))
            and (self.cluster is None or self.cluster == cluster_of(namespace))
        )

    def among(self, namespaces: Iterable[str], *, is_job: bool) -> set[str]:
        """Those of some namespaces that lie there."""
        return {one for one in namespaces if self.holds(one, is_job=is_job)}


def _candidates(backend: Backend, word: str, is_job: bool | None, place: _Place) -> list[Node]:
    if word:
        found = find_nodes(backend, Wanted(word, is_job, place.namespace))
        return [
            (one.is_job, one.number)
            for one in found.nodes
            if place.holds(one.namespace, is_job=one.is_job)
        ]
    named: list[tuple[str, str, Node]] = []
    if is_job is not False:
        jobs = list(backend.catalog.jobs.items())
        there = place.among({one.namespace for one, _ in jobs}, is_job=True)
        named += [
            (one.name, one.namespace, (True, at)) for one, at in jobs if one.namespace in there
        ]
    if is_job is not True:
        datasets, leader = list(backend.catalog.datasets.items()), backend.identities.leader
        there = place.among({one.namespace for one, _ in datasets}, is_job=False)
        named += [
            (one.name, one.namespace, (False, at))
            for one, at in datasets
            if one.namespace in there and leader(at) == at
        ]
    found = [node for _, _, node in sorted(named)]
    return [node for node in found if not backend.is_hidden(node)] if backend.hidden else found


def _parts(found: list[Node]) -> list[list[Node]]:
    return [found[at : at + _AT_ONCE] for at in range(0, len(found), _AT_ONCE)]


def _in_order(nodes: Nodes, wanted: list[Node]) -> list[dict[str, Any]]:
    shown = {one["id"]: one for one in nodes.shown(dict.fromkeys(wanted, 0))}
    ids = map(nodes.node_id, wanted)
    return [shown[one] for one in ids if one in shown]


def _fits(node: dict[str, Any], kind: str | None, state: str | None, tag: str | None) -> bool:
    if kind is not None and node["kind"] != kind:
        return False
    if tag is not None and tag not in node["tags"]:
        return False
    return state is None or _state(node) == state


def _state(node: dict[str, Any]) -> str | None:
    """The state that a reader is told: what stopped reporting is unknown, whatever it said last."""
    if node["stale"]:
        return "UNKNOWN"
    if node["state"] == "RUNNING" and as_object(node["connector"]).get("degraded"):
        return "DEGRADED"
    return node["state"]
