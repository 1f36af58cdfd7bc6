"""Which cells the sinks of wide-column stores write: Bigtable's and HBase's share one rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.watch.resolvers.column_rules import as_one_column
from mainstem.watch.transforms.record import STRUCT, Node

if TYPE_CHECKING:
    from collections.abc import Iterable


def cells(fields: Iterable[Node], default_family: str | None) -> Iterable[Node]:
    """A record in the value is a column family, its fields are the columns.

    Fields that are no records lie in the default family; without one they are not written.
    """
    families: dict[str, list[Node]] = {}
    for field in fields:
        if field.is_record:
            families.setdefault(field.name, []).extend(map(as_one_column, field.fields))
        elif default_family is not None:
            families.setdefault(default_family, []).append(field)
    return [Node(name, STRUCT, (), tuple(columns)) for name, columns in families.items()]
