"""Which table a JDBC sink writes a topic to: Confluent's rule, Aiven's, and Debezium's."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mainstem.errors import CannotTell

if TYPE_CHECKING:
    from collections.abc import Callable

    from mainstem.watch.resolvers.jdbc.database import Database
    from mainstem.watch.transforms.settings import Settings

READS = (
    "table.name.format",
    "table.name.normalize",
    "topics.to.tables.mapping",
    "quote.sql.identifiers",
    "collection.name.format",
    "collection.naming.strategy",
    "table.naming.strategy",
    "quote.identifiers",
    "primary.key.mode",
)
_DEBEZIUM_KEYS = frozenset(
    {"collection.name.format", "collection.naming.strategy", "primary.key.mode"}
)
_OWN_STRATEGIES = re.compile(
    r"io\.debezium\.(?:sink|connector\.jdbc)\.naming\.Default(?:Collection|Table)NamingStrategy"
)
_PER_RECORD = "the table's name is made from each record"
_FOLDS = {"postgres": str.lower, "oracle": str.upper, "db2": str.upper, "snowflake": str.upper}
_PARTS_WITH_CATALOG = 2


def is_debeziums(config: Settings) -> bool:
    """Whether it is Debezium's sink, by its package, or for forks and aliases by its keys."""
    package = config["connector.class"].rpartition(".")[0]
    return "debezium" in package or (not package and bool(_DEBEZIUM_KEYS & config.keys()))


def table_of(config: Settings, database: Database, topic: str) -> tuple[str, ...]:
    """The parts of the table's name for a topic, named as it is behind the transforms."""
    if is_debeziums(config):
        return _debeziums_table(config, database, topic)
    parts = _parts(database, _table_name(config, topic))
    fold = _FOLDS.get(database.system)
    if fold and config.text("quote.sql.identifiers", "always").lower() == "never":
        parts = (*parts[:-1], fold(parts[-1]))
    return parts


def column_spelling(config: Settings, database: Database) -> Callable[[str], str]:
    """How the database spells the columns: names that are not quoted it folds."""
    quoted = (
        config.flag("quote.identifiers", default=False)
        if is_debeziums(config)
        else config.text("quote.sql.identifiers", "always").lower() != "never"
    )
    return str if quoted else _FOLDS.get(database.system, str)


def _table_name(config: Settings, topic: str) -> str:
    mapping = config.names("topics.to.tables.mapping")
    if mapping:
        pairs = (pair.partition(":") for pair in mapping)
        table = {one.strip(): other.strip() for one, _, other in pairs}.get(topic)
        if not table:
            raise CannotTell("topics.to.tables.mapping does not name a topic that is read")
        return table
    name = config.text("table.name.format", "${topic}").replace("${topic}", topic)
    if "${" in name:
        raise CannotTell(_PER_RECORD)
    if config.flag("table.name.normalize", default=False):
        return re.sub(r"[^a-zA-Z0-9_]", "_", name)
    return name


def _parts(database: Database, name: str) -> tuple[str, ...]:
    parts = database.split(name)
    has_catalogs = database.system.endswith(("sqlserver", "sybase"))
    if has_catalogs and len(parts) == _PARTS_WITH_CATALOG and parts[0].lower() != "dbo":
        # These dialects read two parts as catalog and table; no catalog is called dbo.
        return (parts[0], "dbo", parts[1])
    return parts


def _debeziums_table(config: Settings, database: Database, topic: str) -> tuple[str, ...]:
    strategy = config.first("collection.naming.strategy", "table.naming.strategy")
    if strategy and not _OWN_STRATEGIES.fullmatch(strategy):
        raise CannotTell("the naming strategy is not one that Mainstem knows")
    layout = config.first("collection.name.format", "table.name.format") or "${topic}"
    name = layout.replace("${topic}", topic.replace(".", "_"))
    if "${" in name:
        raise CannotTell(_PER_RECORD)
    fold = _FOLDS.get(database.system)
    if fold and not config.flag("quote.identifiers", default=False):
        name = fold(name)
    return database.split(name)
