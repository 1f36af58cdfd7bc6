"""Several sources as one."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import DataFrame

    from mainstem.pipeline.jobs.source import Source


class Several:
    """What is new in any of them; each is known in the ledger by names of its own."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = sources

    def fresh(self, consumed: dict[str, str]) -> tuple[DataFrame | None, dict[str, str]]:
        """What is new in all of them together."""
        parts: list[DataFrame] = []
        marks: dict[str, str] = {}
        for source in self._sources:
            rows, more = source.fresh(consumed)
            marks.update(more)
            if rows is not None:
                parts.append(rows)
        return (reduce(lambda one, two: one.unionByName(two), parts) if parts else None), marks
