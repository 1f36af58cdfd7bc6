"""Which tables a Debezium connector captures, from its include and exclude lists."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from mainstem.watch.resolvers.name_lists import NameLists, patterns_of

if TYPE_CHECKING:
    from mainstem.watch.transforms.settings import Settings

_KINDS = ("database", "schema", "table", "collection")
# 1.x said whitelist and blacklist.
LIST_READS = tuple(
    f"{kind}.{suffix}"
    for kind in _KINDS
    for suffix in ("include.list", "whitelist", "exclude.list", "blacklist")
)
_QUALIFIER = re.compile(r"\^?([^\\.\[\]()*+?|{}]+)(?:\\\.|\[\.\]|\.)")


class Table(NamedTuple):
    """A captured table, or collection: the name in its database, schema or keyspace."""

    qualifier: str
    """The schema; for systems without schemas the database; nothing where tables lie in none."""

    name: str
    database: str | None = None
    """The database, where it is above the qualifier and a topic's name holds it."""

    @property
    def listed(self) -> str:
        """The table as the lists spell it."""
        return f"{self.qualifier}.{self.name}" if self.qualifier else self.name


class TableLists:
    """The lists of one connector."""

    def __init__(
        self,
        tables: NameLists,
        qualifiers: NameLists,
        databases: tuple[str, ...] = (),
        database: str | None = None,
        *,
        qualified: bool = True,
    ) -> None:
        self.tables = tables
        self.qualifiers = qualifiers
        self.databases = databases
        """Those that topics' names hold; empty where they hold none."""

        self.database = database
        """The one database above the schemas, where the config names it."""

        self.qualified = qualified
        """Whether tables lie in something, so that a name without it captures nothing."""

        names = tables.exact
        spelt_out = [self._tables(listed) for listed in names]
        self.exact = tuple(one for found in spelt_out if len(found) == 1 for one in found)
        """The tables that the lists spell out, each in one database."""

        self.in_any_database = tuple(one for found in spelt_out if len(found) > 1 for one in found)
        """The tables that the lists spell out without saying which of several databases they mean.

        Each may be in all of them or in some; the topics seen tell which.
        """

        nowhere = [one for one, found in zip(names, spelt_out, strict=True) if not found]
        self.kept_out = tuple([one for one in nowhere if "." in one])
        """The names that the lists spell out, in a schema or database that they exclude."""

        self.all_known = tables.complete and len(nowhere) == len(self.kept_out)
        """Whether the lists spell out every table that is captured."""

    def allows(self, table: Table) -> bool:
        """Whether the lists let the table through."""
        if table.database is not None and table.database not in self.databases:
            return False
        if table.qualifier and not self.qualifiers.allows(table.qualifier):
            return False
        if not self.tables.include:
            return self.tables.allows(table.listed)
        # Informix lists the database too, and managed connectors accept it.
        database = table.database or self.database
        return self.tables.allows(table.listed) or (
            database is not None and self.tables.allows(f"{database}.{table.listed}")
        )

    @property
    def known_qualifiers(self) -> tuple[str, ...]:
        """The schemas or databases that the lists spell out, perhaps not all there are."""
        if not self.qualified:
            return ("",)
        found = (_QUALIFIER.match(pattern) for pattern in self.tables.include)
        literal = [one[1] for one in found if one]
        return tuple(dict.fromkeys([*self.qualifiers.exact, *self._exact_qualifiers(), *literal]))

    @property
    def all_qualifiers(self) -> tuple[str, ...]:
        """The schemas or databases, if the lists spell out all that can be."""
        if not self.qualified:
            return ("",)
        if self.qualifiers.complete:
            return self.qualifiers.exact
        return self._exact_qualifiers() if self.all_known else ()

    def words(self, prefix: str) -> tuple[str, ...]:
        """Every text that a topic's part before the table can be, if all are known."""
        inner = (*self.databases, *self.all_qualifiers)
        if not self.all_qualifiers or not all(inner):
            return ()
        return tuple(dict.fromkeys([prefix, *inner, *(f"{prefix}.{word}" for word in inner)]))

    def _exact_qualifiers(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(table.qualifier for table in self.exact if table.qualifier))

    def _tables(self, listed: str) -> tuple[Table, ...]:
        if not self.qualified:
            return (Table("", listed),)
        qualifier, _, name = listed.rpartition(".")
        first, dot, schema = qualifier.partition(".")
        databases: tuple[str | None, ...] = self.databases or (None,)
        if dot and (first in self.databases or first == self.database):
            qualifier, databases = schema, (first if self.databases else None,)
        if not qualifier or not self.qualifiers.allows(qualifier):
            return ()
        return tuple(Table(qualifier, name, database) for database in databases)


def table_lists(
    config: Settings,
    *,
    tables: str,
    qualifiers: str,
    databases: tuple[str, ...] = (),
    database: str | None = None,
) -> TableLists:
    """The lists that a config has under the kinds given, such as ``table`` and ``schema``."""
    return TableLists(
        _lists(config, tables),
        _lists(config, qualifiers) if qualifiers else NameLists(),
        databases,
        database,
        qualified=bool(qualifiers),
    )


def _lists(config: Settings, kind: str) -> NameLists:
    return NameLists(
        include=patterns_of(config, f"{kind}.include.list", f"{kind}.whitelist"),
        exclude=patterns_of(config, f"{kind}.exclude.list", f"{kind}.blacklist"),
    )
