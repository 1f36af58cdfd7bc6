"""How sure it is that data of one node reaches another: a way is as sure as its least sure edge."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

from mainstem.serve.graph.walk import steps_from

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mainstem.serve.graph.walk import Edge, Graph, Node

FROM_NOWHERE = -1


def least_doubts(graph: Graph, start: Node, doubts: Mapping[Edge, int]) -> dict[Node, int]:
    """The doubt of the surest way downstream to each node, along edges whose doubt is known."""
    least: dict[Node, int] = {}
    # As in a walk, a job is entered once per dataset: what lies behind it may depend on that.
    left: set[tuple[Node, int]] = set()
    waiting = [(0, start, FROM_NOWHERE)]
    while waiting:
        doubt, node, came_from = heappop(waiting)
        if (node, came_from) in left:
            continue
        left.add((node, came_from))
        least.setdefault(node, doubt)
        entered_by = None if came_from == FROM_NOWHERE else came_from
        for neighbour in steps_from(graph, node, entered_by, upstream=False):
            on_the_way = doubts.get((node, neighbour))
            if on_the_way is not None:
                origin = node[1] if neighbour[0] else FROM_NOWHERE
                heappush(waiting, (max(doubt, on_the_way), neighbour, origin))
    return least
