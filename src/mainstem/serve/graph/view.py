"""The graph as it is shown: aliases merged, hidden things left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from mainstem.serve.graph.identities import Identities
    from mainstem.serve.graph.index import GraphIndex

Numbers = tuple[int, ...]
Node = tuple[bool, int]
"""Whether it is a job, and its number; a dataset's number is its leader's."""


def led_by(
    identities: Identities, pairs: tuple[tuple[int, int], ...]
) -> frozenset[tuple[int, int]]:
    """Pairs of datasets under the numbers that stand for them."""
    return frozenset((identities.leader(one), identities.leader(other)) for one, other in pairs)


class GraphView:
    """Neighbours by number, for one answer; datasets are leaders."""

    def __init__(
        self, index: GraphIndex, identities: Identities, is_hidden: Callable[[Node], bool] | None
    ) -> None:
        self._index = index
        self._identities = identities
        self._is_hidden = is_hidden
        self._inputs: dict[int, Numbers] = {}
        self._outputs: dict[int, Numbers] = {}
        self._readers: dict[int, Numbers] = {}
        self._writers: dict[int, Numbers] = {}

    def readers(self, dataset: int) -> Numbers:
        """The jobs that read a dataset under any of its names."""
        known = self._readers.get(dataset)
        if known is None:
            known = self._readers[dataset] = self._jobs(self._index.readers, dataset)
        return known

    def writers(self, dataset: int) -> Numbers:
        """The jobs that write a dataset under any of its names."""
        known = self._writers.get(dataset)
        if known is None:
            known = self._writers[dataset] = self._jobs(self._index.writers, dataset)
        return known

    def inputs(self, job: int) -> Numbers:
        """The datasets that a job reads."""
        known = self._inputs.get(job)
        if known is None:
            known = self._inputs[job] = self._datasets(self._index.reach(job).inputs)
        return known

    def outputs(self, job: int) -> Numbers:
        """The datasets that a job writes."""
        known = self._outputs.get(job)
        if known is None:
            known = self._outputs[job] = self._datasets(self._index.reach(job).outputs)
        return known

    def outputs_from(self, job: int, dataset: int) -> Numbers:
        """What data of one input ends up in; everything the job writes unless it says more."""
        reach = self._index.reach(job)
        if reach.pairs is None:
            return self._datasets(reach.outputs)
        members = self._identities.members(dataset)
        return self._datasets(tuple(o for m in members for o in reach.outputs_of(m)))

    def inputs_to(self, job: int, dataset: int) -> Numbers:
        """Where data of one output comes from."""
        reach = self._index.reach(job)
        if reach.pairs is None:
            return self._datasets(reach.inputs)
        members = self._identities.members(dataset)
        return self._datasets(tuple(i for m in members for i in reach.inputs_of(m)))

    def tells_pairs(self, job: int) -> bool:
        """Whether a job says which of its inputs becomes which output."""
        return self._index.reach(job).pairs is not None

    def pairs(self, job: int) -> frozenset[tuple[int, int]] | None:
        """Which input of a job becomes which output; None where it does not say."""
        told = self._index.reach(job).pairs
        return None if told is None else led_by(self._identities, told)

    def _jobs(self, index: dict[int, Numbers], dataset: int) -> Numbers:
        members = self._identities.members(dataset)
        jobs = index.get(dataset, ())
        if len(members) > 1:
            jobs = tuple(sorted({job for member in members for job in index.get(member, ())}))
        if self._is_hidden is None:
            return jobs
        return tuple(job for job in jobs if not self._is_hidden((True, job)))

    def _datasets(self, numbers: Numbers) -> Numbers:
        leaders = self._identities.leaders(numbers)
        if self._is_hidden is None:
            return leaders
        return tuple(one for one in leaders if not self._is_hidden((False, one)))
