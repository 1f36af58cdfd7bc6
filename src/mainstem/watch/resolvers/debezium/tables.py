"""Which tables a Debezium connector captures, from its include and exclude lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mainstem.watch.resolvers.name_lists import NameLists, split_patterns

if TYPE_CHECKING:
    from mainstem.watch.transforms.settings import Settings

_KINDS = ("database", "schema", "table", "collection")
# 1.x said whitelist and blacklist.
LIST_READS = tuple(
    f"{kind}.{suffix}"
    for kind in _KINDS
    for suffix in ("include.list", "whitelist", "exclude.list", "blacklist")
)


@dataclass(frozen=True, slots=True, order=True)
class Table:
    """A captured table, or collection: the name in its database, schema or keyspace."""

    qualifier: str
    """The schema; for systems without schemas the database."""

    name: str
    database: str | None = None
    """The database, where it is above the qualifier and a topic's name holds it."""


@dataclass(frozen=True, slots=True)
class TableLists:
    """The lists of one connector; ``qualifier_kind`` is ``schema`` or ``database``."""

    tables: NameLists
    qualifiers: NameLists
    databases: tuple[str, ...] = ()
    """Those that topics' names hold; empty where they hold none."""

    def allows(self, table: Table) -> bool:
        """Whether the lists let the table through."""
        if table.database is not None and table.database not in self.databases:
            return False
        return self.qualifiers.allows(table.qualifier) and self.tables.allows(
            f"{table.qualifier}.{table.name}"
        )

    @property
    def exact(self) -> tuple[Table, ...]:
        """The tables that the lists spell out.

        With several databases, which of them has a table is not known from the lists.
        """
        if len(self.databases) > 1:
            return ()
        database = self.databases[0] if self.databases else None
        split = (name.rpartition(".") for name in self.tables.exact)
        found = (Table(qualifier, name, database) for qualifier, _, name in split if qualifier)
        unqualified = (self._without_database(table) for table in found)
        return tuple(table for table in unqualified if self.qualifiers.allows(table.qualifier))

    @property
    def all_known(self) -> bool:
        """Whether the lists spell out every table that is captured."""
        return self.tables.complete and len(self.databases) <= 1

    def words(self, prefix: str) -> tuple[str, ...]:
        """Every text that a topic's part before the table can be, if all are known."""
        qualifiers = self.qualifiers.exact if self.qualifiers.complete else ()
        if not qualifiers and self.all_known:
            qualifiers = tuple(table.qualifier for table in self.exact)
        if not qualifiers:
            return ()
        inner = (*self.databases, *qualifiers)
        return tuple(dict.fromkeys([prefix, *inner, *(f"{prefix}.{word}" for word in inner)]))

    def _without_database(self, table: Table) -> Table:
        # "db.schema.table" is accepted by managed connectors; the list is matched without the db.
        database, dot, schema = table.qualifier.partition(".")
        if dot and database in self.databases:
            return Table(schema, table.name, table.database)
        return table


def table_lists(
    config: Settings, *, tables: str, qualifiers: str, databases: tuple[str, ...] = ()
) -> TableLists:
    """The lists that a config has under the kinds given, such as ``table`` and ``schema``."""
    return TableLists(_lists(config, tables), _lists(config, qualifiers), databases)


def _lists(config: Settings, kind: str) -> NameLists:
    return NameLists(
        include=split_patterns(config.first(f"{kind}.include.list", f"{kind}.whitelist")),
        exclude=split_patterns(config.first(f"{kind}.exclude.list", f"{kind}.blacklist")),
    )
