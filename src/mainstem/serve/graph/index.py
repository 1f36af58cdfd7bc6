"""The current graph in memory, by number: who reads, who writes, whose columns come from where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.serve.model.job import NOTHING, Reach

if TYPE_CHECKING:
    from mainstem.serve.model.changes import Changes

Numbers = tuple[int, ...]


class GraphIndex:
    """Adjacency under the names that were said; aliases are applied by ``Identities``.

    Values are tuples, replaced whole: a reader in another thread sees the old one or the new one.
    """

    def __init__(self) -> None:
        self.reaches: dict[int, Reach] = {}
        self.readers: dict[int, Numbers] = {}
        self.writers: dict[int, Numbers] = {}
        self.column_sources: dict[int, dict[int, Numbers]] = {}
        """By dataset and job, the datasets that its columns are made from."""

        self.column_targets: dict[int, Numbers] = {}
        """By dataset, the datasets that have columns made from it."""

    def reach(self, job: int) -> Reach:
        """What a job reads and writes now."""
        return self.reaches.get(job, NOTHING)

    def apply(self, changes: Changes) -> None:
        """Follow a committed transaction."""
        for job, reach in changes.jobs.items():
            self.set_reach(job, reach)
        for (job, dataset), sources in changes.columns.items():
            self.set_columns(job, dataset, sources)

    def set_reach(self, job: int, reach: Reach) -> None:
        """Replace what a job reads and writes."""
        before = self.reaches.get(job, NOTHING)
        if before == reach:
            return
        self.reaches[job] = reach
        _move(self.readers, job, before.inputs, reach.inputs)
        _move(self.writers, job, before.outputs, reach.outputs)

    def set_columns(self, job: int, dataset: int, sources: Numbers) -> None:
        """Replace where a dataset's columns come from, as one job makes them."""
        by_job = self.column_sources.get(dataset, {})
        before = by_job.get(job, ())
        if before == sources:
            return
        self.column_sources[dataset] = {**by_job, job: sources}
        told_by_others = {one for other, told in by_job.items() if other != job for one in told}
        kept = tuple(sorted(told_by_others | set(sources)))
        _move(self.column_targets, dataset, tuple(told_by_others | set(before)), kept)


def _move(index: dict[int, Numbers], member: int, before: Numbers, after: Numbers) -> None:
    old, new = set(before), set(after)
    for key in old - new:
        index[key] = tuple(one for one in index.get(key, ()) if one != member)
    for key in new - old:
        index[key] = (*index.get(key, ()), member)
