"""The graph as it was at an instant, read job by job as a walk comes by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.serve.model.history import sides_at
from mainstem.serve.store.history import jobs_that_touched, naming_runs

if TYPE_CHECKING:
    from mainstem.serve.api.backend import Backend
    from mainstem.sql.connection import Connection

Numbers = tuple[int, ...]


class PastGraph:
    """What a walk asks of a graph, answered for an instant, under today's aliases."""

    def __init__(self, backend: Backend, connection: Connection, instant: int) -> None:
        self._connection = connection
        self._identities = backend.identities
        self._instant = instant
        self._jobs: dict[int, tuple[Numbers, Numbers]] = {}

    def readers(self, dataset: int) -> Numbers:
        """The jobs that read a dataset then."""
        return tuple(job for job in self._touching(dataset) if dataset in self.inputs(job))

    def writers(self, dataset: int) -> Numbers:
        """The jobs that wrote a dataset then."""
        return tuple(job for job in self._touching(dataset) if dataset in self.outputs(job))

    def inputs(self, job: int) -> Numbers:
        """The datasets that a job read then."""
        return self._sides(job)[0]

    def outputs(self, job: int) -> Numbers:
        """The datasets that a job wrote then."""
        return self._sides(job)[1]

    def outputs_from(self, job: int, dataset: int) -> Numbers:  # noqa: ARG002 - pairs are not kept
        """What data of one input ended up in, as far as the past tells: anything the job wrote."""
        return self.outputs(job)

    def inputs_to(self, job: int, dataset: int) -> Numbers:  # noqa: ARG002 - pairs are not kept
        """Where data of one output came from, as far as the past tells."""
        return self.inputs(job)

    def _touching(self, dataset: int) -> list[int]:
        return sorted(jobs_that_touched(self._connection, self._identities.members(dataset)))

    def _sides(self, job: int) -> tuple[Numbers, Numbers]:
        known = self._jobs.get(job)
        if known is None:
            runs = [naming for naming, _ in naming_runs(self._connection, job)]
            sides = sorted(sides_at(runs, self._instant))
            inputs = tuple(number for number, written in sides if not written)
            outputs = tuple(number for number, written in sides if written)
            leaders = self._identities.leaders
            known = self._jobs[job] = (tuple(leaders(inputs)), tuple(leaders(outputs)))
        return known
