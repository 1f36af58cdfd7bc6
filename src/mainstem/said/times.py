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


def iso(micros: int) -> str:
    """ISO 8601 in UTC, the fraction only where there is one.

    >>> iso(500000)
    '1970-01-01T00:00:00.500000Z'
    """
    minutes, rest = divmod(micros, 60 * SECOND)
    second, fraction = divmod(rest, SECOND)
    if fraction:
        return f"{_minute(minutes)}:{second:02}.{fraction:06}Z"
    return f"{_minute(minutes)}:{second:02}Z"


@lru_cache(maxsize=4096)
def _minute(minutes: int) -> str:
    days, minute = divmod(minutes, 24 * 60)
    day = date.fromordinal(_EPOCH.toordinal() + days).isoformat()
    return f"{day}T{minute // 60:02}:{minute % 60:02}"
