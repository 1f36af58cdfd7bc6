"""Jobs that tell no column lineage although the columns on both sides are known."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from mainstem.doctor.finding import Confidence, Finding, Severity
from mainstem.doctor.likeness import signature
from mainstem.doctor.namespaces import MOST_NODES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.doctor.picture import Job
    from mainstem.doctor.view import View

KIND = "columns-missing"
_SHOWN = 3


def find(view: View) -> Iterator[Finding]:
    """One finding per integration: most often the reason is one, too."""
    told = {output for job in view.jobs for output in job.columns_made}
    blind: defaultdict[str, list[int]] = defaultdict(list)
    for place, job in enumerate(view.jobs):
        if _is_blind(view, job, told):
            blind[job.integration or "other"].append(place)
    for integration, places in sorted(blind.items()):
        names = [view.jobs[place].name.name for place in places]
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        yield Finding(
            KIND,
            Severity.INFO,
            Confidence.CERTAIN,
            f"{', '.join(names[:_SHOWN])}{more} ({integration}): no column lineage, although the "
            "columns on both sides are known",
            "Whoever asks what a column is made from, or what breaks when it changes, finds "
            "nothing beyond these jobs.",
            tuple(view.job_node(place) for place in places[:MOST_NODES]),
        )


def _is_blind(view: View, job: Job, told: set[int]) -> bool:
    """Whether an input and an output have columns, and nobody tells how they hang together."""
    return any(
        signature(view.datasets[output].columns)
        and output not in told
        and any(signature(view.datasets[one].columns) for one in _sources(job, output))
        for output in job.outputs
    )


def _sources(job: Job, output: int) -> list[int]:
    if job.pairs is None:
        return [one for one in job.inputs if one != output]
    return [one for one, target in job.pairs if target == output and one != output]
