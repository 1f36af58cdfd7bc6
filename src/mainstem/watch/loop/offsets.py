"""Who is asked for offsets next: all running connectors in turn, slowly, beside the look."""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING

from mainstem.errors import MainstemError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from mainstem.clock import Clock
    from mainstem.watch.connect.client import ConnectClient
    from mainstem.watch.connect.offsets import Offsets

Reading = tuple[str, "Offsets", "datetime"]
"""A connector, its offsets, and when it was asked."""


class OffsetsRound:
    """A round of connectors; one thread asks, the look says whom and takes the answers."""

    def __init__(self, client: ConnectClient, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._lock = threading.Lock()
        self._wanted: frozenset[str] = frozenset()
        self._round: deque[str] = deque()
        self._readings: list[Reading] = []

    def want(self, connectors: Iterable[str]) -> None:
        """Ask these from now on; those that are new come first."""
        wanted = frozenset(connectors)
        if wanted == self._wanted:
            return
        with self._lock:
            new = sorted(wanted - self._wanted)
            self._round = deque([*new, *(name for name in self._round if name in wanted)])
            self._wanted = wanted

    def take(self) -> list[Reading]:
        """What was answered since the last time."""
        with self._lock:
            readings, self._readings = self._readings, []
        return readings

    def ask_next(self) -> None:
        """Ask the next one; no answer is no news."""
        with self._lock:
            if not self._round:
                return
            connector = self._round[0]
            self._round.rotate(-1)
        try:
            offsets = self._client.offsets(connector)
        except MainstemError:
            return
        if offsets is not None:
            with self._lock:
                self._readings.append((connector, offsets, self._clock()))


class OffsetsThread(threading.Thread):
    """Asks at most ``rate`` times a second, each time for at most the client's time-out."""

    def __init__(self, round_of: OffsetsRound, rate: float, cluster: str) -> None:
        # A daemon: ``/offsets`` may hang for seconds, and nothing is lost when it is cut off.
        super().__init__(name=f"offsets-{cluster}", daemon=True)
        self._round = round_of
        self._pause = 1.0 / rate
        self._stopped = threading.Event()

    def run(self) -> None:
        """Ask until ``stop``."""
        while not self._stopped.wait(self._pause):
            self._round.ask_next()

    def stop(self) -> None:
        """Ask no more."""
        self._stopped.set()
