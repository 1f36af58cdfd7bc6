"""Who stands before and after each node of an answer, as Marquez's edges name them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.serve.api.resources import Around, GraphIds
    from mainstem.serve.graph.view import GraphView, Numbers


class _InOrder(dict["Numbers", tuple[bytes, ...]]):
    """The ids of neighbours that an answer shows, in order; many nodes have the same ones."""

    def __init__(self, ids: dict[int, bytes]) -> None:
        self._ids = ids

    def __missing__(self, numbers: Numbers) -> tuple[bytes, ...]:
        ids = self._ids
        shown = self[numbers] = tuple(sorted([ids[one] for one in numbers if one in ids]))
        return shown


def around_jobs(view: GraphView, jobs: Iterable[int], ids: GraphIds) -> dict[int, Around]:
    """What each of some jobs reads and writes, as far as it has an id here."""
    shown = _InOrder(ids.datasets)
    return {job: (shown[view.inputs(job)], shown[view.outputs(job)]) for job in jobs}


def around_datasets(view: GraphView, leaders: Iterable[int], ids: GraphIds) -> dict[int, Around]:
    """Who writes and reads each of some datasets, as far as it has an id here."""
    shown = _InOrder(ids.jobs)
    return {one: (shown[view.writers(one)], shown[view.readers(one)]) for one in leaders}
