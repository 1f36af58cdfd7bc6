"""Instants as whole microseconds since 1970, which every database orders and compares alike."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
SECOND = 1_000_000


def to_micros(instant: datetime) -> int:
    """An aware instant in microseconds since 1970."""
    return (instant - _EPOCH) // _MICROSECOND


def parse_instant(text: str) -> int:
    """The instant of an ISO 8601 text; without an offset it is UTC.

    >>> parse_instant("1970-01-01T01:00:00.5+01:00")
    500000
    """
    instant = datetime.fromisoformat(text)
    if instant.tzinfo is None:
        instant = instant.replace(tzinfo=UTC)
    # An instant whose UTC year is not 1 to 9999 can be read but never be told again.
    return to_micros(instant.astimezone(UTC))


def from_micros(micros: int) -> datetime:
    """The aware instant of microseconds since 1970."""
    return _EPOCH + timedelta(microseconds=micros)


@lru_cache(maxsize=4096)
def iso(micros: int) -> str:
    """ISO 8601 in UTC, the fraction only where there is one.

    >>> iso(500000)
    '1970-01-01T00:00:00.500000Z'
    """
    seconds, fraction = divmod(micros, SECOND)
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    days, hour = divmod(hours, 24)
    text = f"{_day(days)}T{hour:02}:{minute:02}:{second:02}"
    return f"{text}.{fraction:06}Z" if fraction else f"{text}Z"


@lru_cache(maxsize=1024)
def _day(days: int) -> str:
    return date.fromordinal(_EPOCH.toordinal() + days).isoformat()
