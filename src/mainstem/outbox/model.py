"""What goes into the outbox and what it tells about itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from datetime import datetime


class OutboxItem(Struct, frozen=True):
    """One event to be sent: events of one ordering key arrive in the order they were appended."""

    ordering_key: str
    """The run id, or the job's name for an event without a run."""

    body: bytes
    """The JSON exactly as it will be sent; one line, since files and consoles take one per line."""

    def __post_init__(self) -> None:
        if b"\n" in self.body:
            raise ValueError("the body of an event must be JSON on one line, without a line break")


class StoredEvent(Struct, frozen=True):
    """One event as it lies in the outbox; a resend sends these bytes again."""

    id: int
    ordering_key: str
    body: bytes
    stored_at: datetime


class DeadLetter(Struct, frozen=True):
    """An event that a destination will never take; it stays until it is replayed or dropped."""

    destination: str
    event_id: int
    ordering_key: str
    reason: str
    since: datetime
    size: int


class WaitingEvent(Struct, frozen=True):
    """An event that some destination still has to get."""

    event_id: int
    ordering_key: str
    stored_at: datetime
    size: int
    destinations: tuple[str, ...]


class OutboxSize(Struct, frozen=True):
    """What lies in the file now."""

    events: int
    bytes: int


class DestinationStatus(Struct, frozen=True):
    """How far one destination is."""

    name: str
    kind: str
    configured: bool
    """False once it left the configuration: it holds nothing back, its dead letters stay."""

    depth: int
    """Events that it still has to get."""

    oldest_age_seconds: float | None
    """How long the oldest of them waits; None when there is none."""

    dead_letters: int
    delivered: int
    dropped: int
    """Events that it never got because a size or age cap removed them."""

    last_delivery: datetime | None
    paused: str | None
    """Why it does not let us in (401, 403, a wrong address); None when it does."""

    trouble: str | None
    """Why the last attempt failed; None when it did not."""

    trouble_since: datetime | None
