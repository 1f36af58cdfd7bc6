"""The graph around a node as a picture that other pages can show."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response

from mainstem.names.node_id import NodeKind
from mainstem.said.times import SECOND, iso
from mainstem.serve.api.nodes import Nodes
from mainstem.serve.api.parameters import AsOf, Held, NodeText, node_of
from mainstem.serve.api.past import past_at
from mainstem.serve.api.picture import picture_of
from mainstem.serve.api.resources import Resources
from mainstem.serve.api.routers import router_of
from mainstem.serve.graph.walk import Direction, walk

router = router_of("/api/v2", "graph")
MOST = 150
"""Nodes on one picture; with more it cannot be read."""

_HEADERS = {
    # Opened by itself it is a document of this server: nothing in it may run or load.
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "private, max-age=60",
}
Side = Annotated[int, Query(ge=0, le=20, description="Hops from the node on this side.")]


class Svg(Response):
    """A picture."""

    media_type = "image/svg+xml"


@router.get("/lineage.svg", response_class=Svg)
def get_picture(
    backend: Held, node: NodeText, *, up: Side = 1, down: Side = 1, as_of: AsOf = None
) -> Response:
    """The graph around a job or dataset as SVG, for a wiki or a portal."""
    parsed, number = node_of(backend, node)
    start = (parsed.kind is NodeKind.JOB, number)
    with backend.read() as connection:
        resources = Resources(backend, connection)
        graph = past_at(backend, connection, as_of) or resources.view
        before = walk(graph, start, Direction.UPSTREAM, up, MOST)
        after = walk(graph, start, Direction.DOWNSTREAM, down, MOST)
        nodes = Nodes(backend, connection, resources, graph)
        shown = nodes.shown({**before.nodes, **after.nodes})
        edges = nodes.edges(sorted(before.edges | after.edges))
        root = nodes.node_id(start)
    when = "" if as_of is None else f", edges as of {as_of}"
    cut = f", cut at {MOST} nodes each side" if before.truncated or after.truncated else ""
    at = backend.now()
    caption = f"Lineage of {root}{when}{cut}. Mainstem, {iso(at - at % SECOND)}"
    return Svg(picture_of(root, shown, edges, caption), headers=_HEADERS)
