"""A run that promised to be heard of, and is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.doctor.finding import Confidence, Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.doctor.view import View

KIND = "heartbeat-missing"


def find(view: View) -> Iterator[Finding]:
    """Runs three of whose heartbeats are overdue."""
    for place, job in enumerate(view.jobs):
        if not job.stale or job.told is None or job.heartbeat is None:
            continue
        yield Finding(
            KIND,
            Severity.ERROR,
            Confidence.CERTAIN,
            f"{job.name.name} was last heard of at {job.told.isoformat()}, and promised a sign of "
            f"life every {job.heartbeat:g} s",
            "Whether it still runs nobody knows: it was killed without a word, or whoever tells of "
            "it is down. A watcher that is down silences all its connectors.",
            (view.job_node(place),),
        )
