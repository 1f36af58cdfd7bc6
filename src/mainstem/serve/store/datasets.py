"""Datasets, their schema versions and their column lineage, as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from mainstem.names.dataset import DatasetName
from mainstem.serve.model.dataset import Dataset, lifecycle_state, source_name
from mainstem.serve.model.event import time_of_key
from mainstem.serve.model.job import description, owners, tags_said
from mainstem.serve.model.kind import dataset_kind
from mainstem.serve.model.registers import Facets
from mainstem.serve.store.catalog import digest_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mainstem.serve.model.dataset import SchemaVersion
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
_SAVE_VERSION = """INSERT INTO dataset_version (dataset_id, version, producer_digest, producer,
  first_key, last_key, created, writer_key, run_id, facets)
VALUES (?,?,?,?,?,?,?,?,?,?)
ON CONFLICT (dataset_id, version, producer_digest) DO UPDATE SET
  first_key = {least}(dataset_version.first_key, excluded.first_key),
  last_key = {greatest}(dataset_version.last_key, excluded.last_key),
  created = {least}(dataset_version.created, excluded.created),
  run_id = CASE WHEN dataset_version.writer_key IS NULL
    OR excluded.writer_key < dataset_version.writer_key
    THEN excluded.run_id ELSE dataset_version.run_id END,
  writer_key = CASE WHEN dataset_version.writer_key IS NULL
    OR excluded.writer_key < dataset_version.writer_key
    THEN excluded.writer_key ELSE dataset_version.writer_key END,
  facets = CASE WHEN excluded.last_key > dataset_version.last_key
    THEN excluded.facets ELSE dataset_version.facets END"""
_SAVE_COLUMNS = """INSERT INTO column_lineage (job_id, dataset_id, key, sources, facet)
VALUES (?,?,?,?,?)
ON CONFLICT (dataset_id, job_id) DO UPDATE SET
  key = excluded.key, sources = excluded.sources, facet = excluded.facet"""


class Columns(NamedTuple):
    """The column lineage of one dataset as one job makes it; job 0 is "no job said it"."""

    job_id: int
    dataset_id: int
    key: str
    sources: tuple[int, ...]
    """The datasets that some column is made from."""

    facet: bytes | None
    """In the shape of ``model.columns``; None in listings of sources alone."""


def load_datasets(connection: Connection, numbers: Iterable[int]) -> dict[int, Dataset]:
    """The datasets that are there, by number."""
    return {row[0]: _dataset(row) for row in connection.among(_LOAD, numbers)}


def save_datasets(connection: Connection, datasets: Iterable[Dataset]) -> None:
    """Write datasets as they now stand."""
    connection.many(_SAVE, [_row(dataset) for dataset in datasets])


def save_versions(connection: Connection, versions: Iterable[SchemaVersion]) -> None:
    """Merge what events said about schema versions into what is there."""
    rows = [
        (
            one.dataset_id, one.version, digest_of(one.producer), one.producer, one.first_key,
            one.last_key, time_of_key(one.first_key), one.writer_key, one.run_id,
            orjson.dumps(one.facets, option=orjson.OPT_SORT_KEYS),
        )
        for one in versions
    ]  # fmt: skip
    connection.many(_SAVE_VERSION, rows)


def column_keys(connection: Connection, numbers: Iterable[int]) -> dict[tuple[int, int], str]:
    """How late the column lineage of some datasets is, by job and dataset."""
    rows = connection.among(
        "SELECT job_id, dataset_id, key FROM column_lineage WHERE dataset_id {among}", numbers
    )
    return {(job, dataset): key for job, dataset, key in rows}


def save_columns(connection: Connection, columns: Iterable[Columns]) -> None:
    """Replace column lineage."""
    rows = [
        (one.job_id, one.dataset_id, one.key, orjson.dumps(one.sources), one.facet)
        for one in columns
    ]
    connection.many(_SAVE_COLUMNS, rows)


def every_column_source(connection: Connection) -> Iterator[Columns]:
    """Which datasets each dataset's columns are made from."""
    rows = connection.rows("SELECT job_id, dataset_id, key, sources FROM column_lineage")
    for job, dataset, key, sources in rows:
        yield Columns(job, dataset, key, tuple(orjson.loads(sources)), None)


def load_columns(connection: Connection, numbers: Iterable[int]) -> list[Columns]:
    """The column lineage of some datasets, whole."""
    rows = connection.among(
        "SELECT job_id, dataset_id, key, sources, facet FROM column_lineage"
        " WHERE dataset_id {among}",
        numbers,
    )
    return [
        Columns(job, dataset, key, tuple(orjson.loads(sources)), bytes(facet))
        for job, dataset, key, sources, facet in rows
    ]


def _dataset(row: Row) -> Dataset:
    fold: dict[str, Any] = orjson.loads(row[9])
    return Dataset(
        id=row[0],
        name=DatasetName(row[1], row[2]),
        created=row[3],
        updated=row[4],
        written=row[5],
        schema_key=fold["schema_key"],
        version=row[6],
        fields=bytes(row[7]),
        facets=Facets(bytes(row[8]), fold["keys"]),
    )


def _row(dataset: Dataset) -> tuple[Any, ...]:
    fold = {"schema_key": dataset.schema_key, "keys": dataset.facets.keys}
    name = dataset.name
    return (
        dataset.id, digest_of(name.namespace, name.name), name.namespace, name.name,
        dataset.created, dataset.updated, dataset.written, dataset.version,
        _head(dataset), dataset.fields, dataset.facets.to_bytes(),
        orjson.dumps(fold, option=orjson.OPT_SORT_KEYS),
    )  # fmt: skip


def _head(dataset: Dataset) -> bytes:
    """What listings show of the facets, so that they need not be read."""
    facets = dataset.facets.values
    return orjson.dumps(
        [
            dataset_kind(dataset.name.namespace, facets), source_name(facets),
            lifecycle_state(facets), description(facets), tags_said(facets), owners(facets),
        ]
    )  # fmt: skip
