"""What one Spark query reads and writes: the answer that a plan is turned into."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from msgspec import Struct, field

if TYPE_CHECKING:
    from collections.abc import Mapping

Kind: TypeAlias = Literal["DIRECT", "INDIRECT"]
"""Whether a value is made from the column, or only decided by it."""

Subtype: TypeAlias = Literal[
    "IDENTITY",
    "TRANSFORMATION",
    "AGGREGATION",
    "JOIN",
    "FILTER",
    "GROUP_BY",
    "SORT",
    "WINDOW",
    "CONDITIONAL",
]
"""OpenLineage's words: the first three are DIRECT, the others INDIRECT."""

Mode: TypeAlias = Literal["append", "overwrite", "merge", "update", "delete", "complete"]
"""What happens to the output; ``complete`` and ``update`` are also output modes of streams."""


class DatasetKey(NamedTuple):
    """What identifies a dataset."""

    namespace: str
    name: str


class SchemaField(Struct, frozen=True):
    """One column as Spark says it; a struct's fields below it."""

    name: str
    type: str
    fields: tuple[SchemaField, ...] = ()


class Dataset(Struct, frozen=True):
    """One place that is read or written."""

    namespace: str
    name: str
    symlinks: tuple[tuple[str, str, str], ...] = ()
    """Its other names: namespace, name, and ``TABLE`` or ``LOCATION``."""

    fields: tuple[SchemaField, ...] = ()

    @property
    def key(self) -> DatasetKey:
        """What identifies it."""
        return DatasetKey(self.namespace, self.name)


class Source(NamedTuple):
    """One input column of an output column, or of the whole output."""

    dataset: DatasetKey
    field: str
    """A nested column is its path, joined by dots; a topic's is spelt as connectors spell it."""

    kind: Kind
    subtype: Subtype
    masking: bool = False


class QueryLineage(Struct, frozen=True):
    """What one query reads and writes; outputs are empty for a query that only reads."""

    inputs: tuple[Dataset, ...]
    outputs: tuple[Dataset, ...]
    columns: Mapping[DatasetKey, Mapping[str, tuple[Source, ...]]] = field(default_factory=dict)
    """By output and output column; an empty tuple is a column made of nothing that was read."""

    indirect: Mapping[DatasetKey, tuple[Source, ...]] = field(default_factory=dict)
    """By output: what decides which rows it gets (joins, filters, groups, orders)."""

    opaque: tuple[str, ...] = ()
    """Classes of plan nodes that could not be seen through: where one is named, the columns
    are not the whole truth. A column whose value came out of such a node has no entry."""

    mode: Mode | None = None
