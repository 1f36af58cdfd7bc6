"""Debezium's source connectors, self-hosted and managed, from 1.x to 3.x."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mainstem.watch.resolvers.column_rules import ColumnRules, ConnectRecord
from mainstem.watch.resolvers.debezium import control, places, tables, topics
from mainstem.watch.resolvers.debezium.columns import document_columns, row_columns
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
    from mainstem.watch.transforms.record import Node
    from mainstem.watch.transforms.settings import Settings

NAME = "Debezium"
_OPEN = "tables: the lists do not spell out every table; the topics seen would tell"


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
    prefix = connector.name if flavour.prefix_is_name else config.required(*flavour.prefix_keys)
    names = topic_names(config, flavour, prefix, database)
    words = lists.words(names.prefix)
    chain = chain_of(config)
    tells_qualifier = "qualifier" in names.parts
    qualifiers = lists.known_qualifiers if tells_qualifier else lists.all_qualifiers

    def input_of(topic: str) -> DatasetName | Stranger:
        found = names.tables_of(topic, words=words, qualifiers=qualifiers)
        table = hypertable_of(chain, topic) or _only_allowed(found, lists)
        return table if isinstance(table, Stranger) else flavour.place(config, table)

    source = Source(
        feeds=tuple(
            feed_of(names.of_table(table), partial(flavour.place, config, table))
            for table in lists.exact
        ),
        input_of=input_of,
        words=words,
        control=control_topics(
            connector, config, prefix, schema_changes=flavour.records_schema_changes
        ),
        unresolved=() if lists.all_known else (_OPEN,),
    )
    return resolve_source(connector, NAME, source)


def _columns(record: ConnectRecord) -> Iterable[Node]:
    documents = flavour_of(record.config["connector.class"]).tables == "collection"
    return document_columns(record) if documents else row_columns(record)


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
    reads=Reads(names=(*places.READS, *tables.LIST_READS, *topics.READS, *control.READS)),
    resolve=resolve,
    columns=ColumnRules(read=_columns),
)
