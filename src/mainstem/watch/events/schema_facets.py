"""The dataset facets ``schema`` and ``mainstem_schema``: a dataset's columns, and who vouches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attr
from openlineage.client.facet_v2 import schema_dataset
from openlineage.client.generated.base import DatasetFacet

from mainstem.names.signature import facet_schema_url

if TYPE_CHECKING:
    from mainstem.watch.schema_registry.fields import DatasetSchema, Field, SchemaVersion


@attr.define
class MainstemSchemaDatasetFacet(DatasetFacet):
    """Which registered schemas the columns were read from; ``key`` is that of a topic's key."""

    registryId: int | None = None  # noqa: N815
    subject: str | None = None
    version: int | None = None
    format: str | None = None
    key: dict[str, Any] | None = None

    @staticmethod
    def _get_schema() -> str:
        return facet_schema_url("MainstemSchemaDatasetFacet")


def schema_facets(schema: DatasetSchema) -> dict[str, DatasetFacet]:
    """The facets of a dataset whose schema is known."""
    facets: dict[str, DatasetFacet] = {
        "schema": schema_dataset.SchemaDatasetFacet(fields=[_field(one) for one in schema.fields])
    }
    if schema.value or schema.key:
        value = _registered(schema.value) if schema.value else {}
        key = _registered(schema.key) if schema.key else None
        facets["mainstem_schema"] = MainstemSchemaDatasetFacet(**value, key=key)
    return facets


def _field(field: Field) -> schema_dataset.SchemaDatasetFacetFields:
    return schema_dataset.SchemaDatasetFacetFields(
        field.name,
        type=field.type or None,
        description=field.description,
        fields=[_field(child) for child in field.fields] or None,
    )


def _registered(version: SchemaVersion) -> dict[str, Any]:
    return {
        "registryId": version.id,
        "subject": version.subject,
        "version": version.version,
        "format": version.format,
    }
