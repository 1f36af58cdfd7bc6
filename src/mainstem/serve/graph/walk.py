"""Walks over the graph: Marquez's, which follows jobs both ways, and directed ones by hops."""

from __future__ import annotations

from collections import deque
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct, field

if TYPE_CHECKING:
    from collections.abc import Iterable

Numbers = tuple[int, ...]
Node = tuple[bool, int]
Edge = tuple[Node, Node]
Pairs = frozenset[tuple[int, int]]


class Graph(Protocol):
    """What a walk asks of a graph."""

    def readers(self, dataset: int) -> Numbers: ...  # noqa: D102 - see GraphView
    def writers(self, dataset: int) -> Numbers: ...  # noqa: D102
    def inputs(self, job: int) -> Numbers: ...  # noqa: D102
    def outputs(self, job: int) -> Numbers: ...  # noqa: D102
    def outputs_from(self, job: int, dataset: int) -> Numbers: ...  # noqa: D102
    def inputs_to(self, job: int, dataset: int) -> Numbers: ...  # noqa: D102
    def tells_pairs(self, job: int) -> bool: ...  # noqa: D102
    def pairs(self, job: int) -> Pairs | None: ...  # noqa: D102


class Direction(StrEnum):
    """Which way to walk."""

    UPSTREAM = "upstream"
    DOWNSTREAM = "downstream"
    BOTH = "both"


class Walked(Struct):
    """What a walk found: nodes with their distance in hops, and the edges it went along."""

    nodes: dict[Node, int] = field(default_factory=dict[Node, int])
    edges: set[Edge] = field(default_factory=set[Edge])
    truncated: bool = False


def walk_jobs(graph: Graph, start: Node, depth: int) -> tuple[set[int], set[int]]:
    """Marquez's walk: jobs within ``depth`` hops from job to job, whatever the direction.

    A dataset is entered by the jobs that write it, or else by those that read it.
    """
    is_job, number = start
    level = {number} if is_job else set(graph.writers(number) or graph.readers(number))
    jobs = set(level)
    datasets = set[int]() if is_job else {number}
    for hop in range(depth + 1):
        around = set[int]().union(*map(graph.inputs, level), *map(graph.outputs, level))
        datasets |= around
        if hop == depth:
            break
        touching = set[int]().union(*map(graph.readers, around), *map(graph.writers, around))
        level = touching - jobs
        if not level:
            break
        jobs |= level
    return jobs, datasets


def walk(graph: Graph, start: Node, direction: Direction, depth: int, most: int) -> Walked:
    """Everything within ``depth`` hops of a node, a hop being one edge; at most ``most`` nodes."""
    walked = Walked(nodes={start: 0})
    if direction is not Direction.DOWNSTREAM:
        _walk_one_way(graph, start, depth, most, walked, upstream=True)
    if direction is not Direction.UPSTREAM:
        _walk_one_way(graph, start, depth, most, walked, upstream=False)
    return walked


def _walk_one_way(
    graph: Graph, start: Node, depth: int, most: int, walked: Walked, *, upstream: bool
) -> None:
    entered: set[tuple[Node, int | None]] = {(start, None)}
    queue: deque[tuple[Node, int | None, int]] = deque([(start, None, 0)])
    while queue:
        node, came_from, distance = queue.popleft()
        if distance == depth:
            continue
        for neighbour in steps_from(graph, node, came_from, upstream=upstream):
            if neighbour not in walked.nodes:
                if len(walked.nodes) >= most:
                    walked.truncated = True
                    continue
                walked.nodes[neighbour] = distance + 1
            walked.edges.add((neighbour, node) if upstream else (node, neighbour))
            state = (neighbour, entrance(graph, neighbour, node))
            if state not in entered:
                entered.add(state)
                queue.append((*state, distance + 1))


def entrance(graph: Graph, node: Node, came_from: Node) -> int | None:
    """The dataset by which a job is entered, where what lies behind it depends on that."""
    is_job, number = node
    return came_from[1] if is_job and graph.tells_pairs(number) else None


def steps_from(
    graph: Graph, node: Node, came_from: int | None, *, upstream: bool
) -> Iterable[Node]:
    """The nodes one hop on; behind a job, those that what one came from has to do with."""
    is_job, number = node
    if not is_job:
        jobs = graph.writers(number) if upstream else graph.readers(number)
        return [(True, job) for job in jobs]
    if came_from is None:
        datasets = graph.inputs(number) if upstream else graph.outputs(number)
    elif upstream:
        datasets = graph.inputs_to(number, came_from)
    else:
        datasets = graph.outputs_from(number, came_from)
    return [(False, one) for one in datasets]


def pairs_among(graph: Graph, nodes: Iterable[Node]) -> dict[int, list[tuple[int, int]]]:
    """Which input becomes which output among some nodes, by job that says so."""
    among = set(nodes)
    found: dict[int, list[tuple[int, int]]] = {}
    for is_job, number in among:
        told = graph.pairs(number) if is_job else None
        if told is not None:
            found[number] = sorted(
                (source, output)
                for source, output in told
                if (False, source) in among and (False, output) in among
            )
    return found


def shortest_path(graph: Graph, start: Node, goal: Node) -> list[Node]:
    """The nodes on a shortest way downstream from one node to another; none where none leads."""
    before: dict[tuple[Node, int | None], tuple[Node, int | None] | None] = {(start, None): None}
    queue: deque[tuple[Node, int | None]] = deque([(start, None)])
    while queue:
        state = queue.popleft()
        node, came_from = state
        if node == goal:
            return _trace(before, state)
        for neighbour in steps_from(graph, node, came_from, upstream=False):
            following = (neighbour, entrance(graph, neighbour, node))
            if following not in before:
                before[following] = state
                queue.append(following)
    return []


def _trace(
    before: dict[tuple[Node, int | None], tuple[Node, int | None] | None],
    last: tuple[Node, int | None],
) -> list[Node]:
    path: list[Node] = []
    step: tuple[Node, int | None] | None = last
    while step is not None:
        path.append(step[0])
        step = before[step]
    return path[::-1]
