"""One dataset, its name in different case."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

from mainstem.doctor.joining import better_first, doubted, one_dataset, touching

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
                names = _usual_first(view, one, other)
                how = "the names differ in case alone"
                yield one_dataset(view, KIND, names, confidence, how)


def _usual_first(view: View, one: int, other: int) -> tuple[int, int]:
    """As more jobs say it, else in the case that the names beside it have."""
    if touching(view, one) != touching(view, other):
        return better_first(view, one, other)
    names = [view.datasets[at].name for at in (one, other)]
    beside = [
        view.datasets[at].name.name
        for namespace in {name.namespace for name in names}
        for at in view.in_namespace[namespace]
        if at not in (one, other)
    ]
    upper, lower = sum(map(str.isupper, beside)), sum(map(str.islower, beside))
    first, second = better_first(view, one, other)
    wanted = str.isupper if upper > lower else str.islower
    is_turned = upper != lower and wanted(view.datasets[second].name.name)
    return (second, first) if is_turned else (first, second)
