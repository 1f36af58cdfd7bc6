"""One place of files, its address written in several ways."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING

from mainstem.doctor.finding import Confidence
from mainstem.doctor.joining import better_first, one_dataset
from mainstem.doctor.locations import location

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.doctor.finding import Finding
    from mainstem.doctor.view import View

KIND = "location-spelling"


def find(view: View) -> Iterator[Finding]:
    """Datasets at one location: ``s3a`` and ``s3`` in a name, slashes, where the bucket ends."""
    at_place: defaultdict[str, list[int]] = defaultdict(list)
    for place, dataset in enumerate(view.datasets):
        where = location(dataset.name)
        if where is not None:
            at_place[where].append(place)
    for where, places in at_place.items():
        for one, other in pairwise(places):
            names = better_first(view, one, other)
            how = f"both lie at {where}"
            yield one_dataset(view, KIND, names, Confidence.CERTAIN, how)
