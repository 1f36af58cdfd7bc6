"""When ``/connectors/{name}/topics`` is asked, and what is remembered of the answers."""

from __future__ import annotations

from concurrent.futures import Executor, Future, wait
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from zlib import crc32

from mainstem.errors import MainstemError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.watch.connect.client import ConnectClient
    from mainstem.watch.connect.snapshot import ObservedConnector

FIRST_RETRY = timedelta(seconds=2)
"""A connector without topics is asked again soon, then ever more rarely."""


@dataclass(frozen=True, slots=True)
class TopicsAnswer:
    """What was answered for one connector, and when to ask again."""

    asked_for: str
    """The config version and state that it was asked for; another one asks at once."""

    topics: tuple[str, ...] | None
    due: datetime
    pause: timedelta


class TopicsBook:
    """Remembers the topics seen; asks few connectors at a time, and never delays a look."""

    def __init__(self, client: ConnectClient, pool: Executor, refresh: timedelta) -> None:
        self._client = client
        self._pool = pool
        self._refresh = refresh
        self._answers: dict[str, TopicsAnswer] = {}
        self._under_way: dict[str, Future[tuple[str, ...] | None]] = {}

    def topics(self, connector: str) -> tuple[str, ...] | None:
        """The topics last seen; None is unknown."""
        answer = self._answers.get(connector)
        return answer.topics if answer else None

    def ask(
        self, connectors: Iterable[ObservedConnector], now: datetime, patience: timedelta
    ) -> None:
        """Ask for those that are due and wait a little; what comes later counts next time."""
        observed = {connector.name: connector for connector in connectors}
        for name in self._answers.keys() - observed.keys():
            del self._answers[name]
        for name, connector in observed.items():
            if name not in self._under_way and self._is_due(connector, now):
                self._under_way[name] = self._pool.submit(self._client.topics, name)
        if not self._under_way:
            return
        wait(self._under_way.values(), timeout=patience.total_seconds())
        for name, future in list(self._under_way.items()):
            if future.done():
                del self._under_way[name]
                if name in observed:
                    self._take(observed[name], future, now)

    def _is_due(self, connector: ObservedConnector, now: datetime) -> bool:
        answer = self._answers.get(connector.name)
        return answer is None or answer.asked_for != _occasion(connector) or now >= answer.due

    def _take(
        self, connector: ObservedConnector, future: Future[tuple[str, ...] | None], now: datetime
    ) -> None:
        """Keep the answer; a failed question keeps what was known and comes again."""
        known = self._answers.get(connector.name)
        try:
            topics = future.result()
        except MainstemError:
            topics = known.topics if known else None
        occasion = _occasion(connector)
        if topics is not None:
            pause = self._refresh
        elif known is not None and known.asked_for == occasion:
            pause = min(self._refresh, known.pause * 2)
        else:
            pause = min(self._refresh, FIRST_RETRY)
        due = now + _staggered(pause, connector.name)
        self._answers[connector.name] = TopicsAnswer(occasion, topics, due, pause)


def _occasion(connector: ObservedConnector) -> str:
    return f"{connector.config_version} {connector.state}"


def _staggered(pause: timedelta, connector: str) -> timedelta:
    """Between half and all of the pause, by the name, so that connectors are asked in turn."""
    return pause * (0.5 + (crc32(connector.encode("utf-8", "surrogatepass")) % 1000) / 2000)
