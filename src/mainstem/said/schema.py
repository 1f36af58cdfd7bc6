"""A dataset's fields, as a ``schema`` facet tells them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mainstem.said.json_values import Json, as_object, as_objects, as_text, kept_json
from mainstem.said.versions import dataset_version

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName


class SchemaSaid(NamedTuple):
    """A schema ready to be served, and the version that it makes."""

    fields: bytes
    version: str


def read_schema(name: DatasetName, fields: list[Json]) -> SchemaSaid:
    """The schema that some fields are."""
    return SchemaSaid(kept_json(_shown(fields)), dataset_version(name, fields))


def said_fields(facets: Json) -> list[Json] | None:
    """The fields of a schema facet; None where there is no schema."""
    schema = as_object(facets.get("schema"))
    if not schema or schema.get("_deleted") is True:
        return None
    return [one for one in as_objects(schema.get("fields")) if as_text(one.get("name"))]


def shown_fields(facets: Json) -> list[Json]:
    """The fields of a schema facet in Marquez's shape."""
    return _shown(said_fields(facets) or [])


def _shown(fields: list[Json]) -> list[Json]:
    """Fields in Marquez's shape, with their nested fields besides."""
    shown: list[Json] = []
    for one in fields:
        nested = said_fields({"schema": one}) if "fields" in one else None
        told: Json = {
            "name": one["name"],
            "type": as_text(one.get("type")),
            "tags": [],
            "description": as_text(one.get("description")),
        }
        shown.append({**told, "fields": _shown(nested)} if nested else told)
    return shown
