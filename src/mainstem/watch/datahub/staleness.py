"""Which entities of an earlier ingestion are taken back: only what is known to be gone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection

Entity = tuple[str, str]
"""A connector's name and the URN of its flow or of one of its jobs."""


class Standing(NamedTuple):
    """What is to be taken back, and what is remembered as told."""

    stale: frozenset[Entity]
    remembered: frozenset[Entity]


def standing(
    before: Collection[Entity],
    now: Collection[Entity],
    *,
    unreadable: Collection[str],
    removes: bool,
) -> Standing:
    """After a look that showed the whole cluster.

    A connector that is there and could not be read keeps what it had; where nothing is removed,
    what is missing is remembered, for an ingestion that may remove it.
    """
    there = frozenset(now)
    missing = frozenset(before) - there
    stale = frozenset(entity for entity in missing if removes and entity[0] not in unreadable)
    return Standing(stale, there | (missing - stale))
