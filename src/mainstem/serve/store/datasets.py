"""Datasets, their schema versions and their column lineage, as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from mainstem.names.dataset import DatasetName
from mainstem.said.datasets import lifecycle_state, source_name
from mainstem.said.event import time_of_key
from mainstem.said.jobs import description, owners, tags_said
from mainstem.said.kind import dataset_kind
from mainstem.said.registers import Facets
from mainstem.serve.model.dataset import Dataset, SchemaVersion
from mainstem.serve.store.catalog import digest_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mainstem.serve.store.recent import ColumnsPlace, VersionPlace
    from mainstem.sql.connection import Connection, Row

_LOAD = """SELECT id, namespace, name, created, updated, written, version, fields, facets, fold
FROM dataset WHERE id {among}"""
_SAVE = """INSERT INTO dataset (id, digest, namespace, name, created, updated, written, version,
  head, fields, facets, fold)
VALUES (?,?,?,?,?,?,?,?,?,?,?,?)
ON CONFLICT (id) DO UPDATE SET created = excluded.created, updated = excluded.updated,
  written = excluded.written, version = excluded.version, head = excluded.head,
  fields = excluded.fields,
  facets = excluded.facets, fold = excluded.fold"""
_REPEAT = "UPDATE dataset SET updated = ?, written = ?, fold = ? WHERE id = ?"
_SAVE_VERSION = """INSERT INTO dataset_version (dataset_id, version, producer, producer_digest,
  first_key, created, writer_key, run_id, facets)
VALUES (?,?,?,?,?,?,?,?,?)
ON CONFLICT (dataset_id, version, producer_digest) DO UPDATE SET
  facets = CASE WHEN excluded.first_key < dataset_version.first_key
    THEN excluded.facets ELSE dataset_version.facets END,
  first_key = excluded.first_key, created = excluded.created, run_id = excluded.run_id,
  writer_key = excluded.writer_key"""
_SAVE_COLUMNS = """INSERT INTO column_lineage (dataset_id, job_id, key, digest)
VALUES (?,?,?,?)
ON CONFLICT (dataset_id, job_id) DO UPDATE SET key = excluded.key, digest = excluded.digest"""


class Columns(NamedTuple):
    """The column lineage of one dataset as one job makes it; job 0 is "no job said it"."""

    job_id: int
    dataset_id: int
    digest: str
    """Which of the kept facets tells it."""


def load_datasets(connection: Connection, numbers: Iterable[int]) -> dict[int, Dataset]:
    """The datasets that are there, by number."""
    return {row[0]: _dataset(row) for row in connection.among(_LOAD, numbers)}


def save_datasets(connection: Connection, datasets: Iterable[Dataset]) -> None:
    """Write datasets as they now stand."""
    whole: list[tuple[Any, ...]] = []
    repeated: list[tuple[Any, ...]] = []
    for one in datasets:
        if one.told_anew:
            whole.append(_row(one))
            one.told_anew = False
            one.facets.fold_up()
        else:
            repeated.append((one.updated, one.written, _fold(one), one.id))
    connection.many(_SAVE, whole)
    connection.many(_REPEAT, repeated)


def load_versions(
    connection: Connection, numbers: Iterable[int]
) -> dict[VersionPlace, SchemaVersion]:
    """The schema versions of some datasets, without their facets."""
    rows = connection.among(
        "SELECT dataset_id, version, producer, first_key, writer_key, run_id FROM dataset_version"
        " WHERE dataset_id {among}",
        numbers,
    )
    return {(row[0], row[1], row[2]): SchemaVersion(row[3], row[4], row[5], b"") for row in rows}


def save_versions(connection: Connection, versions: dict[VersionPlace, SchemaVersion]) -> None:
    """Write schema versions; the facets only of those that were first said otherwise."""
    rows = [
        (
            *place, digest_of(place[2]), one.first_key, time_of_key(one.first_key),
            one.writer_key, one.run_id, one.facets,
        )
        for place, one in versions.items()
    ]  # fmt: skip
    connection.many(_SAVE_VERSION, rows)


def load_column_keys(
    connection: Connection, numbers: Iterable[int]
) -> dict[ColumnsPlace, tuple[str, str]]:
    """Order key and digest of what was last told of some datasets' columns."""
    rows = connection.among(
        "SELECT job_id, dataset_id, key, digest FROM column_lineage WHERE dataset_id {among}",
        numbers,
    )
    return {(job, dataset): (key, digest) for job, dataset, key, digest in rows}


