"""The graph as it was at an instant, read job by job as a walk comes by."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mainstem.serve.api.parameters import instant_of
from mainstem.serve.graph.view import led_by
from mainstem.serve.model.history import run_at, sides_at
from mainstem.serve.model.job import NOTHING, Reach
from mainstem.serve.store.datasets import Columns
from mainstem.serve.store.history import jobs_that_touched, naming_runs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.serve.api.backend import Backend
    from mainstem.serve.model.run import Run
    from mainstem.sql.connection import Connection

Numbers = tuple[int, ...]


class _Then(NamedTuple):
    """A job as it was at the instant."""

    inputs: Numbers
    outputs: Numbers
    reach: Reach
    """What its latest run of then is known to have read and written; it knows the pairs."""

    columns: dict[int, str]
    """By dataset that it wrote, the digest of what it had last told of its columns."""


def past_at(backend: Backend, connection: Connection, instant: str | None) -> PastGraph | None:
    """The graph at the instant of a query parameter; None where now is meant."""
    if instant is None:
        return None
    return PastGraph(backend, connection, instant_of(instant, 0))


class PastGraph:
    """What a walk asks of a graph, answered for an instant, under today's aliases."""

    def __init__(self, backend: Backend, connection: Connection, instant: int) -> None:
        self._connection = connection
        self._identities = backend.identities
        self._instant = instant
        self._jobs: dict[int, _Then] = {}

    def readers(self, dataset: int) -> Numbers:
        """The jobs that read a dataset then."""
        return tuple(job for job in self._touching(dataset) if dataset in self.inputs(job))

    def writers(self, dataset: int) -> Numbers:
        """The jobs that wrote a dataset then."""
        return tuple(job for job in self._touching(dataset) if dataset in self.outputs(job))

    def inputs(self, job: int) -> Numbers:
        """The datasets that a job read then."""
        return self._then(job).inputs

    def outputs(self, job: int) -> Numbers:
        """The datasets that a job wrote then."""
        return self._then(job).outputs

    def outputs_from(self, job: int, dataset: int) -> Numbers:
        """What data of one input ended up in; everything the job wrote unless it said more."""
        then = self._then(job)
        if then.reach.pairs is None:
            return then.outputs
        members = self._identities.members(dataset)
        return self._leaders(o for m in members for o in then.reach.outputs_of(m))

    def inputs_to(self, job: int, dataset: int) -> Numbers:
        """Where data of one output came from."""
        then = self._then(job)
        if then.reach.pairs is None:
            return then.inputs
        members = self._identities.members(dataset)
        return self._leaders(i for m in members for i in then.reach.inputs_of(m))

    def tells_pairs(self, job: int) -> bool:
        """Whether a job said then which of its inputs became which output."""
        return self._then(job).reach.pairs is not None

    def pairs(self, job: int) -> frozenset[tuple[int, int]] | None:
        """Which input of a job became which output; None where it did not say."""
        told = self._then(job).reach.pairs
        return None if told is None else led_by(self._identities, told)

    def columns(self, members: list[int]) -> list[Columns]:
        """What the jobs that wrote some datasets then had told of their columns."""
        told: list[Columns] = []
        for job in sorted(jobs_that_touched(self._connection, members)):
            columns = self._then(job).columns
            told += [Columns(job, one, columns[one]) for one in members if one in columns]
        return told

    def _touching(self, dataset: int) -> list[int]:
        return sorted(jobs_that_touched(self._connection, self._identities.members(dataset)))

    def _leaders(self, numbers: Iterable[int]) -> Numbers:
        return self._identities.leaders(tuple(numbers))

    def _then(self, job: int) -> _Then:
        known = self._jobs.get(job)
        if known is None:
            runs = naming_runs(self._connection, job)
            told = [naming for naming, _ in runs]
            sides = sorted(sides_at(told, self._instant))
            written = {number for number, wrote in sides if wrote}
            latest = run_at(told, self._instant)
            known = self._jobs[job] = _Then(
                self._leaders(number for number, wrote in sides if not wrote),
                self._leaders(number for number, wrote in sides if wrote),
                NOTHING if latest is None else runs[latest][1].reach,
                self._columns_told([run for _, run in runs], written),
            )
        return known

    def _columns_told(self, runs: list[Run], written: set[int]) -> dict[int, str]:
        """The last word on each dataset's columns that was said by the instant."""
        last: dict[int, tuple[str, str]] = {}
        for run in runs:
            for (number, wrote), touch in run.touches.items():
                told = touch.columns_told
                if wrote and number in written and told is not None and told <= self._instant:
                    word = (touch.columns_key, touch.columns)
                    last[number] = max(word, last.get(number, ("", "")))
        return {number: digest for number, (_, digest) in last.items()}
