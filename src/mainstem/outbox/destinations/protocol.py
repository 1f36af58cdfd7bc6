"""What a destination is: the one seam between the outbox and the world."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from mainstem.outbox.model import StoredEvent


class Destination(Protocol):
    """Takes events one at a time; used by one thread only."""

    @property
    def name(self) -> str:
        """What the user calls it; the delivery record is kept under this name."""
        ...

    @property
    def kind(self) -> str:
        """Its transport type in the configuration, for instance ``http``."""
        ...

    def deliver(self, event: StoredEvent) -> None:
        """Return once the event is safely there.

        Raises:
            DestinationBusy: not now; the same event is brought again.
            DestinationRefused: never this event; it becomes a dead letter.
            DestinationLocked: no event before a person acts; all stay.
        """
        ...

    def close(self) -> None:
        """Let go of connections and files; ``deliver`` may open them again."""
        ...
