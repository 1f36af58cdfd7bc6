"""When ``/connectors/{name}/topics`` is asked, and what is remembered of the answers."""

from __future__ import annotations

import hashlib
from concurrent.futures import Executor, Future, as_completed
from contextlib import suppress
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING
from zlib import crc32

from msgspec import Struct

from mainstem.errors import ConnectRefused, ConnectUnavailable, MainstemError, NoSuchResource
from mainstem.watch.journal import SeenTopics

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

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

    config: str
    """A hash of the keys that it holds for, whatever becomes of the others."""

    topics: tuple[str, ...] | None
    due: datetime
    pause: timedelta
    trouble: str | None = None
    """Why there is no answer, if so."""

    is_lasting: bool = False
    """Whether this Connect will not tell any other time either: tracking is off, or it is old."""


class TopicsKnown(Struct, frozen=True):
    """What is known of a connector's topics now."""

    topics: tuple[str, ...] | None
    """None is unknown."""

    unasked: str | None = None
    """Why they could not be asked, for people, if so."""

    holds: bool = False
    """Whether an answer may tell more soon: till then nothing is taken back for being missing."""


NOT_WANTED = TopicsKnown(None)
NO_ANSWER = "no answer yet"


class _Question(Struct):
    """One that is under way."""

    connector: ObservedConnector
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
        seen: Mapping[str, SeenTopics] = MappingProxyType({}),
    ) -> None:
        self._client = client
        self._pool = pool
        self._refresh = refresh
        self._asks = asks
        self._answers: dict[str, TopicsAnswer] = {}
        self._under_way: dict[str, _Question] = {}
        self._seen = dict(seen)
        self._changes: dict[str, SeenTopics | None] = {}

    def known(self, connector: ObservedConnector) -> TopicsKnown:
        """What was answered for its config, or, where nothing was, what was seen before."""
        if not self._asks(connector):
            return NOT_WANTED
        answer = self._answers.get(connector.name)
        if answer is None or not _holds_for(answer, connector):
            return self._seen_before(connector, NO_ANSWER, is_lasting=False)
        if answer.trouble is None:
            return TopicsKnown(answer.topics)
        return self._seen_before(connector, answer.trouble, is_lasting=answer.is_lasting)

    def take_changes(self) -> dict[str, SeenTopics | None]:
        """What is to be remembered since it was last taken, by connector."""
        changes, self._changes = self._changes, {}
        return changes

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
                self._under_way[connector.name] = _Question(connector, answer)

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

    def keep_only(self, connectors: Collection[str], there: Collection[str]) -> None:
        """Ask no more for others than these; what was seen is kept of all that are there."""
        for name in self._seen.keys() - there:
            del self._seen[name]
            self._changes[name] = None
        for name in self._answers.keys() - connectors:
            del self._answers[name]
        for name in self._under_way.keys() - connectors:
            del self._under_way[name]

    def _seen_before(
        self, connector: ObservedConnector, trouble: str, *, is_lasting: bool
    ) -> TopicsKnown:
        said = unasked(trouble)
        seen = self._seen.get(connector.name)
        if seen is not None and seen.config == _config_of(connector):
            said = f"{said}; those seen before are told"
            return TopicsKnown(seen.topics, said, holds=not is_lasting)
        return TopicsKnown(None, said, holds=not is_lasting)

    def _take(self, name: str, question: _Question, now: datetime) -> None:
        """Keep the answer; a failed question leaves what was seen and comes again soon."""
        known = self._answers.get(name)
        asked_for, config = _occasion(question.connector), _config_of(question.connector)
        topics, trouble, is_lasting = None, None, False
        try:
            topics = question.answer.result()
        except MainstemError as error:
            trouble, is_lasting = _reason(error), self._is_lasting(error)
        else:
            self._see(name, SeenTopics(config, topics) if topics else None)
        if topics is not None:
            pause = self._refresh
        elif known is not None and known.asked_for == asked_for and known.topics is None:
            pause = min(self._refresh, known.pause * 2)
        else:
            pause = min(self._refresh, FIRST_RETRY)
        due = now + _staggered(pause, name)
        self._answers[name] = TopicsAnswer(
            asked_for, config, topics, due, pause, trouble, is_lasting
        )

    def _is_lasting(self, error: MainstemError) -> bool:
        """Whoever told of any connector knows the resource: its 404 is not an old Connect's."""
        knows = isinstance(error, NoSuchResource) and bool(self._seen)
        return isinstance(error, ConnectRefused) and not knows

    def _see(self, name: str, seen: SeenTopics | None) -> None:
        if self._seen.get(name) == seen:
            return
        self._changes[name] = seen
        if seen is None:
            del self._seen[name]
        else:
            self._seen[name] = seen


def unasked(trouble: str) -> str:
    """That a connector's topics could not be asked, for people."""
    return f"its topics could not be asked ({trouble})"


def decide_lineage(connector: ObservedConnector) -> bool:
    """Whether the topics seen may change what it moves, and not only how that is known."""
    return connector.type != "sink" or not connector.config.get("topics")


def _occasion(connector: ObservedConnector) -> Occasion:
    return connector.config_version, connector.state


def _holds_for(answer: TopicsAnswer, connector: ObservedConnector) -> bool:
    """Whether it was asked for this config, or for one that differs in nothing of interest."""
    same = answer.asked_for[0] == connector.config_version
    return same or answer.config == _config_of(connector)


def _config_of(connector: ObservedConnector) -> str:
    """A hash of what lineage may rest on: other keys say nothing of topics."""
    told = "".join(f"{key}\0{value}\0" for key, value in sorted(connector.config.items()))
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _reason(error: MainstemError) -> str:
    """Without the address, which differs between workers."""
    return error.reason if isinstance(error, ConnectUnavailable | ConnectRefused) else str(error)


def _staggered(pause: timedelta, connector: str) -> timedelta:
    """Between half and all of the pause, by the name, so that connectors are asked in turn."""
    return pause * (0.5 + (crc32(connector.encode("utf-8", "surrogatepass")) % 1000) / 2000)
