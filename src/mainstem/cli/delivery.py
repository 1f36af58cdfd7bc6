"""What did not arrive, in words."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mainstem.outbox import DestinationStatus


def say_what_waits(journal: Path, destinations: Sequence[DestinationStatus], how: str) -> None:
    """A line per destination that did not take everything, and how it will get it."""
    for each in destinations:
        if each.configured and each.depth:
            trouble = f" ({each.trouble})" if each.trouble else ""
            print(
                f"mainstem: {events(each.depth)} for {each.name} wait in {journal}{trouble}; {how}",
                file=sys.stderr,
            )


def say_what_was_refused(journal: Path, number: int) -> None:
    """A line about events that a destination will never take."""
    say = f"{events(number)} refused; see mainstem outbox list --journal {journal}"
    print(f"mainstem: {say}", file=sys.stderr)


def events(number: int) -> str:
    """So many events."""
    return "1 event" if number == 1 else f"{number} events"
