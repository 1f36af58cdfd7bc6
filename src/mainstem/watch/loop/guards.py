"""Asks each connector class once which of its keys are passwords, beside the look."""

from __future__ import annotations

from concurrent.futures import Executor, Future, wait
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from mainstem.errors import MainstemError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.watch.connect.client import ConnectClient

RETRY = timedelta(minutes=10)
"""When a class is asked again whose worker did not answer."""


NOTHING: tuple[datetime | None, tuple[Future[frozenset[str]], ...]] = (None, ())


class GuardBook:
    """Remembers which classes have told; one that does not answer never delays a later look."""

    def __init__(self, client: ConnectClient, pool: Executor) -> None:
        self._client = client
        self._pool = pool
        self._told: set[str] = set()
        self._under_way: dict[str, Future[frozenset[str]]] = {}
        self._again: dict[str, datetime] = {}
        self._waits_for = NOTHING

    def learn(self, classes: Iterable[str], now: datetime, patience: timedelta) -> bool:
        """Ask for the classes not known yet; whether any key became known as a password.

        ``now`` is the look's: it waits once, however often it is called in one look, and for no
        question of an earlier one.
        """
        new = {
            each: self._pool.submit(self._client.password_keys, each)
            for each in set(classes) - self._told - self._under_way.keys()
            if each and now >= self._again.get(each, now)
        }
        self._under_way |= new
        if new:
            self._waits_for = (now, tuple(new.values()))
        if patience and self._waits_for[0] == now:
            wait(self._waits_for[1], timeout=patience.total_seconds())
            self._waits_for = NOTHING
        done = [each for each, future in self._under_way.items() if future.done()]
        return any(self._take(each, self._under_way.pop(each), now) for each in done)

    def _take(self, each: str, future: Future[frozenset[str]], now: datetime) -> bool:
        try:
            keys = future.result()
        except MainstemError:
            self._again[each] = now + RETRY
            return False
        self._told.add(each)
        self._client.protect(each, keys)
        return bool(keys)
