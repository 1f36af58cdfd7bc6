"""What lies downstream of what: the closure of each weakly connected part, in numpy.

A job that says which input becomes which output is entered once per input, as the backend's walk
does. Sources are taken in blocks, so that memory is bounded whatever the size of a part, and what a
walk costs follows from what it finds.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mainstem.pipeline.tables import REACHABILITY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pyarrow as pa
    from pyspark import Broadcast
    from pyspark.sql import DataFrame, SparkSession

Edge = tuple[int, int, bool]
"""Job, dataset, and whether it is written."""

Pair = tuple[int, int | None, int | None]
"""Job, source and target; without both, a job in which nothing becomes anything."""

Arc = tuple[int, int, int, int]
"""Two states and the nodes they stand for: a job entered by one input is a state of its own."""

MOST_PLACES = 8 * 1024 * 1024
"""Sources times states that are walked at once."""


class Graph(NamedTuple):
    """The edges that stand, and which input becomes which output where jobs say so."""

    edges: frozenset[Edge] = frozenset()
    pairs: frozenset[Pair] = frozenset()


def changed_parts(before: Graph, after: Graph) -> tuple[set[int], set[int]]:
    """The weakly connected parts that are no more what they were, and those they became."""
    nodes = {node for edge in before.edges ^ after.edges for node in edge[:2]}
    nodes |= {pair[0] for pair in before.pairs ^ after.pairs}
    return _parts_of(before, nodes), _parts_of(after, nodes)


def _parts_of(graph: Graph, nodes: set[int]) -> set[int]:
    parts, known = _Parts(), set[int]()
    for job, dataset, _ in graph.edges:
        parts.join(job, dataset)
        known |= {job, dataset}
    return {parts.of(node) for node in nodes & known}


def arcs(edges: Iterable[Edge], pairs: Iterable[Pair]) -> list[tuple[int, Arc]]:
    """The steps of a walk, each with its weakly connected part."""
    reads, writes = defaultdict[int, set[int]](set), defaultdict[int, set[int]](set)
    explicit = defaultdict[int, set[tuple[int | None, int | None]]](set)
    parts = _Parts()
    for job, dataset, written in edges:
        (writes if written else reads)[job].add(dataset)
        parts.join(job, dataset)
    for job, source, target in pairs:
        explicit[job].add((source, target))
    found: list[Arc] = []
    for job in reads.keys() | writes.keys():
        found += [(job, one, job, one) for one in writes[job]]
        if job not in explicit:
            found += [(one, job, one, job) for one in reads[job]]
            continue
        for source in reads[job]:
            entered = hash((job, source))
            found.append((source, entered, source, job))
            found += [
                (entered, target, job, target)
                for one, target in explicit[job]
                if one == source and target is not None
            ]
    return [(parts.of(arc[2]), arc) for arc in found]


class _Parts:
    """Weakly connected parts, each known by the least id in it."""

    def __init__(self) -> None:
        self._above: dict[int, int] = {}

    def of(self, node: int) -> int:
        above = self._above.setdefault(node, node)
        while above != self._above[above]:
            self._above[above] = self._above[self._above[above]]
            above = self._above[above]
        self._above[node] = above
        return above

    def join(self, one: int, other: int) -> None:
        least, most = sorted((self.of(one), self.of(other)))
        self._above[most] = least


class Walk:
    """The steps of one weakly connected part, ready to be walked from any of its nodes."""

    def __init__(self, found: list[Arc]) -> None:
        states: dict[int, int] = {}
        nodes: list[int] = []
        for one, other, own, its in found:
            for state, node in ((one, own), (other, its)):
                if state not in states:
                    states[state] = len(nodes)
                    nodes.append(node)
        steps = np.array(sorted((states[one], states[other]) for one, other, _, _ in found))
        self._targets = steps[:, 1]
        self._begins = np.searchsorted(steps[:, 0], np.arange(len(nodes) + 1))
        self._sources = np.array([at for state, at in states.items() if state == nodes[at]])
        self._ids, self._nodes = np.unique(np.array(nodes, dtype=np.int64), return_inverse=True)

    def blocks(self) -> list[tuple[int, int]]:
        """First and last of the sources that are walked from at once."""
        size = max(1, MOST_PLACES // len(self._nodes))
        total = len(self._sources)
        return [(begin, min(begin + size, total)) for begin in range(0, total, size)]

    def levels(self, begin: int, end: int) -> Iterator[tuple[np.ndarray, np.ndarray, int]]:
        """Ancestors, descendants and their distance, level by level."""
        many, width = end - begin, len(self._ids)
        row, state = np.arange(many), self._sources[begin:end]
        own = self._ids[self._nodes[state]]
        entered = _Seen(many * len(self._nodes))
        entered.add(row * len(self._nodes) + state)
        told = _Seen(many * width if width < len(self._nodes) else 0)
        distance = 0
        while len(row):
            distance += 1
            row, state = np.divmod(entered.add(self._next(row, state)), len(self._nodes))
            parent, node = row, self._nodes[state]
            if width < len(self._nodes):
                # A job may be entered by several inputs; the nearest counts.
                parent, node = np.divmod(told.add(row * width + node), width)
            if len(node):
                yield own[parent], self._ids[node], distance

    def _next(self, row: np.ndarray, state: np.ndarray) -> np.ndarray:
        """Where one more step leads, as row times number of states, plus state."""
        begins = self._begins[state]
        counts = self._begins[state + 1] - begins
        places = np.arange(counts.sum()) + np.repeat(begins - np.cumsum(counts) + counts, counts)
        return np.repeat(row, counts) * len(self._nodes) + self._targets[places]


class _Seen:
    """Places that were seen."""

    def __init__(self, size: int) -> None:
        self._turn = np.full(size, -1, dtype=np.int32)

    def add(self, places: np.ndarray) -> np.ndarray:
        """Those that were not seen before, each once."""
        fresh = places[self._turn[places] < 0]
        order = np.arange(len(fresh), dtype=np.int32)
        # Of equal places the last writer stays: sorting them would cost more than the walk.
        self._turn[fresh] = order
        return fresh[self._turn[fresh] == order]


def reachability(spark: SparkSession, found: list[tuple[int, Arc]]) -> DataFrame:
    """Rows of ``reachability``; the sources of every part are shared out among workers."""
    parts = defaultdict[int, list[Arc]](list)
    for part, arc in found:
        parts[part].append(arc)
    blocks = [(part, *block) for part, arcs in parts.items() for block in Walk(arcs).blocks()]
    context = spark.sparkContext
    rows = spark.createDataFrame(blocks, "component_id bigint, begin bigint, end bigint")
    spread = rows.repartition(max(1, min(len(blocks), 4 * context.defaultParallelism)))
    walking = _Walking(context.broadcast(dict(parts)))
    return REACHABILITY.of(spread.mapInArrow(walking, REACHABILITY.schema()))


class _Walking:
    """What a worker does; the steps of all parts travel to it once."""

    def __init__(self, parts: Broadcast[dict[int, list[Arc]]]) -> None:
        self._parts = parts

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        walk, last = None, None
        for batch in batches:
            for part, begin, end in zip(*(one.to_pylist() for one in batch.columns), strict=True):
                if walk is None or part != last:
                    walk, last = Walk(self._parts.value[part]), part
                for ancestors, descendants, distance in walk.levels(begin, end):
                    yield _batch(part, ancestors, descendants, distance)


def _batch(
    part: int, ancestors: np.ndarray, descendants: np.ndarray, distance: int
) -> pa.RecordBatch:
    import pyarrow as pa  # noqa: PLC0415 - workers alone need it

    return pa.record_batch(
        {
            "component_id": np.full(len(ancestors), part, dtype=np.int64),
            "ancestor_id": ancestors,
            "descendant_id": descendants,
            "distance": np.full(len(ancestors), distance, dtype=np.int32),
        }
    )
