"""A composite whose transports depend on each other: one destination with one record.

``continue_on_success: false`` asks for the first that takes an event, the others being spare.
``continue_on_failure: false`` asks that none gets an event before the one in front of it has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from mainstem.errors import DestinationBusy, DestinationLocked, DestinationRefused
from mainstem.outbox.destinations.attempt import attempt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mainstem.outbox.destinations.protocol import Destination
    from mainstem.outbox.model import StoredEvent

Failure = DestinationBusy | DestinationLocked | DestinationRefused


class FirstOf(Struct, frozen=True):
    """Brings each event to the first member that takes it."""

    name: str
    members: tuple[Destination, ...]
    kind: str = "composite"

    def deliver(self, event: StoredEvent) -> None:
        """Return once one member has the event."""
        failures: list[Failure] = []
        for member in self.members:
            try:
                attempt(member, event)
            except (DestinationBusy, DestinationLocked, DestinationRefused) as failure:
                failures.append(failure)
            else:
                return
        raise _summed_up(self.name, failures)

    def close(self) -> None:
        """Close every member."""
        for member in self.members:
            member.close()


class InSequence(Struct, frozen=True):
    """Brings each event to one member after the other and stops at the first that fails."""

    name: str
    members: tuple[Destination, ...]
    kind: str = "composite"
    _taken: dict[int, int] = field(default_factory=dict[int, int])
    """How many members have an event that did not get to the end, so that none gets it twice."""

    def deliver(self, event: StoredEvent) -> None:
        """Return once every member has the event."""
        for place in range(self._taken.get(event.id, 0), len(self.members)):
            self._taken[event.id] = place
            attempt(self.members[place], event)
        self._taken.pop(event.id, None)

    def close(self) -> None:
        """Close every member."""
        for member in self.members:
            member.close()


def _summed_up(name: str, failures: Sequence[Failure]) -> Failure:
    """What all the members' failures mean together: never, unless one of them may take it later."""
    reason = "; ".join(str(failure) for failure in failures)
    busy = [failure for failure in failures if isinstance(failure, DestinationBusy)]
    if busy:
        return DestinationBusy(name, reason, whole=all(failure.whole for failure in busy))
    if any(isinstance(failure, DestinationLocked) for failure in failures):
        return DestinationLocked(name, reason)
    return DestinationRefused(name, reason)
