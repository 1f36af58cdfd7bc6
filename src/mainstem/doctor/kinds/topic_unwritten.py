"""A topic that is read and that nobody writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.doctor.finding import Confidence, Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.doctor.view import View

KIND = "topic-unwritten"


def find(view: View) -> Iterator[Finding]:
    """Topics with readers and no writer."""
    for place, dataset in enumerate(view.datasets if view.picture.is_whole else ()):
        if not view.is_moving(dataset) or place in view.explained:
            continue
        if view.writers(place) or not view.readers(place):
            continue
        readers = view.readers(place)
        first = view.jobs[readers[0]].name.name
        others = f" and {len(readers) - 1} more" if len(readers) > 1 else ""
        yield Finding(
            KIND,
            Severity.WARN,
            Confidence.CERTAIN,
            f"{dataset.name.name} is read by {first}{others}, and nothing is known to write it",
            "The graph begins here although data comes from somewhere: its producer is not "
            "instrumented, or it calls the topic by another name.",
            (view.node(place), *map(view.job_node, readers[:10])),
        )
