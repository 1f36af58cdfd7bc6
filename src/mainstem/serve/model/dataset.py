"""A dataset as the fold of the events that name it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

import orjson

from mainstem.serve.model.json_values import Json, as_object, as_objects, as_text
from mainstem.serve.model.registers import Facets, latest
from mainstem.serve.model.said import SchemaSaid
from mainstem.serve.model.versions import dataset_version

if TYPE_CHECKING:
    from mainstem.names.dataset import DatasetName
    from mainstem.serve.model.event import Event, Mention


@dataclass(slots=True)
class Dataset:
    """One dataset under one name; aliases are applied when it is read."""

    id: int
    name: DatasetName
    created: int
    updated: int
    written: int | None = None
    """When a job last wrote it."""

    schema_key: str = ""
    """How strong the schema's word is: registry id, writer, then order key."""

    version: str | None = None
    fields: bytes = b"[]"
    """The current schema's fields, ready to be served."""

    facets: Facets = field(default_factory=Facets)


@dataclass(slots=True)
class SchemaVersion:
    """One schema of one dataset, as one producer says it."""

    dataset_id: int
    version: str
    producer: str
    first_key: str
    last_key: str
    writer_key: str | None
    """The order key of the first event that wrote with this schema; its run made the version."""

    run_id: str | None
    facets: Json


def said_fields(facets: Json) -> list[Json] | None:
    """The fields of a schema facet; None where there is no schema."""
    schema = as_object(facets.get("schema"))
    if not schema or schema.get("_deleted") is True:
        return None
    return [one for one in as_objects(schema.get("fields")) if as_text(one.get("name"))]


def schema_said(name: DatasetName, facets: Json) -> SchemaSaid | None:
    """The schema that an event tells; equal schemas are read once."""
    schema = facets.get("schema")
    return _read(name, orjson.dumps(schema)) if schema else None


@lru_cache(maxsize=1024)
def _read(name: DatasetName, schema: bytes) -> SchemaSaid | None:
    fields = said_fields({"schema": orjson.loads(schema)})
    if not fields:
        return None
    return SchemaSaid(orjson.dumps(_shown(fields)), dataset_version(name, fields))


def source_name(facets: Json) -> str:
    """The source that a ``dataSource`` facet names; Marquez files the rest under "default"."""
    return as_text(as_object(facets.get("dataSource")).get("name")) or "default"


def lifecycle_state(facets: Json) -> str | None:
    """The last thing that happened to the dataset as a whole, such as CREATE or DROP."""
    return as_text(as_object(facets.get("lifecycleStateChange")).get("lifecycleStateChange"))


def fold_mention(dataset: Dataset, mention: Mention, event: Event) -> None:
    """Add what one event says of a dataset."""
    if mention.written:
        dataset.written = latest(dataset.written, event.time)
    facets = mention.facets
    said = mention.schema
    if said is not None:
        strength = f"{_registered(facets):d}{bool(mention.written):d}{event.key}"
        if strength > dataset.schema_key:
            dataset.schema_key, dataset.fields = strength, said.fields
            dataset.version = said.version
            dataset.facets.say({"schema": facets["schema"]}, strength)
    dataset.facets.say(facets if said is None else _without_schema(facets), event.key)


def _registered(facets: Json) -> bool:
    """Whether a schema registry vouches for the schema."""
    holders = (facets.get("schema"), facets.get("mainstem_schema"))
    return any(as_object(one).get("registryId") is not None for one in holders)


def _without_schema(facets: Json) -> Json:
    return {name: facet for name, facet in facets.items() if name != "schema"}


def shown_fields(facets: Json) -> list[Json]:
    """The fields of a schema facet in Marquez's shape."""
    return _shown(said_fields(facets) or [])


def _shown(fields: list[Json]) -> list[Json]:
    """Fields in Marquez's shape, with their nested fields besides."""
    shown: list[Json] = []
    for one in fields:
        nested = said_fields({"schema": one})
        told: Json = {
            "name": one["name"],
            "type": as_text(one.get("type")),
            "tags": [],
            "description": as_text(one.get("description")),
        }
        shown.append({**told, "fields": _shown(nested)} if nested else told)
    return shown