def save_columns(connection: Connection, told: dict[ColumnsPlace, tuple[str, str]]) -> None:
    """Write which facet tells a dataset's columns."""
    rows = [(dataset, job, key, digest) for (job, dataset), (key, digest) in told.items()]
    connection.many(_SAVE_COLUMNS, rows)


def save_column_facets(
    connection: Connection, facets: dict[str, bytes], sources: Iterable[tuple[int, int]]
) -> None:
    """Keep column lineage by its digest, and which dataset's columns are made from which."""
    connection.many(
        "INSERT INTO column_facet (digest, facet) VALUES (?,?) ON CONFLICT DO NOTHING",
        list(facets.items()),
    )
    connection.many(
        "INSERT INTO column_source (source_id, dataset_id) VALUES (?,?) ON CONFLICT DO NOTHING",
        sorted(sources),
    )


def derived_datasets(connection: Connection, sources: Iterable[int]) -> set[int]:
    """The datasets that ever had columns made from some others."""
    rows = connection.among("SELECT dataset_id FROM column_source WHERE source_id {among}", sources)
    return {dataset for (dataset,) in rows}


def load_columns(connection: Connection, numbers: Iterable[int]) -> list[tuple[Columns, bytes]]:
    """The column lineage of some datasets, as each job last told it, with the facet."""
    rows = connection.among(
        "SELECT job_id, dataset_id, column_lineage.digest, facet FROM column_lineage"
        " JOIN column_facet ON column_facet.digest = column_lineage.digest"
        " WHERE dataset_id {among}",
        numbers,
    )
    return [(Columns(*row[:3]), row[3]) for row in rows]


def load_column_facets(connection: Connection, digests: Iterable[str]) -> dict[str, bytes]:
    """Kept column lineage, in the shape of ``model.columns``."""
    rows = connection.among("SELECT digest, facet FROM column_facet WHERE digest {among}", digests)
    return {digest: bytes(facet) for digest, facet in rows}


def _dataset(row: Row) -> Dataset:
    fold: dict[str, Any] = orjson.loads(row[9])
    return Dataset(
        id=row[0],
        name=DatasetName(row[1], row[2]),
        created=row[3],
        updated=row[4],
        written=row[5],
        first_key=fold["first"],
        last_key=fold["last"],
        written_key=fold["written"],
        schema_key=fold["schema_key"],
        version=row[6],
        fields=bytes(row[7]),
        facets=Facets(bytes(row[8]), fold["keys"]),
        told_anew=False,
    )


def _row(dataset: Dataset) -> tuple[Any, ...]:
    name = dataset.name
    return (
        dataset.id, digest_of(name.namespace, name.name), name.namespace, name.name,
        dataset.created, dataset.updated, dataset.written, dataset.version,
        _head(dataset), dataset.fields, dataset.facets.to_bytes(), _fold(dataset),
    )  # fmt: skip


def _fold(dataset: Dataset) -> bytes:
    fold = {
        "first": dataset.first_key,
        "last": dataset.last_key,
        "written": dataset.written_key,
        "schema_key": dataset.schema_key,
        "keys": dataset.facets.keys,
    }
    return orjson.dumps(fold, option=orjson.OPT_SORT_KEYS)


def _head(dataset: Dataset) -> bytes:
    """What listings show of the facets, so that they need not be read."""
    facets = dataset.facets.values
    return orjson.dumps(
        [
            dataset_kind(dataset.name.namespace, facets), source_name(facets),
            lifecycle_state(facets), description(facets), tags_said(facets), owners(facets),
        ]
    )  # fmt: skip
