"""Keeps a field tree finite: what holds itself and what grows too large is cut, with a mark."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mainstem.watch.schema_registry.fields import RECORD, Field

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from mainstem.watch.schema_registry.fields import Branch

MOST_FIELDS = 5000
MOST_LEVELS = 32


class Shape(NamedTuple):
    """What a type is, before a field of that type has a name."""

    word: str
    fields: tuple[Field, ...] = ()
    optional: bool = False
    alone: Branch | None = None
    """Where it stands in the place of a union of this type alone."""

    @property
    def is_record(self) -> bool:
        """Whether the fields are the type's own, and not those of elements in it."""
        return bool(self.fields) and not self.word.startswith(("array<", "map<", "repeated "))

    def within(self, before: str, after: str) -> Shape:
        """The same elements in an array or a map, whose word surrounds theirs."""
        return Shape(f"{before}{self.word}{after}", self.fields)

    def named(
        self,
        name: str,
        *,
        optional: bool = False,
        description: str | None = None,
        branch: Branch | None = None,
    ) -> Field:
        """A field of this type."""
        may_miss = optional or self.optional
        return Field(name, self.word, self.fields, may_miss, description, branch or self.alone)

    def top(self) -> tuple[Field, ...]:
        """The fields of a whole schema: a record's own, or one without a name."""
        return self.fields if self.is_record else (self.named(""),)


class Tree:
    """One tree while it grows."""

    def __init__(self) -> None:
        self._left = MOST_FIELDS
        self._open: list[Hashable] = []

    def grow(
        self, key: Hashable, label: str, width: int, shape: Callable[[], Shape], word: str = RECORD
    ) -> Shape:
        """The shape of a type with ``width`` fields, unless it must be cut.

        ``key`` is the type's identity: one that is still open above holds itself.
        """
        if key is not None and key in self._open:
            return Shape(f"recursive({label})")
        if len(self._open) >= MOST_LEVELS or self._left < width:
            return Shape(f"{word}(cut)")
        self._left -= width
        self._open.append(key)
        try:
            return shape()
        finally:
            self._open.pop()
