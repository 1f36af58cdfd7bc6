"""Confluent's Oracle CDC source, which reads the redo log; self-hosted and managed."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from mainstem.errors import CannotTell
from mainstem.names.hosts import with_port
from mainstem.names.servers import on_server
from mainstem.watch.resolvers.column_rules import ColumnRules, ConnectRecord, with_copies
from mainstem.watch.resolvers.debezium.topics import sanitised
from mainstem.watch.resolvers.facts import control_topic, settings_of
from mainstem.watch.resolvers.model import Family, Reads
from mainstem.watch.resolvers.name_lists import plain_names
from mainstem.watch.resolvers.sources import Feed, Source, Stranger, feed_of, resolve_source
from mainstem.watch.transforms.java_regex import matches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, ControlTopic, Resolution
    from mainstem.watch.transforms.record import Node
    from mainstem.watch.transforms.settings import Settings

NAME = "Oracle CDC"
_OPEN = "tables: the pattern does not spell out every table; the topics seen would tell"
_VARIABLE = re.compile(r"\$\{(\w+)\}")
_WHOLE_NAME = "${databaseName}.${schemaName}.${tableName}"
_REFUSED = re.compile(r"[^A-Za-z0-9._-]")
_PARTS = 3
_BEFORE = "output.before.state.field"
# The keys and their defaults stand in the connector's config definition, as
# vdesabou/kafka-docker-playground prints it: connect-cdc-oracle19-source.
_SAID_OF_A_CHANGE = {
    "output.table.name.field": "table",
    "output.scn.field": "scn",
    "output.commit.scn.field": "",
    "output.op.type.field": "op_type",
    "output.op.ts.field": "op_ts",
    "output.current.ts.field": "current_ts",
    "output.row.id.field": "row_id",
    "output.username.field": "username",
    "output.redo.field": "",
    "output.undo.field": "",
    _BEFORE: "",
}
"""The fields that are no columns, each by the key that names it and its own name."""


class _Names(Struct, frozen=True):
    """How one connector names topics, by templates of its own."""

    connector: str
    database: str
    template: str

    def topic(self, schema: str, table: str) -> str:
        return sanitised(self.fill(self.template, schemaName=schema, tableName=table))

    def fill(self, template: str, **more: str) -> str:
        values = {"connectorName": self.connector, "databaseName": self.database, **more}
        whole = template.replace("${fullyQualifiedTableName}", _WHOLE_NAME)
        return _VARIABLE.sub(lambda found: values.get(found[1], found[0]), whole)

    def read_back(self, topic: str) -> tuple[str | None, str | None]:
        """Schema and table of a topic, as far as its name tells them."""
        pieces = _VARIABLE.split(self.fill(self.template))
        named = (f"(?P<{one}>.+?)" for one in pieces[1::2])
        texts = (re.escape(_REFUSED.sub("_", one)) for one in pieces[::2])
        pattern = "".join(text + name for text, name in zip(texts, [*named, ""], strict=True))
        try:
            found = re.fullmatch(pattern, topic)
        except re.error:  # a variable stands twice in the template
            return None, None
        told = found.groupdict() if found else {}
        return told.get("schemaName"), told.get("tableName")


def resolve(connector: Connector) -> Resolution:
    """Each table that the patterns let through to the topic that the template makes of it."""
    config = settings_of(connector)
    names = _Names(
        connector.name,
        config.required("oracle.pdb.name", "oracle.sid", "oracle.service.name"),
        config.text("table.topic.name.template", _WHOLE_NAME),
    )
    include = config.first("table.inclusion.regex")
    exact = _exact(include)

    def dataset(schema: str, table: str) -> DatasetName:
        server = with_port(config.required("oracle.server"), config.port("oracle.port") or "1521")
        return on_server("oracle", server, names.database, schema, table)

    def input_of(topic: str) -> DatasetName | Stranger:
        schema, table = names.read_back(topic)
        schema = _spelt(schema, include)
        if schema is None or table is None:
            return Stranger.FOREIGN
        whole = f"{names.database}.{schema}.{table}"
        return dataset(schema, table) if _allows(config, whole) else Stranger.EXCLUDED

    feeds = (_feed(names, partial(dataset, *one), *one) for one in exact or ())
    source = Source(
        feeds=tuple(feeds),
        input_of=input_of,
        control=tuple(_control(connector, config, names)),
        unresolved=() if exact else (_OPEN,),
    )
    return resolve_source(connector, NAME, source)


def _feed(names: _Names, dataset: partial[DatasetName], schema: str, table: str) -> Feed:
    return feed_of(names.topic(schema, table), dataset)


def _exact(include: str | None) -> list[tuple[str, str]] | None:
    """Schema and table of every table that the pattern spells out, if it spells out all."""
    spelt = plain_names(include) if include else None
    parts = [name.split(".") for name in spelt or ()]
    return [(one[1], one[2]) for one in parts if len(one) == _PARTS] or None


def _spelt(schema: str | None, include: str | None) -> str | None:
    """The schema as the pattern spells it, whose characters a topic's name may not hold."""
    parts = (include or "").replace("[.]", "\\.").split("\\.")
    known = plain_names(parts[1]) if len(parts) == _PARTS else None
    likely = [one for one in known or () if schema is None or sanitised(one) == schema]
    return likely[0] if len(likely) == 1 else schema


def _allows(config: Settings, whole: str) -> bool:
    include = config.first("table.inclusion.regex")
    exclude = config.first("table.exclusion.regex")
    included = include is None or matches(include, whole)
    return included and not (exclude and matches(exclude, whole))


def _control(connector: Connector, config: Settings, names: _Names) -> Iterator[ControlTopic]:
    log = config.text("redo.log.topic.name", "${connectorName}-${databaseName}-redo-log")
    yield control_topic(connector, sanitised(names.fill(log)), "redo-log")
    broken = config.first("redo.log.corruption.topic")
    if broken:
        yield control_topic(connector, sanitised(names.fill(broken)), "redo-log-corruption")
    if config.text("heartbeat.interval.ms", "0") != "0":
        default = "${connectorName}-${databaseName}-heartbeat-topic"
        heartbeat = names.fill(config.text("heartbeat.topic.name", default))
        yield control_topic(connector, sanitised(heartbeat), "heartbeat")


def _columns(record: ConnectRecord) -> Iterable[Node]:
    """The row's columns, which stand beside what the connector says of the change."""
    config = record.config
    if config.first("output.data.value.field"):
        raise CannotTell("output.data.value.field puts the row somewhere else")
    own = {config.get(key, default) for key, default in _SAID_OF_A_CHANGE.items()}
    before = record.value.child(config.get(_BEFORE, ""))
    row = (field for field in record.value.fields if field.name not in own)
    return [with_copies(field, (before,)) for field in row]


RESOLVER = Family(
    name=NAME,
    classes=("io.confluent.connect.oracle.cdc.OracleCdcSourceConnector", "OracleCdcSource"),
    reads=Reads(
        names=(
            "oracle.server",
            "oracle.port",
            "oracle.sid",
            "oracle.pdb.name",
            "oracle.service.name",
            "table.inclusion.regex",
            "table.exclusion.regex",
            "table.topic.name.template",
            "redo.log.topic.name",
            "redo.log.corruption.topic",
            "heartbeat.interval.ms",
            "heartbeat.topic.name",
            "output.data.value.field",
            *_SAID_OF_A_CHANGE,
        )
    ),
    resolve=resolve,
    columns=ColumnRules(read=_columns),
)
