"""The leaves of a plan: what is read, as columns with their origin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mainstem.spark.jdbc_query import plain_query, query_of
from mainstem.spark.naming import datasets_at, is_no_dataset, is_topic, schema_fields
from mainstem.spark.scope import Column, Rows
from mainstem.spark.values import NOTHING, UNKNOWN, deciding, read_column

if TYPE_CHECKING:
    from mainstem.spark.captured import Place
    from mainstem.spark.lineage import DatasetKey, SchemaField
    from mainstem.spark.scope import Reading, Scope
    from mainstem.spark.tree import Node

ROWS_FROM_NOWHERE = frozenset({"EmptyRelation", "LocalRelation", "OneRowRelation", "Range"})
"""Leaves whose rows are written in the query itself."""


def attributes(leaf: Node) -> tuple[Node, ...]:
    """The columns of a leaf, as its node says them."""
    return leaf.trees("output") or (*leaf.trees("dataCols"), *leaf.trees("partitionCols"))


def leaf_rows(leaf: Node, scope: Scope) -> Rows:
    """What a leaf gives; columns of one that cannot be named are unknown."""
    reading = scope.reading
    columns = attributes(leaf)
    if leaf.name in ROWS_FROM_NOWHERE:
        return Rows([Column(each.id, each.text("name"), NOTHING) for each in columns])
    if columns and columns[0].id in reading.places:
        return _placed(columns, reading.places[columns[0].id], reading)
    linked = [reading.streams[each.id] for each in columns if each.id in reading.streams]
    if linked:
        return _of_stream(columns, reading)
    reading.opaque[leaf.name] = None
    return Rows([Column(each.id, each.text("name"), UNKNOWN) for each in columns])


def _placed(columns: tuple[Node, ...], place: Place, reading: Reading) -> Rows:
    if is_no_dataset(place):
        return Rows([Column(each.id, each.text("name"), NOTHING) for each in columns])
    # Spark knows neither the fields in a topic's payload nor those of the tables of a query.
    described = not is_topic(place) and query_of(place.options) is None
    fields = tuple(map(_field, columns)) if described else ()
    datasets = datasets_at(place, fields)
    if not datasets:
        reading.opaque[place.kind] = None
        return Rows([Column(each.id, each.text("name"), UNKNOWN) for each in columns])
    for dataset in datasets:
        # Where rows are changed in place, their positions in files are read as columns too.
        known = reading.targets.get(dataset.key, dataset) if reading.command else dataset
        reading.inputs.setdefault(dataset.key, known)
    keys = [dataset.key for dataset in datasets]
    if query_of(place.options) is not None:
        return _of_query(columns, place, keys, reading)
    prefix = "$" if is_topic(place) else ""
    return Rows(
        [
            Column(
                each.id,
                each.text("name"),
                read_column(keys, (prefix + each.text("name"),), each.fields["dataType"]),
            )
            for each in columns
        ]
    )


def _field(column: Node) -> SchemaField:
    return schema_fields(
        {"fields": [{"name": column.text("name"), "type": column.fields["dataType"]}]}
    )[0]


def _of_query(
    columns: tuple[Node, ...], place: Place, keys: list[DatasetKey], reading: Reading
) -> Rows:
    """The rows of a query that the database runs, seen through where it is a plain one."""
    query = plain_query(place.options["url"], place.options)
    if query is None:
        reading.opaque[place.kind] = None
        return Rows([Column(each.id, each.text("name"), UNKNOWN) for each in columns])
    filtered = (read_column(keys, (name,), "") for name in query.filtered)
    return Rows(
        [
            Column(
                each.id,
                each.text("name"),
                read_column(keys, (query.columns[each.text("name")],), each.fields["dataType"])
                if each.text("name") in query.columns
                else UNKNOWN,
            )
            for each in columns
        ],
        frozenset().union(*(deciding(value, "FILTER") for value in filtered)),
    )


def _of_stream(columns: tuple[Node, ...], reading: Reading) -> Rows:
    """The rows that a stream handed to ``foreachBatch``: they keep the stream's own ids."""
    rows: list[Column] = []
    decided = frozenset()
    for each in columns:
        known = reading.streams.get(each.id)
        rows.append(Column(each.id, each.text("name"), known.value if known else UNKNOWN))
        if known:
            decided |= known.decided
            for dataset in known.inputs:
                reading.inputs.setdefault(dataset.key, dataset)
    return Rows(rows, decided)
