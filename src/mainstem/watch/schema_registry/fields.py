"""The one field model that Avro, JSON Schema and Protobuf are read into."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a record; ``fields`` are its children where it is a record itself."""

    name: str
    type: str
    """The type's own word in its schema language, for instance ``long`` or ``decimal(10,2)``."""

    fields: tuple[Field, ...] = ()
    optional: bool = False
    description: str | None = None


@dataclass(frozen=True, slots=True)
class TopicFields:
    """What is known of a topic's record: the fields of its key and of its value."""

    value: tuple[Field, ...] = ()
    key: tuple[Field, ...] = ()


@dataclass(frozen=True, slots=True)
class NoSchema:
    """No schema is known, and why."""

    reason: str
