"""How sure it is that data of one node reaches another: a way is as sure as its least sure edge."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

from mainstem.serve.graph.walk import entrance, steps_from

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mainstem.serve.graph.walk import Edge, Graph, Node

FROM_NOWHERE = -1
MORE_THAN_ANY = 2**62


def least_doubts(graph: Graph, start: Node, doubts: Mapping[Edge, int]) -> dict[Node, int]:
    """The doubt of the surest way downstream to each node, along edges whose doubt is known."""
    least: dict[Node, int] = {}
    best: dict[tuple[Node, int], int] = {(start, FROM_NOWHERE): 0}
    waiting = [(0, start, FROM_NOWHERE)]
    while waiting:
        doubt, node, came_from = heappop(waiting)
        if doubt > best[node, came_from]:
            continue
        least.setdefault(node, doubt)
        entered_by = None if came_from == FROM_NOWHERE else came_from
        for neighbour in steps_from(graph, node, entered_by, upstream=False):
            on_the_way = doubts.get((node, neighbour))
            if on_the_way is None:
                continue
            by = entrance(graph, neighbour, node)
            state = (neighbour, FROM_NOWHERE if by is None else by)
            so_far = max(doubt, on_the_way)
            if so_far < best.get(state, MORE_THAN_ANY):
                best[state] = so_far
                heappush(waiting, (so_far, *state))
    return least
