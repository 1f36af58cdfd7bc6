"""When registries and topics are asked for schemas, and what is remembered; no look is delayed."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct, field

from mainstem.errors import MainstemError
from mainstem.logs import log
from mainstem.watch.schema_registry.access import NO_REGISTRY, KafkaAccess, RegistryAccess
from mainstem.watch.schema_registry.client import Limits, RegistryClient
from mainstem.watch.schema_registry.fields import NoSchema, SubjectFields, TopicFields
from mainstem.watch.schema_registry.last_records import LastRecords
from mainstem.watch.schema_registry.subjects import AnyQuestion, Questions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FIRST_PAUSE = timedelta(seconds=2)
LONGEST_PAUSE = timedelta(minutes=1)
"""Between two questions to one that does not answer."""

NEVER = datetime.min.replace(tzinfo=UTC)

Found = SubjectFields | NoSchema
Access = RegistryAccess | KafkaAccess


class Client(Protocol):
    """Somebody who knows schemas, and how they want to be asked."""

    @property
    def name(self) -> str:
        """Where it is, for people."""
        ...

    @property
    def at_once(self) -> int:
        """How many questions it may think about at a time."""
        ...

    @property
    def pause(self) -> timedelta:
        """Between asking the same question twice; without one it is asked in every look."""
        ...

    @property
    def is_waited_for(self) -> bool:
        """Whether a look waits a little for its answers while it is well."""
        ...

    @property
    def find(self) -> Callable[..., Found]:
        """The answer to the words of a question."""
        ...

    def close(self) -> None:
        """Give back the connections."""
        ...


OpenClient = Callable[[Access, Limits], Client]


def open_client(access: Access, limits: Limits) -> Client:
    """The client of a registry, or the reader of a Kafka's topics."""
    if isinstance(access, KafkaAccess):
        return LastRecords(access, limits)
    return RegistryClient(access, limits)


class _Asked(Struct):
    """One who is asked, and how it is doing."""

    client: Client
    threads: ThreadPoolExecutor
    """Of its own, so that one that hangs keeps no other from answering."""

    ails: bool = False
    """It failed or was too slow: it is asked one question at a time, and not waited for."""

    failures: int = 0
    again: datetime = NEVER
    look: datetime = NEVER
    questions: int = 0
    """In that look."""


class _Answer(Struct):
    asked: datetime
    found: Found | None = None


