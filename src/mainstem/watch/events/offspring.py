"""What a connector's last event does not tell of the jobs below it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, field

if TYPE_CHECKING:
    from collections.abc import Mapping

Event = dict[str, Any]


class Offspring(Struct, frozen=True, omit_defaults=True):
    """The jobs below a connector's, by name, while its run goes on."""

    ended: frozenset[str] = frozenset()
    """Those whose run ended before the connector's: coming back, they begin another."""

    runs: dict[str, str] = field(default_factory=dict[str, str])
    """The runs of those that began again."""

    held: dict[str, Event] = field(default_factory=dict[str, Event])
    """The last events of open ones that the connector's does not show, for it is not known."""

    def begun_again(self, runs: Mapping[str, str]) -> Offspring:
        """The same once some that had ended have other runs."""
        return Offspring(self.ended - runs.keys(), {**self.runs, **runs}, self.held)


NONE = Offspring()


def to_bytes(offspring: Offspring) -> bytes:
    """As it lies in the journal."""
    return msgspec.json.encode(offspring)


def from_bytes(stored: bytes | None) -> Offspring:
    """What was stored."""
    return NONE if stored is None else msgspec.json.decode(stored, type=Offspring)
