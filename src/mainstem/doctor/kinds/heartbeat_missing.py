"""A run that promised to be heard of, and is not."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from mainstem.doctor.finding import Confidence, Finding, Severity
from mainstem.doctor.namespaces import MOST_NODES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.doctor.view import View

KIND = "heartbeat-missing"
MOST_ALONE = 5
"""Of more silent runs in one namespace, one finding tells all: whoever told of them is down."""


def find(view: View) -> Iterator[Finding]:
    """Runs three of whose heartbeats are overdue."""
    silent: defaultdict[str, list[int]] = defaultdict(list)
    for place, job in enumerate(view.jobs):
        if job.stale and job.told is not None and job.heartbeat is not None:
            silent[job.name.namespace].append(place)
    for namespace, places in sorted(silent.items()):
        if len(places) > MOST_ALONE:
            yield _finding(view, places, f"{len(places)} jobs of {namespace} were")
        else:
            for place in places:
                yield _finding(view, [place], f"{view.jobs[place].name.name} was")


def _finding(view: View, places: list[int], who: str) -> Finding:
    jobs = [view.jobs[place] for place in places]
    told = max(job.told for job in jobs if job.told is not None)
    beat = max(job.heartbeat for job in jobs if job.heartbeat is not None)
    return Finding(
        KIND,
        Severity.ERROR,
        Confidence.CERTAIN,
        f"{who} last heard of at {told.isoformat()}, with a sign of life promised every {beat:g} s",
        "Whether it still runs nobody knows: it was killed without a word, or whoever tells of "
        "it is down. A watcher that is down silences all its connectors.",
        tuple(view.job_node(place) for place in places[:MOST_NODES]),
    )
