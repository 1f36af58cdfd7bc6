"""/stats: how many there are and were, hour by hour or day by day."""

from __future__ import annotations

from bisect import bisect_right
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import accumulate, pairwise
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from fastapi import Query, Response

from mainstem.errors import EventRefused
from mainstem.said.times import from_micros, iso, to_micros
from mainstem.serve.api.parameters import Held, json_of
from mainstem.serve.api.routers import router_of
from mainstem.serve.store.tallies import events_by_type, start_of

router = router_of("/api/v1/stats", "stats")
_COUNTED = {"jobs": "job", "datasets": "dataset", "sources": "source"}
_TYPES = {"FAIL": "fail", "START": "start", "COMPLETE": "complete", "ABORT": "abort"}
_ALWAYS = 2**61
Period = Annotated[str, Query(pattern="(?i)^(day|week)$")]


@router.get("/lineage-events")
def count_events(backend: Held, period: Period, timezone: str = "UTC") -> Response:
    """Events by type."""
    bounds = _bounds(backend.now(), period, timezone)
    with backend.read() as connection:
        rows = events_by_type(connection, bounds[0], bounds[-1])
    counts = [dict.fromkeys(_TYPES.values(), 0) for _ in bounds[1:]]
    for quarter, kind, events in rows:
        if kind in _TYPES:
            counts[_which(bounds, start_of(quarter))][_TYPES[kind]] += events
    return json_of([{**_interval(bounds, at), **count} for at, count in enumerate(counts)])


@router.get("/{what}")
def count_things(backend: Held, what: str, period: Period, timezone: str = "UTC") -> Response:
    """How many jobs, datasets or sources there were at the end of each interval."""
    if what not in _COUNTED:
        raise EventRefused(404, f"no statistics of {what!r}; there are {', '.join(_COUNTED)}")
    bounds = _bounds(backend.now(), period, timezone)
    table = _COUNTED[what]
    with backend.read() as connection:
        made = [
            connection.rows(
                f"SELECT count(*) FROM {table} WHERE created >= ? AND created < ?",  # noqa: S608
                [start, end],
            )[0][0]
            for start, end in pairwise([-_ALWAYS, *bounds])
        ]
    counts = list(accumulate(made))[1:]
    return json_of([{**_interval(bounds, at), "count": count} for at, count in enumerate(counts)])


def _which(bounds: list[int], instant: int) -> int:
    """The interval that an instant lies in."""
    return min(max(bisect_right(bounds, instant) - 1, 0), len(bounds) - 2)


def _interval(bounds: list[int], at: int) -> dict[str, Any]:
    return {"startInterval": iso(bounds[at]), "endInterval": iso(bounds[at + 1])}


def _bounds(now: int, period: str, timezone: str) -> list[int]:
    """The ends of 24 hours or seven days up to now, in the asker's time zone."""
    local = from_micros(now).astimezone(_zone(timezone))
    if period.lower() == "day":
        last = local.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
        return [
            to_micros(last.astimezone(UTC) - timedelta(hours=back)) for back in range(24, -1, -1)
        ]
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
    days = [midnight + timedelta(days=1 - back) for back in range(7, -1, -1)]
    return [to_micros(_aware(day)) for day in days]


def _aware(day: datetime) -> datetime:
    return day.astimezone(UTC)


def _zone(name: str) -> tzinfo:
    """A time zone by name; UTC where there is none of that name, as Marquez has it."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return UTC
