"""What changed in a job since an instant, as its runs tell it, and in a dataset's columns."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

from mainstem.said.event import time_of_key
from mainstem.said.jobs import config_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mainstem.said.json_values import Json
    from mainstem.serve.model.run import Run, Side

BAD_STATES = frozenset({"FAILED", "ABORTED"})
UNKNOWN = "UNKNOWN"
"""The state of a run that promised to report and did not."""


class Ran(NamedTuple):
    """A run, as far as its state goes."""

    id: str
    created: int
    updated: int
    ended: int | None
    state: str
    overdue_after: int | None
    version: str
    """Changes with what it reads, what it writes and its configuration."""


class Happening(NamedTuple):
    """One thing that changed in a job."""

    what: Literal["EDGES", "CONFIG", "STATE"]
    at: int
    before: str | None = None
    after: str | None = None
    added: tuple[Side, ...] = ()
    removed: tuple[Side, ...] = ()


class ColumnChanges(NamedTuple):
    """How two schemas of a dataset differ, by the names of their columns."""

    added: list[str]
    removed: list[str]
    changed: list[str]


def worth_reading(runs: Sequence[Ran], since: int) -> list[str]:
    """Which of a job's runs, oldest first, can tell of a change: the rest repeat the one before."""
    telling = [run.id for before, run in pairwise(runs) if run.version != before.version]
    if telling or any(run.created < since <= run.updated for run in runs[:1]):
        return [runs[0].id, *telling]
    return []


def state_change(runs: Iterable[Ran], since: int, now: int) -> Happening | None:
    """The last time that a job began or ceased to be in trouble; coming and going is no news."""
    found: Happening | None = None
    before: str | None = None
    for run in runs:
        state, at = _verdict(run, now)
        if before is None and run.created < since:
            before = "RUNNING"
        troubles = [one in BAD_STATES or one == UNKNOWN for one in (before, state)]
        if before is not None and troubles[0] != troubles[1] and since <= at:
            found = Happening("STATE", at, before, state)
        before = state
    return found


def _verdict(run: Ran, now: int) -> tuple[str, int]:
    if run.overdue_after is not None and run.overdue_after < now:
        return UNKNOWN, run.overdue_after
    return run.state, run.created if run.ended is None else run.ended


def edge_changes(runs: Iterable[Run], since: int) -> list[Happening]:
    """Edges that came and went; ``runs`` that named datasets, oldest first.

    Of a run that failed or still goes on, what it has not named yet may come: only one that
    completed, or that tells everything each time, takes an edge away.
    """
    changes: list[Happening] = []
    standing: set[Side] | None = None
    for run in runs:
        sides = set(run.sides)
        if standing is None:
            standing = {
                side for side in sides if run.created >= since or run.touches[side].first < since
            }
        added = sides - standing
        is_whole = run.state == "COMPLETED" or run.snapshot
        gone = {side for side in standing if is_whole and side not in sides}
        if added or gone:
            at = max([run.created, *(run.touches[side].first for side in added)])
            changes.append(
                Happening("EDGES", at, added=tuple(sorted(added)), removed=tuple(sorted(gone)))
            )
        standing = (standing | sides) - gone
        changes += _dropped(run, sides, since)
    return changes


def _dropped(run: Run, sides: set[Side], since: int) -> list[Happening]:
    """Edges that one run said and, telling everything each time, then said no more."""
    last = {side: time_of_key(touch.last) for side, touch in run.touches.items()}
    gone = sorted(side for side, at in last.items() if side not in sides and at >= since)
    if not gone:
        return []
    return [Happening("EDGES", max(last[side] for side in gone), removed=tuple(gone))]


def config_changes(runs: Iterable[Run], since: int) -> list[Happening]:
    """When a job ran with another configuration than before; ``runs`` oldest first."""
    changes: list[Happening] = []
    before = ""
    for run in runs:
        after = config_version(run.facets.values, run.job_facets.values)
        if before and after and before != after and run.created >= since:
            changes.append(Happening("CONFIG", run.created, before, after))
        before = after or before
    return changes


def column_changes(before: Iterable[Json], after: Iterable[Json]) -> ColumnChanges:
    """How two lists of fields differ; a field whose type or nested fields differ has changed.

    >>> column_changes([{"name": "a", "type": "int"}], [{"name": "a", "type": "text"}]).changed
    ['a']
    """
    old = {field["name"]: (field.get("type"), field.get("fields")) for field in before}
    new = {field["name"]: (field.get("type"), field.get("fields")) for field in after}
    return ColumnChanges(
        [name for name in new if name not in old],
        [name for name in old if name not in new],
        [name for name in new if name in old and old[name] != new[name]],
    )
