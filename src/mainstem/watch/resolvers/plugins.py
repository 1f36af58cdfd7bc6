"""Families that other packages bring, through the entry-point group ``mainstem.resolvers``."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mainstem.watch.resolvers.model import Resolver

ENTRY_POINTS = "mainstem.resolvers"


@cache
def load() -> tuple[tuple[Resolver, ...], tuple[str, ...]]:
    """The families found, and a sentence for each package that could not be loaded."""
    families: list[Resolver] = []
    failures: list[str] = []
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: point.name):
        try:
            families.append(point.load())
        except Exception as failure:  # noqa: BLE001 - one broken package must not stop the others
            failures.append(f"{point.name} could not be loaded: {type(failure).__name__}")
    return tuple(families), tuple(failures)