class SchemaBook(Struct):
    """Remembers the latest schema of each half of a topic's records that is watched."""

    limits: Limits
    budget: int
    """How many questions one look may ask of each; the rest take turns.

    A look may ask several times; all of them give the same time.
    """

    waits_for_all: bool = False
    """For those who look but once."""

    open_client: OpenClient = open_client
    _unusable: set[Access] = field(default_factory=set[Access])
    _asked: dict[Access, _Asked] = field(default_factory=dict[Access, _Asked])
    _answers: dict[AnyQuestion, _Answer] = field(default_factory=dict[AnyQuestion, _Answer])
    _under_way: dict[AnyQuestion, Future[Found]] = field(
        default_factory=dict[AnyQuestion, Future[Found]]
    )

    def ask(self, questions: Iterable[Questions], now: datetime, patience: timedelta) -> None:
        """Ask what is due and wait a little for those that are well."""
        self._collect(now)
        self._submit(_halves(questions), now)
        awaited = {
            question: future
            for question, future in self._under_way.items()
            if self._is_waited_for(question)
        }
        if awaited and patience:
            wait(awaited.values(), timeout=patience.total_seconds())
            self._collect(now)
            for question in awaited.keys() & self._under_way.keys():
                self._asked[question.access].ails = True

    def keep_only(self, questions: Iterable[Questions]) -> None:
        """Forget the answers that nobody asks for any more."""
        for question in self._answers.keys() - _halves(questions):
            del self._answers[question]

    def fields(self, questions: Mapping[str, Questions]) -> dict[str, TopicFields]:
        """What is known of the topics of these questions now."""
        known = {topic: self._topic(each) for topic, each in questions.items()}
        return {topic: fields for topic, fields in known.items() if fields.value or fields.key}

    def reasons(self, questions: Mapping[str, Questions]) -> tuple[str, ...]:
        """Why schemas of these topics are missing, where somebody expects them."""
        told = {
            f"no schema for the {side} of {topic}: {found.reason}": None
            for topic, each in questions.items()
            for side, half in (("value", each.value), ("key", each.key))
            if isinstance(found := self._found(half), NoSchema) and _is_worth_a_word(half)
        }
        return tuple(told)

    def close(self) -> None:
        """Ask no more, and give back the connections."""
        for asked in self._asked.values():
            asked.threads.shutdown(wait=False, cancel_futures=True)
            asked.client.close()

    def _is_waited_for(self, question: AnyQuestion) -> bool:
        asked = self._asked[question.access]
        return not asked.ails and (asked.client.is_waited_for or self.waits_for_all)

    def _submit(self, wanted: set[AnyQuestion], now: datetime) -> None:
        by_access: dict[Access, list[AnyQuestion]] = {}
        for question in wanted - self._under_way.keys():
            by_access.setdefault(question.access, []).append(question)
        for access, questions in by_access.items():
            asked = self._opened(access)
            if asked is None or now < asked.again:
                continue
            due = [each for each in questions if self._is_due(each, asked.client.pause, now)]
            for question in sorted(due, key=self._turn)[: self._budget_left(asked, access, now)]:
                asked.questions += 1
                self._answers.setdefault(question, _Answer(now)).asked = now
                self._under_way[question] = asked.threads.submit(asked.client.find, *question.words)

    def _is_due(self, question: AnyQuestion, pause: timedelta, now: datetime) -> bool:
        when = self._when(question)
        return when != now and now - when >= pause

    def _budget_left(self, asked: _Asked, access: Access, now: datetime) -> int:
        if asked.look != now:
            asked.look, asked.questions = now, 0
        if not asked.ails:
            return self.budget - asked.questions
        is_busy = any(question.access == access for question in self._under_way)
        return 0 if is_busy or asked.questions else 1

    def _when(self, question: AnyQuestion) -> datetime:
        answer = self._answers.get(question)
        return answer.asked if answer else NEVER

    def _turn(self, question: AnyQuestion) -> tuple[datetime, str]:
        return self._when(question), str(question.words)

    def _collect(self, now: datetime) -> None:
        for question, future in list(self._under_way.items()):
            if future.done():
                del self._under_way[question]
                self._take(question, future, now)

    def _take(self, question: AnyQuestion, future: Future[Found], now: datetime) -> None:
        """Keep the answer; a question that failed keeps what was known."""
        asked = self._asked[question.access]
        try:
            found = future.result()
        except MainstemError as error:
            # from when it was asked: nobody may have looked at the answer for long
            since = self._when(question)
            self._note_failure(asked, error, now if since is NEVER else since)
            return
        if asked.failures:
            log.info("schemas are told again", by=asked.client.name)
        asked.failures, asked.ails, asked.again = 0, False, NEVER
        if question in self._answers:
            self._answers[question].found = found

    def _note_failure(self, asked: _Asked, error: MainstemError, since: datetime) -> None:
        if not asked.failures:
            log.warning(
                "no answer about schemas; lineage goes out without what it would tell",
                asked=asked.client.name,
                reason=str(error),
            )
        asked.failures += 1
        asked.ails = True
        asked.again = since + min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(asked.failures, 10))

    def _opened(self, access: Access) -> _Asked | None:
        if access in self._unusable:
            return None
        if access not in self._asked:
            try:
                client = self.open_client(access, self.limits)
            except MainstemError as error:
                log.warning("schemas cannot be asked for", reason=str(error))
                self._unusable.add(access)
                return None
            self._asked[access] = _Asked(client, ThreadPoolExecutor(client.at_once, "schemas"))
        return self._asked[access]

    def _found(self, half: AnyQuestion | NoSchema) -> Found | None:
        if isinstance(half, NoSchema):
            return half
        answer = self._answers.get(half)
        return answer.found if answer else None

    def _topic(self, questions: Questions) -> TopicFields:
        value, key = self._found(questions.value), self._found(questions.key)
        fields = TopicFields()
        if isinstance(value, SubjectFields):
            fields = TopicFields(value.fields, value_schema=value.schema)
        if isinstance(key, SubjectFields):
            fields = TopicFields(fields.value, key.fields, fields.value_schema, key.schema)
        return fields


def _halves(questions: Iterable[Questions]) -> set[AnyQuestion]:
    halves = (half for each in questions for half in (each.key, each.value))
    return {half for half in halves if not isinstance(half, NoSchema)}


def _is_worth_a_word(half: AnyQuestion | NoSchema) -> bool:
    return half is not NO_REGISTRY if isinstance(half, NoSchema) else half.expected
