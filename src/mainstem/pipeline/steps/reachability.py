"""What lies downstream of what: the closure of each weakly connected part, in numpy.

A job that says which input becomes which output is entered once per input, as the backend's walk
does. Sources are taken in blocks, so that memory is bounded whatever the size of a part.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mainstem.pipeline.tables import REACHABILITY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

Edge = tuple[int, int, bool]
"""Job, dataset, and whether it is written."""

Pair = tuple[int, int | None, int | None]
"""Job, source and target; without both, a job in which nothing becomes anything."""

Arc = tuple[int, int, int, int]
"""Two states and the nodes they stand for: a job entered by one input is a state of its own."""

MOST_BYTES = 64 * 1024 * 1024


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


def closure(found: list[Arc]) -> Iterator[tuple[np.ndarray, np.ndarray, int]]:
    """Ancestors, descendants and their distance, block by block and level by level."""
    states: dict[int, int] = {}
    nodes: list[int] = []
    for one, other, own, its in found:
        for state, node in ((one, own), (other, its)):
            if state not in states:
                states[state] = len(nodes)
                nodes.append(node)
    steps = np.array(
        sorted((states[other], states[one]) for one, other, _, _ in found), dtype=np.int64
    )
    into, out_of = steps[:, 0], steps[:, 1]
    targets, starts = np.unique(into, return_index=True)
    ids = np.array(nodes, dtype=np.int64)
    sources = np.array([at for state, at in states.items() if state == nodes[at]], dtype=np.int64)
    words = max(1, min(-(-len(sources) // 8), MOST_BYTES // (len(steps) + len(nodes))))
    for begin in range(0, len(sources), words * 8):
        block = sources[begin : begin + words * 8]
        yield from _levels(block, words, ids, (out_of, starts, targets))


def _levels(
    block: np.ndarray,
    words: int,
    ids: np.ndarray,
    steps: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> Iterator[tuple[np.ndarray, np.ndarray, int]]:
    out_of, starts, targets = steps
    seen = np.zeros((len(ids), words), dtype=np.uint8)
    order = np.arange(len(block))
    seen[block, order // 8] |= np.uint8(1) << (order % 8).astype(np.uint8)
    fresh, distance = seen.copy(), 0
    while fresh.any():
        distance += 1
        reached = np.bitwise_or.reduceat(fresh[out_of], starts, axis=0)
        fresh = np.zeros_like(seen)
        fresh[targets] = reached & ~seen[targets]
        seen |= fresh
        node, bit = np.nonzero(np.unpackbits(fresh, axis=1, bitorder="little"))
        yield ids[block[bit]], ids[node], distance


def reachability(spark: SparkSession, found: list[tuple[int, Arc]]) -> DataFrame:
    """Rows of ``reachability``, each part in one worker."""
    rows = spark.createDataFrame(
        [(part, *arc) for part, arc in found],
        "component_id bigint, one bigint, other bigint, own bigint, its bigint",
    )
    return REACHABILITY.of(rows.groupBy("component_id").applyInArrow(_close, REACHABILITY.schema()))


def _close(table: pa.Table) -> pa.Table:
    import pyarrow as pa  # noqa: PLC0415 - workers alone need it

    part = table.column("component_id")[0].as_py()
    columns = [table.column(name).to_pylist() for name in ("one", "other", "own", "its")]
    least: dict[tuple[int, int], int] = {}
    tables: list[pa.Table] = []
    explicit = columns[0] != columns[2] or columns[1] != columns[3]
    for ancestors, descendants, distance in closure(list(zip(*columns, strict=True))):
        if explicit:
            for pair in zip(ancestors.tolist(), descendants.tolist(), strict=True):
                least[pair] = min(distance, least.get(pair, distance))
        else:
            tables.append(_table(part, ancestors, descendants, distance))
    if explicit:
        ends = np.array([(*pair, far) for pair, far in least.items()], dtype=np.int64)
        ends = ends.reshape(-1, 3)
        tables.append(_table(part, ends[:, 0], ends[:, 1], ends[:, 2]))
    return pa.concat_tables(tables)


def _table(
    part: int, ancestors: np.ndarray, descendants: np.ndarray, distance: int | np.ndarray
) -> pa.Table:
    import pyarrow as pa  # noqa: PLC0415

    far = np.broadcast_to(np.asarray(distance, dtype=np.int32), ancestors.shape)
    return pa.table(
        {
            "component_id": np.full(len(ancestors), part, dtype=np.int64),
            "ancestor_id": ancestors,
            "descendant_id": descendants,
            "distance": far.astype(np.int32),
        }
    )
