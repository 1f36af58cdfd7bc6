"""Pictures for the doctor's tests, drawn by the jobs that read and write."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, NamedTuple

from msgspec.structs import replace

from mainstem.doctor.finding import Finding
from mainstem.doctor.picture import Dataset, Job, JobName, Link, Picture
from mainstem.names.dataset import DatasetName
from mainstem.names.identity import Aliases, canonical

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)
Name = tuple[str, str]


class Ran(NamedTuple):
    """How ``mainstem doctor`` ended."""

    code: int
    stdout: str
    stderr: str


Doctor = Callable[..., Ran]
"""Runs ``mainstem doctor`` with some flags."""


class Drawing:
    """Datasets appear when a job names them."""

    def __init__(self) -> None:
        self._places: dict[Name, int] = {}
        self._datasets: list[Dataset] = []
        self._jobs: list[Job] = []

    def dataset(self, name: Name, **known: Any) -> int:
        """The place of a dataset, about which more may be known."""
        if name not in self._places:
            self._places[name] = len(self._datasets)
            kind = "TOPIC" if name[0].lower().startswith(("kafka", "sasl")) else "TABLE"
            self._datasets.append(Dataset(DatasetName(*name), kind))
        place = self._places[name]
        self._datasets[place] = replace(self._datasets[place], **known)
        return place

    def job(
        self, name: str, reads: list[Name] | None = None, writes: list[Name] | None = None, **k: Any
    ) -> Drawing:
        """Add a job."""
        inputs = tuple(self.dataset(one) for one in reads or [])
        outputs = tuple(self.dataset(one) for one in writes or [])
        self._jobs.append(Job(JobName("jobs", name), inputs=inputs, outputs=outputs, **k))
        return self

    def picture(self, **known: Any) -> Picture:
        """What was drawn."""
        return Picture(NOON, tuple(self._datasets), tuple(self._jobs), **known)


def kinds(found: list[Finding]) -> list[str]:
    """The kinds of some findings."""
    return [one.kind for one in found]


def links(found: list[Finding]) -> set[Link]:
    """Every alias that findings would write."""
    return {link for one in found for remedy in one.remedies for link in remedy.links}


def joined(found: list[Finding]) -> Aliases:
    """The aliases of findings, to be applied."""
    told = links(found)
    return Aliases(
        [(one.namespace, one.other_namespace) for one in told if one.name is None],
        [
            (DatasetName(one.namespace, one.name), DatasetName(one.other_namespace, one.other_name))
            for one in told
            if one.name is not None and one.other_name is not None
        ],
    )


def are_one(found: list[Finding], one: Name, other: Name) -> bool:
    """Whether the aliases of findings make one dataset of two names."""
    aliases = joined(found)
    return canonical(*one, aliases) == canonical(*other, aliases)


def in_no_order(picture: Picture) -> tuple[set[Any], dict[Any, Any]]:
    """A picture whose datasets are named and not numbered; times aside, which depend on now."""
    names = [one.name for one in picture.datasets]

    def named(job: Job) -> Any:
        return (
            {names[at] for at in job.inputs},
            {names[at] for at in job.outputs},
            None if job.pairs is None else {(names[a], names[b]) for a, b in job.pairs},
            {names[at]: word for at, word in job.evidence.items()},
            {names[at] for at in job.columns_made},
            {names[at]: columns for at, columns in job.columns_read.items() if columns},
            (job.integration, job.type, job.streaming, job.parent, job.state, job.heartbeat),
            (job.connector_class, job.unresolved, job.began, job.told),
        )

    def told(one: Dataset) -> Any:
        return (one.name, frozenset(one.others), one.columns, one.former)

    return {told(one) for one in picture.datasets}, {job.name: named(job) for job in picture.jobs}
