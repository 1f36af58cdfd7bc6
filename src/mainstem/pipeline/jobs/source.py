"""Where raw events come from, and what of it is new."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class Source(Protocol):
    """Raw events that can be read from where an earlier build stopped."""

    def fresh(self, consumed: dict[str, str]) -> tuple[DataFrame | None, dict[str, str]]:
        """What is new as rows of ``value`` and ``origin``, and how far that goes.

        None where nothing is new. ``consumed`` is what a ledger holds: by file its size and time,
        by topic partition its offset, by Iceberg table its snapshot.
        """
        ...
