"""A finding that two names are one dataset, as most kinds of it are told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.doctor.finding import Confidence, Finding, Severity
from mainstem.doctor.likeness import Schemas, compare
from mainstem.doctor.remedies import join_datasets
from mainstem.doctor.seams import Seam, seam

if TYPE_CHECKING:
    from mainstem.doctor.view import View

_SEVERITIES = {
    Seam.NONE: Severity.INFO,
    Seam.LOOSE: Severity.WARN,
    Seam.CUT: Severity.ERROR,
    Seam.FITS: Severity.ERROR,
}
CUT_WHY = (
    "Data goes on under the other name, and the graph ends at this one: whoever asks what is "
    "affected, or where data comes from, is told half of it."
)


def likeness_of(view: View, one: int, other: int) -> Schemas:
    """How alike the columns of two datasets are."""
    return compare(view.datasets[one].columns, view.datasets[other].columns)


def are_apart(view: View, one: int, other: int) -> bool:
    """Whether data goes from one to the other: a copy is not what it was copied from."""
    return view.flows(one, other) or view.flows(other, one)


def severity_of(how: Seam) -> Severity:
    """How bad it is that two datasets which fit together so go by two names."""
    return _SEVERITIES[how]


def doubted(view: View, one: int, other: int) -> Confidence | None:
    """How sure it is that two datasets whose names are alike are one; None where they are not."""
    how, columns = seam(view, one, other), likeness_of(view, one, other)
    if columns is Schemas.DIFFERENT or are_apart(view, one, other):
        return None
    if how is Seam.NONE:
        is_touched = all(view.readers(at) or view.writers(at) for at in (one, other))
        return Confidence.POSSIBLE if columns is Schemas.EQUAL and is_touched else None
    if how is Seam.LOOSE and columns is not Schemas.EQUAL:
        return Confidence.POSSIBLE
    return Confidence.LIKELY


def one_dataset(
    view: View, kind: str, names: tuple[int, int], confidence: Confidence, how_they_differ: str
) -> Finding:
    """The finding that a dataset goes by a second name; the first of both is the one to keep."""
    chosen, other = names
    first, second = view.datasets[chosen].name, view.datasets[other].name
    return Finding(
        kind,
        severity_of(seam(view, chosen, other)),
        confidence,
        f"{second.name} in {second.namespace} and {first.name} in {first.namespace} seem to be "
        f"one: {how_they_differ}",
        CUT_WHY,
        (view.node(chosen), view.node(other)),
        join_datasets(first, [second]),
        frozenset({chosen, other}),
    )


def better_first(view: View, one: int, other: int) -> tuple[int, int]:
    """Two datasets, the one first that more jobs call by its name; else by name."""
    first, second = sorted(
        (one, other), key=lambda at: (-touching(view, at), view.datasets[at].name)
    )
    return first, second


def touching(view: View, at: int) -> int:
    """How many jobs read or write a dataset."""
    return len(view.readers(at)) + len(view.writers(at))
