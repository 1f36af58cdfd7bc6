"""Events on standard output, one line of JSON each."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.errors import DestinationBusy

if TYPE_CHECKING:
    from mainstem.outbox.model import StoredEvent
    from mainstem.outbox.section import Section


class ConsoleDestination(Struct, frozen=True):
    """Writes each event as one line to standard output."""

    name: str
    kind: str = "console"

    def deliver(self, event: StoredEvent) -> None:
        """Write and flush one line."""
        try:
            sys.stdout.buffer.write(event.body + b"\n")
            sys.stdout.buffer.flush()
        except (OSError, ValueError) as error:
            raise DestinationBusy(self.name, f"standard output: {error}", whole=True) from error

    def close(self) -> None:
        """Standard output is not ours to close."""


def build(name: str, _section: Section) -> ConsoleDestination:
    """A destination from ``{type: console}``."""
    return ConsoleDestination(name)
