"""A table that programs which know nothing of each other write."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from mainstem.doctor.finding import Confidence, Finding, Severity
from mainstem.doctor.namespaces import MOST_NODES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.doctor.picture import Job, JobName
    from mainstem.doctor.view import View

KIND = "two-writers"
LATELY = timedelta(days=30)
_ENDED = frozenset({"COMPLETED", "ABORTED"})
_SHARED = frozenset({"ENDPOINT", "INDEX"})
"""What many write by its nature, beside topics, streams and queues."""


def find(view: View) -> Iterator[Finding]:
    """Tables with several writers of different origin that wrote lately."""
    for place, dataset in enumerate(view.datasets):
        jobs = view.writers(place)
        if len(jobs) < 2 or view.is_moving(dataset) or dataset.kind in _SHARED:  # noqa: PLR2004
            continue
        writers: dict[JobName, int] = {}
        for job in jobs:
            if _writes(view, view.jobs[job]):
                writers.setdefault(view.root_of(view.jobs[job]), job)
        if len(writers) > 1 and dataset.name.name.strip("/"):
            names = " and ".join(sorted(name.name for name in writers)[:3])
            yield Finding(
                KIND,
                Severity.WARN,
                Confidence.POSSIBLE,
                f"{dataset.name.name} is written by {names}",
                "Two programs that write one table overwrite or double each other's rows, unless "
                "they were made to share it; whoever traces a wrong value has to look at both.",
                (view.node(place), *map(view.job_node, [*writers.values()][:MOST_NODES])),
            )


def _writes(view: View, job: Job) -> bool:
    """Whether a job writes today: not a stream that was stopped, nor a batch long gone."""
    if job.streaming and job.state in _ENDED:
        return False
    return job.told is None or view.picture.made_at - job.told <= LATELY
