"""Everything at once, for whoever looks at the whole estate: rows of all jobs and datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mainstem.sql.connection import Connection

_JOBS = """SELECT job.id, job.head, latest.state, latest.created, latest.updated,
  latest.overdue_after, latest.facets
FROM job LEFT JOIN run latest ON latest.id = job.latest_run ORDER BY job.id"""
_COLUMNS = """SELECT job_id, dataset_id, digest FROM column_lineage ORDER BY job_id, dataset_id"""
_FORMER = """SELECT dataset.id, older.facets FROM dataset
JOIN dataset_version present ON present.dataset_id = dataset.id
  AND present.version = dataset.version
JOIN dataset_version older ON older.dataset_id = dataset.id
  AND older.producer_digest = present.producer_digest
  AND older.version <> present.version AND older.writer_key IS NOT NULL"""


class EstateJob(NamedTuple):
    """A job, and its latest run where it has one."""

    id: int
    head: bytes
    state: str | None
    began: int | None
    told: int | None
    overdue_after: int | None
    facets: bytes | None


def every_job(connection: Connection) -> Iterator[EstateJob]:
    """Every job with its latest run."""
    return map(EstateJob._make, connection.rows(_JOBS))


def every_column_digest(connection: Connection) -> list[tuple[int, int, str]]:
    """Which job told which dataset's columns: job, dataset, the digest of what it told."""
    return [(job, dataset, digest) for job, dataset, digest in connection.rows(_COLUMNS)]


def former_schemas(connection: Connection) -> Iterator[tuple[int, bytes]]:
    """By dataset, the facets of other schemas that its present one's producer once wrote with."""
    return ((dataset, bytes(facets)) for dataset, facets in connection.rows(_FORMER))
