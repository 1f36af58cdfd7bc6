"""One attempt at one destination, whoever wrote it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.errors import DestinationBusy, MainstemError

if TYPE_CHECKING:
    from mainstem.outbox.destinations.protocol import Destination
    from mainstem.outbox.model import StoredEvent


def attempt(destination: Destination, event: StoredEvent) -> None:
    """Deliver, or raise one of the three errors that a destination may raise, and no other.

    The one guard of this room: a destination may be a third party's code, and whatever it raises
    must neither end the thread nor lose the event. Its text is not repeated: it may hold a secret.
    """
    try:
        destination.deliver(event)
    except MainstemError:
        raise
    except Exception as unforeseen:
        reason = f"failed with {type(unforeseen).__name__}"
        raise DestinationBusy(destination.name, reason) from unforeseen
