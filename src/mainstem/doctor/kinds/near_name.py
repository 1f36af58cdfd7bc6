"""Two names of which one may be the other with a slip in it; the columns are the same."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

from mainstem.doctor.finding import Confidence
from mainstem.doctor.joining import are_apart, better_first, one_dataset
from mainstem.doctor.likeness import FEWEST, are_near, signature, squeezed
from mainstem.doctor.seams import Seam, seam

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mainstem.doctor.finding import Finding
    from mainstem.doctor.view import View

KIND = "near-name"
MOST_COMPARED = 200
"""Of more datasets that have the same columns, those alone are compared whose letters agree."""


def find(view: View) -> Iterator[Finding]:
    """Datasets of one namespace with equal columns and near names, cut between them."""
    alike: defaultdict[tuple[str, frozenset[str]], list[int]] = defaultdict(list)
    for place, dataset in enumerate(view.datasets):
        columns = signature(dataset.columns)
        if len(columns) >= FEWEST:
            alike[dataset.name.namespace, columns].append(place)
    for places in alike.values():
        for one, other in _near(view, places):
            how = seam(view, one, other)
            if how is not Seam.NONE and not are_apart(view, one, other):
                confidence = Confidence.POSSIBLE if how is Seam.LOOSE else Confidence.LIKELY
                names = better_first(view, one, other)
                told = "the names are near, and the columns are the same"
                yield one_dataset(view, KIND, names, confidence, told)


def _near(view: View, places: list[int]) -> Iterable[tuple[int, int]]:
    if len(places) <= MOST_COMPARED:
        return (
            (one, other)
            for one, other in combinations(places, 2)
            if seam(view, one, other) is not Seam.NONE
            and are_near(view.datasets[one].name.name, view.datasets[other].name.name)
        )
    squeezed_alike: defaultdict[str, list[int]] = defaultdict(list)
    for place in places:
        squeezed_alike[squeezed(view.datasets[place].name.name)].append(place)
    groups = (group for group in squeezed_alike.values() if len(group) <= MOST_COMPARED)
    return (pair for group in groups for pair in combinations(group, 2))
