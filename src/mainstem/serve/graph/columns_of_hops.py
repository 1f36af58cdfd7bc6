"""Where the nodes of a small graph stand: one column for each hop from the root."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_SWEEPS = 4

Lines = list[tuple[str, str]]


def columns_of_hops(root: str, nodes: Iterable[str], edges: Lines) -> list[list[str]]:
    """Nodes by column, upstream first; those of a column in an order that crosses few edges.

    >>> columns_of_hops("b", ["a", "b", "c", "d"], [("a", "b"), ("b", "c"), ("b", "d")])
    [['a'], ['b'], ['c', 'd']]
    """
    beside: dict[str, list[tuple[str, int]]] = {one: [] for one in nodes}
    for source, target in edges:
        beside[source].append((target, 1))
        beside[target].append((source, -1))
    hops = _hops_from(root, beside)
    columns = [
        sorted(one for one in beside if hops.get(one, 0) == at)
        for at in sorted({hops.get(one, 0) for one in beside})
    ]
    for sweep in range(_SWEEPS):
        _order(columns if sweep % 2 == 0 else columns[::-1], beside)
    return columns


def _hops_from(root: str, beside: dict[str, list[tuple[str, int]]]) -> dict[str, int]:
    hops = {root: 0}
    queue = deque([root])
    while queue:
        one = queue.popleft()
        for other, step in beside[one]:
            if other not in hops:
                hops[other] = hops[one] + step
                queue.append(other)
    return hops


def _order(columns: Sequence[list[str]], beside: dict[str, list[tuple[str, int]]]) -> None:
    """Put each node beside the middle of its neighbours in the column before."""
    before: dict[str, float] = {}
    for column in columns:
        known = {
            one: [before[other] for other, _ in beside[one] if other in before] for one in column
        }
        own = {one: at / len(column) for at, one in enumerate(column)}
        middle = {one: sum(at) / len(at) if at else own[one] for one, at in known.items()}
        column.sort(key=lambda one: (middle[one], one))
        before = {one: (at + 0.5) / len(column) for at, one in enumerate(column)}
