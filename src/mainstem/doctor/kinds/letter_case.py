"""One dataset, its name in different case."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

from mainstem.doctor.joining import better_first, doubted, one_dataset

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.doctor.finding import Finding
    from mainstem.doctor.view import View

KIND = "letter-case"


def find(view: View) -> Iterator[Finding]:
    """Datasets whose names differ in case alone."""
    alike: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for place, dataset in enumerate(view.datasets):
        alike[dataset.name.namespace.lower(), dataset.name.name.lower()].append(place)
    for places in alike.values():
        for one, other in combinations(places, 2):
            confidence = doubted(view, one, other)
            if confidence is not None:
                names = better_first(view, one, other)
                how = "the names differ in case alone"
                yield one_dataset(view, KIND, names, confidence, how)
