"""What a JDBC URL says: the system, where it is, and the database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from mainstem.names.dataset import DatasetName

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class JdbcLocation(Struct, frozen=True):
    """A URL, parsed; nothing in it is a credential."""

    system: str
    """The dialect, for instance ``postgres``."""

    namespace: str
    database: str | None = None
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    """Options that say where tables lie, such as ``currentschema``; keys in lower case."""

    schemas_are_databases: bool = False
    """Whether a qualified table's qualifier takes the place of the URL's database."""

    def dataset(self, table: Sequence[str]) -> DatasetName:
        """The table, given as the parts of its name."""
        keeps_out = self.schemas_are_databases and len(table) > 1
        above = [] if keeps_out or self.database is None else [self.database]
        return DatasetName(self.namespace, ".".join([*above, *table]))
