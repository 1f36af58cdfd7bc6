"""What Debezium calls the topic of a table, by its naming strategies; and the way back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mainstem.watch.resolvers.debezium.tables import Table
from mainstem.watch.transforms.model import Unpredictable
from mainstem.watch.transforms.regex_router import renamed
from mainstem.watch.transforms.undo_regex import undo

if TYPE_CHECKING:
    from mainstem.watch.transforms.settings import Settings

READS = (
    "topic.prefix",
    "database.server.name",
    "topic.delimiter",
    "topic.naming.strategy",
    "topic.regex",
    "topic.replacement",
)
_LONGEST_TOPIC = 249
_STRATEGY = re.compile(r"io\.debezium\.schema\.(Default|Schema)(Regex|Unicode)?TopicNamingStrategy")


@dataclass(frozen=True, slots=True)
class TopicNames:
    """One connector's topic names."""

    prefix: str
    delimiter: str = "."
    qualified: bool = True
    """Whether the schema or database stands in the name."""

    rename: tuple[str, str] | None = None
    """Pattern and replacement of a regex naming strategy."""

    known: bool = True
    """Whether the naming strategy is one of Debezium's own."""

    def of_table(self, table: Table) -> str | Unpredictable:
        """The topic of a table."""
        if not self.known:
            return Unpredictable("topic.naming.strategy is not one that Mainstem knows")
        parts = [self.prefix, table.database, table.qualifier if self.qualified else "", table.name]
        topic = sanitised(self.delimiter.join(part for part in parts if part))
        return sanitised(renamed(*self.rename, topic)) if self.rename else topic

    def tables_of(self, topic: str, databases: bool, words: tuple[str, ...]) -> list[Table]:
        """The tables that a topic may be of; none where it is no table's topic."""
        before = undo(*self.rename, topic, words) if self.rename else (topic,)
        if isinstance(before, Unpredictable):
            return []
        found = (self._table(name, with_database=databases) for name in before)
        return [table for table in found if table and self.of_table(table) == topic]

    def _table(self, topic: str, *, with_database: bool) -> Table | None:
        start = sanitised(self.prefix + self.delimiter)
        if not topic.startswith(start) or not self.qualified:
            return None
        parts = topic[len(start) :].split(self.delimiter, 2 if with_database else 1)
        if len(parts) != (3 if with_database else 2) or not all(parts):
            return None
        *database, qualifier, name = parts
        return Table(qualifier, name, database[0] if database else None)


def topic_names(config: Settings, *, default_strategy: str) -> TopicNames:
    """The names that a config makes; ``default_strategy`` is ``Schema`` or ``Default``."""
    prefix = config.required("topic.prefix", "database.server.name")
    delimiter = config.text("topic.delimiter", ".")
    strategy_class = config.first("topic.naming.strategy")
    found = _STRATEGY.fullmatch(strategy_class) if strategy_class else None
    strategy, kind = found.groups() if found else (default_strategy, None)
    # Where there are schemas, the Default strategy names only the database above them, which is
    # not a part of these topics; where there are none, both name the database.
    qualified = default_strategy == "Default" or strategy == "Schema"
    rename = None
    if kind == "Regex":
        rename = config.required("topic.regex"), config.required("topic.replacement")
    known = strategy_class is None or found is not None
    return TopicNames(prefix, delimiter, qualified, rename, known)


def sanitised(topic: str) -> str:
    """A name that Kafka accepts, made as Debezium makes it.

    >>> sanitised("cflt.C##USER.T")
    'cflt.C__USER.T'
    """
    name = re.sub(r"[^A-Za-z0-9._-]", "_", topic)[:_LONGEST_TOPIC]
    return name.replace(".", "_") if name in {".", ".."} else name
