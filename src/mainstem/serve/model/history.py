"""When an edge was valid: from the first event that said it until a later run no longer did."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mainstem.serve.model.run import Side


class Naming(NamedTuple):
    """A run that named datasets."""

    started: int
    """Its first event's time."""

    said: Mapping[Side, int]
    """When it first said each edge."""


class Validity(NamedTuple):
    """One period in which an edge was valid; ``until`` is None while it still is."""

    side: Side
    since: int
    until: int | None


def validities(runs: Iterable[Naming]) -> list[Validity]:
    """Every period of every edge of one job, from its runs in the order they began."""
    still_open: dict[Side, int] = {}
    periods: list[Validity] = []
    for run in runs:
        for side in still_open.keys() - run.said.keys():
            since = still_open.pop(side)
            if since < run.started:
                periods.append(Validity(side, since, run.started))
        for side, first in run.said.items():
            still_open[side] = min(first, still_open.get(side, first))
    periods += [Validity(side, since, None) for side, since in still_open.items()]
    return sorted(periods, key=lambda one: (one.side, one.since))


def run_at(runs: Iterable[Naming], instant: int) -> int | None:
    """Which of a job's runs, in the order they began, was its latest at an instant."""
    begun = [at for at, run in enumerate(runs) if run.started <= instant]
    return begun[-1] if begun else None


def sides_at(runs: Iterable[Naming], instant: int) -> set[Side]:
    """The edges that were valid at an instant."""
    return {
        one.side
        for one in validities(runs)
        if one.since <= instant and (one.until is None or instant < one.until)
    }
