"""The only place that reads time; everything else is handed a ``Clock``."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Answers the present instant, always aware and in UTC."""


def now() -> datetime:
    """The present instant in UTC."""
    return datetime.now(UTC)


def monotonic() -> float:
    """Seconds from an arbitrary start that no clock adjustment moves."""
    return time.monotonic()
