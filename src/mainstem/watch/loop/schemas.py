"""When a schema registry is asked, and what is remembered of its answers; it delays no look."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import structlog

from mainstem.errors import MainstemError
from mainstem.watch.schema_registry.access import NO_REGISTRY, RegistryAccess
from mainstem.watch.schema_registry.client import Limits, RegistryClient, SubjectFields
from mainstem.watch.schema_registry.fields import NoSchema, TopicFields
from mainstem.watch.schema_registry.subjects import Question, Questions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

log = structlog.get_logger()

QUESTIONS_AT_ONCE = 4
FIRST_PAUSE = timedelta(seconds=2)
LONGEST_PAUSE = timedelta(minutes=1)
"""Between two questions to a registry that does not answer."""

NEVER = datetime.min.replace(tzinfo=UTC)

Found = SubjectFields | NoSchema
OpenClient = Callable[[RegistryAccess, Limits], RegistryClient]


@dataclass(slots=True)
class _Registry:
    """One registry and how it is doing."""

    client: RegistryClient
    ails: bool = False
    """It failed or was too slow: it is asked one question at a time, and not waited for."""

    failures: int = 0
    again: datetime = NEVER
    look: datetime = NEVER
    asked: int = 0
    """In that look."""


@dataclass(slots=True)
class _Answer:
    asked: datetime
    found: Found | None = None


@dataclass(slots=True)
class SchemaBook:
    """Remembers the latest schema of each subject that is watched."""

    limits: Limits
    budget: int
    """How many questions one look may ask of each registry; the rest take turns.

    A look may ask several times; all of them give the same time.
    """

    open_client: OpenClient = RegistryClient
    _pool: ThreadPoolExecutor | None = None
    _unusable: set[RegistryAccess] = field(default_factory=set[RegistryAccess])
    _registries: dict[RegistryAccess, _Registry] = field(
        default_factory=dict[RegistryAccess, _Registry]
    )
    _answers: dict[Question, _Answer] = field(default_factory=dict[Question, _Answer])
    _under_way: dict[Question, Future[Found]] = field(default_factory=dict[Question, Future[Found]])

    def ask(self, questions: Iterable[Questions], now: datetime, patience: timedelta) -> None:
        """Ask what is due and wait a little for registries that are well."""
        self._collect(now)
        self._submit(_halves(questions), now)
        awaited = [
            future
            for question, future in self._under_way.items()
            if not self._registries[question.access].ails
        ]
        if awaited and patience:
            wait(awaited, timeout=patience.total_seconds())
            self._collect(now)
            for question in self._under_way:
                self._registries[question.access].ails = True

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
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        for registry in self._registries.values():
            registry.client.close()

    def _submit(self, wanted: set[Question], now: datetime) -> None:
        by_registry: dict[RegistryAccess, list[Question]] = {}
        for question in wanted - self._under_way.keys():
            if self._turn(question)[0] != now:
                by_registry.setdefault(question.access, []).append(question)
        for access, questions in by_registry.items():
            registry = self._registry(access)
            if registry is None or now < registry.again:
                continue
            budget = self._budget_left(registry, access, now)
            for question in sorted(questions, key=self._turn)[:budget]:
                registry.asked += 1
                self._answers.setdefault(question, _Answer(now)).asked = now
                self._under_way[question] = self._threads().submit(
                    registry.client.find, question.subjects, question.prefix
                )

    def _budget_left(self, registry: _Registry, access: RegistryAccess, now: datetime) -> int:
        if registry.look != now:
            registry.look, registry.asked = now, 0
        if not registry.ails:
            return self.budget - registry.asked
        is_busy = any(question.access == access for question in self._under_way)
        return 0 if is_busy or registry.asked else 1

    def _turn(self, question: Question) -> tuple[datetime, tuple[str, ...]]:
        answer = self._answers.get(question)
        return (answer.asked if answer else NEVER), question.subjects

    def _collect(self, now: datetime) -> None:
        for question, future in list(self._under_way.items()):
            if future.done():
                del self._under_way[question]
                self._take(question, future, now)

    def _take(self, question: Question, future: Future[Found], now: datetime) -> None:
        """Keep the answer; a question that failed keeps what was known."""
        registry = self._registries[question.access]
        try:
            found = future.result()
        except MainstemError as error:
            # from when it was asked: nobody may have looked at the answer for long
            asked = self._turn(question)[0]
            self._note_failure(registry, error, now if asked is NEVER else asked)
            return
        if registry.failures:
            log.info("schema registry answers again", registry=registry.client.name)
        registry.failures, registry.ails, registry.again = 0, False, NEVER
        if question in self._answers:
            self._answers[question].found = found

    def _note_failure(self, registry: _Registry, error: MainstemError, since: datetime) -> None:
        if not registry.failures:
            log.warning(
                "schema registry does not answer; lineage goes out without what it would tell",
                registry=registry.client.name,
                reason=str(error),
            )
        registry.failures += 1
        registry.ails = True
        registry.again = since + min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(registry.failures, 10))

    def _registry(self, access: RegistryAccess) -> _Registry | None:
        if access in self._unusable:
            return None
        if access not in self._registries:
            try:
                client = self.open_client(access, self.limits)
            except MainstemError as error:
                log.warning("schema registry cannot be asked", reason=str(error))
                self._unusable.add(access)
                return None
            self._registries[access] = _Registry(client)
        return self._registries[access]

    def _threads(self) -> ThreadPoolExecutor:
        self._pool = self._pool or ThreadPoolExecutor(QUESTIONS_AT_ONCE, "schemas")
        return self._pool

    def _found(self, half: Question | NoSchema) -> Found | None:
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


def _halves(questions: Iterable[Questions]) -> set[Question]:
    halves = (half for each in questions for half in (each.key, each.value))
    return {half for half in halves if isinstance(half, Question)}


def _is_worth_a_word(half: Question | NoSchema) -> bool:
    return half.expected if isinstance(half, Question) else half is not NO_REGISTRY
