"""A batch run that began and was never ended."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from mainstem.doctor.finding import Confidence, Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.doctor.view import View

KIND = "run-never-ends"
LONG = timedelta(days=1)


def find(view: View) -> Iterator[Finding]:
    """Batch runs that are RUNNING, promised no heartbeat, and said nothing for a day."""
    silent = {
        job.name: place
        for place, job in enumerate(view.jobs)
        if job.state == "RUNNING"
        and not job.streaming
        and job.heartbeat is None
        and job.told is not None
        and view.picture.made_at - job.told > LONG
    }
    for place in silent.values():
        job = view.jobs[place]
        if job.parent in silent or job.told is None:
            continue
        yield Finding(
            KIND,
            Severity.WARN,
            Confidence.LIKELY,
            f"{job.name.name} has been running since {(job.began or job.told).isoformat()} and was "
            f"last heard of at {job.told.isoformat()}",
            "Its program ended without saying so, as a killed driver does, or its last event was "
            "lost: the job looks as if it ran, and its next failure will look the same.",
            (view.job_node(place),),
        )
