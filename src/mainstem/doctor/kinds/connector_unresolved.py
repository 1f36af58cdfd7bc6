"""A connector of which the watcher could not tell what it reads or writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.doctor.finding import Confidence, Finding, Severity
from mainstem.doctor.remedies import declare_unresolved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.doctor.view import View

KIND = "connector-unresolved"


def find(view: View) -> Iterator[Finding]:
    """Connectors with reasons why something of them is not told."""
    for place, job in enumerate(view.jobs):
        if not job.unresolved:
            continue
        is_blind = not job.inputs or not job.outputs
        what = f"{job.name.name} ({job.connector_class or 'of an unknown class'})"
        yield Finding(
            KIND,
            Severity.ERROR if is_blind else Severity.WARN,
            Confidence.CERTAIN,
            f"{what} is not fully understood: {'; '.join(job.unresolved)}",
            "What cannot be told of a connector is left out rather than guessed, so that the graph "
            "has a hole here until somebody says it.",
            (view.job_node(place),),
            (declare_unresolved(job),),
        )
