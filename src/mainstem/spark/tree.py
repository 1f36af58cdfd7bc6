"""A plan's JSON as trees: Spark writes a tree as the list of its nodes, parents first."""

from __future__ import annotations

from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import orjson
from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

DRESS = frozenset({"metadata", "qualifier"})
"""Fields of a column that depend on how the query spells it, as ``t.id`` or ``id``."""


class Node(Struct, frozen=True, dict=True):
    """One node of a plan or of an expression."""

    name: str
    """The simple name of its class: ``Project``, ``AttributeReference``, ``Keep``."""

    fields: dict[str, Any]
    children: tuple[Node, ...]

    @cached_property
    def id(self) -> int:
        """The expression id of an attribute or alias."""
        return self.fields["exprId"]["id"]

    def text(self, field: str) -> str:
        """A field that is text; empty where there is none."""
        value = self.fields.get(field)
        return value if isinstance(value, str) else ""

    def tree(self, field: str) -> Node | None:
        """A field that is a tree of its own, or one of the node's children."""
        value = self.fields.get(field)
        if isinstance(value, int) and not isinstance(value, bool):
            return self.children[value]
        if isinstance(value, list) and value and isinstance(value[0], dict):
            return tree(value)
        return None

    def trees(self, field: str) -> tuple[Node, ...]:
        """A field that is a list of trees, or of the node's children."""
        value = self.fields.get(field)
        if not isinstance(value, list):
            return ()
        return tuple(self.children[each] if isinstance(each, int) else tree(each) for each in value)

    def object_name(self, field: str) -> str:
        """The simple name of a field that is a Scala object or case class."""
        value = self.fields.get(field)
        if not isinstance(value, dict):
            return ""
        return _simple(value.get("object") or value.get("product-class") or "")

    def is_like(self, other: Node) -> bool:
        """Whether both stand for the same value, however the query spells its columns."""
        pairs = zip_longest(self.walk(), other.walk())
        return all(one and two and one.bare == two.bare for one, two in pairs)

    @property
    def bare(self) -> dict[str, Any]:
        """The fields without the dress."""
        return {key: value for key, value in self.fields.items() if key not in DRESS}

    def walk(self) -> Iterator[Node]:
        """The node and all below it that are its children, parents first."""
        waiting: list[Node] = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


def parse(text: str) -> Node:
    """The tree of a plan's ``toJSON``."""
    return tree(orjson.loads(text))


def tree(nodes: Sequence[dict[str, Any]]) -> Node:
    """The tree that a list of nodes in pre-order stands for."""
    # Built from the last node backwards, so that a deep plan needs no recursion.
    waiting: list[Node] = []
    for fields in reversed(nodes):
        count = fields["num-children"]
        children = tuple(waiting[: -count - 1 : -1]) if count else ()
        if count:
            del waiting[-count:]
        waiting.append(Node(_simple(fields["class"]), fields, children))
    return waiting[0]


def _simple(class_name: str) -> str:
    return class_name.rstrip("$").rsplit(".", 1)[-1].rsplit("$", 1)[-1]
