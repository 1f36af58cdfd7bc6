"""What Debezium calls the topic of a table, by its naming strategies; and the way back."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.watch.resolvers.debezium.tables import Table
from mainstem.watch.transforms.model import Unpredictable
from mainstem.watch.transforms.regex_router import renamed
from mainstem.watch.transforms.undo_regex import undo

if TYPE_CHECKING:
    from mainstem.watch.resolvers.debezium.flavours import Flavour
    from mainstem.watch.transforms.settings import Settings

READS = (
    "topic.prefix",
    "database.server.name",
    "topic.delimiter",
    "topic.naming.strategy",
    "topic.regex",
    "topic.replacement",
    "override.data.change.topic.prefix",
)
_LONGEST_TOPIC = 249
_REFUSED = re.compile(r"[^A-Za-z0-9._-]")
_STRATEGY = re.compile(
    r"io\.debezium\.(?:schema\.(Default|Schema)(Regex|Unicode)?"
    r"|connector\.vitess\.(Table))TopicNamingStrategy"
)


class TopicNames(Struct, frozen=True):
    """One connector's topic names."""

    prefix: str
    parts: tuple[str, ...]
    """Which of ``database``, ``qualifier`` and ``name`` follow the prefix."""

    delimiter: str = "."
    database: str | None = None
    """The database that stands in every name, where a table's own does not say it."""

    rename: tuple[str, str] | None = None
    """Pattern and replacement of a regex naming strategy."""

    unicode: bool = False
    """Whether characters that Kafka does not take are spelt by their code."""

    known: bool = True
    """Whether the naming strategy is one of Debezium's own."""

    def of_table(self, table: Table) -> str | Unpredictable:
        """The topic of a table."""
        if not self.known:
            return Unpredictable("topic.naming.strategy is not one that Mainstem knows")
        parts = [self.prefix]
        for part in self.parts:
            told = getattr(table, part)
            parts.append(told or (self.database if part == "database" else "") or "")
        topic = self._sanitised(self.delimiter.join(filter(None, parts)))
        return self._sanitised(renamed(*self.rename, topic)) if self.rename else topic

    def tables_of(
        self, topic: str, *, words: tuple[str, ...], qualifiers: tuple[str, ...]
    ) -> list[Table]:
        """The tables that a topic may be of; none where it is no table's topic.

        ``qualifiers`` are those that may stand behind a name which does not tell its own, or
        tells it with other characters.
        """
        before = undo(*self.rename, topic, words) if self.rename else (topic,)
        if isinstance(before, Unpredictable):
            return []
        return [
            table
            for name in before
            for table in self._tables(name, qualifiers)
            if self.of_table(table) == topic
        ]

    def _tables(self, topic: str, qualifiers: tuple[str, ...]) -> list[Table]:
        if self.unicode or not topic.startswith(start := self.start):
            return []
        texts = topic[len(start) :].split(self.delimiter, len(self.parts) - 1)
        if len(texts) != len(self.parts) or not all(texts):
            return []
        told = dict(zip(self.parts, texts, strict=True))
        own = [told["qualifier"]] if "qualifier" in told else []
        database = told.get("database") if self.database is None else None
        likely = [one for one in qualifiers if not own or self._sanitised(one) == own[0]]
        return [Table(one, told["name"], database) for one in likely or own]

    @property
    def start(self) -> str:
        """What every name begins with, before a regex naming strategy changes it."""
        return sanitised(self.prefix + self.delimiter)

    def _sanitised(self, topic: str) -> str:
        return spelt_by_code(topic) if self.unicode else sanitised(topic)


def topic_names(
    config: Settings, flavour: Flavour, prefix: str, database: str | None
) -> TopicNames:
    """The names that a config makes; ``database`` is the one above the schemas, if known."""
    strategy_class = config.first("topic.naming.strategy")
    found = _STRATEGY.fullmatch(strategy_class) if strategy_class else None
    strategy = (found[1] or found[3]) if found else flavour.default_strategy
    kind = found[2] if found else None
    rename = None
    if kind == "Regex":
        rename = config.required("topic.regex"), config.required("topic.replacement")
    override = config.first("override.data.change.topic.prefix") if strategy == "Table" else None
    several = bool(flavour.database_in_topic and config.names(flavour.database_in_topic))
    parts = _parts(flavour, strategy, several=several)
    return TopicNames(
        prefix=override or prefix,
        parts=parts,
        delimiter=config.text("topic.delimiter", "."),
        database=database if "database" in parts and not several else None,
        rename=rename,
        unicode=kind == "Unicode",
        known=strategy_class is None or found is not None,
    )


def _parts(flavour: Flavour, strategy: str, *, several: bool) -> tuple[str, ...]:
    if strategy == "Table" or not flavour.qualifier:
        return ("name",)
    if strategy == "Schema":
        schema = ("qualifier",) if flavour.qualifier == "schema" else ()
        return ("database", *schema, "name") if several else (*schema, "name")
    if flavour.qualifier != "schema":
        return ("qualifier", "name")
    # The Default strategy leaves the schema out; PostgreSQL's tables know no catalog either.
    return ("database", "name") if flavour.database_keys else ("name",)


@lru_cache(maxsize=4096)
def sanitised(topic: str) -> str:
    """A name that Kafka accepts, made as Debezium makes it.

    >>> sanitised("cflt.C##USER.T")
    'cflt.C__USER.T'
    """
    name = _REFUSED.sub("_", topic)[:_LONGEST_TOPIC]
    return name.replace(".", "_") if name in {".", ".."} else name


def spelt_by_code(topic: str) -> str:
    """A name that Kafka accepts, made as Debezium's Unicode strategies make it.

    >>> spelt_by_code("srv.my_table")
    'srv.my_u005ftable'
    """

    def code(found: re.Match[str]) -> str:
        number = f"{ord(found[0]):x}"
        return f"_u00{number}" if len(number) <= 2 else f"_u{number}"  # noqa: PLR2004 - as in Java

    return re.sub(r"[^A-Za-z0-9.-]", code, topic)[:_LONGEST_TOPIC]
