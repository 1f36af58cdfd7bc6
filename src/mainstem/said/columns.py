"""Which columns a dataset's columns are made from, in one shape whichever facet said it."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from mainstem.names.dataset import DatasetName
from mainstem.said.json_values import Json, as_list, as_object, as_objects, as_text

if TYPE_CHECKING:
    from collections.abc import Iterator


class ColumnsSaid(NamedTuple):
    """Column lineage ready to be stored, and the datasets that it speaks of."""

    facet: bytes
    digest: str
    """A name for these contents, whoever said them."""

    sources: tuple[DatasetName, ...]


def columns_of_target(entry: Json) -> ColumnsSaid | None:
    """The column lineage of one entry of a job's ``lineage`` facet."""
    columns = columns_of_entry(entry)
    return None if columns is None else read_columns(columns)


def read_columns(columns: Json) -> ColumnsSaid:
    """Column lineage in the shape of ``said_columns``, ready to be stored."""
    facet = orjson.dumps(columns, option=orjson.OPT_SORT_KEYS)
    sources = tuple(DatasetName(*source) for source in sorted(source_datasets(columns)))
    return ColumnsSaid(facet, hashlib.blake2b(facet, digest_size=16).hexdigest(), sources)


def said_columns(facets: Json) -> Json | None:
    """The column lineage of a ``columnLineage`` or ``lineage`` facet, what is malformed left out.

    The answer has ``fields`` (by column: inputFields, transformationDescription and
    transformationType) and ``dataset`` (inputs that every column depends on).
    """
    facet = as_object(facets.get("columnLineage"))
    if facet:
        return None if facet.get("_deleted") is True else _from_column_facet(facet)
    return columns_of_entry(as_object(facets.get("lineage")))


def columns_of_entry(entry: Json) -> Json | None:
    """The column lineage of one entry of an explicit ``lineage`` facet."""
    fields: Json = {}
    for column, said in _items(entry.get("fields")):
        sources = list(_sources(said.get("inputs")))
        fields[column] = {"inputFields": sources}
    whole = [one for one in _sources(entry.get("inputs")) if one["field"]]
    return {"fields": fields, "dataset": whole} if fields or whole else None


def source_datasets(columns: Json) -> set[tuple[str, str]]:
    """Every dataset that some column is made from."""
    sources = [one for said in columns["fields"].values() for one in said["inputFields"]]
    return {(one["namespace"], one["name"]) for one in [*sources, *columns["dataset"]]}


def _from_column_facet(facet: Json) -> Json | None:
    fields: Json = {}
    for column, said in _items(facet.get("fields")):
        fields[column] = {"inputFields": list(_sources(said.get("inputFields")))}
        for word in ("transformationDescription", "transformationType"):
            if isinstance(said.get(word), str):
                fields[column][word] = said[word]
    whole = list(_sources(facet.get("dataset")))
    return {"fields": fields, "dataset": whole} if fields or whole else None


def _items(value: Any) -> Iterator[tuple[str, Json]]:
    for name, said in as_object(value).items():
        if isinstance(said, dict):
            yield name, as_object(said)


def _sources(value: Any) -> Iterator[Json]:
    for one in as_objects(value):
        namespace, name = as_text(one.get("namespace")), as_text(one.get("name"))
        column = as_text(one.get("field") or "")
        if one.get("type") == "JOB" or not namespace or not name or column is None:
            continue
        source: Json = {"namespace": namespace, "name": name, "field": column}
        if as_list(one.get("transformations")):
            source["transformations"] = as_objects(one["transformations"])
        yield source
