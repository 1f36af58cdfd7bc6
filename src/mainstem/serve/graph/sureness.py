"""How sure it is that data of one node reaches another: a way is as sure as its least sure edge."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from mainstem.serve.graph.walk import entrance, steps_from

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from mainstem.serve.graph.columns import Column, ColumnsWalked
    from mainstem.serve.graph.walk import Edge, Graph, Node

    _Entered = tuple[Node, int | None]

Place = TypeVar("Place")


def least_doubts(graph: Graph, start: Node, doubts: Mapping[Edge, int]) -> dict[Node, int]:
    """The doubt of the surest way downstream to each node, along edges whose doubt is known."""

    def onward(entered: _Entered) -> Iterable[tuple[_Entered, int]]:
        node, came_from = entered
        for neighbour in steps_from(graph, node, came_from, upstream=False):
            doubt = doubts.get((node, neighbour))
            if doubt is not None:
                yield (neighbour, entrance(graph, neighbour, node)), doubt

    least: dict[Node, int] = {}
    for (node, _), doubt in _surest([(start, None)], doubts.values(), onward):
        least.setdefault(node, doubt)
    return least


def least_column_doubts(
    walked: ColumnsWalked, start: Collection[Column], doubts: Mapping[Edge, int]
) -> dict[int, int]:
    """The doubt of the surest way from some columns to any column of each dataset.

    A column made from another is as sure as the less sure of the two edges of the job that tells
    it; where no job does, or the job has no such edge, nothing is known of that way.
    """
    made_from: dict[Column, dict[Column, int]] = {}
    for column, ways in walked.made.items():
        for way in ways:
            written = doubts.get(((True, way.job), (False, column[0])))
            for source in way.sources:
                read = doubts.get(((False, source[0]), (True, way.job)))
                if written is not None and read is not None:
                    onto = made_from.setdefault(source, {})
                    onto[column] = min(onto.get(column, max(written, read)), max(written, read))
    least: dict[int, int] = {}
    found = _surest(start, doubts.values(), lambda column: made_from.get(column, {}).items())
    for column, doubt in found:
        if column not in start:
            least.setdefault(column[0], doubt)
    return least


def _surest(
    start: Iterable[Place],
    doubts: Iterable[int],
    onward: Callable[[Place], Iterable[tuple[Place, int]]],
) -> Iterable[tuple[Place, int]]:
    """Every place that can be reached, with the doubt of the surest way, the surest first."""
    waiting: list[list[Place]] = [[] for _ in range(max(doubts, default=0) + 1)]
    waiting[0].extend(start)
    found: set[Place] = set()
    for doubt, places in enumerate(waiting):
        for place in places:  # which grows meanwhile
            if place in found:
                continue
            found.add(place)
            yield place, doubt
            for other, on_the_way in onward(place):
                if other not in found:
                    waiting[max(doubt, on_the_way)].append(other)
