"""Brings what the outbox holds to its destinations: one thread each, none waits for another."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

from mainstem.clock import Clock, monotonic, now
from mainstem.errors import JournalUnwritable, MainstemError
from mainstem.logs import log
from mainstem.outbox.connection import Durability, connect, journal_errors
from mainstem.outbox.lane import Lane
from mainstem.outbox.ledger import Ledger
from mainstem.outbox.patience import Patience, Schedule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mainstem.outbox.destinations.protocol import Destination
    from mainstem.outbox.store import Outbox

IDLE_POLL_SECONDS = 1.0
"""How soon a replay from another process is seen; appends of this process wake at once."""

BROKEN_JOURNAL_WAIT_SECONDS = 5.0
REST_POLL_SECONDS = 0.25


class Drainer:
    """The only drainer of its outbox's file; two would bring events twice and out of order."""

    def __init__(
        self,
        box: Outbox,
        destinations: Sequence[Destination],
        clock: Clock = now,
        schedule: Schedule | None = None,
    ) -> None:
        self._box = box
        self._rested = threading.Condition()
        self._workers = tuple(
            _Worker(box, destination, clock, schedule or Schedule(), self._rested)
            for destination in destinations
        )

    def start(self) -> None:
        """Begin to deliver; destinations known from before and not among these hold nothing."""
        kinds = {worker.destination.name: worker.destination.kind for worker in self._workers}
        self._box.configure(kinds)
        self._box.when_stored(self.wake)
        for worker in self._workers:
            worker.thread.start()

    def wake(self) -> None:
        """Look for new events now; a destination that waits after a failure goes on waiting."""
        for worker in self._workers:
            worker.wake.set()

    def drain_until_empty(self, timeout: float) -> bool:
        """Wait until every destination has taken or refused everything; False if not in time."""
        end = monotonic() + timeout
        self.wake()
        with self._rested:
            while not self._box.is_drained():
                left = end - monotonic()
                if left <= 0:
                    return False
                self._rested.wait(min(left, REST_POLL_SECONDS))
        return True

    def stop(self, deadline_seconds: float = 10.0) -> None:
        """Drain for at most this long, then leave the rest in the outbox for the next start."""
        end = monotonic() + deadline_seconds
        for worker in self._workers:
            worker.stop_by(end)
        for worker in self._workers:
            worker.thread.join(max(0.0, end - monotonic()))


class _Worker:
    """One destination's thread."""

    def __init__(
        self,
        box: Outbox,
        destination: Destination,
        clock: Clock,
        schedule: Schedule,
        rested: threading.Condition,
    ) -> None:
        self.destination = destination
        self.wake = threading.Event()
        # A daemon: a send that hangs past the deadline must not keep the process alive; what it
        # was sending stays in the outbox.
        self.thread = threading.Thread(
            target=self._run, name=f"outbox-{destination.name}", daemon=True
        )
        self._path = box.path
        self._reserve = box.reserve
        self._clock = clock
        self._patience = Patience(schedule)
        self._rested = rested
        self._stop_at: float | None = None

    def stop_by(self, end: float) -> None:
        self._stop_at = end
        self.wake.set()

    def _run(self) -> None:
        lane: Lane | None = None
        with closing(self.destination), ExitStack() as opened:
            while True:
                try:
                    with journal_errors(self._path):
                        lane = lane or self._open_lane(opened)
                        wait = lane.step()
                        if wait != 0 and self._tidy(lane.ledger):
                            wait = 0.0
                except JournalUnwritable as error:
                    wait = self._wait_for_disk(error)
                except (MainstemError, sqlite3.Error) as error:
                    log.exception("journal in trouble", journal=str(self._path), why=str(error))
                    wait = BROKEN_JOURNAL_WAIT_SECONDS
                if self._is_over(wait):
                    return
                self._rest(wait)

    def _wait_for_disk(self, error: JournalUnwritable) -> float:
        if self._reserve.release():
            log.warning("disk full, the reserve is used to drain", journal=error.path)
            return 0.0
        log.error("deliveries cannot be written down", journal=error.path, why=error.reason)
        return BROKEN_JOURNAL_WAIT_SECONDS

    def _tidy(self, ledger: Ledger) -> bool:
        """Use the rest to give space back; True when there is more to do."""
        if self._reserve.is_kept():
            return ledger.give_space_back()
        ledger.fold_log()
        more = ledger.give_space_back()
        if not more:
            ledger.fold_log()
            self._reserve.secure()
        return more

    def _open_lane(self, opened: ExitStack) -> Lane:
        connection = opened.enter_context(closing(connect(self._path, Durability.PROCESS_DEATH)))
        ledger = Ledger(connection, self.destination.name)
        return Lane(self.destination, ledger, self._patience, self._clock)

    def _is_over(self, wait: float | None) -> bool:
        if self._stop_at is None:
            return False
        return wait is None or monotonic() + wait >= self._stop_at

    def _rest(self, wait: float | None) -> None:
        if wait == 0:
            return
        with self._rested:
            self._rested.notify_all()
        self.wake.wait(IDLE_POLL_SECONDS if wait is None else wait)
        self.wake.clear()
