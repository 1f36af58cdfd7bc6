"""Datasets with their facets, on both sides of every event."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from openlineage.client.event_v2 import InputDataset, OutputDataset
from openlineage.client.facet_v2 import (
    dataset_type_dataset,
    datasource_dataset,
    input_statistics_input_dataset,
    output_statistics_output_dataset,
    schema_dataset,
    symlinks_dataset,
)

from mainstem.watch.events.columns import column_lineage
from mainstem.watch.events.schema_facets import schema_facets

if TYPE_CHECKING:
    from collections.abc import Mapping

    from openlineage.client.generated.base import (
        DatasetFacet,
        InputDatasetFacet,
        OutputDatasetFacet,
    )

    from mainstem.names.dataset import DatasetName
    from mainstem.watch.events.columns import ToldColumns
    from mainstem.watch.resolvers.model import Resolution

_FILE_SCHEMES = ("file", "s3", "gs", "hdfs", "wasbs", "abfss", "dbfs")


def inputs_of(resolution: Resolution, rows: Mapping[str, int]) -> list[InputDataset]:
    """Every input with its schema, or where that is unknown the columns that outputs come from.

    ``rows`` are those that a sink has read, by topic; a topic's name is its dataset's.
    """
    fields: dict[DatasetName, dict[str, None]] = {}
    for column in resolution.columns:
        for source in (one for one in column.sources if one.direct):
            fields.setdefault(source.dataset, {})[source.field] = None
    return [
        InputDataset(
            dataset.namespace,
            dataset.name,
            facets=_facets(dataset, resolution, fields.get(dataset, {})),
            inputFacets=_statistics(rows.get(dataset.name)),
        )
        for dataset in resolution.inputs
    ]


def outputs_of(
    resolution: Resolution, told: ToldColumns, rows: Mapping[DatasetName, int]
) -> list[OutputDataset]:
    """Every output, with its column lineage where it is told, and the rows known to be written."""
    outputs: list[OutputDataset] = []
    for dataset in resolution.outputs:
        columns = told.by_output.get(dataset, ())
        facets = _facets(dataset, resolution, {column.field: None for column in columns})
        if columns:
            facets["columnLineage"] = column_lineage(columns)
        written = _written(rows.get(dataset))
        outputs.append(
            OutputDataset(dataset.namespace, dataset.name, facets=facets, outputFacets=written)
        )
    return outputs


def _statistics(rows: int | None) -> dict[str, InputDatasetFacet]:
    if rows is None:
        return {}
    return {
        "inputStatistics": input_statistics_input_dataset.InputStatisticsInputDatasetFacet(
            rowCount=rows
        )
    }


def _written(rows: int | None) -> dict[str, OutputDatasetFacet]:
    if rows is None:
        return {}
    return {
        "outputStatistics": output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet(
            rowCount=rows
        )
    }


def _facets(
    dataset: DatasetName, resolution: Resolution, fields: Mapping[str, None]
) -> dict[str, DatasetFacet]:
    facets: dict[str, DatasetFacet] = {
        "dataSource": _data_source(dataset.namespace),
        "datasetType": _dataset_type(_type_of(dataset)),
    }
    if symlinks := resolution.symlinks.get(dataset):
        facets["symlinks"] = symlinks_dataset.SymlinksDatasetFacet(
            identifiers=[
                symlinks_dataset.Identifier(link.dataset.namespace, link.dataset.name, link.type)
                for link in symlinks
            ]
        )
    if schema := resolution.schemas.get(dataset):
        facets |= schema_facets(schema)
    elif fields:
        facets["schema"] = schema_dataset.SchemaDatasetFacet(
            fields=[schema_dataset.SchemaDatasetFacetFields(name) for name in fields]
        )
    return facets


# The official client checks each facet that is made; thousands of datasets share these.
@lru_cache(maxsize=1024)
def _data_source(namespace: str) -> DatasetFacet:
    return datasource_dataset.DatasourceDatasetFacet(name=namespace, uri=_uri_of(namespace))


@cache
def _dataset_type(name: str) -> DatasetFacet:
    return dataset_type_dataset.DatasetTypeDatasetFacet(datasetType=name)


def _uri_of(namespace: str) -> str | None:
    """The namespace where it is a URI; ``file`` and ``bigquery`` are names alone."""
    return namespace if ":" in namespace else None


def _type_of(dataset: DatasetName) -> str:
    scheme = dataset.namespace.partition(":")[0]
    if scheme == "kafka":
        return "TOPIC"
    return "FILE" if scheme in _FILE_SCHEMES else "TABLE"
