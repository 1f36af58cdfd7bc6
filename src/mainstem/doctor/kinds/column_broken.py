"""A column that is gone, and that somebody still makes others from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.doctor.finding import Confidence, Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.doctor.view import View

KIND = "column-broken"


def find(view: View) -> Iterator[Finding]:
    """Readers whose columns the dataset's own writer does not write any more."""
    for place, job in enumerate(view.jobs):
        for source, columns in job.columns_read.items():
            dataset = view.datasets[source]
            gone = sorted(columns & dataset.former - set(dataset.columns))
            if not gone or not dataset.columns or source not in job.inputs:
                continue
            yield Finding(
                KIND,
                Severity.ERROR,
                Confidence.LIKELY,
                f"{job.name.name} reads {', '.join(gone)} of {dataset.name.name}, which is not "
                "written any more",
                "The schema changed and this reader did not: it fails, or it fills its columns "
                "with nothing.",
                (view.node(source), view.job_node(place), *map(view.node, job.outputs[:10])),
            )
