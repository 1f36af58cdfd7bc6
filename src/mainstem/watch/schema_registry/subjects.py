"""Under which subject a registry holds the schema of a topic's keys or values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.watch.schema_registry.access import (
    KafkaAccess,
    RegistryAccess,
    Trust,
    choose_registry,
)
from mainstem.watch.schema_registry.fields import NoSchema

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mainstem.watch.connect.converters import Converters

_DEBEZIUM = {"value": ("Envelope", "Value"), "key": ("Key",)}
"""How Debezium's records are called, behind the topic's name."""


class Question(Struct, frozen=True):
    """What a registry is asked for one half of a topic's records."""

    access: RegistryAccess
    subjects: tuple[str, ...]
    """The first of them that exists is it."""

    prefix: str | None = None
    """Else the one subject that begins so, if there is one alone."""

    expected: bool = True
    """Whether the connector or its worker says that its schemas are there."""

    @property
    def words(self) -> tuple[tuple[str, ...], str | None]:
        """What ``RegistryClient.find`` is given."""
        return self.subjects, self.prefix


class RecordQuestion(Struct, frozen=True):
    """Which half of a topic's last records is looked at."""

    access: KafkaAccess
    topic: str
    side: str
    expected: bool = True

    @property
    def words(self) -> tuple[str, str]:
        """What ``LastRecords.find`` is given."""
        return self.topic, self.side


AnyQuestion = Question | RecordQuestion


class Questions(Struct, frozen=True):
    """Of both halves of a topic's records, or why one is not asked for."""

    key: AnyQuestion | NoSchema
    value: AnyQuestion | NoSchema


def questions_for(
    topic: str,
    connector: Converters,
    worker: Converters,
    trust: Trust,
    declared: Mapping[str, str],
) -> Questions:
    """What is asked for a topic of a connector; ``declared`` are the recipe's ``subjects``."""
    value_alone = not _shares_subjects(connector)

    def question(side: str) -> AnyQuestion | NoSchema:
        own = connector.key if side == "key" else connector.value
        other = worker.key if side == "key" else worker.value
        says = own if own.uses_registry is not None else other
        nobody_says = says.uses_registry is None and trust.registry is None
        if trust.kafka is not None and (says.embeds_schema or nobody_says):
            return RecordQuestion(trust.kafka, topic, side, expected=says.embeds_schema)
        access = choose_registry(own, other, trust)
        if isinstance(access, NoSchema):
            return access
        expected = bool(says.uses_registry)
        if subject := declared.get(f"{topic}-{side}"):
            return Question(access, (subject,), expected=True)
        names = (own.record_name,) if own.record_name else _records_by_convention(topic, side)
        match says.strategy:
            case "RecordNameStrategy":
                return Question(access, names, expected=expected)
            case "TopicRecordNameStrategy":
                subjects = tuple(f"{topic}-{name}" for name in names)
                alone = side == "value" and value_alone
                return Question(access, subjects, f"{topic}-" if alone else None, expected)
            case _:
                # a strategy of the user's own may name as it likes; the default is most likely
                return Question(access, (f"{topic}-{side}",), expected=expected)

    return Questions(question("key"), question("value"))


def is_record_of(subject: str, prefix: str) -> bool:
    """Whether a subject is a topic's and names a record behind it.

    >>> is_record_of("orders-shop.Order", "orders-"), is_record_of("orders-old-shop.A", "orders-")
    (True, False)
    """
    name = subject.removeprefix(prefix)
    parts = name.split(".")
    return name not in {"key", "value"} and all(part.isidentifier() for part in parts)


def _records_by_convention(topic: str, side: str) -> tuple[str, ...]:
    return tuple(f"{topic}.{name}" for name in _DEBEZIUM[side])


def _shares_subjects(connector: Converters) -> bool:
    """Whether keys are registered beside values, so that a subject may be of either."""
    return connector.key.uses_registry is not False and (
        connector.key.strategy == "TopicRecordNameStrategy" or connector.key.uses_registry is None
    )
