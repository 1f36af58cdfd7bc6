"""A changed recipe against what is being watched: what ends, what begins, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mainstem.watch.loop.settings import ClusterSettings


class Takeover(Struct, frozen=True):
    """What a changed recipe asks for, by the clusters' names; a changed cluster is in both."""

    end: tuple[str, ...]
    begin: tuple[str, ...]


def plan_takeover(
    watched: Mapping[str, ClusterSettings], wanted: Mapping[str, ClusterSettings]
) -> Takeover:
    """Ends what is no longer wanted as it is, begins what is new; the rest goes on undisturbed."""
    same = {name for name, settings in wanted.items() if watched.get(name) == settings}
    return Takeover(
        end=tuple(name for name in watched if name not in same),
        begin=tuple(name for name in wanted if name not in same),
    )
