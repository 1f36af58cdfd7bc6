"""A job as the fold of its events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from mainstem.said.jobs import parent_job
from mainstem.said.registers import Facets

if TYPE_CHECKING:
    from mainstem.said.event import JobName
    from mainstem.serve.model.event import Event


class Reach(Struct, frozen=True):
    """What a job reads and writes now, by dataset number."""

    inputs: tuple[int, ...] = ()
    outputs: tuple[int, ...] = ()
    pairs: tuple[tuple[int, int], ...] | None = None
    """Which input reaches which output; None means every input reaches every output."""

    def outputs_of(self, dataset: int) -> tuple[int, ...]:
        """What data of one input ends up in."""
        if self.pairs is None:
            return self.outputs
        return tuple(output for source, output in self.pairs if source == dataset)

    def inputs_of(self, dataset: int) -> tuple[int, ...]:
        """Where data of one output comes from."""
        if self.pairs is None:
            return self.inputs
        return tuple(source for source, output in self.pairs if output == dataset)


NOTHING = Reach()


class Job(Struct):
    """One job; ``reach`` belongs to its latest run that named any dataset."""

    id: int
    name: JobName
    created: int
    updated: int
    first_key: str
    last_key: str
    """The order keys of the events that these times come from."""

    facets: Facets = field(default_factory=Facets)
    parent_key: str = ""
    parent: JobName | None = None
    latest_run: str | None = None
    latest_created: int = 0
    current_run: str | None = None
    """The latest run that named any dataset; its reach is the job's."""

    current_created: int = 0
    reach: Reach = NOTHING
    told_anew: bool = True
    """Whether more than its last time, keys and runs differ from what is stored."""

    @property
    def size(self) -> int:
        """About how many bytes it takes in memory."""
        reach = self.reach
        ends = len(reach.inputs) + len(reach.outputs) + 4 * len(reach.pairs or ())
        return 1000 + self.facets.size + 40 * ends


def fold_event(job: Job, event: Event) -> None:
    """Add what one event says of the job."""
    # A key begins with its event's time.
    if event.key > job.last_key:
        job.last_key, job.updated = event.key, event.time
    if event.key < job.first_key:
        job.told_anew |= event.time != job.created
        job.first_key, job.created = event.key, event.time
    job.told_anew |= job.facets.say(event.job_facets, event.key, event.job_spelled)
    parent = parent_job(event.run_facets)
    if parent is not None and event.key > job.parent_key:
        job.told_anew |= parent != job.parent
        job.parent, job.parent_key = parent, event.key
