"""Walks from column to column, across the whole path; facets are loaded one level at a time."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple, Protocol

from msgspec import Struct, field

if TYPE_CHECKING:
    from collections.abc import Iterable


Column = tuple[int, str]
"""A dataset's leader and the path of a field."""

Steps = bytes
"""The transformations between two columns, as JSON: most answers pass them on as they are."""


class ColumnEdge(NamedTuple):
    """One column is made from another."""

    source: Column
    target: Column
    job: int


class Made(NamedTuple):
    """How a column is made: each source with its transformations, and Marquez's two words."""

    sources: dict[Column, Steps]
    description: str | None
    type: str | None
    job: int


class ColumnGraph(Protocol):
    """What a column walk asks for."""

    def made(self, datasets: Iterable[int]) -> dict[int, dict[str, list[Made]]]:
        """How each column of some datasets is made, by dataset and field."""
        ...

    def derived(self, datasets: Iterable[int]) -> set[int]:
        """The datasets that may have columns made from these."""
        ...


class ColumnsWalked(Struct):
    """What a column walk found: columns with their distance, how each is made, and the edges."""

    nodes: dict[Column, int] = field(default_factory=dict[Column, int])
    edges: dict[tuple[Column, Column], Steps] = field(
        default_factory=dict[tuple[Column, Column], Steps]
    )
    made: dict[Column, list[Made]] = field(default_factory=dict[Column, "list[Made]"])


def walk_columns(
    graph: ColumnGraph, start: list[Column], depth: int, *, upstream: bool, downstream: bool
) -> ColumnsWalked:
    """Every column within ``depth`` hops of some columns."""
    walked = ColumnsWalked(nodes=dict.fromkeys(start, 0))
    made: dict[int, dict[str, list[Made]]] = {}
    for going_up in [True] * upstream + [False] * downstream:
        level: set[Column] = set(start)
        distance = 0
        while level and distance < depth:
            distance += 1
            touched = {dataset for dataset, _ in level}
            wanted = touched if going_up else graph.derived(touched)
            made |= graph.made(wanted - made.keys())
            found = _up(level, made) if going_up else _down(level, wanted, made)
            level = set()
            for source, target, how in found:
                walked.edges[source, target] = how
                one = source if going_up else target
                if one not in walked.nodes:
                    walked.nodes[one] = distance
                    level.add(one)
    made |= graph.made({dataset for dataset, _ in walked.nodes} - made.keys())
    for dataset, name in walked.nodes:
        walked.made[dataset, name] = made.get(dataset, {}).get(name, [])
    return walked


_Found = list[tuple[Column, Column, Steps]]


def _up(level: set[Column], made: dict[int, dict[str, list[Made]]]) -> _Found:
    return [
        (source, column, how)
        for column in sorted(level)
        for one in made.get(column[0], {}).get(column[1], ())
        for source, how in one.sources.items()
    ]


def _down(level: set[Column], wanted: set[int], made: dict[int, dict[str, list[Made]]]) -> _Found:
    by_source: defaultdict[Column, _Found] = defaultdict(list)
    for dataset in sorted(wanted):
        for name, ways in made.get(dataset, {}).items():
            for one in ways:
                for source, how in one.sources.items():
                    if source in level:
                        by_source[source].append((source, (dataset, name), how))
    return [found for source in sorted(by_source) for found in by_source[source]]
