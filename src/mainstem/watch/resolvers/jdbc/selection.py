"""Which tables a JDBC source reads, from its lists, its patterns and its tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.watch.resolvers.name_lists import NameLists, patterns_of, plain_names

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.jdbc.database import Database
    from mainstem.watch.resolvers.model import Connector
    from mainstem.watch.transforms.settings import Settings

READS = (
    "schema.pattern",
    "table.whitelist",
    "table.blacklist",
    "table.include.list",
    "table.exclude.list",
    "tables",
)


class Selection(Struct, frozen=True):
    """The tables that a config selects."""

    listed: tuple[str, ...]
    """Names as the list or the tasks spell them; nothing where all tables may be meant."""

    unlisted: tuple[str, ...]
    """Names that are left out."""

    include: NameLists | None
    """Patterns of the whole names of tables, with catalog and schema as far as they have them."""

    exclude: NameLists | None
    schema: str | None
    """The one that all tables lie in, where the config tells it."""

    @property
    def all_known(self) -> bool:
        """Whether every table is spelt out."""
        return bool(self.listed)

    def dataset(self, database: Database, name: str) -> DatasetName:
        """The table of a name that may lack its schema, which the patterns then tell."""
        parts = database.split(name)
        bare = len(parts) == 1
        return database.dataset(*([self.schema] if bare and self.schema else []), *parts)

    def allows(self, database: Database, name: str) -> bool:
        """Whether a table, known by its bare name, may be one of those selected."""
        if self.listed:
            return name in {database.split(one)[-1] for one in self.listed}
        if name in {database.split(one)[-1] for one in self.unlisted}:
            return False
        if self.include is None and self.exclude is None:
            return True
        whole = self.dataset(database, name).name
        # Some drivers do not tell the catalog, and then it is not in the name that is matched.
        names = (whole, whole.partition(".")[2])
        included = self.include is None or any(map(self.include.allows, names))
        return included and not (self.exclude and any(map(self.exclude.allows, names)))


def selection_of(connector: Connector, config: Settings) -> Selection:
    """The selection that a config makes, or that the tasks show to be made."""
    include = patterns_of(config, "table.include.list")
    spelt = [plain_names(one) for one in include]
    spelt_out = tuple(name for names in spelt if names for name in names)
    return Selection(
        listed=_of_tasks(connector)
        or config.names("table.whitelist")
        or (spelt_out if all(spelt) else ()),
        unlisted=config.names("table.blacklist"),
        include=_patterns(include),
        exclude=_patterns(patterns_of(config, "table.exclude.list")),
        schema=literal_name(config.first("schema.pattern")) or _schema_in(include),
    )


def _of_tasks(connector: Connector) -> tuple[str, ...]:
    tables = (task.get("tables", "") for task in connector.tasks)
    names = (name.strip() for listed in tables for name in listed.split(","))
    return tuple(dict.fromkeys(name for name in names if name))


def _patterns(listed: tuple[str, ...]) -> NameLists | None:
    return NameLists(include=listed, ignore_case=False) if listed else None


def literal_name(pattern: str | None) -> str | None:
    """The name that a pattern of SQL's LIKE stands for; to people, an underscore is no wildcard."""
    return pattern.replace("\\", "") if pattern and "%" not in pattern else None


def _schema_in(patterns: tuple[str, ...]) -> str | None:
    """The one schema that all patterns such as ``shop[.]sales[.].*`` name."""
    schemas: set[str | None] = set()
    for pattern in patterns:
        parts = pattern.replace("[.]", "\\.").split("\\.")
        names = plain_names(parts[-2]) if len(parts) > 1 else None
        schemas.add(names[0] if names and len(names) == 1 else None)
    return schemas.pop() if len(schemas) == 1 else None
