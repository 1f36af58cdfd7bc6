"""Debezium's source connectors, self-hosted and managed, from 1.x to 3.x."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.errors import CannotTell
from mainstem.watch.resolvers.column_rules import ColumnRules, ConnectRecord
from mainstem.watch.resolvers.debezium import column_lists, control, places, tables, topics
from mainstem.watch.resolvers.debezium.columns import (
    CHANGE_EVENT,
    RENAMES,
    document_columns,
    row_columns,
)
from mainstem.watch.resolvers.debezium.control import control_topics
from mainstem.watch.resolvers.debezium.flavours import FLAVOURS, Flavour, flavour_of
from mainstem.watch.resolvers.debezium.hypertables import hypertable_of
from mainstem.watch.resolvers.debezium.tables import Table, TableLists, table_lists
from mainstem.watch.resolvers.debezium.topics import topic_names
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.model import Family, Reads
from mainstem.watch.resolvers.sources import Source, Stranger, feed_of, resolve_source
from mainstem.watch.transforms.chain import chain_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import Connector, Resolution
    from mainstem.watch.transforms.record import Nesting, Node
    from mainstem.watch.transforms.settings import Settings

NAME = "Debezium"
_CLOUD_ID = re.compile(r"(lcc-[a-z0-9]+)\.")
_ADJUSTS, _ADJUSTED = "field.name.adjustment.mode", "sanitize.field.names"
_SPELT = (
    f"columns: {_ADJUSTS} or {_ADJUSTED} is set, so that a column whose name Avro refuses is told "
    "by the name that it has in the topic"
)
_OPEN = "tables: the lists do not spell out every table; the topics seen would tell"
_CASE = (
    "tables: told as the lists spell them, which ignore case; this database keeps names in upper "
    "case unless they are quoted; the topics seen would tell"
)
_NONE = "tables: the lists exclude every table that they spell out"


def resolve(connector: Connector) -> Resolution:
    """Each captured table to the topic that the naming strategy makes of it."""
    config = settings_of(connector)
    flavour = flavour_of(config["connector.class"])
    database = config.first(*flavour.database_keys)
    lists = table_lists(
        config,
        tables=flavour.tables,
        qualifiers=flavour.qualifier,
        databases=_databases(config, flavour),
        database=database,
    )
    prefix = _prefix(connector, config, flavour)
    names = topic_names(config, flavour, prefix, database)
    words = lists.words(names.prefix)
    chain = chain_of(config)
    tells_qualifier = "qualifier" in names.parts
    qualifiers = lists.known_qualifiers if tells_qualifier else lists.all_qualifiers

    def input_of(topic: str) -> DatasetName | Stranger:
        found = names.tables_of(topic, words=words, qualifiers=qualifiers)
        hypertable = hypertable_of(chain, topic) if chain.steps else None
        table = hypertable or _only_allowed(found, lists)
        return table if isinstance(table, Stranger) else flavour.place(config, table)

    source = Source(
        feeds=tuple(
            feed_of(names.of_table(table), partial(flavour.place, config, table))
            for table in (*lists.exact, *(() if connector.topics else lists.in_any_database))
        ),
        input_of=input_of,
        start="" if names.rename else names.start,
        words=words,
        control=control_topics(connector, config, chain, prefix, flavour),
        unresolved=_unresolved(lists),
    )
    told = resolve_source(connector, NAME, source)
    notes = [
        f"{flavour.tables} {listed} is listed, but the lists exclude its {flavour.qualifier}"
        for listed in lists.kept_out
    ]
    if flavour.folds_to_upper_case and _case_is_guessed(lists, told, connector.topics or ()):
        notes.append(_CASE)
    adjusts = config.text(_ADJUSTS, "none") != "none" or config.flag(_ADJUSTED, default=False)
    if adjusts and connector.fields:
        notes.append(_SPELT)
    return replace(told, notes=(*told.notes, *notes)) if notes else told


def _unresolved(lists: TableLists) -> tuple[str, ...]:
    if not lists.all_known:
        return (_OPEN,)
    return () if lists.exact or lists.in_any_database else (_NONE,)


def _case_is_guessed(lists: TableLists, told: Resolution, seen: tuple[str, ...]) -> bool:
    unseen = not seen or any(topic.name not in seen for topic in told.outputs)
    return unseen and any(table.listed != table.listed.upper() for table in lists.exact)


def _prefix(connector: Connector, config: Settings, flavour: Flavour) -> str:
    if flavour.prefix_is_name:
        return connector.name
    if not flavour.prefix_is_id:
        return config.required(*flavour.prefix_keys)
    ids = {found[1] for topic in connector.topics or () if (found := _CLOUD_ID.match(topic))}
    if len(ids) != 1:
        raise CannotTell("topics begin with the connector's id, which only the topics seen tell")
    return ids.pop()


def _columns(record: ConnectRecord) -> Iterable[Node]:
    documents = flavour_of(record.config["connector.class"]).tables == "collection"
    return document_columns(record) if documents else row_columns(record)


def _nesting(config: Settings) -> Nesting | None:
    flavour = flavour_of(config["connector.class"])
    return CHANGE_EVENT if flavour.tables == "table" and not flavour.cells else None


def _databases(config: Settings, flavour: Flavour) -> tuple[str, ...]:
    return config.names(flavour.database_in_topic) if flavour.database_in_topic else ()


def _only_allowed(found: list[Table], lists: TableLists) -> Table | Stranger:
    allowed = [table for table in found if lists.allows(table)]
    if len(allowed) == 1:
        return allowed[0]
    return Stranger.EXCLUDED if found and not allowed else Stranger.FOREIGN


RESOLVER = Family(
    name=NAME,
    classes=tuple(name for flavour in FLAVOURS for name in flavour.classes),
    reads=Reads(
        names=(
            *(*places.READS, *tables.LIST_READS, *topics.READS),
            *(*control.READS, *column_lists.READS, RENAMES, _ADJUSTS, _ADJUSTED),
        ),
        patterns=column_lists.PATTERNS,
    ),
    resolve=resolve,
    columns=ColumnRules(read=_columns, nesting=_nesting),
)
