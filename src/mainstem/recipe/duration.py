"""Durations as people write them."""

from __future__ import annotations

import re
from datetime import timedelta

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_FORM = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)?")


def parse_duration(value: object) -> timedelta:
    """The duration of a number of seconds, or of a number with its unit.

    >>> parse_duration("5m")
    datetime.timedelta(seconds=300)
    """
    if isinstance(value, timedelta):
        return value
    found = _FORM.fullmatch(str(value).strip()) if not isinstance(value, bool) else None
    if found is None:
        raise ValueError("must be seconds, or a number with ms, s, m, h or d, such as 10 or 5m")
    number, unit = found.groups()
    return timedelta(seconds=float(number) * _UNITS[unit or "s"])
