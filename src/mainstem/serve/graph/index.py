"""The current graph in memory, by number: who reads, who writes."""

from __future__ import annotations

from collections import defaultdict
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

    def load(self, reaches: dict[int, Reach]) -> None:
        """Put everything in the place of what was there."""
        readers: defaultdict[int, list[int]] = defaultdict(list)
        writers: defaultdict[int, list[int]] = defaultdict(list)
        for job, reach in reaches.items():
            for dataset in reach.inputs:
                readers[dataset].append(job)
            for dataset in reach.outputs:
                writers[dataset].append(job)
        self.reaches = reaches
        self.readers = {dataset: tuple(jobs) for dataset, jobs in readers.items()}
        self.writers = {dataset: tuple(jobs) for dataset, jobs in writers.items()}

    def reach(self, job: int) -> Reach:
        """What a job reads and writes now."""
        return self.reaches.get(job, NOTHING)

    def apply(self, changes: Changes) -> None:
        """Follow a committed transaction."""
        for job, reach in changes.jobs.items():
            self.set_reach(job, reach)

    def set_reach(self, job: int, reach: Reach) -> None:
        """Replace what a job reads and writes."""
        before = self.reaches.get(job, NOTHING)
        if before == reach:
            return
        self.reaches[job] = reach
        _move(self.readers, job, before.inputs, reach.inputs)
        _move(self.writers, job, before.outputs, reach.outputs)


def _move(index: dict[int, Numbers], member: int, before: Numbers, after: Numbers) -> None:
    old, new = set(before), set(after)
    for key in old - new:
        index[key] = tuple(one for one in index.get(key, ()) if one != member)
    for key in new - old:
        index[key] = (*index.get(key, ()), member)
