"""Datasets with their facets, on both sides of every event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from openlineage.client.event_v2 import InputDataset, OutputDataset
from openlineage.client.facet_v2 import (
    column_lineage_dataset,
    datasource_dataset,
    input_statistics_input_dataset,
    lifecycle_state_change_dataset,
    output_statistics_output_dataset,
    schema_dataset,
    symlinks_dataset,
)
from openlineage.client.generated.lineage import (
    LineageDatasetEntry,
    LineageDatasetInput,
    LineageFieldEntry,
    LineageJobFacet,
    LineageTransformation,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from openlineage.client.generated.base import (
        DatasetFacet,
        InputDatasetFacet,
        OutputDatasetFacet,
    )

    from mainstem.spark.lineage import Dataset, DatasetKey, SchemaField, Source
    from mainstem.spark.picture import Picture
    from mainstem.spark.progress import Activity

OVERWRITE = lifecycle_state_change_dataset.LifecycleStateChange.OVERWRITE


def inputs_of(picture: Picture, activity: Activity) -> list[InputDataset]:
    """Every input, with its schema and the rows read of it where they are known."""
    rows = rows_read(picture, activity)
    return [
        InputDataset(
            dataset.namespace,
            dataset.name,
            facets=_facets(dataset),
            inputFacets=_input_statistics(rows.get(dataset.key)),
        )
        for dataset in picture.inputs
    ]


def outputs_of(picture: Picture, activity: Activity) -> list[OutputDataset]:
    """Every output, with its schema, column lineage and rows where they are known."""
    rows = activity.output_rows if len(picture.outputs) == 1 else None
    return [
        OutputDataset(
            dataset.namespace,
            dataset.name,
            facets=_output_facets(dataset, picture),
            outputFacets=_output_statistics(rows),
        )
        for dataset in picture.outputs
    ]


def lineage_facet(picture: Picture) -> LineageJobFacet:
    """The explicit edges: what each output is made of, and not of all inputs of the run."""
    return LineageJobFacet(entries=[_entry(output, picture) for output in picture.outputs])


def rows_read(picture: Picture, activity: Activity) -> dict[DatasetKey, int]:
    """Rows by input, where a source of the stream is surely that input; none is guessed."""
    topics = {one.name: one.key for one in picture.inputs if one.namespace.startswith("kafka://")}
    rows: dict[DatasetKey, int] = {}
    for source in activity.sources:
        read = list(source.offsets or ())
        if len(read) == 1 and read[0] in topics:
            key = topics[read[0]]
            rows[key] = rows.get(key, 0) + source.rows
    if len(activity.sources) == len(picture.inputs) == 1:
        rows = {picture.inputs[0].key: activity.sources[0].rows}
    return rows


def _facets(dataset: Dataset) -> dict[str, DatasetFacet]:
    facets: dict[str, DatasetFacet] = {
        "dataSource": datasource_dataset.DatasourceDatasetFacet(
            name=dataset.namespace, uri=dataset.namespace if ":" in dataset.namespace else None
        )
    }
    if dataset.symlinks:
        facets["symlinks"] = symlinks_dataset.SymlinksDatasetFacet(
            identifiers=[symlinks_dataset.Identifier(*link) for link in dataset.symlinks]
        )
    if dataset.fields:
        facets["schema"] = schema_dataset.SchemaDatasetFacet(fields=_fields(dataset.fields))
    return facets


def _output_facets(dataset: Dataset, picture: Picture) -> dict[str, DatasetFacet]:
    facets = _facets(dataset)
    columns = picture.columns.get(dataset.key, {})
    indirect = picture.indirect.get(dataset.key, ())
    if columns or indirect:
        facets["columnLineage"] = column_lineage_dataset.ColumnLineageDatasetFacet(
            fields={
                field: column_lineage_dataset.Fields(inputFields=_input_fields(sources))
                for field, sources in columns.items()
            },
            dataset=_input_fields(indirect),
        )
    if picture.modes.get(dataset.key) == "overwrite":
        facets["lifecycleStateChange"] = (
            lifecycle_state_change_dataset.LifecycleStateChangeDatasetFacet(OVERWRITE)
        )
    return facets


def _fields(fields: Iterable[SchemaField]) -> list[schema_dataset.SchemaDatasetFacetFields]:
    return [
        schema_dataset.SchemaDatasetFacetFields(one.name, one.type, fields=_fields(one.fields))
        for one in fields
    ]


def _input_fields(sources: Iterable[Source]) -> list[column_lineage_dataset.InputField]:
    return [
        column_lineage_dataset.InputField(
            key.namespace,
            key.name,
            field,
            transformations=[
                column_lineage_dataset.Transformation(
                    one.kind, subtype=one.subtype, masking=one.masking
                )
                for one in together
            ],
        )
        for (key, field), together in _by_column(sources).items()
    ]


def _by_column(sources: Iterable[Source]) -> Mapping[tuple[DatasetKey, str], list[Source]]:
    """One input column may decide and make an output column at once."""
    columns: dict[tuple[DatasetKey, str], list[Source]] = {}
    for source in sources:
        columns.setdefault((source.dataset, source.field), []).append(source)
    return columns


def _entry(output: Dataset, picture: Picture) -> LineageDatasetEntry:
    read = [LineageDatasetInput(*key, "DATASET") for key in picture.edges.get(output.key, ())]
    columns = picture.columns.get(output.key, {})
    return LineageDatasetEntry(
        output.namespace,
        output.name,
        "DATASET",
        inputs=[*read, *_lineage_inputs(picture.indirect.get(output.key, ()))],
        fields={
            field: LineageFieldEntry([*_lineage_inputs(sources)])
            for field, sources in columns.items()
        },
    )


def _lineage_inputs(sources: Iterable[Source]) -> list[LineageDatasetInput]:
    return [
        LineageDatasetInput(
            *key,
            "DATASET",
            field=field,
            transformations=[
                LineageTransformation(one.kind, subtype=one.subtype, masking=one.masking)
                for one in together
            ],
        )
        for (key, field), together in _by_column(sources).items()
    ]


def _input_statistics(rows: int | None) -> dict[str, InputDatasetFacet]:
    if rows is None:
        return {}
    facet = input_statistics_input_dataset.InputStatisticsInputDatasetFacet(rowCount=rows)
    return {"inputStatistics": facet}


def _output_statistics(rows: int | None) -> dict[str, OutputDatasetFacet]:
    if rows is None:
        return {}
    facet = output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet(rowCount=rows)
    return {"outputStatistics": facet}
