"""A sink whose target nobody reads, while a near name is read that nobody writes."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from mainstem.doctor.finding import Confidence
from mainstem.doctor.joining import doubted, one_dataset
from mainstem.doctor.likeness import are_near
from mainstem.doctor.locations import location
from mainstem.doctor.remedies import declare_target
from mainstem.doctor.seams import Seam, seam

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.doctor.finding import Finding
    from mainstem.doctor.view import View

KIND = "sink-unread"
MOST_COMPARED = 200


def find(view: View) -> Iterator[Finding]:
    """Targets of sink connectors that fit a dataset of nearly their name, or above or below it."""
    lonely: defaultdict[str, list[int]] = defaultdict(list)
    for place, dataset in enumerate(view.datasets):
        if view.readers(place) and not view.writers(place):
            lonely[dataset.name.namespace].append(place)
    for job in view.jobs:
        if job.type != "SINK_CONNECTOR":
            continue
        for target in job.outputs:
            near = lonely.get(view.datasets[target].name.namespace, [])
            for read in near if len(near) <= MOST_COMPARED else ():
                how = _how(view, target, read)
                if how and seam(view, target, read) is Seam.FITS and doubted(view, target, read):
                    found = one_dataset(view, KIND, (read, target), Confidence.POSSIBLE, how)
                    remedy = declare_target(job, view.datasets[read].name)
                    yield found.with_remedy(remedy)


def _how(view: View, target: int, read: int) -> str | None:
    written, wanted = view.datasets[target].name, view.datasets[read].name
    first, second = location(written), location(wanted)
    if first is not None and second is not None:
        if first.startswith(f"{second}/"):
            return "a sink writes below what is read"
        if second.startswith(f"{first}/"):
            return "a sink writes above what is read"
    if are_near(written.name, wanted.name):
        return "a sink writes the one, and only the other, of nearly its name, is read"
    return None
