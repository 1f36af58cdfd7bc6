"""Which families tell nothing of their columns in one direction or in both, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.watch.resolvers.model import Direction

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mainstem.watch.resolvers.model import Resolver

_MESSAGE = "a message there is one value without columns"
_NO_NAMES = "what is read has no columns that a config or a registry names"
_MADE_UP = "it makes its data up"
_STATED = "the config's own mapping tells them, without the topic's schema"

UNTOLD: Mapping[str, str] = {
    "Aiven storage": f"sources: {_NO_NAMES}",
    "AWS messaging": _MESSAGE,
    "Azure Data Explorer": (
        "the database decides, by a mapping that it keeps or by the columns of its table"
    ),
    "Azure messaging": _MESSAGE,
    "Camel": "the record's body goes and comes as one value, but for the INSERT of a SQL Kamelet",
    "Confluent storage sources": _NO_NAMES,
    "Cosmos DB": f"sources: {_NO_NAMES}",
    "Couchbase": "sources: the document is one value",
    "DataStax": _STATED,
    "DynamoDB source": "the attributes beside the table's key: the item is one text",
    "FilePulse": _NO_NAMES,
    "file sources": _NO_NAMES,
    "FileStream": "a line of text is one value",
    "generators": _MADE_UP,
    "HTTP": _MESSAGE,
    "InfluxDB": "sources: a whole database is read, whose measurements share no columns",
    "JMS": _MESSAGE,
    "Lenses FTP": _NO_NAMES,
    "MQTT": _MESSAGE,
    "MSK data generator": _MADE_UP,
    "Neo4j": "the Cypher of the config decides, which is not read",
    "Pub/Sub": _MESSAGE,
    "RabbitMQ": _MESSAGE,
    "Redis sink": "a record is one value",
    "Redis source": _NO_NAMES,
    "SaaS entities": _NO_NAMES,
    "Salesforce": "sinks: which fields an object takes only Salesforce knows",
    "ServiceNow": "of the second source: how its records are built is not documented",
    "Snowflake source": "how its records are built is not documented",
    "Splunk": _MESSAGE,
    "Stream Reactor": f"sources: {_STATED}",
}
"""By the family's name."""


def why_untold(families: Iterable[Resolver], name: str, direction: Direction) -> str | None:
    """Why the family tells no columns in this direction; None where it has a rule for them."""
    is_sink = direction is Direction.SINK
    for family in families:
        rule = family.columns.written if is_sink else family.columns.read
        if family.name == name and rule is None:
            return UNTOLD.get(name, "").removeprefix("sinks: " if is_sink else "sources: ") or None
    return None


def unexplained(families: Iterable[Resolver]) -> list[str]:
    """The families without any rule that nothing is said of here, and what is said in vain."""
    known = {family.name: family for family in families}
    silent = [
        name
        for name, family in known.items()
        if family.columns.written is None and family.columns.read is None and name not in UNTOLD
    ]
    return [*silent, *(name for name in UNTOLD if name not in known)]


def untold_table(families: Iterable[Resolver]) -> str:
    """The table of the documentation."""
    rows = ["| family | sinks | sources | what is not told, and why |", "|---|---|---|---|"]
    for family in sorted(families, key=lambda one: one.name.lower()):
        told = [
            "told" if rule is not None else ""
            for rule in (family.columns.written, family.columns.read)
        ]
        rows.append(f"| {family.name} | {told[0]} | {told[1]} | {UNTOLD.get(family.name, '')} |")
    return "\n".join(rows) + "\n"
