"""Instants as the journal stores them: whole milliseconds since 1970, UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)


def to_milliseconds(instant: datetime) -> int:
    """Milliseconds since 1970.

    >>> to_milliseconds(datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC))
    1000
    """
    return (instant - EPOCH) // MILLISECOND


def from_milliseconds(milliseconds: int) -> datetime:
    """The instant that many milliseconds after 1970.

    >>> from_milliseconds(1000).isoformat()
    '1970-01-01T00:00:01+00:00'
    """
    return EPOCH + milliseconds * MILLISECOND
