"""Events that must not be lost: stored first, then sent in order to every destination."""

from __future__ import annotations

from mainstem.outbox.caps import Caps
from mainstem.outbox.configuration import Configuration, read_configuration
from mainstem.outbox.destinations.protocol import Destination
from mainstem.outbox.destinations.table import destinations_from_configuration
from mainstem.outbox.drainer import Drainer
from mainstem.outbox.location import default_journal_path
from mainstem.outbox.migrations import apply_migrations
from mainstem.outbox.model import (
    DeadLetter,
    DestinationStatus,
    OutboxItem,
    OutboxSize,
    StoredEvent,
    WaitingEvent,
)
from mainstem.outbox.preparation import preparation_from_configuration
from mainstem.outbox.reader import OutboxReader
from mainstem.outbox.store import Outbox

__all__ = [
    "Caps",
    "Configuration",
    "DeadLetter",
    "Destination",
    "DestinationStatus",
    "Drainer",
    "Outbox",
    "OutboxItem",
    "OutboxReader",
    "OutboxSize",
    "StoredEvent",
    "WaitingEvent",
    "apply_migrations",
    "default_journal_path",
    "destinations_from_configuration",
    "preparation_from_configuration",
    "read_configuration",
]
