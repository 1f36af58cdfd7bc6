"""JSON Schemas of OpenLineage events, made from the official client's generated model.

The client's classes are generated from the specification (core 2-0-2 and its facets), so what
they require and allow is what the specification does. A facet that they do not know must be one of
ours, with the JSON Schema that ships in the package.
"""

from __future__ import annotations

import enum
import sys
import types
import typing
from functools import cache
from typing import Any

import attr
import jsonschema_rs
import orjson
from openlineage.client.event_v2 import JobEvent, RunEvent
from openlineage.client.facet_v2 import (
    column_lineage_dataset,
    dataset_type_dataset,
    datasource_dataset,
    error_message_run,
    extraction_error_run,
    input_statistics_input_dataset,
    job_type_job,
    lifecycle_state_change_dataset,
    output_statistics_output_dataset,
    parent_run,
    processing_engine_run,
    schema_dataset,
    symlinks_dataset,
    tags_run,
)
from openlineage.client.generated.lineage import LineageJobFacet

from mainstem.spark import facet as spark_facet
from mainstem.watch.events import producer as watch_facets

FACETS: dict[str, type] = {
    "columnLineage": column_lineage_dataset.ColumnLineageDatasetFacet,
    "dataSource": datasource_dataset.DatasourceDatasetFacet,
    "datasetType": dataset_type_dataset.DatasetTypeDatasetFacet,
    "errorMessage": error_message_run.ErrorMessageRunFacet,
    "extractionError": extraction_error_run.ExtractionErrorRunFacet,
    "inputStatistics": input_statistics_input_dataset.InputStatisticsInputDatasetFacet,
    "jobType": job_type_job.JobTypeJobFacet,
    "lifecycleStateChange": lifecycle_state_change_dataset.LifecycleStateChangeDatasetFacet,
    "lineage": LineageJobFacet,
    "outputStatistics": output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet,
    "parent": parent_run.ParentRunFacet,
    "processing_engine": processing_engine_run.ProcessingEngineRunFacet,
    "schema": schema_dataset.SchemaDatasetFacet,
    "symlinks": symlinks_dataset.SymlinksDatasetFacet,
    "tags": tags_run.TagsRunFacet,
}
OUR_FACETS = {
    "mainstem_connector": (watch_facets, "MainstemConnectorRunFacet"),
    "mainstem_spark": (spark_facet, "MainstemSparkRunFacet"),
    "mainstem_schema": (watch_facets, "MainstemSchemaDatasetFacet"),
}


def assert_valid_event(body: bytes) -> dict[str, Any]:
    """The event, having checked all of it against the specification."""
    event = orjson.loads(body)
    _validator(RunEvent if "run" in event else JobEvent).validate(event)
    for holder in (event.get("run", {}), event["job"], *event["inputs"], *event["outputs"]):
        for kind in ("facets", "inputFacets", "outputFacets"):
            for name, facet in holder.get(kind, {}).items():
                _facet_validator(name).validate(facet)
    return event


@cache
def _facet_validator(name: str) -> Any:
    if name in OUR_FACETS:
        home, facet = OUR_FACETS[name]
        schema = orjson.loads(home.facet_schema(facet))
        return jsonschema_rs.validator_for(schema, validate_formats=True)
    return _validator(FACETS[name])


@cache
def _validator(model: type) -> Any:
    return jsonschema_rs.validator_for(_class_schema(model, ()), validate_formats=True)


def _class_schema(model: type, above: tuple[type, ...]) -> dict[str, Any]:
    if model in above:  # nested fields repeat themselves; two levels are enough to check
        return {"type": "object"}
    hints = _hints(model)
    properties: dict[str, Any] = {}
    required: list[str] = []
    for attribute in attr.fields(model):
        properties[attribute.name] = _schema(hints[attribute.name], (*above, model))
        if attribute.default is attr.NOTHING:
            required.append(attribute.name)
    properties.get("eventTime", {})["format"] = "date-time"
    for uri in ("producer", "schemaURL", "_producer", "_schemaURL"):
        if uri in properties:
            properties[uri]["format"] = "uri"
            required.append(uri)
    if model is datasource_dataset.DatasourceDatasetFacet:
        properties["uri"]["format"] = "uri"
    for holder in properties.keys() & {"facets", "inputFacets", "outputFacets"}:
        properties[holder] = {"type": "object"}  # their contents are checked one by one
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _hints(model: type) -> dict[str, Any]:
    names: dict[str, Any] = dict(vars(typing))
    for each in reversed(model.__mro__):
        names.update(vars(sys.modules[each.__module__]))
    return typing.get_type_hints(model, names)


def _schema(hint: Any, above: tuple[type, ...]) -> dict[str, Any]:  # noqa: PLR0911
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in {typing.Union, types.UnionType}:
        return {"anyOf": [_schema(part, above) for part in arguments if part is not type(None)]}
    if origin is typing.Literal:
        return {"enum": list(arguments)}
    if origin is list:
        return {"type": "array", "items": _schema(arguments[0], above)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(arguments[1], above)}
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return {"enum": [member.value for member in hint]}
    if isinstance(hint, type) and attr.has(hint):
        return _class_schema(hint, above)
    names = {str: "string", int: "integer", float: "number", bool: "boolean"}
    return {"type": names[hint]} if hint in names else {}
