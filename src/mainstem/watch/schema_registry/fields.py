"""The one field model that Avro, JSON Schema and Protobuf are read into."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

KEY_ROOT = "$key"
VALUE_ROOT = "$value"
RECORD = "record"


class Branch(Struct, frozen=True):
    """One of the types that a union may hold, as converters may call it by their settings."""

    index: int
    name: str
    qualified: str
    """With its namespace, where it has one."""

    alone: bool = False
    """Whether it is the union's only one, which mostly stands in the union's own place."""


class Field(Struct, frozen=True):
    """One field of a record; ``fields`` are its children where it is a record itself.

    A schema that is no record is one field without a name.
    """

    name: str
    type: str
    """The type's own word in its schema language, for instance ``long`` or ``decimal(10,2)``."""

    fields: tuple[Field, ...] = ()
    optional: bool = False
    description: str | None = None
    branch: Branch | None = None
    """Where it is a union's branch."""


class SchemaVersion(Struct, frozen=True):
    """Which schema of a registry it is that fields were read from."""

    subject: str
    version: int
    id: int
    """The registry's global id; what stands behind an id never changes."""

    format: str
    """``AVRO``, ``JSON`` or ``PROTOBUF``, as the registry says it."""


class TopicFields(Struct, frozen=True):
    """What is known of a topic's record: the fields of its key and of its value."""

    value: tuple[Field, ...] = ()
    key: tuple[Field, ...] = ()
    value_schema: SchemaVersion | None = None
    key_schema: SchemaVersion | None = None
    """None where no registry told it: a record's own schema, or the user's word."""


class DatasetSchema(Struct, frozen=True):
    """What a dataset's ``schema`` facet says, and the registry's schemas that it rests on."""

    fields: tuple[Field, ...]
    value: SchemaVersion | None = None
    key: SchemaVersion | None = None


class SubjectFields(Struct, frozen=True):
    """The fields of one half of a topic's records."""

    schema: SchemaVersion | None
    """The latest version of its subject; None where a record carries its schema itself."""

    fields: tuple[Field, ...]


class NoSchema(Struct, frozen=True):
    """No schema is known, and why."""

    reason: str


def topic_schema(topic: TopicFields) -> DatasetSchema:
    """A topic's schema, its columns spelt as all columns of topics are.

    >>> topic = TopicFields(value=(Field("price", "long"),), key=(Field("", "string"),))
    >>> [field.name for field in topic_schema(topic).fields]
    ['price', '$key']
    """
    value = tuple(each if each.name else replace(each, name=VALUE_ROOT) for each in topic.value)
    if len(topic.key) == 1 and not topic.key[0].name:
        key: tuple[Field, ...] = (replace(topic.key[0], name=KEY_ROOT),)
    else:
        key = (Field(KEY_ROOT, RECORD, topic.key),) if topic.key else ()
    return DatasetSchema((*value, *key), topic.value_schema, topic.key_schema)
