"""What an expression may refer to while it is evaluated, and what a node gives to the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct, field

from mainstem.spark.values import UNKNOWN, Flow, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mainstem.spark.captured import Place
    from mainstem.spark.lineage import Dataset, DatasetKey
    from mainstem.spark.tree import Node


class Column(NamedTuple):
    """One column of what a node gives."""

    id: int
    name: str
    value: Value


class Rows(Struct, frozen=True):
    """What one node of a plan gives: columns, and what decided which rows there are."""

    columns: Sequence[Column] = ()
    decided: frozenset[Flow] = frozenset()

    def but(self, *flows: frozenset[Flow]) -> Rows:
        """The same columns, of which more decided."""
        return Rows(self.columns, self.decided.union(*flows))


class StreamColumn(NamedTuple):
    """One column that a stream hands to ``foreachBatch``."""

    value: Value
    decided: frozenset[Flow]
    inputs: tuple[Dataset, ...]


class Reading(Struct):
    """One plan being read: what is known of its leaves, and what was found on the way."""

    places: Mapping[int, Place]
    streams: Mapping[int, StreamColumn]
    rows_of: Callable[[Node, Scope], Rows]
    """Evaluates a node; handed in, because expressions hold whole plans (sub-queries)."""

    targets: Mapping[DatasetKey, Dataset] = field(default_factory=dict)
    """Where the plan writes."""

    command: str | None = None
    """``MERGE``, ``UPDATE`` or ``DELETE`` where rows of the target are changed."""

    inputs: dict[DatasetKey, Dataset] = field(default_factory=dict)
    opaque: dict[str, None] = field(default_factory=dict)
    """In the order they were met."""

    shared: dict[int, Rows] = field(default_factory=dict)
    """What a common table expression, or the last round of a recursive one, gives; by its id."""


class Scope(Struct):
    """The columns that an expression sees, innermost first."""

    reading: Reading
    columns: Mapping[int, Value] = field(default_factory=dict)
    outer: Scope | None = None
    decided: set[Flow] = field(default_factory=set)
    """What decided the rows of the sub-queries that were met."""

    def within(self, rows: Sequence[Rows]) -> Scope:
        """The scope of a node's expressions, given what its children give."""
        columns = {column.id: column.value for each in rows for column in each.columns}
        return Scope(self.reading, columns, self.outer)

    def column(self, identity: int) -> Value:
        """The value of a column by its expression id; one that no child gave is unknown."""
        found = self.columns.get(identity)
        if found is not None:
            return found
        if self.outer:
            return self.outer.column(identity)
        if not self.reading.opaque:
            self.reading.opaque["AttributeReference"] = None
        return UNKNOWN

    def rows_of_subquery(self, plan: Node) -> Rows:
        """What a plan inside an expression gives; it may refer to columns around it."""
        rows = self.reading.rows_of(plan, Scope(self.reading, outer=self))
        self.decided.update(rows.decided)
        return rows
