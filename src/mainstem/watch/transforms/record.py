"""A record's fields on their way through a chain of transforms, each knowing where it came from."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from mainstem.errors import CannotTell
from mainstem.watch.schema_registry.fields import KEY_ROOT, RECORD, VALUE_ROOT, NoSchema
from mainstem.watch.transforms.spelling import USUAL, Spelling

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mainstem.watch.schema_registry.fields import Field, TopicFields


class Side(StrEnum):
    """Which half of a record a transform works on, as the end of its class name says."""

    KEY = "key"
    VALUE = "value"


STRUCT = "struct"
_NOT_RECORDS = ("array", "map", "repeated")
_RECORDS = (STRUCT, RECORD, "recursive")
_OPEN_RECORDS = ("object", "message")
"""What JSON Schema and Protobuf call a record of which they name no field."""


class Origin(Struct, frozen=True):
    """A field at the other end of the chain, and what happens between it and here."""

    path: str
    """Spelt as all columns of topics are: ``after.price``, ``$key.id``, ``$value``, ``$offset``."""

    transformation: str = "IDENTITY"
    masking: bool = False
    direct: bool = True
    """False where its value does not arrive, but decides whether or how another does."""


class Node(Struct, frozen=True):
    """One field, or with an empty name the whole of a key or value."""

    name: str
    type: str
    origins: tuple[Origin, ...] = ()
    fields: tuple[Node, ...] = ()
    optional: bool = False
    description: str | None = None

    @property
    def is_record(self) -> bool:
        """Whether its fields are its own, and not those of the elements it holds."""
        return bool(self.fields) and not self.type.lower().startswith(_NOT_RECORDS)

    @property
    def holds_one_value(self) -> bool:
        """Whether it is neither a record nor a collection."""
        several = self.type.lower().startswith((*_NOT_RECORDS, *_RECORDS))
        return not several and self.type not in _OPEN_RECORDS and not self.fields

    def named(self, name: str) -> Node:
        """The same field under another name."""
        return Node(name, self.type, self.origins, self.fields, self.optional, self.description)

    def also_from(self, origins: tuple[Origin, ...]) -> Node:
        """The same field, which has other origins besides its own."""
        every = (*self.origins, *origins)
        return Node(self.name, self.type, every, self.fields, self.optional, self.description)

    def child(self, name: str) -> Node | None:
        """The field directly below of that name."""
        return next((field for field in self.fields if field.name == name), None)

    def with_fields(self, fields: tuple[Node, ...]) -> Node:
        """The same record with other fields; what is no record raises ``CannotTell``."""
        if self.type != STRUCT and not self.is_record:
            raise CannotTell("a transform of fields meets a value that has none")
        return replace(self, type=STRUCT, fields=fields)

    def each_field(self, change: Callable[[Node], Node | None]) -> Node:
        """The same record with each direct field changed, or dropped where the answer is None."""
        return self.with_fields(
            tuple(changed for field in self.fields if (changed := change(field)) is not None)
        )

    def marked(self, transformation: str, *, masking: bool = False) -> Node:
        """The field with its way from its origins marked as more than a copy."""
        origins = tuple(
            Origin(origin.path, transformation, masking or origin.masking)
            if origin.direct
            else origin
            for origin in self.origins
        )
        fields = tuple(field.marked(transformation, masking=masking) for field in self.fields)
        return Node(self.name, self.type, origins, fields, self.optional, self.description)


class Nesting(Struct, frozen=True):
    """Which fields of a value hold fields of their own, where a source is known to be so."""

    records: frozenset[str] = frozenset()
    """The fields that are records, at the top; no other is one, but for columns of a type that
    takes several values."""

    parts: frozenset[str] = frozenset()
    """What the values of such a column are called."""


class Record(Struct, frozen=True):
    """What is known of a record between two transforms."""

    value: Node | NoSchema
    key: Node | NoSchema
    filters: tuple[Origin, ...] = ()
    """What decides whether a record arrives at all."""

    nesting: Nesting | None = None
    """On the way back: what the value was like before the step that is undone."""

    @property
    def is_possible(self) -> bool:
        """Whether no name stands twice in key or value; Java makes no such record."""
        return all(
            len({field.name for field in half.fields}) == len(half.fields)
            for half in (self.key, self.value)
            if not isinstance(half, NoSchema)
        )

    def half(self, side: Side) -> Node | NoSchema:
        """The key or the value."""
        return self.key if side is Side.KEY else self.value

    def with_half(self, side: Side, node: Node | NoSchema) -> Record:
        """The record with another key or value."""
        return replace(self, key=node) if side is Side.KEY else replace(self, value=node)

    def change(self, side: Side, change: Callable[[Node], Node | NoSchema]) -> Record:
        """The record with its key or value changed, where its fields are known."""
        node = self.half(side)
        return self if isinstance(node, NoSchema) else self.with_half(side, change(node))


def start(fields: TopicFields, value: Spelling = USUAL, key: Spelling = USUAL) -> Record:
    """The record at the end of a chain that is known: every field is its own origin."""
    return Record(
        _root(fields.value, VALUE_ROOT, "", value), _root(fields.key, KEY_ROOT, f"{KEY_ROOT}.", key)
    )


def columns(record: Record) -> Iterator[tuple[str, Node]]:
    """Every field of key and value that is not a record itself, by its path."""
    yield from _leaves(record.value, VALUE_ROOT, "")
    yield from _leaves(record.key, KEY_ROOT, f"{KEY_ROOT}.")


def _leaves(node: Node | NoSchema, path: str, prefix: str) -> Iterator[tuple[str, Node]]:
    if isinstance(node, NoSchema):
        return
    if node.is_record:
        yield from _leaves_below(node, prefix)
    elif node.type != STRUCT:
        # A record that a transform emptied holds nothing.
        yield path, node


def _leaves_below(node: Node, prefix: str) -> Iterator[tuple[str, Node]]:
    for field in node.fields:
        path = f"{prefix}{field.name}"
        if field.is_record:
            yield from _leaves_below(field, f"{path}.")
        elif field.type != STRUCT:
            yield path, field


def _root(
    fields: tuple[Field, ...], whole: str, prefix: str, spelling: Spelling
) -> Node | NoSchema:
    if not fields:
        return NoSchema("no schema is known")
    if len(fields) == 1 and not fields[0].name:
        return Node("", fields[0].type, (Origin(whole),), optional=fields[0].optional)
    if spelling is USUAL:
        nodes = tuple([_node(field, prefix) for field in fields])
    else:
        nodes = tuple([one for field in fields for one in _spelt(field, prefix, spelling)])
    return Node("", STRUCT, (Origin(whole),), nodes)


def _spelt(field: Field, prefix: str, spelling: Spelling) -> Iterator[Node]:
    """The field as a converter of other settings gives it to the connector."""
    path = f"{prefix}{field.name}"
    if spelling.is_flattened(field.type):
        for child in field.fields:
            yield from _spelt(child, f"{path}.", spelling)
    elif spelling.is_unwrapped(field.type):
        (value,) = field.fields
        origin = Origin(f"{path}.{value.name}")
        yield Node(field.name, value.type, (origin,), (), True, field.description)
    else:
        below = field.fields
        children = tuple(one for child in below for one in _spelt(child, f"{path}.", spelling))
        branch = field.branch
        name = spelling.field(field.name, field.type)
        if branch is not None and not branch.alone:
            name = spelling.branch(branch)
        origins = (Origin(path),)
        node = Node(name, field.type, origins, children, field.optional, field.description)
        if branch is not None and branch.alone and spelling.wraps_single:
            inner = node.named(spelling.branch(branch))
            node = Node(name, STRUCT, origins, (inner,), field.optional, field.description)
        yield node


def _node(field: Field, prefix: str) -> Node:
    path = f"{prefix}{field.name}"
    below = field.fields
    children = tuple([_node(child, f"{path}.") for child in below]) if below else ()
    origins = (Origin(path),)
    return Node(field.name, field.type, origins, children, field.optional, field.description)
