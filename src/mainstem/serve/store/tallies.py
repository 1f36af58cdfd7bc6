"""How many events there are, by quarters of an hour: counting them one by one takes too long."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.sql.connection import Connection, Row

QUARTER = 900_000_000
_YEAR_ONE = 62_135_596_800_000_000
"""Microseconds from year 1 to 1970: a quarter is never negative, which databases round apart."""

_ADD = """INSERT INTO event_tally (quarter, type, events) VALUES (?,?,?)
ON CONFLICT (quarter, type) DO UPDATE SET events = event_tally.events + excluded.events"""
_ADD_ARRIVALS = """INSERT INTO arrival_tally (quarter, events) VALUES (?,?)
ON CONFLICT (quarter) DO UPDATE SET events = arrival_tally.events + excluded.events"""
_COUNT_AGAIN = """INSERT INTO event_tally (quarter, type, events)
SELECT (time + ?) / ?, type, count(*) FROM event GROUP BY 1, 2"""
_COUNT_ARRIVALS_AGAIN = """INSERT INTO arrival_tally (quarter, events)
SELECT (received + ?) / ?, count(*) FROM event GROUP BY 1"""


def quarter_of(instant: int) -> int:
    """The quarter of an hour that an instant lies in."""
    return (instant + _YEAR_ONE) // QUARTER


def start_of(quarter: int) -> int:
    """The instant that a quarter of an hour begins with."""
    return quarter * QUARTER - _YEAR_ONE


def tally(connection: Connection, told: Iterable[tuple[int, str]], received: int) -> None:
    """Count new events, each by its time and its type."""
    counts = Counter((quarter_of(time), word) for time, word in told)
    if counts:
        connection.many(_ADD, [(*place, events) for place, events in sorted(counts.items())])
        connection.run(_ADD_ARRIVALS, [quarter_of(received), counts.total()])


def tally_again(connection: Connection) -> None:
    """Count all events anew, because some were forgotten."""
    connection.run("DELETE FROM event_tally")
    connection.run(_COUNT_AGAIN, [_YEAR_ONE, QUARTER])
    connection.run("DELETE FROM arrival_tally")
    connection.run(_COUNT_ARRIVALS_AGAIN, [_YEAR_ONE, QUARTER])


def count_events(connection: Connection, period: tuple[int, int]) -> int:
    """How many events a period has."""
    start, end = period
    first, last = quarter_of(start - 1) + 1, quarter_of(end)
    if first > last:
        return _one_by_one(connection, start, end)
    whole = connection.rows(
        "SELECT CAST(coalesce(sum(events), 0) AS BIGINT) FROM event_tally"
        " WHERE quarter >= ? AND quarter < ?",
        [first, last],
    )[0][0]
    before = _one_by_one(connection, start, start_of(first))
    return before + whole + _one_by_one(connection, start_of(last), end)


def _one_by_one(connection: Connection, start: int, end: int) -> int:
    if start >= end:
        return 0
    counted = "SELECT count(*) FROM event WHERE time >= ? AND time < ?"
    return connection.rows(counted, [start, end])[0][0]


def events_by_type(connection: Connection, start: int, end: int) -> list[Row]:
    """The quarters of a period, each with a type and how many events of it."""
    return connection.rows(
        "SELECT quarter, type, events FROM event_tally WHERE quarter >= ? AND quarter < ?",
        [quarter_of(start), quarter_of(end)],
    )


def arrivals(connection: Connection, start: int) -> list[Row]:
    """The quarters since an instant, each with how many events arrived."""
    return connection.rows(
        "SELECT quarter, events FROM arrival_tally WHERE quarter >= ?", [quarter_of(start)]
    )
