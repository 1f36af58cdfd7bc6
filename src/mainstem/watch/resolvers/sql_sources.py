"""The words in which a query's columns are told: where each comes from, and what happens to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable

TableName = tuple[str, ...]
"""A table's name in parts, from the catalog to the table; those not said are left out.

Only a schema between two that are said is empty: ``database..table``.
"""

DIRECT_KINDS = ("IDENTITY", "TRANSFORMATION", "AGGREGATION")
"""What may happen to a value that arrives, from the least to the most."""


class QuerySource(NamedTuple):
    """One column of a table that a result's column is made from, or that decides about it."""

    table: TableName
    column: str
    transformation: str = "IDENTITY"
    """OpenLineage's subtype; all but the first three are those of columns that only decide."""

    masking: bool = False

    @property
    def direct(self) -> bool:
        """Whether its value arrives."""
        return self.transformation in DIRECT_KINDS


class QueryColumn(Struct, frozen=True):
    """One column of the result; without sources it is made from no table."""

    name: str
    sources: tuple[QuerySource, ...]


class Star(Struct, frozen=True):
    """The one table of which every column comes out under its own name."""

    table: TableName
    others: frozenset[str]
    """The names of the result's other columns, in lower case."""


def stronger(one: str, other: str) -> str:
    """Of two things that may happen to a value that arrives, the one that leaves less of it."""
    return one if DIRECT_KINDS.index(one) >= DIRECT_KINDS.index(other) else other


def deciding(sources: Iterable[QuerySource], kind: str) -> tuple[QuerySource, ...]:
    """The same columns where they decide about others and do not arrive themselves."""
    return tuple(dict.fromkeys(source._replace(transformation=kind) for source in sources))


def strongest(sources: Iterable[QuerySource]) -> tuple[QuerySource, ...]:
    """Each origin once, with the most that happens to it on any of its ways.

    It is masked where no way leaves it as it is; what decides stands beside what arrives.
    """
    found: dict[tuple[TableName, str, str], QuerySource] = {}
    for source in sources:
        key = (source.table, source.column, "" if source.direct else source.transformation)
        other = found.get(key)
        if other is None:
            found[key] = source
        elif source != other:
            kind = other.transformation
            if source.direct:
                kind = stronger(kind, source.transformation)
            masking = source.masking and other.masking
            found[key] = QuerySource(source.table, source.column, kind, masking)
    return tuple(found.values())
