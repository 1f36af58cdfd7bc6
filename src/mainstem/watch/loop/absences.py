"""Connectors that a look no longer shows: deleted, or does the worker not know them yet?"""

from __future__ import annotations

from concurrent.futures import Executor, Future, wait
from typing import TYPE_CHECKING

from mainstem.errors import ConnectRefused, MainstemError

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime, timedelta

    from mainstem.watch.connect.client import ConnectClient


class Absences:
    """Asks the worker whether it means it, beside the look; a slow answer counts in the next.

    A worker that joins its group again can answer a look before it has read its configs: with
    nothing, although everything is there. Where configs may not be asked for, time must tell.
    """

    def __init__(self, client: ConnectClient, pool: Executor) -> None:
        self._client = client
        self._pool = pool
        self._asked: Future[frozenset[str]] | None = None
        self._may_not_ask = False
        self._since: dict[str, datetime] = {}

    def deleted(
        self, missing: Collection[str], now: datetime, patience: timedelta, grace: timedelta
    ) -> frozenset[str]:
        """Those of the missing that the worker says are gone."""
        self._since = {name: self._since.get(name, now) for name in missing}
        if not missing:
            self._asked = None
            return frozenset()
        if self._asked is None:
            self._asked = self._pool.submit(self._client.names_beside, min(missing))
        wait([self._asked], timeout=patience.total_seconds())
        there = self._answer()
        return frozenset(
            name
            for name, since in self._since.items()
            if (there is not None and name not in there)
            or (self._may_not_ask and now - since >= grace)
        )

    def _answer(self) -> frozenset[str] | None:
        if self._asked is None or not self._asked.done():
            return None
        asked, self._asked = self._asked, None
        try:
            return asked.result()
        except ConnectRefused:
            self._may_not_ask = True
        except MainstemError:
            self._may_not_ask = False
        return None
