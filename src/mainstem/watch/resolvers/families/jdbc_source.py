"""JDBC sources: tables or one query, polled; Confluent's, Aiven's, the managed ones, forks."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mainstem.errors import CannotTell
from mainstem.watch.resolvers.column_rules import ColumnRules, ConnectRecord, value_fields
from mainstem.watch.resolvers.facts import settings_of
from mainstem.watch.resolvers.jdbc import database, selection
from mainstem.watch.resolvers.jdbc.database import MANAGED_SYSTEMS, Database, database_of
from mainstem.watch.resolvers.jdbc.selection import Selection, literal_name, selection_of
from mainstem.watch.resolvers.model import ColumnSource, Family, Reads
from mainstem.watch.resolvers.record_columns import read_columns
from mainstem.watch.resolvers.sources import Feed, Source, Stranger, feed_of, resolve_source
from mainstem.watch.schema_registry.fields import NoSchema
from mainstem.watch.transforms.chain import chain_of
from mainstem.watch.transforms.record import Nesting, start

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import ColumnEdge, Connector, Resolution
    from mainstem.watch.resolvers.sql_query import Query
    from mainstem.watch.resolvers.sql_sources import QuerySource, TableName
    from mainstem.watch.schema_registry.fields import TopicFields
    from mainstem.watch.transforms.record import Node
    from mainstem.watch.transforms.settings import Settings

NAME = "JDBC source"
_OPEN = "tables: the config spells none out; the topics seen would tell"


def resolve(connector: Connector) -> Resolution:
    """Each table to the prefix and its bare name, or all tables of the query to the prefix."""
    config = settings_of(connector)
    if config.first("query"):
        return _of_query(connector, config)
    chosen = selection_of(connector, config)
    prefix = config.text("topic.prefix", "")
    place = cache(lambda: _database(config))

    def dataset(name: str) -> DatasetName:
        return chosen.dataset(place(), name)

    def input_of(topic: str) -> DatasetName | Stranger:
        name = topic.removeprefix(prefix)
        if not topic.startswith(prefix) or not name:
            return Stranger.FOREIGN
        return dataset(name) if chosen.allows(place(), name) else Stranger.EXCLUDED

    source = Source(
        feeds=tuple(
            feed_of(prefix + _bare(place, name), partial(dataset, name)) for name in chosen.listed
        ),
        input_of=input_of,
        start=prefix,
        words=tuple(dict.fromkeys(word for word in (prefix, prefix.rstrip("-._")) if word)),
        unresolved=() if chosen.all_known else (_OPEN,),
    )
    told = resolve_source(connector, NAME, source)
    assumed = _assumptions(chosen, place)
    return replace(told, notes=(*told.notes, *assumed)) if assumed else told


def _assumptions(chosen: Selection, place: Callable[[], Database]) -> tuple[str, ...]:
    if chosen.schema is not None:
        return ()
    try:
        found = [place().assumption(*place().split(name)) for name in chosen.listed]
    except CannotTell:
        return ()
    return tuple(one for one in found if one)


def _of_query(connector: Connector, config: Settings) -> Resolution:
    from mainstem.watch.resolvers.sql_query import parse_query  # noqa: PLC0415 - sqlglot is heavy

    topic = config.required("topic.prefix")
    try:
        place = _database(config)
        query = parse_query(config["query"], place.system)
        datasets = {table: place.dataset(*table) for table in query.tables}
        feed = Feed(topic, tuple(datasets.values()))
    except CannotTell as unknown:
        return resolve_source(connector, NAME, Source(feeds=(Feed(topic, missing=unknown.reason),)))
    told = resolve_source(connector, NAME, Source(feeds=(feed,)))
    columns: list[ColumnEdge] = []
    for output in told.outputs:
        fields = _fields_before(config, connector.fields.get(output.name))
        columns += _columns(config, output, datasets, query, fields)
    assumed = [note for table in query.tables if (note := place.assumption(*table))]
    return replace(told, columns=tuple(columns), notes=(*told.notes, *assumed))


def _fields_before(config: Settings, fields: TopicFields | None) -> list[str]:
    """The fields that the query's result has, by the schema of the topic."""
    if fields is None:
        return []
    chain = chain_of(config)
    value = chain.backward(config["topic.prefix"], start(fields), Nesting()).value
    return [] if isinstance(value, NoSchema) else [field.name for field in value.fields]


def _columns(
    config: Settings,
    output: DatasetName,
    datasets: Mapping[TableName, DatasetName],
    query: Query,
    fields: list[str],
) -> tuple[ColumnEdge, ...]:
    columns = {
        column.name: tuple(_source(datasets, source) for source in column.sources)
        for column in query.columns
    }
    if query.star is not None:
        table = datasets[query.star.table]
        for name in fields:
            if name.lower() not in query.star.others:
                columns[name] = (ColumnSource(table, name),)
    decided_by = tuple(_source(datasets, one, of_rows=True) for one in query.decided_by)
    return read_columns(chain_of(config), config["topic.prefix"], output, columns, decided_by)


def _source(
    datasets: Mapping[TableName, DatasetName], source: QuerySource, *, of_rows: bool = False
) -> ColumnSource:
    return ColumnSource(
        datasets[source.table],
        source.column,
        source.transformation,
        source.direct,
        source.masking,
        of_rows,
    )


def _table_columns(record: ConnectRecord) -> Iterable[Node]:
    if record.config.first("query"):
        raise CannotTell("the query does not tell them for certain")
    return value_fields(record)


def _database(config: Settings) -> Database:
    return database_of(config).within(literal_name(config.first("catalog.pattern")))


def _bare(place: Callable[[], Database], name: str) -> str:
    """A table's name without its qualifier; quotes of any system may be around it."""
    try:
        return place().split(name)[-1]
    except CannotTell:
        return name.rpartition(".")[2].strip('`"[]')


RESOLVER = Family(
    name=NAME,
    classes=(
        "io.confluent.connect.jdbc.JdbcSourceConnector",
        "io.aiven.connect.jdbc.JdbcSourceConnector",
        *(f"{system}Source" for system in MANAGED_SYSTEMS),
    ),
    reads=Reads(
        names=("topic.prefix", "query", "catalog.pattern", *database.READS, *selection.READS)
    ),
    resolve=resolve,
    columns=ColumnRules(read=_table_columns, nesting=lambda _config: Nesting()),
)
