"""Protobuf schemas as fields, spelt as Confluent's converter gives them to a connector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct

from mainstem.errors import CannotTell
from mainstem.watch.schema_registry.fields import Field
from mainstem.watch.schema_registry.tree import Shape, Tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

MESSAGE = "message"
ONEOF = "oneof"

_SCALARS = frozenset(
    (
        *("double", "float", "bool", "string", "bytes"),
        *("int32", "int64", "uint32", "uint64", "sint32", "sint64"),
        *("fixed32", "fixed64", "sfixed32", "sfixed64"),
    )
)

_LEAVES = frozenset({"google.protobuf.Timestamp", "google.type.Date", "google.type.TimeOfDay"})
"""Messages that the converter makes into one value."""

WRAPPERS = {
    f"google.protobuf.{name}Value": word
    for name, word in (
        *(("Double", "double"), ("Float", "float"), ("Int64", "int64"), ("UInt64", "uint64")),
        *(("Int32", "int32"), ("UInt32", "uint32"), ("Bool", "bool"), ("String", "string")),
        ("Bytes", "bytes"),
    )
}
"""Messages of one field ``value``, which make a scalar that may be missing."""

_DECIMAL = "confluent.type.Decimal"


def read_protobuf(text: str, references: Mapping[str, str]) -> tuple[Field, ...]:
    """The fields of the first message of a Protobuf schema.

    >>> [f.name for f in read_protobuf('syntax = "proto3"; message A { int32 id = 1; }', {})]
    ['id']
    """
    types = _Types([_parse(text), *map(_parse, references.values())])
    return _Reader(types).shape(types.first()).top()


class _Type(Struct, frozen=True):
    """A message or an enum under its full name."""

    name: str
    node: Any
    implicit_presence: bool
    """proto3: a scalar without a word before it is always there."""


def _parse(text: str) -> Any:
    """The syntax tree; the parser alone would print what it does not understand, and go on."""
    from antlr4.error.ErrorListener import ErrorListener  # noqa: PLC0415  see read_avro
    from proto_schema_parser.parser import Parser  # noqa: PLC0415

    class Complaint(ErrorListener):
        def syntaxError(  # noqa: N802, PLR0917
            self,
            recognizer: Any,  # noqa: ARG002
            offendingSymbol: Any,  # noqa: ARG002, N803
            line: int,
            column: int,
            msg: str,
            e: Any,  # noqa: ARG002
        ) -> None:
            raise CannotTell(f"Protobuf schema: line {line}, column {column}: {msg}")

    def strict(recognizer: Any) -> None:
        recognizer.removeErrorListeners()
        recognizer.addErrorListener(Complaint())

    return Parser(setup_lexer=strict, setup_parser=strict).parse(text)


class _Types:
    """Every message and enum of a file and of those it imports, by its full name."""

    def __init__(self, files: list[Any]) -> None:
        self._known: dict[str, _Type] = {}
        for file in files:
            package = next((one.name for one in _of(file.file_elements, "Package")), "")
            self._add(package, file.file_elements, implicit_presence=file.syntax == "proto3")

    def first(self) -> _Type:
        """The message that a schema stands for: the first of its file."""
        for found in self._known.values():
            if not _is_enum(found.node):
                return found
        raise CannotTell("Protobuf schema: there is no message in it")

    def find(self, name: str, scope: str) -> _Type | None:
        """The type that a name means at a place: the innermost that is called so."""
        if name.startswith("."):
            return self._known.get(name[1:])
        while scope:
            found = self._known.get(f"{scope}.{name}")
            if found is not None:
                return found
            scope = scope.rpartition(".")[0]
        return self._known.get(name)

    def _add(self, scope: str, elements: Iterable[Any], *, implicit_presence: bool) -> None:
        for node in _of(elements, "Message", "Enum", "Group"):
            name = f"{scope}.{node.name}" if scope else node.name
            self._known.setdefault(name, _Type(name, node, implicit_presence))
            if not _is_enum(node):
                self._add(name, node.elements, implicit_presence=implicit_presence)


class _Reader:
    def __init__(self, types: _Types) -> None:
        self._types = types
        self._tree = Tree()

    def shape(self, message: _Type) -> Shape:
        """What a message holds."""
        elements = message.node.elements
        return self._tree.grow(
            message.name,
            message.name,
            len(elements),
            lambda: Shape(MESSAGE, tuple(self._fields(message, elements))),
            MESSAGE,
        )

    def _fields(self, message: _Type, elements: Iterable[Any]) -> Iterator[Field]:
        oneofs = 0
        for node, comment in _commented(elements):
            match type(node).__name__:
                case "Field" | "Group":
                    yield self._field(message, node, comment)
                case "MapField":
                    values = self._named(node.value_type, message, node)
                    shape = values.within(f"map<{node.key_type},", ">")
                    yield shape.named(node.name, description=comment)
                case "OneOf":
                    # by its order, since a converter's record has no two fields of one name
                    members = tuple(self._fields(message, node.elements))
                    chosen = tuple(
                        Field(one.name, one.type, one.fields, True, one.description)
                        for one in members
                    )
                    yield Field(f"{node.name}_{oneofs}", ONEOF, chosen, True, comment)
                    oneofs += 1
                case _:
                    continue

    def _field(self, message: _Type, node: Any, comment: str | None) -> Field:
        is_group = type(node).__name__ == "Group"
        name = node.name.lower() if is_group else node.name
        shape = self._named(node.name if is_group else node.type, message, node)
        word = node.cardinality.value if node.cardinality else None
        if word == "REPEATED":
            return shape.within("repeated ", "").named(name, description=comment)
        always = word == "REQUIRED" or (
            word is None and message.implicit_presence and shape.word in {*_SCALARS, "enum"}
        )
        return shape.named(name, optional=not always, description=comment)

    def _named(self, name: str, message: _Type, node: Any) -> Shape:
        if name in _SCALARS:
            return Shape(name)
        found = self._types.find(name, message.name)
        full_name = found.name if found else name.lstrip(".")
        if full_name == _DECIMAL:
            return Shape(_decimal(node))
        if full_name in WRAPPERS:
            return Shape(full_name, (Field("value", WRAPPERS[full_name]),))
        if found is None or full_name in _LEAVES:
            # a type of a file that nobody gave: its name is all there is
            return Shape(full_name)
        return Shape("enum") if _is_enum(found.node) else self.shape(found)


def _decimal(node: Any) -> str:
    parameters = dict(_parameters(node))
    return f"decimal({parameters.get('precision', '?')},{parameters.get('scale', '0')})"


def _parameters(node: Any) -> Iterator[tuple[str, str]]:
    """The pairs in ``[(confluent.field_meta) = {params: [{key: …, value: …}]}]``."""
    for option in getattr(node, "options", ()):
        if option.name != "(confluent.field_meta)":
            continue
        for params in getattr(option.value, "elements", ()):
            if params.name != "params":
                continue
            several = isinstance(params.value, list)
            for pair in cast("list[Any]", params.value if several else [params.value]):
                entry = {str(one.name): str(one.value) for one in pair.elements}
                yield entry.get("key", ""), entry.get("value", "")


def _of(elements: Iterable[Any], *kinds: str) -> Iterator[Any]:
    return (element for element in elements if type(element).__name__ in kinds)


def _is_enum(node: Any) -> bool:
    return type(node).__name__ == "Enum"


def _commented(elements: Iterable[Any]) -> Iterator[tuple[Any, str | None]]:
    """Each element with the comment above it."""
    above: list[str] = []
    for element in elements:
        if type(element).__name__ != "Comment":
            yield element, " ".join(above) or None
            above = []
        elif not element.inline:
            above.append(_plain(element.text))


def _plain(comment: str) -> str:
    lines = comment.removeprefix("/*").removesuffix("*/").splitlines()
    return " ".join(text for line in lines if (text := line.strip().lstrip("/*").strip()))
