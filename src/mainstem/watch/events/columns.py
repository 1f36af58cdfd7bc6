"""Column lineage in OpenLineage: the facet ``columnLineage``, and the fields of ``lineage``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from openlineage.client.facet_v2 import column_lineage_dataset
from openlineage.client.generated.lineage import (
    LineageDatasetEntry,
    LineageDatasetInput,
    LineageFieldEntry,
    LineageJobFacet,
    LineageTransformation,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.resolvers.model import ColumnEdge, ColumnSource, Edge, Resolution

MOST_COLUMNS = 5_000
"""In one event, which is two megabytes of them; a heartbeat repeats all it says."""


class ToldColumns(Struct, frozen=True):
    """The columns that one event tells, by output."""

    by_output: Mapping[DatasetName, tuple[ColumnEdge, ...]]
    left_out: int = 0
    """Outputs whose columns would have made the event too large."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know."""
        if not self.left_out:
            return ()
        many = f"{self.left_out} outputs: one event holds at most {MOST_COLUMNS} columns"
        return (f"columns are not told of {many}",)


def columns_to_tell(resolution: Resolution) -> ToldColumns:
    """The resolution's columns, output by output for as long as there is room."""
    found: dict[DatasetName, list[ColumnEdge]] = {}
    for column in resolution.columns:
        found.setdefault(column.output, []).append(column)
    room = MOST_COLUMNS
    told: dict[DatasetName, tuple[ColumnEdge, ...]] = {}
    for output, columns in found.items():
        if len(columns) <= room:
            told[output] = tuple(columns)
            room -= len(columns)
    return ToldColumns(told, len(found) - len(told))


def column_lineage(
    columns: Iterable[ColumnEdge],
) -> column_lineage_dataset.ColumnLineageDatasetFacet:
    """What each column of one output is made from; what decides over whole rows stands apart."""
    whole: dict[ColumnSource, None] = {}
    fields: dict[str, column_lineage_dataset.Fields] = {}
    for column in columns:
        whole.update(dict.fromkeys(_of_rows(column)))
        sources = [_input_field(ways) for ways in _by_field(_of_field(column))]
        fields[column.field] = column_lineage_dataset.Fields(inputFields=sources)
    return column_lineage_dataset.ColumnLineageDatasetFacet(
        fields=fields, dataset=[_input_field(ways) for ways in _by_field(whole)]
    )


def lineage_of(resolution: Resolution, told: ToldColumns) -> LineageJobFacet:
    """The explicit edges: n tables to n topics are n edges, and not n times n."""
    edges: dict[DatasetName, list[Edge]] = {}
    for edge in resolution.edges:
        edges.setdefault(edge.output, []).append(edge)
    return LineageJobFacet(
        entries=[
            _entry(output, edges.get(output, []), told.by_output.get(output, ()))
            for output in resolution.outputs
        ]
    )


def _entry(
    output: DatasetName, edges: Iterable[Edge], columns: Iterable[ColumnEdge]
) -> LineageDatasetEntry:
    whole = dict.fromkeys(source for column in columns for source in _of_rows(column))
    return LineageDatasetEntry(
        namespace=output.namespace,
        name=output.name,
        type="DATASET",
        inputs=[
            *(
                LineageDatasetInput(edge.input.namespace, edge.input.name, "DATASET")
                for edge in edges
            ),
            *map(_lineage_input, _by_field(whole)),
        ],
        fields={
            column.field: LineageFieldEntry(
                [_lineage_input(ways) for ways in _by_field(_of_field(column))]
            )
            for column in columns
        },
    )


def _of_rows(column: ColumnEdge) -> Iterable[ColumnSource]:
    return (source for source in column.sources if source.of_rows)


def _of_field(column: ColumnEdge) -> Iterable[ColumnSource]:
    return (source for source in column.sources if not source.of_rows)


def _by_field(sources: Iterable[ColumnSource]) -> Iterable[list[ColumnSource]]:
    """The sources by their column, of which one may be used in several ways."""
    found: dict[tuple[DatasetName, str], list[ColumnSource]] = {}
    for source in sources:
        found.setdefault((source.dataset, source.field), []).append(source)
    return found.values()


def _lineage_input(ways: list[ColumnSource]) -> LineageDatasetInput:
    source = ways[0]
    return LineageDatasetInput(
        source.dataset.namespace,
        source.dataset.name,
        "DATASET",
        field=source.field,
        transformations=[
            LineageTransformation(_kind(way), subtype=way.transformation, masking=way.masking)
            for way in ways
        ],
    )


def _input_field(ways: list[ColumnSource]) -> column_lineage_dataset.InputField:
    source = ways[0]
    return column_lineage_dataset.InputField(
        source.dataset.namespace,
        source.dataset.name,
        source.field,
        transformations=[
            column_lineage_dataset.Transformation(
                _kind(way), subtype=way.transformation, masking=way.masking
            )
            for way in ways
        ],
    )


def _kind(source: ColumnSource) -> str:
    return "DIRECT" if source.direct else "INDIRECT"
