"""What Debezium's settings do to single columns: leave them out, cut them, mask them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.watch.resolvers.name_lists import NameLists, patterns_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.transforms.record import Node
    from mainstem.watch.transforms.settings import Settings

READS = tuple(
    f"column.{word}" for word in ("include.list", "whitelist", "exclude.list", "blacklist")
)
PATTERNS = (
    r"column\.truncate\.to\.\d+\.chars",
    r"column\.mask\.with\.\d+\.chars",
    r"column\.mask\.hash\..+",
)
_TEXTS = frozenset({"string", "enum"})
_WITH_CATALOG = 3


class ColumnLists(Struct, frozen=True):
    """The lists of one connector; columns are matched with their tables' names."""

    kept: NameLists
    truncated: NameLists
    masked: NameLists

    def keeps(self, table: DatasetName, column: str) -> bool:
        """Whether the column is a part of rows; in keys it is all the same."""
        return not (self.kept.include or self.kept.exclude) or (
            any(map(self.kept.allows, _names(table, column)))
            if self.kept.include
            else all(map(self.kept.allows, _names(table, column)))
        )

    def treated(self, table: DatasetName, column: Node) -> Node:
        """The column of a row, marked where its text is cut or masked; the first setting counts."""
        if column.type not in _TEXTS:
            return column
        if _lists(self.truncated, table, column.name):
            return column.marked("TRANSFORMATION")
        if _lists(self.masked, table, column.name):
            return column.marked("TRANSFORMATION", masking=True)
        return column


def column_lists(config: Settings) -> ColumnLists:
    """The lists that a config has."""
    return ColumnLists(
        NameLists(
            include=patterns_of(config, "column.include.list", "column.whitelist"),
            exclude=patterns_of(config, "column.exclude.list", "column.blacklist"),
        ),
        NameLists(include=_of_keys(config, PATTERNS[0])),
        NameLists(include=(*_of_keys(config, PATTERNS[1]), *_of_keys(config, PATTERNS[2]))),
    )


def _of_keys(config: Settings, pattern: str) -> tuple[str, ...]:
    keys = [key for key in config if re.fullmatch(pattern, key)]
    return tuple(one for key in keys for one in patterns_of(config, key))


def _lists(lists: NameLists, table: DatasetName, column: str) -> bool:
    return bool(lists.include) and any(map(lists.allows, _names(table, column)))


def _names(table: DatasetName, column: str) -> Iterator[str]:
    """A column as the lists may spell it: with and without the database above its schema."""
    yield f"{table.name}.{column}"
    database, _, below = table.name.partition(".")
    if database and table.name.count(".") >= _WITH_CATALOG - 1:
        yield f"{below}.{column}"
