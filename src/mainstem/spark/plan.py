"""A captured plan turned into lineage: what is read, what is written, column by column."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from mainstem.spark import nodes
from mainstem.spark.commands import written_by
from mainstem.spark.lineage import Mode, QueryLineage
from mainstem.spark.naming import datasets_at, is_no_dataset, is_topic, schema_fields
from mainstem.spark.scope import Reading, Scope, StreamColumn
from mainstem.spark.topics import payload_columns, topic_literals
from mainstem.spark.tree import parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from mainstem.spark.captured import CapturedPlan
    from mainstem.spark.lineage import Dataset, SchemaField, Source
    from mainstem.spark.tree import Node
    from mainstem.spark.values import Flow, Value

_MODES: Mapping[str, Mode] = {
    "append": "append",
    "complete": "complete",
    "delete": "delete",
    "errorifexists": "append",
    "ignore": "append",
    "merge": "merge",
    "overwrite": "overwrite",
    "update": "update",
}


def lineage_of(
    captured: CapturedPlan, streams: Mapping[int, StreamColumn] | None = None
) -> QueryLineage:
    """What one query reads and writes.

    ``streams`` are the columns of running streams (``stream_columns``): a write inside
    ``foreachBatch`` goes on where its stream's plan ends.
    """
    root = parse(captured.plan)
    outputs = _outputs(captured, root)
    reading = Reading(
        captured.leaves,
        streams or {},
        nodes.rows_of,
        targets={output.key: output for output in outputs},
        command=captured.mode if captured.mode and captured.mode.isupper() else None,
    )
    written = written_by(root, reading)
    if captured.target and not outputs and not is_no_dataset(captured.target):
        reading.opaque[captured.target.kind] = None
    columns = _told(written.columns, topic=bool(captured.target and is_topic(captured.target)))
    mode = _MODES.get(captured.mode.lower()) if captured.mode and outputs else None
    return QueryLineage(
        inputs=tuple(reading.inputs.values()),
        outputs=outputs,
        columns={output.key: columns for output in outputs},
        indirect={output.key: _sources(written.decided) for output in outputs},
        opaque=tuple(reading.opaque),
        mode=mode,
    )


def datasets_of(captured: CapturedPlan) -> QueryLineage:
    """What is read and written: all that is left of a plan that cannot be thought out."""
    read = [datasets_at(place) for place in captured.leaves.values() if not is_no_dataset(place)]
    target = captured.target
    return QueryLineage(
        inputs=tuple(dict.fromkeys(dataset for each in read for dataset in each)),
        outputs=datasets_at(target) if target and not is_no_dataset(target) else (),
        mode=_MODES.get(captured.mode.lower()) if captured.mode else None,
    )


def stream_columns(captured: CapturedPlan) -> Mapping[int, StreamColumn]:
    """The columns that a stream hands to ``foreachBatch``, by their expression ids."""
    reading = Reading(captured.leaves, {}, nodes.rows_of)
    rows = reading.rows_of(parse(captured.plan), Scope(reading))
    inputs = tuple(reading.inputs.values())
    return {column.id: StreamColumn(column.value, rows.decided, inputs) for column in rows.columns}


def _outputs(captured: CapturedPlan, root: Node) -> tuple[Dataset, ...]:
    target = captured.target
    if target is None or is_no_dataset(target):
        return ()
    if is_topic(target):
        return datasets_at(topic_literals(target, root))
    return datasets_at(target, _written_fields(captured, root))


def _written_fields(captured: CapturedPlan, root: Node) -> tuple[SchemaField, ...]:
    if captured.schema is None:
        table = root.tree("table") or root.tree("target")
        return _table_fields(table) if table else ()
    return schema_fields(orjson.loads(captured.schema))


def _table_fields(table: Node) -> tuple[SchemaField, ...]:
    leaf = next(each for each in table.walk() if not each.children)
    columns = [
        {"name": each.text("name"), "type": each.fields["dataType"]}
        for each in leaf.trees("output")
    ]
    return schema_fields({"fields": columns})


def _told(columns: Mapping[str, Value], *, topic: bool) -> dict[str, tuple[Source, ...]]:
    told = payload_columns(columns) if topic else _with_nested(columns.items())
    return {name: _sources(value.flows) for name, value in told if value.flows or not value.unknown}


def _with_nested(columns: Iterable[tuple[str, Value]]) -> Iterator[tuple[str, Value]]:
    for name, value in columns:
        yield name, value
        if value.fields is not None and not value.encoded:
            yield from _with_nested((f"{name}.{key}", part) for key, part in value.fields.items())


def _sources(flows: Iterable[Flow]) -> tuple[Source, ...]:
    return tuple(sorted({flow.source() for flow in flows}))
