"""One destination's way out of the outbox, one event per step; no thread and no sleep in here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from mainstem.clock import Clock, monotonic, now
from mainstem.errors import DestinationBusy, DestinationLocked, DestinationRefused
from mainstem.logs import log
from mainstem.outbox.destinations.attempt import attempt
from mainstem.outbox.instants import to_milliseconds
from mainstem.outbox.patience import Patience

if TYPE_CHECKING:
    from collections.abc import Callable

    from mainstem.outbox.destinations.protocol import Destination
    from mainstem.outbox.ledger import Ledger
    from mainstem.outbox.model import StoredEvent


class Lane(Struct):
    """Brings one destination its events in order and writes down what became of them."""

    destination: Destination
    ledger: Ledger
    patience: Patience = field(default_factory=Patience)
    clock: Clock = now
    monotonic: Callable[[], float] = monotonic
    _unwritten: Callable[[], None] | None = None
    """What is known but not yet in the record, because the disk did not take it."""

    _trouble: str | None = None

    def step(self) -> float | None:
        """Try one event; answers the seconds until the next step, None when nothing is to do.

        Raises:
            JournalUnwritable: the record could not be written; the next step writes it first, so
                that a full disk does not make one event arrive again and again.
        """
        self._write()
        instant = self.monotonic()
        wait = self.patience.whole_wait(instant)
        if wait > 0:
            return wait
        event = self._choose(instant)
        if event is None:
            return self.patience.next_chance(instant)
        self._bring(event)
        self._write()
        return 0.0

    def _choose(self, instant: float) -> StoredEvent | None:
        blocked = self.patience.blocked(instant)
        event = self.ledger.next_event(blocked)
        while event is None and (suspect := self.patience.suspect_to_retry(instant)) is not None:
            event = self.ledger.next_event(blocked - {suspect})
            if event is None:
                self.patience.forget(suspect)
        return event

    def _bring(self, event: StoredEvent) -> None:
        try:
            attempt(self.destination, event)
        except DestinationRefused as refusal:
            self._dead_letter(event, refusal.reason)
        except DestinationLocked as locked:
            self.patience.locked(self.monotonic())
            self._tell_trouble(locked.reason, paused=True)
        except DestinationBusy as busy:
            self._wait_after(event, busy)
        else:
            self._delivered(event)

    def _delivered(self, event: StoredEvent) -> None:
        self.patience.delivered(event.ordering_key, self.monotonic())
        at_ms = to_milliseconds(self.clock())
        self._unwritten = lambda: self.ledger.delivered(event, at_ms)
        if self._trouble is not None:
            log.info("destination takes events again", destination=self.destination.name)
            self._trouble = None

    def _dead_letter(self, event: StoredEvent, reason: str) -> None:
        # A refusal is an answer: the destination is there, and other suspects are at fault alone.
        self.patience.delivered(event.ordering_key, self.monotonic())
        at_ms = to_milliseconds(self.clock())
        self._unwritten = lambda: self.ledger.refused(event, reason, at_ms)
        log.error(
            "event refused, kept as a dead letter",
            destination=self.destination.name,
            id=event.id,
            key=event.ordering_key,
            reason=reason,
        )

    def _wait_after(self, event: StoredEvent, busy: DestinationBusy) -> None:
        instant = self.monotonic()
        if busy.whole:
            self.patience.failed_whole(instant, busy.retry_after)
        else:
            self.patience.failed(event.ordering_key, instant)
        self._tell_trouble(busy.reason, paused=False)

    def _tell_trouble(self, reason: str, *, paused: bool) -> None:
        if reason == self._trouble:
            return
        self._trouble = reason
        at_ms = to_milliseconds(self.clock())
        self._unwritten = lambda: self.ledger.troubled(reason, at_ms, paused=paused)
        event = "destination paused" if paused else "destination does not take events"
        log.warning(event, destination=self.destination.name, reason=reason)

    def _write(self) -> None:
        if self._unwritten is not None:
            self._unwritten()
            self._unwritten = None
