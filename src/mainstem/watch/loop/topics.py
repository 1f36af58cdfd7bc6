"""When ``/connectors/{name}/topics`` is asked, and what is remembered of the answers."""

from __future__ import annotations

from concurrent.futures import Executor, Future, as_completed
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from zlib import crc32

from msgspec import Struct

from mainstem.errors import MainstemError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from mainstem.watch.connect.client import ConnectClient
    from mainstem.watch.connect.snapshot import ObservedConnector, State

FIRST_RETRY = timedelta(seconds=2)
"""A connector without topics is asked again soon, then ever more rarely."""

Occasion = tuple[str, "State"]
"""The config version and the state of a connector."""


class TopicsAnswer(Struct, frozen=True):
    """What was answered for one connector, and when to ask again."""

    asked_for: Occasion
    """What it was asked for; another one asks at once."""

    topics: tuple[str, ...] | None
    due: datetime
    pause: timedelta


class _Question(Struct):
    """One that is under way."""

    asked_for: Occasion
    answer: Future[tuple[str, ...] | None]
    is_waited_for: bool = True
    """Once: by the turn that it is asked for."""


class TopicsBook:
    """Remembers the topics seen; asks few connectors at a time."""

    def __init__(
        self,
        client: ConnectClient,
        pool: Executor,
        refresh: timedelta,
        asks: Callable[[ObservedConnector], bool] = lambda _: True,
    ) -> None:
        self._client = client
        self._pool = pool
        self._refresh = refresh
        self._asks = asks
        self._answers: dict[str, TopicsAnswer] = {}
        self._under_way: dict[str, _Question] = {}

    def topics(self, connector: str) -> tuple[str, ...] | None:
        """The topics last seen; None is unknown."""
        answer = self._answers.get(connector)
        return answer.topics if answer else None

    def is_due(self, connector: ObservedConnector, now: datetime) -> bool:
        """Whether it is to be asked, or was and the answer has not been taken."""
        if not self._asks(connector):
            return False
        answer = self._answers.get(connector.name)
        return answer is None or now >= answer.due or answer.asked_for != _occasion(connector)

    def begin(self, connectors: Iterable[ObservedConnector], now: datetime) -> None:
        """Ask for those that are due; ``ask`` waits for the answers."""
        for connector in connectors:
            if connector.name not in self._under_way and self.is_due(connector, now):
                answer = self._pool.submit(self._client.topics, connector.name)
                self._under_way[connector.name] = _Question(_occasion(connector), answer)

    def ask(
        self,
        connectors: Sequence[ObservedConnector],
        now: datetime,
        patience: timedelta,
        answered: Callable[[int], None] = lambda _: None,
    ) -> None:
        """Ask for those that are due and wait a little; what comes later counts next time.

        A question is waited for once; ``answered`` hears how many are.
        """
        self.begin(connectors, now)
        due = [each.name for each in connectors if each.name in self._under_way]
        with suppress(TimeoutError):
            coming = as_completed(self._waited_for(due), timeout=patience.total_seconds())
            for number, _ in enumerate(coming, start=1):
                answered(number)
        for name in due:
            question = self._under_way[name]
            if question.answer.done():
                del self._under_way[name]
                self._take(name, question, now)

    def _waited_for(self, connectors: Iterable[str]) -> list[Future[tuple[str, ...] | None]]:
        questions = [self._under_way[name] for name in connectors]
        new = [each.answer for each in questions if each.is_waited_for]
        for each in questions:
            each.is_waited_for = False
        return new

    def keep_only(self, connectors: Collection[str]) -> None:
        """Forget the connectors that are gone."""
        for name in self._answers.keys() - connectors:
            del self._answers[name]
        for name in self._under_way.keys() - connectors:
            del self._under_way[name]

    def _take(self, name: str, question: _Question, now: datetime) -> None:
        """Keep the answer; a failed question keeps what was known and comes again."""
        known = self._answers.get(name)
        try:
            topics = question.answer.result()
        except MainstemError:
            topics = known.topics if known else None
        if topics is not None:
            pause = self._refresh
        elif known is not None and known.asked_for == question.asked_for:
            pause = min(self._refresh, known.pause * 2)
        else:
            pause = min(self._refresh, FIRST_RETRY)
        due = now + _staggered(pause, name)
        self._answers[name] = TopicsAnswer(question.asked_for, topics, due, pause)


def decide_lineage(connector: ObservedConnector) -> bool:
    """Whether the topics seen may change what it moves, and not only how that is known."""
    return connector.type != "sink" or not connector.config.get("topics")


def _occasion(connector: ObservedConnector) -> Occasion:
    return connector.config_version, connector.state


def _staggered(pause: timedelta, connector: str) -> timedelta:
    """Between half and all of the pause, by the name, so that connectors are asked in turn."""
    return pause * (0.5 + (crc32(connector.encode("utf-8", "surrogatepass")) % 1000) / 2000)
