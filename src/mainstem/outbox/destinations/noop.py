"""Nowhere: what ``noop`` and ``OPENLINEAGE_DISABLED`` ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from mainstem.outbox.model import StoredEvent
    from mainstem.outbox.section import Section


class NoopDestination(Struct, frozen=True):
    """Takes every event and forgets it."""

    name: str
    kind: str = "noop"

    def deliver(self, event: StoredEvent) -> None:
        """Forget the event."""

    def close(self) -> None:
        """Nothing is open."""


def build(name: str, _section: Section) -> NoopDestination:
    """A destination from ``{type: noop}``."""
    return NoopDestination(name)
