"""How one look went, for whoever counts; counting never changes what is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct, field

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from mainstem.errors import MainstemError


class LookReport(Struct, frozen=True):
    """One look at one cluster."""

    cluster: str
    at: datetime
    seconds: float
    error: MainstemError | None = None
    skipped: Mapping[str, int] = field(default_factory=dict[str, int])
    """Connectors of which nothing or not all was told, by reason."""


TakeReport = Callable[[LookReport], None]


def ignore_report(_report: LookReport) -> None:
    """Count nothing."""


TakeProgress = Callable[[str, int, int], None]
"""The cluster, how many of its connectors are done in this look, and of how many."""


def ignore_progress(_cluster: str, _done: int, _of: int) -> None:
    """Nobody waits."""
